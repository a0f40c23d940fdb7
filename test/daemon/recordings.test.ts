// What is recorded into: told before the show begins where it cannot be, and where it went.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keptLine, recordingsFault } from '../../src/daemon/recordings.js'

it('of several the first that cannot be recorded into is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-recordings-'))
  const fine = join(folder, 'night.jsonl')
  const told = `cannot record: ${folder} is a folder: name a file in it`
  expect(await recordingsFault([null, null])).toBeNull()
  expect(await recordingsFault([fine, null])).toBeNull()
  expect(await recordingsFault([folder, fine])).toBe(told)
  expect(await recordingsFault([null, folder])).toBe(told)
  rmSync(folder, { recursive: true })
})

it.each([
  [null, null, null], ['a.wav', null, null], [null, 'a.wav', null], ['a.wav', 'a.wav', null],
  ['a.wav', 'a.2.wav', 'a.wav is there already and is kept: recording to a.2.wav'],
])('asked for %s and made %s: %s', (asked, made, line) => {
  expect(keptLine(asked, made)).toBe(line)
})
