// A simulated year as one scenario: music from morning to night, and a quiz every evening.
import { flagsOf } from '../commands/arguments.js'
import { Judge } from '../oracle/judge.js'
import {
  PLAIN_BUTTON, PLAIN_FILE, PLAIN_LIST, PLAIN_SCENARIO, type Act, type FileSpec, type Op,
  type Scenario,
} from '../scenario/scenario.js'
import { playPlainly } from './play.js'

const SECOND = 48_000
const HOUR = 3600 * SECOND
const TRACKS = 24
const QUESTIONS = 40
const [BED, STING, LATE] = [TRACKS, TRACKS + 1, TRACKS + 2]
const LATE_TRACKS = 7

/** Ready five milliseconds after it was asked for, and all of it at once. */
const fileOf = (frames: number): FileSpec => ({ ...PLAIN_FILE, readyAfter: 240, frames })

const FILES: readonly FileSpec[] = [
  ...Array.from({ length: TRACKS }, (_, n) => fileOf((180 + ((n * 37) % 90)) * SECOND)),
  fileOf(95 * SECOND), fileOf(12 * SECOND),
  ...Array.from({ length: LATE_TRACKS }, (_, n) =>
    fileOf((150 + ((n * 53) % 100)) * SECOND + n * 1_001)),
]

/**
 * Tracks that follow one another with a crossfade; a bed that loops and a sting with lights; and
 * late tracks that follow one another on the frame.
 */
const LISTS: Scenario['lists'] = (() => {
  const [tracks, late] = [[0, TRACKS], [LATE, LATE + LATE_TRACKS]].map(([from, to]) =>
    FILES.map((_, file) => ({ ...PLAIN_BUTTON, file })).slice(from, to))
  const bed = { ...PLAIN_BUTTON, file: BED, pauseWhenReplaced: true, fadeOutMs: 500 }
  const sting = { ...PLAIN_BUTTON, file: STING, lights: { loop: false, durationMs: 11_000 } }
  const sequence = { ...PLAIN_LIST, mode: 'sequence', wrap: true } as const
  return [
    { ...sequence, mixOnTransition: true, crossfadeMs: 3_000, buttons: tracks! },
    { ...PLAIN_LIST, buttons: [bed, sting] },
    { ...sequence, buttons: late! },
  ]
})()

/** Opens at ten, one restart at noon, the quiz at eight, music until it closes at midnight. */
const dayOf = (): readonly Op[] => {
  const ops: Op[] = []
  let now = 0
  const at = (frame: number, act: Act): void => {
    ops.push({ gap: frame - now, ...act })
    now = frame
  }
  const bed = { button: BED, run: 'live' } as const
  const loop = { loop: true, externalSequencing: true, loopCrossfadeMs: 2_000 }
  at(10 * HOUR, { op: 'play', button: 0, options: {} })
  at(12 * HOUR, { op: 'restart', button: 5, options: {} })
  at(20 * HOUR, { op: 'play', button: BED, options: loop })
  for (let n = 0; n < QUESTIONS; n += 1) {
    at(now + 90 * SECOND + n * 7, { op: 'pause', ...bed, fadeMs: n % 4 === 3 ? 0 : 500 })
    at(now + SECOND, { op: 'play', button: STING, options: {} })
    at(now + 12 * SECOND + 240, { op: 'resume', ...bed, fadeMs: 300 })
  }
  at(now + SECOND, { op: 'stop', ...bed, fadeMs: 2_000 })
  at(22 * HOUR, { op: 'play', button: LATE, options: {} })
  at(23.5 * HOUR, { op: 'panic', fadeMs: 5_000 })
  at(24 * HOUR, { op: 'read' })
  return ops
}

/** What is `wrong` is told in plain words; null where no rule was broken. */
export const liveYear = (days: number) => {
  const day = dayOf()
  const ops = Array.from({ length: days }, () => day).flat()
  const scenario = { ...PLAIN_SCENARIO, seed: 1, calm: true, files: FILES, lists: LISTS, ops }
  const { hash, records, violation } = playPlainly(scenario, new Judge())
  const runs = records.filter((record) => record.includes(' starting ')).length
  return { days, runs, hash, wrong: violation?.message ?? null }
}

export const year = (argv: readonly string[]): number => {
  const { days, report } = flagsOf(argv, { days: 365 })
  const result = liveYear(days)
  const { runs, hash, wrong } = result
  if (wrong !== null) {
    process.stderr.write(`year of ${days} days: ${wrong}\n`)
    process.stderr.write(`again: npm run sim -- year --days ${days}\n`)
  }
  return report(wrong === null, result,
    `${days} days, ${runs} runs, hash ${hash}: ${wrong ?? 'as it should be'}`)
}
