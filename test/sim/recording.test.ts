// Recordings of nights on virtual time: replayed they are the same; what is not is told plainly.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generate } from '../../sim/scenario/generate.js'
import { parseScenario, type Scenario } from '../../sim/scenario/scenario.js'
import { replayFile } from '../../sim/play/replay.js'
import { EventDigest, type RecordedLine } from '../../src/recording/recording.js'
import { spendRecorded, type House } from './recorded-house.js'

const CORPUS = resolve(import.meta.dirname, '../../sim/corpus')
const folder = mkdtempSync(join(tmpdir(), 'cartwall-recording-'))
const fileOf = (name: string): string => join(folder, name)
const DAY = expect.stringMatching(/^\w{3} \w{3} \d\d 2026, ".*", cartwall test$/) as string
const WHOLE = { partBytes: 64 * 1024 * 1024, parts: 8 }

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const linesOf = (name: string): RecordedLine[] =>
  readFileSync(fileOf(name), 'utf8').trimEnd().split('\n')
    .map((line) => JSON.parse(line) as RecordedLine)

const write = (name: string, lines: readonly object[]): string => {
  writeFileSync(fileOf(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return fileOf(name)
}

const hashOf = ({ events }: House): string => {
  const digest = new EventDigest()
  for (const event of events) digest.add(event)
  return digest.hash
}

/** Rounds of a quiz: a shuffled list, a bed with lights that makes room, a jingle, a stop. */
const ROUND: readonly object[] = [
  { gap: 0, op: 'play', button: 0, options: {} },
  { gap: 144_000, op: 'play', button: 3, options: {} },
  { gap: 48_000, op: 'pause', button: 3, run: 'live', fadeMs: 250 },
  { gap: 24_000, op: 'resume', button: 3, run: 'live', fadeMs: 250 },
  { gap: 9_600, op: 'sync', button: 3, run: 'live', step: 1, at: { ms: 700 }, isPlaying: true,
    forceSeek: true },
  { gap: 9_600, op: 'play', button: 4, options: {} },
  { gap: 96_000, op: 'stop', button: 0, run: null, fadeMs: 500 },
]
const ROUNDS = 6
const NIGHT: Scenario = parseScenario(JSON.stringify({
  version: 1, seed: 7,
  files: [{ frames: 4_800_000 }, { frames: 144_000 }, { frames: 96_000, readyAfter: 1_200 }],
  lists: [
    { mode: 'shuffle', wrap: true, mixOnTransition: true, crossfadeMs: 500,
      buttons: [{ file: 1 }, { file: 2 }, { file: 1, startMs: 500 }] },
    { buttons: [
      { file: 0, pauseWhenReplaced: true, lights: { loop: true, durationMs: 1_000 } },
      { file: 2, allowOverlap: true },
    ] },
  ],
  ops: [
    ...Array.from({ length: ROUNDS }, () => ROUND).flat(),
    { gap: 48_000, op: 'swap', busyFor: 0, edits: [{ button: 3, set: { fadeOutMs: 1_000 } }] },
    { gap: 48_000, op: 'restart', button: 3, options: { loop: true } },
    { gap: 96_000, op: 'wait' },
  ],
}))
let night: House

beforeAll(async () => {
  night = await spendRecorded(NIGHT, fileOf('night'), WHOLE)
})

describe('a recorded night', () => {
  test('replayed has the same events and hash: many nights full of faults', async () => {
    let events = 0
    for (let seed = 1; seed <= 40; seed += 1) {
      const file = fileOf(`night-${String(seed)}`)
      const house = await spendRecorded(generate(seed, 60), file, WHOLE)
      const { code, out, err } = replayFile(file, true)
      expect([seed, code, err]).toEqual([seed, 0, []])
      const told = house.events.filter(({ kind }) => kind !== 'notice')
      expect(JSON.parse(out.at(-1)!)).toMatchObject({
        events: told.length, hash: hashOf(house), difference: null,
      })
      events += told.length
    }
    expect(events).toBeGreaterThan(1_000)
  })

  test('in which nothing happened is the same too, and told so', async () => {
    await spendRecorded({ ...NIGHT, ops: [{ gap: 480_000, op: 'wait' }] }, fileOf('quiet'), WHOLE)
    expect(replayFile(fileOf('quiet'), false)).toEqual({
      code: 0, err: [],
      out: [DAY, expect.stringMatching(/ 0 events, .* as the night was$/)],
    })
  })

  test('is told line by line for people, with its verdict last', () => {
    const { code, out } = replayFile(fileOf('night'), false)
    expect(code).toBe(0)
    const asked = NIGHT.ops.filter(({ op }) => !['sync', 'swap', 'wait'].includes(op))
    expect(out[0]).toEqual(DAY)
    expect(out.filter((line) => line.includes('  > '))).toHaveLength(asked.length)
    expect(out.length).toBe(night.events.length + asked.length + 2)
    expect(out.at(-1)).toMatch(/ events, \d+ checkpoints, hash [0-9a-f]{16}: as the night was$/)
  })

  test('is told by the clock of the machine, also after it slept for an hour', () => {
    const lines = linesOf('night')
    const marks = lines.filter((line) => 'events' in line)
    const asleep = marks[marks.length >> 1]!.at
    write('slept', lines.map((line) => 'events' in line && line.at > asleep
      ? { ...line, wallMs: (line.wallMs ?? 0) + 3_600_000 } : line))
    const [awake, slept] = ['night', 'slept'].map((name) =>
      replayFile(fileOf(name), false).out.slice(1, -1))
    const hour = (line = ''): number => Number(line.slice(0, 2))
    const later = slept!.map((line, n) => (hour(line) - hour(awake![n]) + 24) % 24)
    expect(new Set(later)).toEqual(new Set([0, 1]))
    expect(later).toEqual(later.toSorted())
    const [words, same] = [slept, awake].map((told) =>
      told!.map((line) => line.slice('HH:MM:SS.mmm'.length)))
    expect(words).toEqual(same)
  })

  test('cut into parts it is one night', async () => {
    await spendRecorded(NIGHT, fileOf('parts'), { partBytes: 4_096, parts: 1_000 })
    await expect.poll(() => replayFile(fileOf('parts'), false).err).toEqual([])
    expect(existsSync(`${fileOf('parts')}.3`)).toBe(true)
    expect(replayFile(fileOf('parts'), false).out).toEqual(replayFile(fileOf('night'), false).out)
  })
})

describe('a night that goes otherwise', () => {
  test('an input that is changed: the first event that differs is told, with its frame', () => {
    const lines = linesOf('night')
    const at = lines.findIndex((line) => 'command' in line && line.command.kind === 'play')
    const without = write('without', lines.filter((_, n) => n !== at))
    const { code, err } = replayFile(without, false)
    expect(code).toBe(1)
    expect(err[0]).toMatch(
      /^different: until frame \d+ \(\d:\d\d:\d\d\.\d{3}\) the night told \d+ events?, the replay/,
    )
  })

  test('an input that the night had not: what it does is told, with its frame', () => {
    const lines = linesOf('night')
    const at = lines.findIndex((line) => 'command' in line && line.command.kind === 'resume')
    const { at: frame } = lines[at] as { at: number }
    lines.splice(at, 0, { at: frame, command: { kind: 'panic', fadeOutMs: 0 } })
    const { code, err } = replayFile(write('more', lines), false)
    expect(code).toBe(1)
    expect(err[0]).toContain(`until frame ${String(frame)} `)
    expect(err[0]).toMatch(
      new RegExp(`same:\n(?: .*\n)* {2}frame ${String(frame)} {2}.*: stopped, explicit_stop, `),
    )
  })

  test('where it tells more, and other things, what it tells is told', () => {
    const lines = linesOf('night')
    const at = lines.findIndex((line) => 'command' in line && line.command.kind === 'pause')
    const { at: when } = lines[at] as { at: number }
    lines[at] = { at: when, command: { kind: 'panic', fadeOutMs: 0 } }
    const { code, err } = replayFile(write('otherwise', lines), false)
    expect(code).toBe(1)
    expect(err[0]).toMatch(/ the night told 1 event, the replay 2 events, and not the same:\n/)
    expect(err[0]!.split('\n').slice(1)).toEqual([
      expect.stringMatching(/ lights of .*: ended, /), expect.stringMatching(/: stopped, /),
    ])
  })

  test('events after all that the night told are a difference too', () => {
    const lines = linesOf('night')
    const last = lines.findLastIndex((line) => 'events' in line)
    const { at } = lines[last] as { at: number }
    const panic = { at, command: { kind: 'panic', fadeOutMs: 0 } }
    const file = write('after', [...lines.slice(0, last + 1), panic, { at: at + 480, end: true }])
    const { code, err } = replayFile(file, false)
    expect(code).toBe(1)
    expect(err[0]).toMatch(/^different: the night told nothing more after frame \d+ .* tells\n {2}/)
  })
})

describe('a recording that is not whole', () => {
  test('parts that were rotated away: as far as it goes, and which parts are missing', async () => {
    const file = fileOf('rotated')
    await spendRecorded(NIGHT, file, { partBytes: 3_000, parts: 3 })
    await expect.poll(() => existsSync(`${file}.1`)).toBe(false)
    const { code, out, err } = replayFile(file, false)
    expect(code).toBe(1)
    expect(out.at(-1)).toMatch(/as the night was up to frame \d+$/)
    expect(err).toEqual([expect.stringMatching(
      /^the recording is not whole: parts? 1.* not there any more .* cannot be replayed without$/,
    )])
  })

  test('a crash in the middle of a line: the same up to there, and says so', () => {
    const text = readFileSync(fileOf('night'), 'utf8')
    writeFileSync(fileOf('torn'), text.slice(0, Math.floor(text.length * 0.7)))
    const { code, out, err } = replayFile(fileOf('torn'), false)
    expect(code).toBe(0)
    expect(out.at(-1)).toMatch(/as the night was up to frame \d+$/)
    expect(err).toEqual([expect.stringMatching(/breaks off in the middle of line \d+/)])
  })

  test('a crash between two lines: the last line is missed', () => {
    write('killed', linesOf('night').slice(0, -1))
    const { code, err } = replayFile(fileOf('killed'), false)
    expect([code, err]).toEqual([0, [expect.stringMatching(/it has no last line/)]])
  })

  test('lines that the recorder left out are a hole', () => {
    const lines = linesOf('night')
    const at = lines.findIndex((line) => 'events' in line && line.events > 10)
    lines.splice(at + 1, 0, { at: (lines[at] as { at: number }).at, gap: 7 })
    const { code, err } = replayFile(write('gap', lines), false)
    expect([code, err]).toEqual([1, [expect.stringMatching(/7 lines are missing at frame \d+/)]])
  })
})

describe('what cannot be replayed ends with 2, in plain words', () => {
  const refused = (name: string, text: string): string => {
    writeFileSync(fileOf(name), text)
    const { code, out, err } = replayFile(fileOf(name), false)
    expect([code, out]).toEqual([2, []])
    expect(err).toHaveLength(1)
    return err[0]!.replace(fileOf(name), 'FILE')
  }

  test('no file, a folder, a foreign file, an empty one', () => {
    expect(replayFile(fileOf('nothing'), false)).toEqual({
      code: 2, out: [], err: [`${fileOf('nothing')} cannot be replayed: there is no such file`],
    })
    expect(replayFile(folder, false).err[0]).toContain('it is a folder')
    const neither = /^FILE cannot be replayed: it is neither a scenario nor a recording/
    expect(refused('song', 'ID3\u0004\u0000')).toMatch(neither)
    expect(refused('empty', '')).toMatch(neither)
    expect(refused('json', '{"title": "my show"}')).toMatch(neither)
    expect(refused('null', 'null')).toMatch(neither)
  })

  test('a later part, another version, a damaged line, a header that breaks off', () => {
    const [header, ...rest] = linesOf('night')
    const text = (lines: readonly object[]): string =>
      lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    expect(refused('night.3x', text(rest))).toContain('a later part of a recording')
    expect(refused('newer', text([{ ...header!, version: 99 }, ...rest]))).toContain('version 99')
    expect(refused('damaged', text([header!, ...rest.slice(0, 2)]) + 'x\n' + text(rest)))
      .toContain('line 4 of damaged is damaged')
    expect(refused('strange', text([header!, { hello: 1 }, ...rest])))
      .toContain('line 2 of strange is no line of a recording')
    expect(refused('headless', JSON.stringify(header).slice(0, 100))).toContain('very first line')
  })

  test('two nights in one file, a header that was cut by hand', () => {
    const [header, ...rest] = linesOf('night')
    const text = (...lines: readonly object[]): string =>
      lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const night = text(header!, ...rest)
    expect(refused('two', night + night)).toContain(
      `line ${String(rest.length + 2)} of two begins another recording: replay each night from its`,
    )
    for (const [key, said] of [
      ['show', 'its show is none'], ['origin', 'its origin is no whole number'],
      ['seed', 'its seed is no whole number'],
      ['retentionMs', 'its retentionMs is no whole number'],
      ['loopHeadBytes', 'its loopHeadBytes is no whole number'],
    ] as const) {
      expect(refused('cut', text({ ...header!, [key]: undefined }, ...rest)))
        .toBe(`FILE cannot be replayed: the first line of the recording is damaged: ${said}`)
    }
  })

  test('a scenario with a slip in it, which would look clean', () => {
    const name = join(CORPUS, 'runs', 'two-live-runs.json')
    const good = readFileSync(name, 'utf8')
    const slip = (find: string, put: string): string => {
      expect(good).toContain(find)
      return refused('slip.json', good.replace(find, put))
    }
    expect(slip('"op": "pause"', '"op": "paws"')).toMatch(/no such operation.* at ops\[4\]\.op$/)
    expect(slip('"fadeMs": null', '"fadeMS": null')).toMatch(/key: "fadeMS".* at ops\[4\]$/)
    expect(slip('"button": 4', '"button": 40')).toMatch(/button 40; there are 8.* at ops\[\d\]$/)
    expect(slip('"checkedAfter"', '"checkAfter"')).toMatch(/key: "checkAfter".* at files\[0\]$/)
    expect(slip('"gap": 0,', '"gap": -1,')).toMatch(/>=0.* at ops\[0\]\.gap$/)
    expect(slip('"version": 1', '"version": 7')).toMatch(/expected 1.* at version$/)
    expect(replayFile(name, false)).toMatchObject({ code: 0, err: [] })
  })
})
