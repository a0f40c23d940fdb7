// Starvation (decisions 3): a decoder that is late. The position holds until there is a cushion,
// and so do the lights.
import { add, FRAMES_PER_MS, framesToWholeMs, frame, type Frame } from '../../clock/frame.js'
import type { Context } from '../context.js'
import { isSounding, type Run, type Starving } from './run.js'
import type { RunParts } from './run-parts.js'

/**
 * Sound is ready with this much decoded: a start, a loop's next pass, a list's next item, and what
 * starved. Decoders begin with a scrap, e.g. ffmpeg with 288 frames, and the next one comes when a
 * busy machine gives them a turn; no hole was seen with 20 ms, and 100 leave room for slower disks.
 * A healthy decoder fills it within a few ms, and an armed head has it from the start.
 */
export const CUSHION: Frame = frame(100 * FRAMES_PER_MS)

/** What is read next is not there: the position holds here. */
export const starve = (run: Run, now: Frame): void => {
  run.voice.hold(now)
  run.starving = { since: now, told: false }
}

/** A starved run goes on with as much in stock as a start needs. */
export const feedStarving = (parts: RunParts, run: Run): void => {
  if (run.starving === null) return
  const { context, dmx } = parts
  tellStarving(parts, run, run.starving)
  if (!isSounding(run) || !run.voice.canGoOn()) return
  endStarving(context, run, 'goes on: its decoder was late')
  run.voice.go(context.now)
  dmx.release(context.now, run.button.id)
}

/** What comes within the frame itself was not late: starving is told one frame on, and counted. */
const tellStarving = (
  { context, dmx }: RunParts, run: Run, { since, told }: Starving,
): void => {
  if (told || context.now <= since) return
  run.starving = { since, told: true }
  dmx.hold(context.now, run.button.id)
  countStarving(context, run)
}

const countStarving = (context: Context, run: Run): void => {
  context.starvations += 1
  context.notice(run, 'starved: the decoder is late')
}

/** It goes on, rests or ends: how long its decoder was late is told, and added up. */
export const endStarving = (context: Context, run: Run, what: string): void => {
  if (run.starving === null) return
  const { since, told } = run.starving
  const gap = frame(context.now - since)
  run.starving = null
  run.starvedFrames = add(run.starvedFrames, gap)
  if (gap === 0) return
  // What replaces it may sound before its own look of this frame: a frame of it was silent.
  if (!told) countStarving(context, run)
  context.notice(run, `${what} by ${String(framesToWholeMs(gap))} ms`)
}
