// The early crossfade (3.3.2, decisions 3): with Mix on the next item of a list starts before End,
// and over the overlap the outgoing one falls to 0 while the incoming one rises from 0.
import { earlier, frame, ZERO, type Frame } from '../../clock/frame.js'
import { hasTwoPlayable, mixFrames, type Catalogue } from '../catalogue.js'
import type { Context } from '../context.js'
import { listOf, type Run } from '../runs/run.js'
import type { RunParts } from '../runs/run-parts.js'
import { rampTo } from '../sound/ramp.js'
import { listGoesOn } from './external-sequencing.js'

/**
 * The early crossfade's length before the incoming range is looked at; zero where there is none.
 */
const earlyWish = (run: Run, catalogue: Catalogue): Frame => {
  const list = listOf(run, catalogue)
  if (list === null || !listGoesOn(run, catalogue) || !hasTwoPlayable(list)) return ZERO
  return mixFrames(list)
}

/**
 * At most half of either range; the incoming range as far as it is known. A resume that fades in
 * until End leaves no room for it, nor does one that began before.
 */
export const earlyOverlap = (run: Run, end: Frame, context: Context): Frame => {
  const { now, catalogue } = context
  if (run.handedOver !== null) return ZERO
  if (run.riseEnd >= now + (end - run.voice.positionAt(now))) return ZERO
  const half = frame(Math.floor((end - run.start) / 2))
  const wish = earlier(earlyWish(run, catalogue), half)
  const incoming = incomingRange(run, context)
  return incoming === null ? wish : earlier(wish, frame(Math.floor(incoming / 2)))
}

/** Length of the prepared successor's range, as far as it is known. */
const incomingRange = ({ advance }: Run, context: Context): Frame | null => {
  if (advance === null || advance.candidate === null) return null
  return context.rangeLength(advance.candidate, advance.pass)
}

/** What is left of the pass, and how much of it the crossfade wants. */
export interface EarlyMoment {
  readonly left: number
  readonly wish: Frame
}

/** Whether a crossfade is still meant: where none can be, a fade may land on End instead. */
export const meansToBlend = ({ advance }: Run, wish: Frame): boolean =>
  wish > 0 && advance?.early !== false

/** The moment: the successor can be heard and still fits, so it takes over from here to End. */
export const blendWhenDue = (parts: RunParts, run: Run, { left, wish }: EarlyMoment): void => {
  const { advance } = run
  if (left > wish || left <= 0 || advance?.pass?.ready !== true) return
  if (parts.sequencer.fits(advance)) blendOver(parts, run, frame(left))
  else parts.sequencer.renew(advance)
}

const blendOver = (parts: RunParts, run: Run, frames: Frame): void => {
  run.ramp = rampTo(run.ramp, 0, parts.context.now, frames, 'linear')
  parts.sequencer.handOver(run, parts.sequencer.take(run))
}
