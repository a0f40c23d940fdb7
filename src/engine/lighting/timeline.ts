// A compiled DMX timeline: keyframes in typed arrays, and the values of its channels at a frame.
import type { Frame } from '../../clock/frame.js'

/** How the segment that leaves a keyframe travels to the next one. */
export const CURVES = ['step', 'linear', 'smooth'] as const
export type Curve = (typeof CURVES)[number]

const STEP = 0
const SMOOTH = 2

export const SLOTS = 512

/**
 * Track t owns the keyframes first[t] up to first[t + 1], at least one, in rising order of time.
 * Nothing in it ever changes, so threads may share its memory.
 */
export interface CompiledTimeline {
  readonly durationFrames: Frame
  /** The port-addresses it drives, rising. */
  readonly universes: Uint16Array
  /** By track: an index into `universes`, a slot from 0, and 1 where it fills two slots. */
  readonly universe: Uint16Array
  readonly slot: Uint16Array
  readonly wide: Uint8Array
  readonly first: Uint32Array
  /** By keyframe: frames from the start, value (0-255, wide 0-65535), an index into `CURVES`. */
  readonly at: Float64Array
  readonly value: Uint16Array
  readonly curve: Uint8Array
}

/** Where each track was last read: what makes reading on cheap. One set for each reader. */
export type Cursors = Uint32Array

export const cursorsOf = (timeline: CompiledTimeline): Cursors =>
  timeline.first.slice(0, timeline.slot.length)

/** Steps ahead that are tried one by one before the search halves what is left. */
const STEPS_AHEAD = 8

/**
 * Writes every channel that the timeline defines, as it stands at `position`, into `into`, which
 * holds 512 slots for each of `universes` in their order. What it does not define is left alone.
 */
export const evaluate = (
  timeline: CompiledTimeline, cursors: Cursors, position: number, into: readonly Uint8Array[],
): void => {
  const { first, universe, slot, wide } = timeline
  for (let track = 0; track < slot.length; track += 1) {
    const from = first[track] as number
    const to = first[track + 1] as number
    const cursor = seek(timeline.at, cursors[track] as number, from, to, position)
    cursors[track] = cursor
    const value = valueAt(timeline, cursor, to, position)
    const slots = into[universe[track] as number] as Uint8Array
    const index = slot[track] as number
    if (wide[track] === 1) {
      slots[index] = value >> 8
      slots[index + 1] = value & 0xff
    } else {
      slots[index] = value
    }
  }
}

/** The last keyframe at or before `position`, or the first one where there is none. */
const seek = (
  at: Float64Array, cursor: number, from: number, to: number, position: number,
): number => {
  let low = from
  let high = to
  if ((at[cursor] as number) <= position) {
    const near = Math.min(to - 1, cursor + STEPS_AHEAD)
    low = cursor
    while (low < near && (at[low + 1] as number) <= position) low += 1
    if (low < near || near === to - 1) return low
  } else {
    high = cursor
  }
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((at[middle] as number) <= position) low = middle
    else high = middle
  }
  return low
}

/** Before the first keyframe its value holds, after the last one too; between, the curve rules. */
const valueAt = (
  timeline: CompiledTimeline, cursor: number, to: number, position: number,
): number => {
  const { at, value, curve } = timeline
  const left = value[cursor] as number
  const begin = at[cursor] as number
  const kind = curve[cursor] as number
  if (kind === STEP || cursor + 1 >= to || position <= begin) return left
  const right = value[cursor + 1] as number
  if (right === left) return left
  const p = (position - begin) / ((at[cursor + 1] as number) - begin)
  // 16 bits are interpolated whole and split afterwards: split first, the fine slot would jump.
  return Math.round(left + (right - left) * (kind === SMOOTH ? p * p * (3 - 2 * p) : p))
}
