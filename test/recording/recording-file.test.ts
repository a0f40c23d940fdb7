// A recording as it lies on the disk: which parts go on from which, and what is said of those gone.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRecording, readParts, recordedText } from '../../src/recording/recording-file.js'
import { Unreadable } from '../../src/recording/replay.js'

const HEAD = '{"kind":"cartwall-recording","version":3}\n'
const END = '{"at":99,"end":true}\n'

let folder = ''
let file = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-parts-'))
  file = join(folder, 'night.jsonl')
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

/** Each part by its number, 0 for the first; where nothing is given it tells its number. */
const night = (parts: Readonly<Record<number, string | null>>) => {
  for (const [n, text] of Object.entries(parts)) {
    const path = n === '0' ? file : `${file}.${n}`
    writeFileSync(path, text ?? `{"at":${n},"fact":{}}\n`)
  }
  const { lines, hole, torn } = readParts(file, recordedText(file))
  return { frames: lines.slice(1).map((line) => ('at' in line ? line.at : null)), hole, torn }
}
const parts = (...numbers: readonly number[]): Record<number, string | null> =>
  Object.fromEntries(numbers.map((n) => [n, n === 0 ? HEAD : null]))

describe('the parts of a night', () => {
  it('are read in the order of their numbers, from ten on too', () => {
    const all = parts(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    expect(night({ ...all, 12: END })).toEqual({
      frames: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 99], hole: null, torn: null,
    })
  })

  it.each<[number[], number[], string, string]>([
    [[0, 2], [], 'part 1 is not there any more', 'part 2 of night.jsonl cannot be replayed'],
    [[0, 1, 9, 10, 11], [1], 'parts 2 to 8 are not there any more', 'parts 9 to 11 of night.jsonl'],
    [[0, 1, 2, 10], [1, 2], 'parts 3 to 9 are not', 'part 10 of night.jsonl'],
  ])('%j: those before the hole, and what is missing', (numbers, frames, gone, there) => {
    const told = night(parts(...numbers))
    expect(told).toMatchObject({ frames, torn: null })
    expect(told.hole).toContain(gone)
    expect(told.hole).toContain(there)
  })

  it('of another recording are none of it', () => {
    writeFileSync(join(folder, 'night.jsonl.bak'), 'x')
    writeFileSync(join(folder, 'night.jsonl.1.gz'), 'x')
    writeFileSync(join(folder, 'night.2.jsonl'), 'x')
    writeFileSync(join(folder, 'other.jsonl.1'), 'x')
    expect(night({ 0: HEAD + END })).toEqual({ frames: [99], hole: null, torn: null })
  })

  it('that break off are read up to there, and nothing behind them', () => {
    const told = night({ 0: HEAD, 1: '{"at":1,"fact":{}}\n{"at":2,"fa', 2: END })
    expect(told.frames).toEqual([1])
    expect(told.hole).toBe('night.jsonl.1 breaks off in the middle of line 2: the daemon was '
      + 'killed, or is still writing; part 2 of night.jsonl cannot be replayed without')
  })

  it('that break off in their very first line hold nothing', () => {
    expect(night({ 0: HEAD.slice(0, 30) })).toEqual({
      frames: [], hole: null, torn: 'night.jsonl breaks off in the middle of line 1: the daemon '
        + 'was killed, or is still writing',
    })
  })

  it.each([
    ['{"at":1,"fa', 'damaged: it is no JSON'], ['null', 'no line of a recording'],
    ['7', 'no line of a recording'], ['{"hello":1}', 'no line of a recording'],
  ])('with a line %s are not read at all: which line it is is told', (line, why) => {
    const good = '{"at":1,"fact":{}}\n'
    expect(() => night({ 0: HEAD, 1: `${good}${line}\n${good}`, 2: END }))
      .toThrow(new Unreadable(`line 2 of night.jsonl.1 is ${why}`))
  })

  it('of two nights in one file are not taken for one', () => {
    const good = '{"at":1,"fact":{}}\n'
    expect(() => night({ 0: HEAD + good, 1: good + HEAD })).toThrow(new Unreadable(
      'line 2 of night.jsonl.1 begins another recording: replay each night from its own file'))
  })

  it('that cannot be read keep it from being replayed, and which one is told', () => {
    mkdirSync(`${file}.1`)
    expect(() => night({ 0: HEAD })).toThrow(new Unreadable('night.jsonl.1 is a folder'))
  })

  it('without a last line were killed', () => {
    expect(night({ 0: `${HEAD}{"at":5,"fa` }).torn).toMatch(/^night\.jsonl breaks off .* line 2:/)
    expect(night(parts(0, 1)).torn).toMatch(/^it has no last line/)
  })
})

describe('what is no recording', () => {
  const refusalOf = (path: string): string => {
    try {
      recordedText(path)
    } catch (error) {
      if (error instanceof Unreadable) return error.message
      throw error
    }
    return 'read'
  }

  it('is told by what it is', () => {
    mkdirSync(join(folder, 'dir'))
    expect(refusalOf(join(folder, 'none'))).toBe('there is no such file')
    expect(refusalOf(join(folder, 'dir'))).toBe('it is a folder')
    writeFileSync(join(folder, 'note'), '')
    expect(refusalOf(join(folder, 'note', 'night.jsonl'))).toContain('ENOTDIR')
    writeFileSync(`${file}.12`, '{"at":12,"fact":{}}\n')
    expect(refusalOf(`${file}.12`)).toBe(
      `it is a later part of a recording: replay its first file, ${file}`)
    writeFileSync(file, 'hello')
    expect(refusalOf(file)).toBe('read')
    expect([isRecording('hello'), isRecording(HEAD)]).toEqual([false, true])
  })
})
