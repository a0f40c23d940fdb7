// `cartwall devices`: what ALSA knows, by the names that audio.device takes.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { CLI } from './daemon-rig.js'

const folder = mkdtempSync(join(tmpdir(), 'cartwall-devices-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** On a machine whose sound is set up like this, and in no other way. */
const devices = (setup: string) => {
  const path = join(folder, 'asound.conf')
  writeFileSync(path, setup)
  const env = { ...process.env, ALSA_CONFIG_PATH: path }
  const { status, stdout, stderr } =
    spawnSync(process.execPath, [CLI, 'devices'], { encoding: 'utf8', env })
  return { status, stdout, stderr }
}

const pcm = (name: string, hint: string): string => `pcm.${name} { type null ${hint} }\n`

it.runIf(process.platform === 'linux')('are listed, each with its description', () => {
  const setup = pcm('stage', 'hint { show on description "The stage\nleft and right" }')
    + pcm('hidden', '') + pcm('plain', 'hint { show on }')
  const { status, stdout, stderr } = devices(setup)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^stage\n {4}The stage, left and right\n/m)
  expect(stdout).toMatch(/^plain$/m)
  expect(stdout).not.toContain('hidden')
})

it.runIf(process.platform === 'linux')('none: it says so, and that is no fault', () => {
  expect(devices('')).toEqual({
    status: 0, stdout: '', stderr: 'cartwall: no sound device was found\n',
  })
})
