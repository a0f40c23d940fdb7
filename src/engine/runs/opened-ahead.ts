// What is opened before it is needed: how long before its moment, and how far it is decoded.
import { add, frame, FRAMES_PER_SECOND, later, msToFrames, type Frame } from '../../clock/frame.js'
import { mixFrames, type Button, type Playlist } from '../catalogue.js'

/** How long before its moment a successor or a loop's next pass is opened. */
export const LEAD: Frame = frame(5 * FRAMES_PER_SECOND)

/**
 * What a decoder must keep ahead, so that an end is known before something has to land on it or
 * blend into it. Each pass may be the last one, where the padlock is opened meanwhile: a fade lands
 * on its End then, or the next item of the list blends into it.
 *
 * @param known whether anybody knows how long the range is: a crossfade takes at most half of what
 * comes in (decisions 3), so that its decoder has to look twice as far where nobody does
 */
export const aheadOf = (
  button: Button, list: Playlist | null, loopOverlap: Frame, known = true,
): Frame => {
  const mix = frame(mixFrames(list) * (known ? 1 : 2))
  const blend = later(loopOverlap, later(msToFrames(button.fadeOutMs), mix))
  return add(blend, 2 * FRAMES_PER_SECOND)
}
