// The flight recorder and its file: made when it may be, beside what is there, part after part.
import fs, {
  mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { Recorder, RECORDER_DEFAULTS } from '../../src/recording/recorder.js'
import {
  EventDigest, RECORDING_VERSION, type RecordedInput,
} from '../../src/recording/recording.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-recorder-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const failures: string[] = []
const recorder = (partBytes: number, parts = 3, name = 'night.jsonl'): Recorder => new Recorder({
  file: join(folder, name), partBytes, parts, wallMs: () => 0,
  header: {
    kind: 'cartwall-recording', version: RECORDING_VERSION, cartwall: 'test',
    startedAt: '2026-01-01T20:00:00.000Z', seed: 1, origin: 0, dmxAllowed: true,
    retentionMs: 1, loopHeadBytes: 1, show: { title: 'a night', playlists: [] },
  },
  failed: (message) => failures.push(message),
})

const lost = (at: number): RecordedInput => ({ at, fact: { kind: 'output_back' } })
/** So many inputs, and then its end. */
const writeAll = (made: Recorder, count: number): Promise<void> => {
  for (let at = 1; at <= count; at += 1) made.write([lost(at)], [])
  return made.close(count + 1)
}
const text = (name: string): string => readFileSync(join(folder, name), 'utf8')
const frames = (name: string): unknown[] =>
  text(name).trimEnd().split('\n').map((line) => (JSON.parse(line) as { at?: number }).at)

test('the digest of a night has every change and no notice: the output has some of its own', () => {
  const at = frame(7)
  const change = { kind: 'output', at, available: true, message: null } as const
  const digest = new EventDigest()
  const seen = new Set([digest.hash])
  for (const one of [change, { ...change, at: frame(8) }, { ...change, message: 'x' }]) {
    digest.add(one)
    seen.add(digest.hash)
    for (const id of [null, 'e51e9bc0-0000-4000-8000-000000000001']) {
      digest.add({ kind: 'notice', at, buttonId: id, executionId: id, message: 'late' })
    }
    seen.add(digest.hash)
  }
  expect([digest.count, seen.size]).toEqual([3, 4])
  expect([...seen].filter((hash) => !/^[0-9a-f]{16}$/.test(hash))).toEqual([])
})

test('the digest stays what it is: nights that were recorded by then are compared by it', () => {
  const digest = new EventDigest()
  digest.add({ kind: 'output', at: frame(7), available: false, message: 'für "immer"' })
  expect(digest.hash).toBe('311320854323aa2f')
})

describe('a recording', () => {
  test('holds what was told before it could begin, in order', async () => {
    const made = recorder(1_000_000)
    made.write([lost(1), lost(2)], [])
    expect(readdirSync(folder)).toEqual([])
    expect(await made.begin()).toBe(join(folder, 'night.jsonl'))
    made.write([lost(3)], [])
    await made.close(4)
    expect(frames('night.jsonl')).toEqual([undefined, 1, 2, 3, 4])
  })

  test('that never begins leaves no file', async () => {
    const made = recorder(1_000_000)
    made.write([lost(1)], [])
    await made.close(2)
    expect(readdirSync(folder)).toEqual([])
  })

  test('is made beside an earlier one, its parts too', async () => {
    writeFileSync(join(folder, 'night.jsonl'), 'the crash of last night')
    writeFileSync(join(folder, 'night.jsonl.1'), 'its second part')
    const made = recorder(300)
    expect(await made.begin()).toBe(join(folder, 'night.2.jsonl'))
    await writeAll(made, 40)
    expect(text('night.jsonl')).toBe('the crash of last night')
    expect(text('night.jsonl.1')).toBe('its second part')
    const parts = readdirSync(folder).filter((name) => name.startsWith('night.2.jsonl'))
    expect(parts.length).toBe(3)
    expect(failures).toEqual([])
  })

  test('is for its user and group alone, its later parts too', async () => {
    const made = recorder(300)
    await made.begin()
    await writeAll(made, 10)
    const names = readdirSync(folder)
    expect(names.length).toBeGreaterThan(1)
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o007).toBe(0)
  })

  test('leaves a file that somebody put where its next part would be, and says so', async () => {
    const made = recorder(300)
    await made.begin()
    writeFileSync(join(folder, 'night.jsonl.1'), 'somebody else')
    await writeAll(made, 10)
    expect(text('night.jsonl.1')).toBe('somebody else')
    expect(failures.splice(0)).toEqual([expect.stringContaining('EEXIST')])
  })

  test('leaves a file alone that is called as no part of it is', async () => {
    const made = recorder(300)
    await made.begin()
    writeFileSync(join(folder, 'night.jsonl.0'), 'somebody else')
    await writeAll(made, 40)
    expect(text('night.jsonl.0')).toBe('somebody else')
  })

  test('has the parts that the decisions promise', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/decisions.md'), 'utf8')
    const { partBytes, parts } = RECORDER_DEFAULTS
    expect([partBytes / 1024 ** 2, parts]).toEqual([64, 8])
    expect(page).toContain('writes parts of 64 MB, eight at most')
  })

  test('is cut into parts of the size that was asked for, and loses no line there', async () => {
    const made = recorder(1_000, 1_000)
    await made.begin()
    await writeAll(made, 400)
    const parts = readdirSync(folder).length
    const names = ['night.jsonl',
      ...Array.from({ length: parts - 1 }, (_, n) => `night.jsonl.${String(n + 1)}`)]
    expect(names.flatMap(frames)).toEqual(
      [undefined, ...Array.from({ length: 401 }, (_, n) => n + 1)])
    const sizes = names.map((name) => statSync(join(folder, name)).size)
    for (const size of sizes.slice(0, -1)) {
      expect(size).toBeGreaterThan(1_000)
      expect(size).toBeLessThan(1_100)
    }
  })

  test('tells how many lines a disk was too slow for, where they are missing', async () => {
    const made = recorder(1_000_000_000)
    await made.begin()
    // Nothing is on the disk before this turn is over: 16 MB may wait beside one line, and what
    // follows may not.
    const big: RecordedInput = {
      at: 1, fact: { kind: 'output_lost', message: 'x'.repeat(1_000_000) },
    }
    for (let n = 0; n < 20; n += 1) made.write([big], [])
    let written = 20
    const isTold = (): boolean => text('night.jsonl').slice(-10_000).includes('"gap"')
    for (; !isTold() && written < 50_000; written += 1) {
      made.write([lost(7)], [])
      await new Promise((turn) => setImmediate(turn))
    }
    await made.close(8)
    const lines = text('night.jsonl').trimEnd().split('\n')
      .map((one) => JSON.parse(one) as { at?: number; gap?: number; end?: boolean })
    const [gap, ...others] = lines.filter(({ gap: left = 0 }) => left > 0)
    expect([gap?.at, others, lines[18]?.at, lines[19]]).toEqual([7, [], 1, gap])
    expect(lines.at(-1)).toEqual({ at: 8, end: true })
    // Beside the header, the gap and the end: what is not there was told to be missing.
    expect([lines.length - 3 + (gap?.gap ?? 0), failures]).toEqual([written, []])
  })

  test('of a show larger than all that may wait loses nothing behind it', async () => {
    const made = recorder(1_000_000_000)
    await made.begin()
    // Two bytes a letter.
    const show = { title: 'ж'.repeat(10_000_000), playlists: [] }
    made.write([{ at: 1, fact: { kind: 'catalogue', show } }, lost(2)], [
      { kind: 'output', at: frame(3), available: true, message: null },
    ])
    made.write([lost(4)], [])
    await made.close(5)
    expect(frames('night.jsonl')).toEqual([undefined, 1, 2, 3, 4, 5])
    expect(text('night.jsonl')).not.toContain('"gap"')
  })

  test('ends where its last event was told, also where that lies ahead of its end', async () => {
    const made = recorder(1_000_000)
    await made.begin()
    made.write([lost(3)], [
      { kind: 'output', at: frame(9), available: true, message: null },
      { kind: 'output', at: frame(5), available: true, message: null },
    ])
    await made.close(6)
    expect(frames('night.jsonl')).toEqual([undefined, 3, 9, 9])
  })

  test('whose disk fails is told of once, and its end is not waited for', async () => {
    const made = recorder(300)
    await made.begin()
    rmSync(folder, { recursive: true })
    for (let at = 1; at <= 40; at += 1) {
      made.write([lost(at)], [])
      await new Promise((turn) => setImmediate(turn))
    }
    await made.close(41)
    expect(failures.splice(0)).toEqual([expect.stringContaining('ENOENT')])
  })

  test('that cannot be made is told of once, and nothing more is asked of the disk', async () => {
    writeFileSync(join(folder, 'file'), '')
    const made = recorder(300, 3, join('file', 'night.jsonl'))
    made.write([lost(1)], [])
    expect(await made.begin()).toBeNull()
    for (let at = 2; at <= 40; at += 1) made.write([lost(at)], [])
    await made.close(41)
    expect(failures.splice(0)).toEqual([expect.stringContaining('ENOTDIR')])
  })

  test('two of whose parts fail is told of once', async () => {
    const made = recorder(300)
    await made.begin()
    const full = vi.spyOn(fs, 'open').mockImplementation(((...call: Parameters<typeof fs.open>) => {
      const done = call.at(-1) as unknown as (error: Error) => void
      setImmediate(() => done(new Error('no space left')))
    }))
    await writeAll(made, 40)
    full.mockRestore()
    expect(failures.splice(0)).toEqual(['no space left'])
  })

  test('has no more parts than were asked for, however slowly they fill', async () => {
    const made = recorder(300)
    await made.begin()
    const parts = (): readonly string[] => readdirSync(folder).sort()
    for (let at = 1; at <= 300; at += 1) {
      made.write([lost(at)], [])
      await new Promise((turn) => setImmediate(turn))
    }
    await made.close(1_000)
    expect(parts()[0]).toBe('night.jsonl')
    expect(parts()).toHaveLength(3)
    expect(failures).toEqual([])
  })

  test('has no more parts than were asked for where the disk opens them late', async () => {
    const made = recorder(300)
    await made.begin()
    const open = fs.open.bind(fs)
    const late: (() => void)[] = []
    const slow = vi.spyOn(fs, 'open').mockImplementation(((...call: Parameters<typeof open>) => {
      late.push(() => open(...call))
    }))
    for (let at = 1; at <= 40; at += 1) made.write([lost(at)], [])
    // The disk answers other questions before it opens these.
    await new Promise((answered) => fs.stat(folder, answered))
    slow.mockRestore()
    for (const now of late) now()
    await made.close(41)
    expect(late.length).toBeGreaterThan(3)
    expect(readdirSync(folder).length).toBe(3)
    expect(failures).toEqual([])
  })

  test('goes on where an old part may not be deleted', async () => {
    const made = recorder(300)
    await made.begin()
    const write = (at: number): void => made.write([lost(at)], [])
    let at = 1
    // Enough for a second part, and for no fourth: that one would delete the second by itself.
    while (at <= 6) {
      write(at)
      at += 1
    }
    while (!readdirSync(folder).includes('night.jsonl.1')) {
      await new Promise((turn) => setImmediate(turn))
    }
    rmSync(join(folder, 'night.jsonl.1'))
    mkdirSync(join(folder, 'night.jsonl.1'))
    for (const last = at + 40; at < last; at += 1) write(at)
    await made.close(at)
    expect(failures).toEqual([])
    expect(readdirSync(folder)).toContain('night.jsonl.1')
    expect(readdirSync(folder).length).toBeGreaterThan(3)
  })
})

