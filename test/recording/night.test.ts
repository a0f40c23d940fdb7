// A replayed night as a person is told of it: the same, otherwise and how, or not to be compared.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import type { Show } from '../../src/engine/catalogue.js'
import { NO_OPTIONS, type Command } from '../../src/engine/commands/commands.js'
import type { EngineEvent } from '../../src/engine/events.js'
import { tellNight } from '../../src/recording/night.js'
import {
  EventDigest, RECORDING_VERSION, type RecordedFact, type RecordedInput, type RecordedLine,
  type RecordingHeader,
} from '../../src/recording/recording.js'
import { replayRecording, Unreadable } from '../../src/recording/replay.js'
import { VirtualMedia } from '../../src/testing/media.js'
import { showOf } from '../rig.js'

const LAMPS = Array.from({ length: 7 }, (_, n) => `0d5e4a58-1a52-4b3c-8c6e-2a8a3c1f7a0${n}`)
const ORIGIN = 48_000

const titled = (word: string): Show => {
  const dmx = { timelineId: 't', loop: false, durationFrames: frame(48 * 60_000), error: null }
  const buttons = LAMPS.map((id, n) =>
    ({ id, title: `${word} ${n}`, kind: 'dmx' as const, media: null, dmx }))
  const { title, playlists } = showOf([{ buttons }], new VirtualMedia())
  return { title, playlists }
}

const HEADER: RecordingHeader = {
  kind: 'cartwall-recording', version: RECORDING_VERSION, cartwall: '9.9',
  startedAt: '2026-01-01T20:00:00.000Z', seed: 1, origin: ORIGIN, dmxAllowed: true,
  retentionMs: 600_000, loopHeadBytes: 1_000_000, show: titled('Lamp'),
}

const at = (ms: number): number => ORIGIN + ms * 48
const command = (ms: number, asked: Command): RecordedInput => ({ at: at(ms), command: asked })
const play = (ms: number, lamp: number): RecordedInput =>
  command(ms, { kind: 'play', buttonId: LAMPS[lamp]!, options: NO_OPTIONS })
const panic = (ms: number): RecordedInput => command(ms, { kind: 'panic', fadeOutMs: 0 })
const END = { at: at(9_000), end: true } as const

/** What the engine tells of a night of this show, which ends at `end`. */
const replayed = (
  inputs: readonly RecordedLine[], show = HEADER.show, end: RecordedLine = END,
): readonly EngineEvent[] => {
  const told: EngineEvent[] = []
  const quiet = { command: () => undefined, reply: () => undefined, show: () => undefined }
  const listener = { ...quiet, event: (event: EngineEvent) => told.push(event) }
  replayRecording([{ ...HEADER, show }, ...inputs, end], listener)
  return told
}

/** The inputs, each followed by the checkpoint of what the engine told of it. */
const marked = (inputs: readonly RecordedInput[]): RecordedLine[] => {
  const told = replayed(inputs)
  return inputs.flatMap((input, n) => {
    const digest = new EventDigest()
    for (const event of told) if (event.at < (inputs[n + 1]?.at ?? Infinity)) digest.add(event)
    return [input, { at: input.at, events: digest.count, hash: digest.hash }]
  })
}

const NIGHT = marked([play(1_000, 0), panic(2_000)])

const tell = (
  lines: readonly RecordedLine[], more: { hole?: string; torn?: string } = {},
) => {
  const put: string[] = []
  const { hole = null, torn = null } = more
  const told = tellNight({ lines: [HEADER, ...lines], hole, torn }, (line) => put.push(line))
  return { ...told, put }
}
const [FIRST, SECOND] = ['frame 96000 (0:00:02.000)', 'frame 144000 (0:00:03.000)']

