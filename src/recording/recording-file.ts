// A recording as it lies on the disk: its parts in order, and where it is not whole.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { RecordedLine } from './recording.js'
import { Unreadable } from './replay.js'

export interface RecordingParts {
  readonly lines: readonly RecordedLine[]
  /** Parts that were rotated away: what came after them is not replayed. */
  readonly hole: string | null
  /** How the recording ends where its night did not: a crash, or a daemon that still runs. */
  readonly torn: string | null
}

export const isRecording = (text: string): boolean =>
  text.startsWith('{"kind":"cartwall-recording"')

/** A later part of a recording begins with a line like any other. */
const isLaterPart = (text: string): boolean => /^\{"at":\d+,"/.test(text)

/**
 * The text of a file.
 * @throws Unreadable where there is none, or it is a later part of a recording.
 */
export const recordedText = (path: string): string => {
  const text = read(() => readFileSync(path, 'utf8'), 'it')
  if (!isLaterPart(text)) return text
  const first = path.replace(/\.\d+$/, '')
  throw new Unreadable(`it is a later part of a recording: replay its first file, ${first}`)
}

/** @param what is read, as the refusal names it. */
const read = <T>(act: () => T, what: string): T => {
  try {
    return act()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new Unreadable('there is no such file')
    if (code === 'EISDIR') throw new Unreadable(`${what} is a folder`)
    throw new Unreadable(message)
  }
}

/**
 * FILE, whose text was read already, then FILE.1, FILE.2 and so on, each of which goes on where the
 * one before ended.
 * @throws Unreadable where a line is damaged, or a part cannot be read.
 */
export const readParts = (path: string, text: string): RecordingParts => {
  const stem = `${basename(path)}.`
  const numbers = read(() => readdirSync(dirname(path)), 'its folder')
    .filter((name) => name.startsWith(stem) && /^[0-9]+$/.test(name.slice(stem.length)))
    .map((name) => Number(name.slice(stem.length)))
    .sort((a, b) => a - b)
  const lines: RecordedLine[] = []
  let torn = add(lines, path, text)
  let next = 1
  while (torn === null && existsSync(`${path}.${String(next)}`)) {
    const part = `${path}.${String(next)}`
    torn = add(lines, part, read(() => readFileSync(part, 'utf8'), basename(part)))
    next += 1
  }
  const beyond = numbers.filter((number) => number >= next)
  const hole = beyond.length === 0 ? null : holeOf(path, next, beyond, torn)
  const last = lines.at(-1)
  const ended = last !== undefined && 'end' in last
  const open = 'it has no last line: the daemon was killed, or is still writing'
  return { lines, hole, torn: hole !== null || ended ? null : torn ?? open }
}

const holeOf = (
  path: string, next: number, beyond: readonly number[], torn: string | null,
): string => {
  const there = partsText(beyond[0] ?? next, beyond.at(-1) ?? next)
  const without = `${there} of ${basename(path)} cannot be replayed without`
  if (torn !== null) return `${torn}; ${without}`
  const gone = partsText(next, (beyond[0] ?? next) - 1)
  const are = gone.startsWith('parts') ? 'are' : 'is'
  return `${gone} ${are} not there any more (a long night keeps its first part and its latest): `
    + without
}

const partsText = (from: number, to: number): string =>
  from === to ? `part ${String(from)}` : `parts ${String(from)} to ${String(to)}`

/** Adds a part's lines; how it breaks off where its last line is not whole. */
const add = (lines: RecordedLine[], path: string, text: string): string | null => {
  const rows = text.split('\n')
  const rest = rows.pop() ?? ''
  rows.forEach((row, n) => {
    const where = `line ${String(n + 1)} of ${basename(path)}`
    const line = lineOf(row, where)
    if ('kind' in line && lines.length > 0) {
      throw new Unreadable(`${where} begins another recording: replay each night from its own file`)
    }
    lines.push(line)
  })
  return rest === '' ? null
    : `${basename(path)} breaks off in the middle of line ${String(rows.length + 1)}: `
      + 'the daemon was killed, or is still writing'
}

const lineOf = (row: string, where: string): RecordedLine => {
  let line: unknown
  try {
    line = JSON.parse(row)
  } catch {
    throw new Unreadable(`${where} is damaged: it is no JSON`)
  }
  const fine = typeof line === 'object' && line !== null && ('at' in line || 'kind' in line)
  if (!fine) throw new Unreadable(`${where} is no line of a recording`)
  return line as RecordedLine
}
