// What the built command says, to readers that are slow or leave: a pager, ssh, `head`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const BUTTONS = 2_000

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-output-'))
  const guid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
  const buttons = Array.from({ length: BUTTONS }, (_, n) => ({
    id: guid(n + 1), title: `Button ${n}`, kind: 'audio', media: `missing-${n}.wav`,
  }))
  const playlists = [{ id: guid(0), title: 'List', buttons }]
  writeFileSync(join(folder, 'show.json'), JSON.stringify({ version: 1, title: 'Show', playlists }))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const checked = (reader: string): { lines: readonly string[]; errors: string } => {
  const line = `"${process.execPath}" "${CLI}" check show.json | ${reader}`
  const { stdout, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8', cwd: folder })
  // On a busy machine it says how far it is.
  const errors = stderr.replace(/^cartwall: looking into files: .*\n/gm, '')
  return { lines: stdout.split('\n'), errors }
}

it('is read whole by one that is slow', () => {
  const { lines, errors } = checked('{ sleep 1; cat; }')
  expect(lines.filter((line) => line.includes('missing-'))).toHaveLength(BUTTONS)
  expect(errors).toBe('')
})

it('is no fault where its reader leaves', () => {
  const { lines, errors } = checked('head -1')
  expect([lines.length, errors]).toEqual([2, ''])
})

it('is a failure where the disk that it goes to is full', () => {
  const line = `"${process.execPath}" "${CLI}" schema show > /dev/full`
  const { status, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^cartwall: .* ENOSPC: .*\n$/)])
})