describe('a night that is the same', () => {
  it('is told line by line, and summed up', () => {
    const told = tell([...NIGHT, END])
    expect(told.put.slice(1).map((line) => line.slice(14).replace(/\[.*\]/, '[]'))).toEqual([
      '> play Lamp 0', 'lights of Lamp 0 []: started, at 0:00:00.000',
      '> stop all fadeOutMs=0', 'lights of Lamp 0 []: ended, at 0:00:01.000',
    ])
    const { hash } = told.result
    const counted = '6 lines, 0:00:10.000, 2 events, 2 checkpoints'
    expect(told).toMatchObject({
      isSame: true, troubles: [], summary: `${counted}, hash ${hash}: as the night was`,
      result: { events: 2, frames: END.at, checkpoints: 2, difference: null },
    })
    expect(tell([...marked([play(1_000, 0)]), END]).summary).toContain(', 1 event, 1 checkpoints')
  })

  it('calls buttons as the show of the moment does, and says what was refused', () => {
    const unknown = command(3_000, {
      kind: 'stop', buttonId: 'gone', executionId: null, fadeOutMs: null,
    })
    const fact = { kind: 'catalogue', show: titled('Light') } as const
    const told = tell([play(1_000, 0), { at: at(2_000), fact }, play(2_500, 1), unknown, END])
    const words = told.put.slice(1).map((line) => line.slice(14).replace(/\[.*\]/, '[]'))
    expect(words).toEqual([
      '> play Lamp 0', 'lights of Lamp 0 []: started, at 0:00:00.000', 'show replaced',
      '> play Light 1', 'lights of Light 1 []: started, at 0:00:00.000',
      '> stop gone', expect.stringMatching(/^> stop gone refused: /),
    ])
  })

  it('also where something was noticed on the way, which no checkpoint counts', () => {
    const [list, ...others] = HEADER.show.playlists
    const dmx = { timelineId: 't', loop: false, durationFrames: null, error: 'the file is missing' }
    const [first, ...rest] = list!.buttons
    const bed = { ...first!, kind: 'audio' as const, media: '/bed.mp3', dmx }
    const show = { ...HEADER.show, playlists: [{ ...list!, buttons: [bed, ...rest] }, ...others] }
    const fact = { kind: 'checked', ticket: 1, found: true } as const
    const inputs = [play(1_000, 0), { at: at(1_000), fact }, play(2_000, 1)]
    const digest = new EventDigest()
    for (const event of replayed(inputs, show)) digest.add(event)
    const mark = { at: at(2_000), events: digest.count, hash: digest.hash }
    const put: string[] = []
    const lines = [{ ...HEADER, show }, ...inputs, mark, END]
    const told = tellNight({ lines, hole: null, torn: null }, (line) => put.push(line))
    expect(put.join('\n')).toContain('  Lamp 0: no lights: the file is missing')
    expect([told.isSame, told.troubles]).toEqual([true, []])
  })

  it('also where nothing happened in it', () => {
    expect(tell([END])).toMatchObject({
      isSame: true, troubles: [], result: { events: 0, checkpoints: 0, difference: null },
    })
  })

  it('up to a hole, which is no whole night, or to a crash, which is all there is', () => {
    const until = expect.stringContaining(': as the night was up to frame 144000') as unknown
    expect(tell(NIGHT, { hole: 'part 1 is gone' })).toMatchObject({
      isSame: false, summary: until, troubles: ['the recording is not whole: part 1 is gone'],
      result: { difference: 'part 1 is gone' },
    })
    // What the night told behind it is not known.
    expect(tell([...NIGHT, play(5_000, 1)], { hole: 'part 1 is gone' }).troubles)
      .toEqual(['the recording is not whole: part 1 is gone'])
    expect(tell(NIGHT, { torn: 'it breaks off' })).toMatchObject({
      isSame: true, summary: until, troubles: ['the recording is not whole: it breaks off'],
      result: { difference: null },
    })
  })
})

describe('a night that goes otherwise says where, and how', () => {
  const differs = (lines: readonly RecordedLine[], more: { torn?: string } = {}): string => {
    const told = tell(lines, more)
    expect([told.isSame, told.summary.split(': ').at(-1)]).toEqual([false, 'not as the night was'])
    expect(told.troubles[0]).toBe(`different: ${told.result.difference!}`)
    return told.result.difference!.replaceAll(/\[.*?\]/g, '[]')
  }
  const [started, firstMark, stopped, secondMark] = NIGHT as [
    RecordedLine, RecordedLine, RecordedLine, RecordedLine,
  ]

  it('the replay tells nothing, or one event too many', () => {
    expect(differs([firstMark, stopped, secondMark, END]))
      .toBe(`until ${FIRST} the night told 1 event, the replay none`)
    expect(differs([started, firstMark, secondMark, END]))
      .toBe(`until ${SECOND} after ${FIRST} the night told 1 event, the replay none`)
    expect(differs([started, panic(1_000), firstMark, END]))
      .toBe(`until ${FIRST} the night told 1 event; the replay tells one that the night had not:\n`
        + '  frame 96000  lights of Lamp 0 []: ended, at 0:00:00.000')
  })

  it('the replay tells other things: the first five of them', () => {
    const others = [1, 2, 3, 4, 5, 6].map((lamp) => play(1_500, lamp))
    const line = (lamp: number): string =>
      `  frame 120000  lights of Lamp ${lamp} []: started, at 0:00:00.000`
    expect(differs([started, firstMark, ...others.slice(0, 1), stopped, secondMark, END])
      .split('\n')).toEqual([
      `until ${SECOND} after ${FIRST} the night told 1 event, the replay 3 events, and not `
        + 'the same:',
      line(1), expect.stringContaining('frame 144000  lights of Lamp 0 []: ended, at'),
      expect.stringContaining('frame 144000  lights of Lamp 1 []: ended, at'),
    ])
    expect(differs([started, firstMark, ...others, secondMark, END]).split('\n')).toEqual([
      expect.stringContaining('the replay 6 events, and not the same:'),
      ...[1, 2, 3, 4, 5].map(line),
    ])
  })

  it('the replay goes on after all that the night told', () => {
    const three = marked([play(1_000, 0), panic(2_000), play(3_000, 2)])
    expect(differs([...three, play(5_000, 1), END])).toBe(
      'the night told nothing more after frame 192000 (0:00:04.000), the replay tells\n'
        + '  frame 288000  lights of Lamp 1 []: started, at 0:00:00.000')
    expect(differs([started, END])).toBe(
      'the night told nothing more after frame 48000 (0:00:01.000), the replay tells\n'
        + '  frame 96000  lights of Lamp 0 []: started, at 0:00:00.000')
  })

  it('nothing, or not all of it, can be compared', () => {
    expect(differs([started], { torn: 'it breaks off' }))
      .toBe('the recording has no checkpoint: nothing was compared')
    expect(differs([started, firstMark, { at: at(1_500), gap: 7 }, stopped, secondMark, END]))
      .toBe('7 lines are missing at frame 120000 (0:00:02.500): the disk was too slow for the '
        + 'recorder; what came after cannot be replayed')
    expect(differs([started, firstMark, { at: at(1_500), gap: 1 }, stopped, secondMark, END]))
      .toContain('1 line is missing at frame 120000 (0:00:02.500): the disk was')
  })

  it('the engine itself breaks', () => {
    const why = 'the engine itself broke, as it did not in the night: line 4 is no line of a '
      + 'recording'
    expect(differs([started, firstMark, HEADER, END])).toBe(`after ${FIRST} ${why}`)
    const early = tell([END, { ...END }, HEADER])
    expect(early.result).toMatchObject({
      events: 0, frames: ORIGIN, checkpoints: 0,
      difference: `after frame 48000 (0:00:01.000) ${why}`,
    })
  })
})