describe('a disk that is too slow', () => {
  const LINES = 20
  /** Each is a megabyte: sixteen of them may wait beside the first. */
  const big = (at: number): RecordedInput =>
    ({ at, fact: { kind: 'output_lost', message: 'x'.repeat(1024 * 1024) } })
  /** The frame of each line, and how many are missing where some are. */
  const told = (): readonly string[] => text('night.jsonl').trimEnd().split('\n').slice(1)
    .map((line) => JSON.parse(line) as { at: number; gap?: number })
    .map(({ at, gap }) => (gap === undefined ? String(at) : `${gap} are missing`))
  const upTo = (count: number): readonly string[] =>
    Array.from({ length: count }, (_each, n) => String(n + 1))

  test('has what does not fit counted, once, where it is missing', async () => {
    const made = recorder(1_000_000_000)
    let at = 0
    for (; at < LINES; at += 1) made.write([big(at + 1)], [])
    await made.begin()
    // It has taken what waited once a line goes through again.
    await expect.poll(() => {
      at += 1
      made.write([lost(at)], [])
      return text('night.jsonl').includes('"gap"')
    }).toBe(true)
    await made.close(at)
    const lines = told()
    const missing = Number.parseInt(lines[17]!, 10)
    expect(missing).toBeGreaterThanOrEqual(3)
    expect(lines).toEqual([
      ...upTo(17), `${missing} are missing`, ...upTo(at).slice(17 + missing), String(at),
    ])
    expect(failures).toEqual([])
  })

  test('at the end of the night is waited for, with what is missing told', async () => {
    const made = recorder(1_000_000_000)
    for (let at = 1; at <= LINES; at += 1) made.write([big(at)], [])
    await made.begin()
    for (const at of [30, 31, 32]) made.write([lost(at)], [])
    await made.close(40)
    expect(told()).toEqual([...upTo(17), '6 are missing', '40'])
  })
})
