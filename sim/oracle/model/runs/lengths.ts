// The range that a run plays, or a button would play, as readers are told it.
import type { Execution } from '../../../../src/contract/schemas.js'
import { framesOf, isLive, wholeMs, type ModelButton, type ModelRun } from '../shapes.js'
import type { ModelStreams } from '../streams.js'

type RangeMs = Pick<Execution, 'startMs' | 'endMs'>

/** Start, and the End that takes effect: of its decoder, else as far as End and length tell it. */
export const rangeMs = (streams: ModelStreams, run: ModelRun, durationMs: number): RangeMs => {
  const startMs = wholeMs(run.start)
  // A reader of what has ended is told what its last event told.
  if (!isLive(run)) return { startMs, endMs: run.endMs }
  const met = run.tail.end
  if (met !== null) return { startMs, endMs: wholeMs(met) }
  // A file of less than a millisecond: its length is known all the same.
  const frames = run.source ?? streams.durations.get(run.tail.seen.request.path)?.frames
  const isScrap = durationMs === 0 && frames !== undefined && wholeMs(frames) === 0
  return { startMs, endMs: isScrap ? 0 : endOf(run.to, durationMs) }
}

/** The same of a button, as a start would play it. */
export const savedRangeMs = ({ startMs, endMs }: ModelButton, durationMs: number): RangeMs => ({
  startMs: wholeMs(framesOf(startMs)),
  endMs: endOf(endMs === null ? null : framesOf(endMs), durationMs),
})

const endOf = (to: number | null, durationMs: number): number | null => {
  const ends = [...(to === null ? [] : [wholeMs(to)]), ...(durationMs > 0 ? [durationMs] : [])]
  return ends.length === 0 ? null : Math.min(...ends)
}
