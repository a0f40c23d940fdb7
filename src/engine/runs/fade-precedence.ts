// How long a fade lasts: the fade precedence of 4.1, used by commands and by replacement.
import { msToFrames, type Frame } from '../../clock/frame.js'
import { mixFrames, type Playlist } from '../catalogue.js'

/**
 * The first that applies: what the request supplies (zero included), the button's saved positive
 * fade, the owning playlist's Crossfade duration if its Mix on transition is on, zero.
 */
export const fadeFrames = (
  suppliedMs: number | null, savedMs: number, owner: Playlist | null,
): Frame => {
  if (suppliedMs !== null) return msToFrames(suppliedMs)
  if (savedMs > 0) return msToFrames(savedMs)
  return mixFrames(owner)
}
