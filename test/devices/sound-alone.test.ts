// Files that are named as videos and hold sound alone: `cartwall new` and `add` make them sounds.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runAdd } from '../../src/command/add.js'
import { runCheck } from '../../src/command/check.js'
import { runNew } from '../../src/command/new.js'
import { listening } from '../command/command-output.js'

const folder = mkdtempSync(join(tmpdir(), 'cartwall-sound-alone-'))
const said = listening()
const show = join(folder, 'show.json')

const TONE = ['-f', 'lavfi', '-i', 'sine=duration=1']
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=10:duration=1']
const make = (name: string, ...inputs: readonly string[]): void => {
  execFileSync('ffmpeg', ['-v', 'error', ...inputs, '-g', '10', join(folder, name)])
}

beforeAll(() => {
  for (const ending of ['webm', 'mp4', 'mkv']) {
    make(`alone.${ending}`, ...TONE)
    make(`both.${ending}`, ...PICTURE, ...TONE)
    make(`silent.${ending}`, ...PICTURE)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const kinds = (): readonly string[] => {
  const { playlists } = JSON.parse(readFileSync(show, 'utf8')) as {
    readonly playlists: readonly { readonly buttons: readonly { kind: string; title: string }[] }[]
  }
  return playlists.flatMap(({ buttons }) => buttons).map(({ kind, title }) => `${title} ${kind}`)
}

test('they play, and the check has no fault', async () => {
  expect(await runNew([folder])).toBe(0)
  const three = (name: string): readonly string[] => [name, name, name]
  const found = [...three('alone audio'), ...three('both video'), ...three('silent video')]
  expect(kinds()).toEqual(found)
  expect(await runAdd([join(folder, 'alone.webm'), join(folder, 'both.webm'), '--show', show]))
    .toBe(0)
  expect(kinds()).toEqual([...found, 'alone audio', 'both video'])
  expect(await runCheck([show])).toBe(0)
  expect(said.out).toContain('no fault in 11 buttons')
})
