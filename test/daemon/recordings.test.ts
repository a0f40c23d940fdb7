// What is recorded into: told before the show begins where it cannot be, and where it went.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { keptLine, recorderFor, recordingsFault } from '../../src/daemon/recordings.js'

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

it('a recording begins with its time of day; one that fails is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-recordings-'))
  const timers = new VirtualTimers(Date.UTC(2026, 0, 1, 20))
  const lines: unknown[] = []
  const log = pino({ base: null, timestamp: false }, {
    write: (line: string) => lines.push(JSON.parse(line)),
  })
  const recorder = (record: string | null) => recorderFor(
    { record, timers }, { seed: 7, dmxAllowed: true, show: { title: 'x', playlists: [] } }, log)
  expect(recorder(null)).toBeNull()
  const fine = recorder(join(folder, 'night.jsonl'))
  expect(await fine?.begin()).toBe(join(folder, 'night.jsonl'))
  await fine?.close(0)
  const [head = ''] = readFileSync(join(folder, 'night.jsonl'), 'utf8').split('\n')
  expect(JSON.parse(head)).toMatchObject({
    kind: 'cartwall-recording', startedAt: '2026-01-01T20:00:00.000Z', seed: 7, dmxAllowed: true,
  })
  expect(lines).toEqual([])
  const file = join(folder, 'gone', 'night.jsonl')
  expect(await recorder(file)?.begin()).toBeNull()
  expect(lines).toEqual([{
    level: 50, file, detail: expect.stringContaining('ENOENT') as unknown,
    msg: 'the flight recorder stopped; the show goes on',
  }])
  rmSync(folder, { recursive: true })
})
