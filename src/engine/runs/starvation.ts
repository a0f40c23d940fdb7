// Starvation (decisions 3): a decoder that is late. The position holds until there is a cushion.
import { FRAMES_PER_MS, framesToWholeMs, frame, type Frame } from '../../clock/frame.js'
import type { Context } from '../context.js'
import { isSounding, type Run } from './run.js'

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
  run.starving = true
  run.lateTold = false
}

/** A starved run goes on with as much in stock as a start needs. */
export const feedStarving = (context: Context, run: Run): void => {
  const { voice } = run
  const { now } = context
  if (run.starving && !run.lateTold && now > voice.at) {
    run.lateTold = true
    context.notice(run, 'starved: the decoder is late')
  }
  if (!run.starving || !isSounding(run) || !voice.canGoOn()) return
  run.starving = false
  if (run.lateTold) {
    const gap = framesToWholeMs(frame(now - voice.at))
    context.notice(run, `goes on: its decoder was late by ${String(gap)} ms`)
  }
  voice.go(now)
}
