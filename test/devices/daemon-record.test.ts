// The flight recorder: a night of the real daemon, replayed, has the same events.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedLine } from '../../src/recording/recording.js'
import { replayRecording, type ReplayListener } from '../../src/recording/replay.js'
import { writeCodedWav, writeSweep } from './media-files.js'
import { button, Daemon, delay } from './daemon-rig.js'

const CLI = join(import.meta.dirname, '../../dist/cli.js')
const daemon = new Daemon()
const file = join(daemon.folder, 'night.jsonl')

beforeAll(async () => {
  writeCodedWav(join(daemon.folder, 'short.wav'), 30_000)
  writeSweep(join(daemon.folder, 'long.wav'), 44_100, 20)
  daemon.writeShow([
    { mode: 'shuffle', wrap: true, mixOnTransition: true, crossfadeMs: 200, buttons: [
      { media: 'short.wav' },
      { media: 'short.wav', startMs: 100 },
      { media: 'short.wav', endMs: 500 },
    ] },
    { buttons: [{ media: 'long.wav', pauseWhenReplaced: true }, { media: 'missing.wav' }] },
  ])
  await daemon.start(['--sink', 'null', '--record', file], {})
  // A machine that is busy takes a moment to begin to look at files; starts would be 422 till then.
  await daemon.armed(4)
})

afterAll(async () => {
  await daemon.clean()
})

const UNHEARD: ReplayListener = {
  event: () => undefined, command: () => undefined, reply: () => undefined, show: () => undefined,
}

const replayed = (path: string) => {
  const { status, stdout: out, stderr: err } =
    spawnSync(process.execPath, [CLI, 'replay', path], { encoding: 'utf8' })
  return { status, out, err }
}

const lines = (): RecordedLine[] =>
  readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as RecordedLine)

describe('the flight recorder', () => {
  it('keeps a night from which the same events follow, to the frame', async () => {
    await daemon.play(1)
    await delay(1_700)
    const bed = await daemon.play(4)
    await delay(300)
    await daemon.post(`/buttons/${button(4)}/pause`, { executionId: bed, fadeOutMs: 100 })
    await daemon.play(2)
    await daemon.post(`/buttons/${button(5)}/play`)
    await delay(400)
    await daemon.post(`/buttons/${button(4)}/resume`, { executionId: bed })
    daemon.writeShow([{ buttons: [{ media: 'short.wav' }] }])
    await delay(600)
    await daemon.end('SIGTERM')
    const night = replayRecording(lines(), UNHEARD)
    expect(night.difference).toBeNull()
    expect(night.events).toBeGreaterThan(15)
    expect(night.checkpoints).toBeGreaterThan(8)
  })

  it('is told in words by the command, with its verdict last', () => {
    const { status, out, err } = replayed(file)
    const told = out.trimEnd().split('\n')
    const [day] = told
    expect([status, err]).toEqual([0, ''])
    expect(day).toMatch(new RegExp(`^\\w{3} \\w{3} \\d\\d ${String(new Date().getFullYear())}, "`))
    const at = String.raw`^\d\d:\d\d:\d\d\.\d{3}  `
    for (const words of [
      '> play ', String.raw`> pause .* \[\w{8}\] fadeOutMs=100$`,
      String.raw`.* \[\w{8}\]: pausing, at 0:00:00\.\d{3} \(command\)$`,
      String.raw`> play .* refused: media_file_missing, .*missing\.wav`, 'show replaced$',
      String.raw`.*: stopped, explicit_stop, at 0:00:0\d\.\d{3} \(shutdown\)$`,
    ]) expect(told.filter((line) => new RegExp(at + words).test(line)), words).not.toEqual([])
    expect(told.at(-1)).toMatch(/: as the night was$/)
  })

  it('of another kind, or none, is refused by the command', () => {
    const missing = join(daemon.folder, 'none')
    expect(replayed(missing)).toEqual({
      status: 2, out: '', err: `cartwall: ${missing} cannot be replayed: there is no such file\n`,
    })
    expect(replayed(join(daemon.folder, 'show.json')).err).toMatch(/it is no recording of/)
    const cut = join(daemon.folder, 'cut.jsonl')
    writeFileSync(cut, readFileSync(file, 'utf8').replace('"kind":"pause"', '"kind":"stop"'))
    const { status, err } = replayed(cut)
    expect(status).toBe(1)
    expect(err).toMatch(/^cartwall: different: until frame \d+ /)
  })

  it('tells where a night went otherwise', () => {
    const changed = lines().filter((line) => !('command' in line && line.command.kind === 'pause'))
    expect(replayRecording(changed, UNHEARD).difference?.kind).toBe('otherwise')
  })

  it('a recording that is cut off early or damaged is never said to agree', () => {
    const [header, first] = lines()
    expect(replayRecording([header!, first!], UNHEARD).difference?.kind)
      .toBe('nothing_compared')
    const broken = [...lines().slice(0, 3), {} as RecordedLine]
    expect(() => replayRecording(broken, UNHEARD)).toThrow(/line 4/)
    const later = { ...header!, version: 99 } as unknown as RecordedLine
    expect(() => replayRecording([later], UNHEARD)).toThrow(/version 99/)
  })
})
