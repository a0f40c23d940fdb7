// The flight recorder: a night of the real daemon, replayed, has the same events.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedLine } from '../../src/recording/recording.js'
import { replayRecording } from '../../src/recording/replay.js'
import { writeCodedWav, writeSweep } from './media-files.js'
import { button, Daemon, delay } from './daemon-rig.js'

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
    const night = replayRecording(lines(), () => undefined)
    expect(night.difference).toBeNull()
    expect(night.events).toBeGreaterThan(15)
    expect(night.checkpoints).toBeGreaterThan(8)
  })

  it('tells where a night went otherwise', () => {
    const changed = lines().filter((line) => !('command' in line && line.command.kind === 'pause'))
    expect(replayRecording(changed, () => undefined).difference?.kind).toBe('otherwise')
  })

  it('a recording that is cut off early or damaged is never said to agree', () => {
    const [header, first] = lines()
    expect(replayRecording([header!, first!], () => undefined).difference?.kind)
      .toBe('nothing_compared')
    const broken = [...lines().slice(0, 3), {} as RecordedLine]
    expect(() => replayRecording(broken, () => undefined)).toThrow(/line 4/)
    const later = { ...header!, version: 99 } as unknown as RecordedLine
    expect(() => replayRecording([later], () => undefined)).toThrow(/version 99/)
  })
})
