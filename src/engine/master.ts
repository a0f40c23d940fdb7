// The master stage: passes the sum bit for bit, and limits it only where it would be too loud.
//
// The sum leaves one look-ahead (48 frames, 1 ms) later than it came. An over is a frame whose louder
// channel exceeds -1 dBFS. While none lies within the last 200 ms or the look-ahead, the stage is a
// delay line and nothing else. Otherwise it multiplies both channels by one gain:
//
//   attack   the gain bends down in a straight line over the look-ahead, so that it arrives where
//            the over needs it on the over's own frame, and no corner is steeper than that line;
//   release  from there it rises smoothly to exactly 1, which it reaches 200 ms after the last over.
//
// The bound. Every frame at t gets a gain of at most `need(u) + (1 - need(u)) * |u - t| / 48` for each
// over u in (t, t + 48], and of at most need(t) for itself: so |y(t)| <= 1. Nothing depends on how
// time is cut into blocks: state is counted in frames, and each frame does the same arithmetic.
import type { StereoBlock } from './ports.js'

/** -1 dBFS: 10^(-1/20), as f32 rounds it. */
export const MASTER_THRESHOLD = Math.fround(0.8912509381337456)
/** Frames after the last over until the gain is exactly 1 again: 200 ms. */
export const MASTER_RELEASE = 9_600
const LOOK_AHEAD = 48
/** Finite stand-in for a sum that overflowed: loud beyond doubt, and arithmetic stays finite. */
const CEILING = 3.4028234663852886e38
const NEVER = -1_000_000_000
