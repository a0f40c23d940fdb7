// What is opened before it is needed: how long before its moment, and how far it is decoded.
import { add, frame, FRAMES_PER_SECOND, type Frame } from '../../clock/frame.js'

/** How long before its moment a successor or a loop's next pass is opened. */
export const LEAD: Frame = frame(5 * FRAMES_PER_SECOND)

/**
 * What a decoder must keep ahead, so that an end is known before something has to blend into it.
 */
export const aheadOf = (blend: Frame): Frame => add(blend, 2 * FRAMES_PER_SECOND)
