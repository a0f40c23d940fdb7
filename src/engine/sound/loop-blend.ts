// The loop crossfade (3.4.8): outgoing tail and incoming head with complementary linear gains.
import type { StereoBlock } from '../ports.js'

/**
 * Mixes the head into the tail, whose first frame lies `into` frames within the overlap: a quarter
 * of the way through it the tail has 0.75 and the head 0.25.
 */
export const blendLoop = (
  tail: StereoBlock, head: StereoBlock, into: number, overlap: number, count: number,
): void => {
  blend(tail.left, head.left, into, overlap, count)
  blend(tail.right, head.right, into, overlap, count)
}

/** tail·(1 - t) + head·t, with one t for both sides. */
const blend = (
  tail: Float32Array, head: Float32Array, into: number, overlap: number, count: number,
): void => {
  for (let i = 0; i < count; i += 1) {
    const t = (into + i) / overlap
    tail[i] = (tail[i] ?? 0) * (1 - t) + (head[i] ?? 0) * t
  }
}
