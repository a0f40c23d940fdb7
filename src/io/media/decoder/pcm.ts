// The sound that ffmpeg writes, interleaved little-endian f32 stereo in bytes, as samples.
import { STEREO_FRAME_BYTES } from '../../../engine/ports.js'

/** A pipe cuts its bytes anywhere: here they come out in whole frames. */
export class WholeFrames {
  #rest: Buffer | null = null

  /** What is whole by now; a frame that is not waits for the next bytes. */
  add(bytes: Buffer): Buffer {
    const all = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes])
    const end = all.length - (all.length % STEREO_FRAME_BYTES)
    this.#rest = end === all.length ? null : all.subarray(end)
    return all.subarray(0, end)
  }
}

/** At any alignment; a view of the bytes where that can be. */
export const samplesOf = (bytes: Buffer): Float32Array => {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer)
  return new Float32Array(aligned.buffer, aligned.byteOffset, Math.floor(aligned.length / 4))
}

/**
 * The first `count` frames as two channels. A sample that is no number, or has no bound (a file of
 * floats from a plugin that broke), is silence here: in the sum it would silence all that sounds.
 */
export const split = (
  bytes: Buffer,
  count: number,
): { readonly left: Float32Array; readonly right: Float32Array } => {
  const samples = samplesOf(bytes)
  const left = new Float32Array(count)
  const right = new Float32Array(count)
  for (let i = 0, at = 0; i < count; i += 1, at += 2) {
    left[i] = finite(samples[at] as number)
    right[i] = finite(samples[at + 1] as number)
  }
  return { left, right }
}

const finite = (sample: number): number => sample - sample === 0 ? sample : 0
