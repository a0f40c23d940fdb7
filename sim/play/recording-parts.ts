// Reads a recording from its parts, replays it, and tells the first thing that differs.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { EngineEvent } from '../../src/engine/events.js'
import { EventDigest, type RecordedLine } from '../../src/recording/recording.js'
import {
  headerOf, replayRecording, Unreadable, type Difference,
} from '../../src/recording/replay.js'
import { clockOf } from '../commands/plain-words.js'
import { eventText } from './records.js'

export interface RecordingParts {
  readonly lines: readonly RecordedLine[]
  /** Parts that were rotated away: what came after them is not replayed. */
  readonly hole: string | null
  /** How the recording ends where its night did not: a crash, or a daemon that still runs. */
  readonly torn: string | null
}

export interface ReplayResult {
  readonly events: number
  readonly hash: string
  readonly frames: number
  readonly checkpoints: number
  /** The first thing that was not as in the night; null where all that was compared was. */
  readonly difference: string | null
}

export const isRecording = (text: string): boolean =>
  text.startsWith('{"kind":"cartwall-recording"')

/** A later part of a recording begins with a line like any other. */
export const isLaterPart = (text: string): boolean => /^\{"at":\d+,"/.test(text)

/** FILE, then FILE.1, FILE.2 and so on, each of which goes on where the one before ended. */
export const readParts = (path: string): RecordingParts => {
  const stem = `${basename(path)}.`
  const numbers = readdirSync(dirname(path))
    .filter((name) => name.startsWith(stem) && /^[0-9]+$/.test(name.slice(stem.length)))
    .map((name) => Number(name.slice(stem.length)))
    .sort((a, b) => a - b)
  const lines: RecordedLine[] = []
  let torn = add(lines, path)
  let next = 1
  while (torn === null && existsSync(`${path}.${next}`)) {
    torn = add(lines, `${path}.${next}`)
    next += 1
  }
  const beyond = numbers.find((number) => number >= next) ?? null
  const hole = beyond === null ? null : holeOf(path, next, beyond, numbers.at(-1)!)
  const last = lines.at(-1)
  const ended = last !== undefined && 'end' in last
  const open = 'it has no last line: the daemon was killed, or is still writing'
  return { lines, hole, torn: hole !== null || ended ? null : torn ?? open }
}

const holeOf = (path: string, next: number, beyond: number, last: number): string => {
  const gone = beyond === next + 1 ? `part ${next} is` : `parts ${next} to ${beyond - 1} are`
  const rest = beyond === last ? `part ${last}` : `parts ${beyond} to ${last}`
  return `${gone} not there any more (a long night keeps its first part and its latest): ` +
    `${rest} of ${basename(path)} cannot be replayed without`
}

/** Adds a part's lines; how it breaks off where its last line is not whole. */
const add = (lines: RecordedLine[], path: string): string | null => {
  const rows = readFileSync(path, 'utf8').split('\n')
  const rest = rows.pop() ?? ''
  rows.forEach((row, n) => {
    lines.push(lineOf(row, `line ${n + 1} of ${basename(path)}`))
  })
  return rest === '' ? null
    : `${basename(path)} breaks off in the middle of line ${rows.length + 1}: ` +
      'the daemon was killed, or is still writing'
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

export const replayParts = (
  { lines, hole, torn }: RecordingParts, onEvent: (event: EngineEvent) => void,
): ReplayResult => {
  const { origin } = headerOf(lines)
  const told: EngineEvent[] = []
  const hear = (event: EngineEvent): void => {
    if (event.kind !== 'notice') told.push(event)
    onEvent(event)
  }
  try {
    const replay = replayRecording(lines, hear)
    const { difference: found, checkpoints } = replay
    const whole = hole === null && torn === null
    const marks = marksOf(lines)
    // A whole night in which nothing happened is compared with nothing, and that is right.
    const same = found === null || (whole && marks.length === 0)
    const difference = !same ? wordsOf(found, told, marks, checkpoints)
      : whole ? afterAll(told, marks, origin) : null
    return { ...replay, difference }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const frames = told.at(-1)?.at ?? origin
    const difference = `after frame ${frames} (${clockOf(frames)}) the engine itself broke, ` +
      `as it did not in the night: ${message}`
    return { events: told.length, hash: hashOf(told), frames, checkpoints: 0, difference }
  }
}

type Mark = Extract<RecordedLine, { events: number }>

const marksOf = (lines: readonly RecordedLine[]): readonly Mark[] =>
  lines.flatMap((line) => ('events' in line ? [line] : []))

const hashOf = (events: readonly EngineEvent[]): string => {
  const digest = new EventDigest()
  for (const event of events) digest.add(event)
  return digest.hash
}

/** What the replay told after all that the night had told. */
const afterAll = (
  told: readonly EngineEvent[], marks: readonly Mark[], origin: number,
): string | null => {
  const last = marks.at(-1)
  const extra = told[last?.events ?? 0]
  return extra === undefined ? null
    : `the night told nothing more after ${when(last?.at ?? origin)}, the replay tells\n` +
      `  ${eventLine(extra)}`
}

const when = (frame: number): string => `frame ${frame} (${clockOf(frame)})`

const SHOWN_MAX = 5

/** Recordings keep digests and no events: the first differing one is among those since the last. */
const wordsOf = (
  found: Difference, told: readonly EngineEvent[], marks: readonly Mark[], agreed: number,
): string => {
  if (found.kind === 'nothing_compared') {
    return 'the recording has no checkpoint: nothing was compared'
  }
  if (found.kind === 'left_out') {
    return `${found.lines} lines are missing at ${when(found.at)}: the disk was too slow for the ` +
      'recorder; what came after cannot be replayed'
  }
  const mark = marks[agreed]!
  const before = marks[agreed - 1] ?? null
  const from = before?.events ?? 0
  const own = told.slice(from)
  const since = before === null ? '' : ` after ${when(before.at)}`
  const count = mark.events - from
  const night = `until ${when(mark.at)}${since} the night told ${events(count)}`
  if (own.length === 0) return `${night}, the replay none`
  const surplus = told[mark.events]
  if (surplus !== undefined && hashOf(told.slice(0, mark.events)) === mark.hash) {
    return `${night}; the replay tells one that the night had not:\n  ${eventLine(surplus)}`
  }
  const shown = own.slice(0, SHOWN_MAX).map((event) => `\n  ${eventLine(event)}`).join('')
  return `${night}, the replay ${events(own.length)}, and not the same:${shown}`
}

const events = (count: number): string => (count === 1 ? '1 event' : `${count} events`)

/** An event as a line, with the ids of the night. */
export const eventLine = (event: EngineEvent): string =>
  eventText(event, 0, (id) => id ?? '-', (id) => id ?? '-')
