// A recorded night, replayed and told to a person: what happened, and whether it was the same.
import { frameText } from '../clock/frame.js'
import type { EngineEvent } from '../engine/events.js'
import { eventWords, NightLines, titlesOf } from './night-lines.js'
import type { RecordingParts } from './recording-file.js'
import { EventDigest, type RecordedLine, type RecordedMark } from './recording.js'
import { headerOf, replayRecording, type Difference } from './replay.js'

export interface NightTold {
  /** False where it went otherwise, or what came after a hole was not compared. */
  readonly isSame: boolean
  readonly summary: string
  /** What was not as in the night, and why the recording is not whole. */
  readonly troubles: readonly string[]
  readonly result: NightReplay
}

export interface NightReplay {
  readonly events: number
  readonly hash: string
  readonly frames: number
  readonly checkpoints: number
  /** The first thing that was not as in the night; null where all that was compared was. */
  readonly difference: string | null
}

/**
 * Replays a recording; `put` is given a line for each thing that happened, in order.
 * @throws Unreadable where it cannot be replayed at all.
 */
export const tellNight = (parts: RecordingParts, put: (line: string) => void): NightTold => {
  const { hole, torn } = parts
  const replayed = replayParts(parts, put)
  const { difference } = replayed
  const short = hole ?? torn
  return {
    isSame: difference === null && hole === null,
    summary: summaryOf(parts, replayed),
    troubles: [
      ...(difference === null ? [] : [`different: ${difference}`]),
      ...(short === null ? [] : [`the recording is not whole: ${short}`]),
    ],
    result: { ...replayed, difference: difference ?? hole },
  }
}

const summaryOf = ({ lines, hole, torn }: RecordingParts, replayed: NightReplay): string => {
  const { events: count, hash, frames, checkpoints, difference } = replayed
  const verdict = difference !== null ? 'not as the night was'
    : hole !== null || torn !== null ? `as the night was up to frame ${String(frames)}`
    : 'as the night was'
  return `${String(lines.length)} lines, ${frameText(frames)}, ${events(count)}, `
    + `${String(checkpoints)} checkpoints, hash ${hash}: ${verdict}`
}

const replayParts = (
  { lines, hole, torn }: RecordingParts, put: (line: string) => void,
): NightReplay => {
  const header = headerOf(lines)
  const { origin } = header
  const marks = marksOf(lines)
  const night = new NightLines(header, marks, put)
  const told: EngineEvent[] = []
  const line = eventLine(titlesOf(header.show))
  try {
    const replay = replayRecording(lines, {
      event: (event) => {
        if (event.kind !== 'notice') told.push(event)
        night.event(event)
      },
      command: (at, command) => { night.command(at, command) },
      reply: (at, command, reply) => { night.reply(at, command, reply) },
      show: (show) => { night.show(show) },
    })
    const { difference: found, checkpoints } = replay
    const whole = hole === null && torn === null
    // A whole night in which nothing happened is compared with nothing, and that is right.
    const same = found === null || (whole && marks.length === 0)
    const difference = !same ? wordsOf(found, told, marks, checkpoints, line)
      : whole ? afterAll(told, marks, origin, line) : null
    return { ...replay, difference }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const frames = told.at(-1)?.at ?? origin
    const difference = `after ${when(frames)} the engine itself broke, `
      + `as it did not in the night: ${message}`
    return { events: told.length, hash: hashOf(told), frames, checkpoints: 0, difference }
  }
}

type LineOf = (event: EngineEvent) => string

const marksOf = (lines: readonly RecordedLine[]): readonly RecordedMark[] =>
  lines.flatMap((line) => ('events' in line ? [line] : []))

const hashOf = (told: readonly EngineEvent[]): string => {
  const digest = new EventDigest()
  for (const event of told) digest.add(event)
  return digest.hash
}

/** What the replay told after all that the night had told. */
const afterAll = (
  told: readonly EngineEvent[], marks: readonly RecordedMark[], origin: number, line: LineOf,
): string | null => {
  const last = marks.at(-1)
  const extra = told[last?.events ?? 0]
  return extra === undefined ? null
    : `the night told nothing more after ${when(last?.at ?? origin)}, the replay tells\n`
      + `  ${line(extra)}`
}

const when = (frame: number): string => `frame ${String(frame)} (${frameText(frame)})`

const SHOWN_MAX = 5

/** Recordings keep digests and no events: the first differing one is among those since the last. */
const wordsOf = (
  found: Difference, told: readonly EngineEvent[], marks: readonly RecordedMark[], agreed: number,
  line: LineOf,
): string => {
  if (found.kind === 'nothing_compared') {
    return 'the recording has no checkpoint: nothing was compared'
  }
  if (found.kind === 'left_out') {
    const missing = found.lines === 1 ? '1 line is' : `${String(found.lines)} lines are`
    return `${missing} missing at ${when(found.at)}: the disk was too slow `
      + 'for the recorder; what came after cannot be replayed'
  }
  const mark = marks[agreed]!
  const before = marks[agreed - 1] ?? null
  const from = before?.events ?? 0
  const own = told.slice(from)
  const since = before === null ? '' : ` after ${when(before.at)}`
  const night = `until ${when(mark.at)}${since} the night told ${events(mark.events - from)}`
  if (own.length === 0) return `${night}, the replay none`
  const surplus = told[mark.events]
  if (surplus !== undefined && hashOf(told.slice(0, mark.events)) === mark.hash) {
    return `${night}; the replay tells one that the night had not:\n  ${line(surplus)}`
  }
  const shown = own.slice(0, SHOWN_MAX).map((event) => `\n  ${line(event)}`).join('')
  return `${night}, the replay ${events(own.length)}, and not the same:${shown}`
}

const events = (count: number): string => (count === 1 ? '1 event' : `${String(count)} events`)

const eventLine = (titles: ReadonlyMap<string, string>): LineOf =>
  (event) => `frame ${String(event.at)}  ${eventWords(event, titles)}`
