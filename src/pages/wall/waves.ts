// Reads GET /waves, and turns a small waveform into the path of its drawing.
import { guidAt } from '../../contract/live-frames.js'

const VERSION = 1
const HEAD_BYTES = 16
const ID_BYTES = 16

/** The peaks of each button, by id; what is cut or of another version is left out. */
export const readWaves = (bytes: ArrayBuffer): ReadonlyMap<string, Uint8Array> => {
  const waves = new Map<string, Uint8Array>()
  if (bytes.byteLength < HEAD_BYTES) return waves
  const view = new DataView(bytes)
  const count = view.getUint32(4, true)
  const columns = view.getUint32(8, true)
  if (view.getUint32(0, true) !== VERSION || columns === 0) return waves
  for (let n = 0; n < count; n += 1) {
    const at = HEAD_BYTES + n * (ID_BYTES + columns)
    if (at + ID_BYTES + columns > bytes.byteLength) break
    waves.set(guidAt(view, at), new Uint8Array(bytes, at + ID_BYTES, columns))
  }
  return waves
}

/** In a box of `columns` by 2, mirrored about its middle; quiet passages keep a thin line. */
export const wavePath = (peaks: Uint8Array): string => {
  const heights = [...peaks].map((peak) => Math.max(0.03, Math.round((peak / 255) * 100) / 100))
  const above = heights.map((height, x) => `${x} ${(1 - height).toFixed(2)}`)
  const below = heights.map((height, x) => `${x} ${(1 + height).toFixed(2)}`).reverse()
  return `M${[...above, ...below].join('L')}Z`
}