describe('what a port says within a step is said within that step again', () => {
  const fact = (ms: number, said: RecordedFact): RecordedInput => ({ at: at(ms), fact: said })
  const length = frame(48 * 1_000)

  // The end of a track becomes known, and in the same step its list looks for what comes next: the
  // answers stand at the same frame, and came before anybody had asked for them.
  it('a list goes on as it did in the night', () => {
    const { title, playlists } = showOf(
      [{ mode: 'sequence', buttons: [{ id: LAMPS[0]! }, { id: LAMPS[1]! }] }], new VirtualMedia())
    const told = replayed([
      fact(0, { kind: 'output_back' }),
      play(1_000, 0),
      fact(1_000, { kind: 'checked', ticket: 1, found: true }),
      fact(1_000, { kind: 'supplied', stream: 1, until: frame(48 * 500) }),
      fact(1_200, { kind: 'supplied', stream: 1, until: length }),
      fact(1_200, { kind: 'ended', stream: 1, end: length, source: length, held: false }),
      fact(1_200, { kind: 'checked', ticket: 2, found: true }),
      fact(1_200, { kind: 'supplied', stream: 2, until: length }),
      fact(1_200, { kind: 'ended', stream: 2, end: length, source: length, held: false }),
    ], { title, playlists })
    const runs = told.filter((event) => event.kind === 'run')
    expect(runs.map((run) => [(run.at - ORIGIN) / 48, LAMPS.indexOf(run.buttonId), run.state]))
      .toEqual([
        [1_000, 0, 'starting'], [1_000, 0, 'playing'], [2_000, 0, 'completed'],
        [2_000, 1, 'starting'], [2_000, 1, 'playing'], [3_000, 1, 'completed'],
      ])
  })

  // The end of a loop becomes known late, and in the same step its next pass is opened and
  // supplied: nobody looked for it before.
  it('a loop comes round as it did in the night', () => {
    const { title, playlists } = showOf([{ buttons: [{ id: LAMPS[0]! }] }], new VirtualMedia())
    const told = replayed([
      fact(0, { kind: 'output_back' }),
      command(1_000, {
        kind: 'play', buttonId: LAMPS[0]!, options: { ...NO_OPTIONS, loop: true },
      }),
      fact(1_000, { kind: 'checked', ticket: 1, found: true }),
      fact(1_000, { kind: 'supplied', stream: 1, until: length }),
      fact(1_200, { kind: 'ended', stream: 1, end: length, source: length, held: false }),
      fact(1_200, { kind: 'supplied', stream: 2, until: length }),
    ], { title, playlists }, { at: at(2_500), end: true })
    const heard = told.filter(({ kind }) => kind === 'wrap' || kind === 'notice')
    expect(heard.map((event) => [event.kind, (event.at - ORIGIN) / 48])).toEqual([['wrap', 2_000]])
  })
})

it('a night without lights stays without: what the daemon was told not to do is not done', () => {
  const dark = { ...HEADER, dmxAllowed: false }
  const tellDark = (lines: readonly RecordedLine[]) =>
    tellNight({ lines: [dark, ...lines], hole: null, torn: null }, () => undefined).result
  expect(tellDark([play(1_000, 0), END])).toMatchObject({ events: 0, difference: null })
  expect(tellDark([...marked([play(1_000, 0)]), END]).difference).toContain('the replay none')
})

it('a recording without its first line, or of another version, is not replayed', () => {
  const read = (lines: readonly RecordedLine[]) =>
    () => tellNight({ lines, hole: null, torn: null }, () => undefined)
  expect(read([])).toThrow(Unreadable)
  expect(read(NIGHT)).toThrow('breaks off in its very first line')
  expect(read([{ ...HEADER, version: 2 }, END])).toThrow('is of version 2, this program reads')
})
