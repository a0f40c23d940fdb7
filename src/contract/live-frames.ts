// The binary frames of GET /api/v1/live: levels and lights, written and read by one file.
//
// Little endian throughout. Both begin with
//   u8  kind: 1 levels, 2 lights
//   u8  0
//   u16 count of entries
//   f64 at offset 4: engine frame
//
// Levels, 25 a second: peaks (largest |sample|, 1 is full scale) since the frame before. `frame` is
// the end of that time: it is heard at `frame`, i.e. when the clock's frame minus latency is there.
//   f32 master left, f32 master right        at offset 12
//   then each run that sounds: 16 bytes of its executionId, f32 left, f32 right (24 bytes)
// A run's peak is taken after its fades and its button's gain; the master's after the limiter.
//
// Lights, at most 10 a second: every universe, when one of them changed, and once a second.
//   each universe: u16 number, u16 0, 512 bytes of channels 1 to 512 (516 bytes), from offset 12
const LEVELS = 1
const LIGHTS = 2
/** What stands before the entries: the frame in it moves with each writing. */
export const HEAD_BYTES = 12
const MASTER_BYTES = 8
const RUN_BYTES = 24
const UNIVERSE_BYTES = 516
const SLOTS = 512

export interface LevelsFrame {
  readonly kind: 'levels'
  readonly frame: number
  readonly master: Peaks
  readonly runs: readonly RunPeaks[]
}

export interface LightsFrame {
  readonly kind: 'lights'
  readonly frame: number
  readonly universes: readonly UniverseLook[]
}

export interface Peaks {
  readonly left: number
  readonly right: number
}

export interface RunPeaks extends Peaks {
  readonly executionId: string
}

export interface UniverseLook {
  readonly universe: number
  /** Channel 1 at index 0. */
  readonly slots: Uint8Array
}

/** Null for a frame of another kind, or one that is cut: to be ignored. */
export const readLiveFrame = (bytes: ArrayBuffer): LevelsFrame | LightsFrame | null => {
  if (bytes.byteLength < HEAD_BYTES) return null
  const view = new DataView(bytes)
  const kind = view.getUint8(0)
  const count = view.getUint16(2, true)
  const frame = view.getFloat64(4, true)
  if (kind === LEVELS && bytes.byteLength === levelsBytes(count)) {
    return { kind: 'levels', frame, master: peaksAt(view, HEAD_BYTES), runs: runsOf(view, count) }
  }
  if (kind === LIGHTS && bytes.byteLength === lightsBytes(count)) {
    return { kind: 'lights', frame, universes: universesOf(bytes, view, count) }
  }
  return null
}

export const writeLevels = (
  { frame, master, runs }: Omit<LevelsFrame, 'kind'>,
): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(levelsBytes(runs.length))
  const view = headOf(bytes, LEVELS, runs.length, frame)
  putPeaks(view, HEAD_BYTES, master)
  for (const [n, run] of runs.entries()) {
    const at = HEAD_BYTES + MASTER_BYTES + n * RUN_BYTES
    putGuid(view, at, run.executionId)
    putPeaks(view, at + 16, run)
  }
  return bytes
}

export const writeLights = (
  { frame, universes }: Omit<LightsFrame, 'kind'>,
): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(lightsBytes(universes.length))
  const view = headOf(bytes, LIGHTS, universes.length, frame)
  for (const [n, { universe, slots }] of universes.entries()) {
    const at = HEAD_BYTES + n * UNIVERSE_BYTES
    view.setUint16(at, universe, true)
    bytes.set(slots.subarray(0, SLOTS), at + 4)
  }
  return bytes
}

const levelsBytes = (runs: number): number => HEAD_BYTES + MASTER_BYTES + runs * RUN_BYTES
const lightsBytes = (universes: number): number => HEAD_BYTES + universes * UNIVERSE_BYTES

const headOf = (
  bytes: Uint8Array<ArrayBuffer>, kind: number, count: number, frame: number,
): DataView => {
  const view = new DataView(bytes.buffer)
  view.setUint8(0, kind)
  view.setUint16(2, count, true)
  view.setFloat64(4, frame, true)
  return view
}

const putPeaks = (view: DataView, at: number, { left, right }: Peaks): void => {
  view.setFloat32(at, left, true)
  view.setFloat32(at + 4, right, true)
}

const peaksAt = (view: DataView, at: number): Peaks => ({
  left: view.getFloat32(at, true), right: view.getFloat32(at + 4, true),
})

const runsOf = (view: DataView, count: number): readonly RunPeaks[] => {
  const runs: RunPeaks[] = []
  for (let n = 0; n < count; n += 1) {
    const at = HEAD_BYTES + MASTER_BYTES + n * RUN_BYTES
    runs.push({ executionId: guidAt(view, at), ...peaksAt(view, at + 16) })
  }
  return runs
}

const universesOf = (
  bytes: ArrayBuffer, view: DataView, count: number,
): readonly UniverseLook[] => {
  const universes: UniverseLook[] = []
  for (let n = 0; n < count; n += 1) {
    const at = HEAD_BYTES + n * UNIVERSE_BYTES
    universes.push({
      universe: view.getUint16(at, true), slots: new Uint8Array(bytes, at + 4, SLOTS),
    })
  }
  return universes
}

export const putGuid = (view: DataView, at: number, guid: string): void => {
  const digits = guid.replaceAll('-', '')
  for (let i = 0; i < 16; i += 1) {
    view.setUint8(at + i, Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16))
  }
}

/** In lower case, as ids are told everywhere. */
export const guidAt = (view: DataView, at: number): string => {
  let text = ''
  for (let i = 0; i < 16; i += 1) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-'
    text += view.getUint8(at + i).toString(16).padStart(2, '0')
  }
  return text
}
