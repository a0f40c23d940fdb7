// The fade at End: where a button asks for one, the last pass falls to silence and lands on End.
import { add, earlier, frame, later, msToFrames, ZERO, type Frame } from '../../clock/frame.js'
import { rampTo } from '../sound/ramp.js'
import type { Run } from './run.js'

/** How long before End it begins, where the button asks for one and the pass is the last. */
export const atEndFrames = (run: Run): Frame =>
  run.button.fadeOutAtEnd && run.phase.state === 'playing' ? msToFrames(run.button.fadeOutMs) : ZERO

/**
 * It waits for a fade-in: from the gain of the moment, a sting that is shorter than its Fade out
 * would fall from 0 to 0. A rise that is longer than the sting gives way to it half way to End.
 *
 * @param end the frame of the engine that End falls on
 */
const fallMayBegin = ({ ramp }: Run, end: Frame): Frame =>
  earlier(ramp.end, add(ramp.begin, frame(Math.ceil((end - ramp.begin) / 2))))

/**
 * The frame at which it may begin, behind all that ends there: what it was to be followed by may
 * end at this very frame, and come next again, so that nothing is to fall.
 */
export const fallsAt = (run: Run, end: Frame): Frame | null => {
  const frames = atEndFrames(run)
  return frames === 0 ? null : later(frame(end - frames), fallMayBegin(run, end))
}

/** One that begins late is shorter: it lands on End all the same. */
export const fadeAtEndWhenDue = (run: Run, now: Frame, left: number): void => {
  const { phase } = run
  if (phase.state !== 'playing' || phase.atEndFade) return
  if (now < fallMayBegin(run, frame(now + left))) return
  if (run.ramp.to > 0 && left <= atEndFrames(run) && left > 0) {
    run.phase = { ...phase, atEndFade: true }
    run.ramp = rampTo(run.ramp, 0, now, frame(left), 'linear')
  }
}
