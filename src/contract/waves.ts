// The waveforms that pages read: small ones of all buttons in one binary, and one that is whole.
//
// `GET /waves` (of all buttons that have one by now), little endian:
//   u32 1 (the version), u32 count of entries, u32 columns, u32 0
//   each entry: 16 bytes of the button's id, then `columns` bytes: the largest |sample| of either
//   channel in that part of the button's range (Start to End), 255 is full scale.
// `GET /waves/{buttonId}` is the whole source as audiowaveform's .dat, version 2: 8 bit, 2
// channels, 256 samples a pixel, 48000 a second; 404 while it is not made, or where there is no
// sound.
import { guidAt, putGuid } from './live-frames.js'

/** So many bars a button has, whatever the size of the wall. */
export const WAVE_COLUMNS = 160

const VERSION = 1
const HEAD_BYTES = 16
const ID_BYTES = 16

/** Of each button; every one has WAVE_COLUMNS peaks. */
export const writeWaves = (waves: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> => {
  const entryBytes = ID_BYTES + WAVE_COLUMNS
  const bytes = new Uint8Array(HEAD_BYTES + waves.size * entryBytes)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, VERSION, true)
  view.setUint32(4, waves.size, true)
  view.setUint32(8, WAVE_COLUMNS, true)
  let at = HEAD_BYTES
  for (const [buttonId, peaks] of waves) {
    putGuid(view, at, buttonId)
    bytes.set(peaks.subarray(0, WAVE_COLUMNS), at + ID_BYTES)
    at += entryBytes
  }
  return bytes
}

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
