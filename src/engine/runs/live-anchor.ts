// Where a sounding run's position goes, and what happens to it there: what anchors of /live tell.
//
// A reader of GET /executions is bounded by what is decoded (`Playhead.until`), which moves with
// every piece that a decoder supplies. A heading is the next thing that the show has in store, and
// changes only where that does: e.g. a 10 s loop with 1 s of overlap heads for 9 s, to go on; from
// there for 10 s, to wrap to 1 s.
import { add, frame, type Frame } from '../../clock/frame.js'
import { loopOverlap, roundFollows } from './loop.js'
import type { Heading } from './playhead.js'
import type { RangeLimits } from './run-parts.js'
import type { Run } from './run.js'

/** Null while the position holds, and while nobody knows where the media end. */
export const headingOf = (run: Run, now: Frame, limits: RangeLimits): Heading | null => {
  if (!run.voice.moving) return null
  const media = mediaHeading(run, limits)
  const fade = fadeHeading(run, now)
  if (media === null || fade === null) return media ?? fade
  // At one frame the media's end comes first (decisions 3, "An end inside a fade").
  return media.until <= fade.until ? media : fade
}

const mediaHeading = (run: Run, limits: RangeLimits): Heading | null => {
  const { seam, tail } = run.voice
  const { end } = tail
  if (end === null) return null
  if (seam !== null) return { until: end, then: { kind: 'wrap', to: add(run.start, seam.overlap) } }
  if (!roundFollows(run)) return { until: end, then: { kind: 'end' } }
  const overlap = loopOverlap(run, end, limits)
  if (overlap === 0) return { until: end, then: { kind: 'wrap', to: run.start } }
  return { until: frame(end - overlap), then: { kind: 'on' } }
}

const fadeHeading = (run: Run, now: Frame): Heading | null => {
  const { phase: { state }, voice, ramp } = run
  if (state !== 'pausing' && state !== 'fading_out') return null
  const until = add(voice.positionAt(now), Math.max(0, ramp.end - now))
  return { until, then: { kind: state === 'pausing' ? 'on' : 'end' } }
}
