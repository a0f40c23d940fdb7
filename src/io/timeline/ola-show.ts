// The show files that OLA's recorder writes: frames of whole universes and the delays between.
import { msToFrames } from '../../clock/frame.js'
import type { TrackSource } from '../../engine/lighting/timeline-build.js'
import { SLOTS, type Curve } from '../../engine/lighting/timeline.js'
import { TIMELINE_LIMITS, type Faults } from './timeline-faults.js'
import { UNIVERSE_MAX, type TimelineSource } from './timeline-json.js'

const HEADER = 'OLA Show'

/** Also where the first line is not quite right: no JSON begins like this. */
export const isOlaShow = (text: string): boolean => /^\s*OLA/i.test(text)

/** The last frame is shown for one frame of DMX at 40 Hz: no delay tells how long it lasts. */
const LAST_FRAME_MS = 25
/** A delay longer than a week is a slip. */
const DELAY_MS_MAX = 7 * 24 * 3_600_000

/**
 * The recorder writes a universe down when something is sent to it, and who sends a look repeats it
 * each second. One that is first heard of later was dark until then; any other stood already.
 */
const HEARD_BY_MS = 1_000

/** The changes of one slot; a frame that repeats a value adds none. */
interface SlotChanges {
  readonly at: number[]
  readonly value: number[]
}

interface Recording {
  readonly universes: Map<number, SlotChanges[]>
  nowMs: number
  keyframes: number
}

/** Null where it has faults; they stand in `faults`, by line. Delays are summed to times. */
export const readOlaShow = (text: string, faults: Faults): TimelineSource | null => {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  while (lines.at(-1)?.trim() === '') lines.pop()
  if (lines[0]?.trim() !== HEADER) {
    faults.add('line 1', `must be "${HEADER}"`)
    return null
  }
  if (lines.length < 2) faults.add('line 2', 'must be a frame: the recording is empty')
  const recording: Recording = { universes: new Map(), nowMs: 0, keyframes: 0 }
  for (let index = 1; index < lines.length && !tooMany(recording); index += 1) {
    const line = lines[index] ?? ''
    const place = `line ${String(index + 1)}`
    // Frames and delays take turns.
    if (index % 2 === 1) readFrame(line, place, recording, faults)
    else readDelay(line, place, recording, faults)
  }
  if (tooMany(recording)) {
    const most = String(TIMELINE_LIMITS.keyframes)
    faults.add('file', `holds more changes of slots than the ${most} that are read`)
  }
  if (faults.any) return null
  const durationFrames = msToFrames(recording.nowMs + LAST_FRAME_MS)
  return { durationFrames, tracks: tracksOf(recording) }
}

const tooMany = (recording: Recording): boolean =>
  recording.keyframes > TIMELINE_LIMITS.keyframes

const readFrame = (line: string, place: string, recording: Recording, faults: Faults): void => {
  const match = /^(\d+)(?: (.*))?$/.exec(line)
  const universe = Number(match?.[1])
  if (match === null || universe > UNIVERSE_MAX) {
    const most = String(UNIVERSE_MAX)
    faults.add(place, `must be a frame: a universe from 0 to ${most}, one space, values`)
    return
  }
  const list = (match[2] ?? '').trim()
  const values = list === '' ? [] : list.split(',')
  if (values.length > SLOTS) {
    faults.add(place, `has ${String(values.length)} values; a universe has ${String(SLOTS)} slots`)
    return
  }
  const known = recording.universes.get(universe)
  const slots = known ?? []
  const stood = known === undefined && recording.nowMs <= HEARD_BY_MS
  recording.universes.set(universe, slots)
  // A frame tells the whole universe: a slot that it leaves out is dark.
  for (let slot = 0; slot < Math.max(values.length, slots.length); slot += 1) {
    const text = (values[slot] ?? '').trim()
    // Left empty it is 0.
    const value = Number(text)
    if (!/^\d*$/.test(text) || value > 255) {
      faults.add(place, `value ${String(slot + 1)} must be a whole number from 0 to 255`)
      return
    }
    change(recording, slots, slot, value, stood)
  }
}

const change = (
  recording: Recording, slots: SlotChanges[], slot: number, value: number, stood: boolean,
): void => {
  // A slot that first appears in a later frame was dark until then.
  const changes = slots[slot] ?? (stood ? { at: [], value: [] } : { at: [0], value: [0] })
  if (slots[slot] === undefined && !stood) recording.keyframes += 1
  slots[slot] = changes
  if (changes.value.at(-1) === value) return
  changes.at.push(msToFrames(recording.nowMs))
  changes.value.push(value)
  recording.keyframes += 1
}

const readDelay = (line: string, place: string, recording: Recording, faults: Faults): void => {
  const delay = /^\s*\d+\s*$/.test(line) ? Number(line) : DELAY_MS_MAX + 1
  if (delay > DELAY_MS_MAX) faults.add(place, 'must be a delay: a whole number of milliseconds')
  else recording.nowMs += delay
}

const tracksOf = (recording: Recording): TrackSource[] => {
  const tracks: TrackSource[] = []
  for (const [universe, slots] of recording.universes) {
    slots.forEach(({ at, value }, slot) => {
      const curve = value.map((): Curve => 'step')
      tracks.push({ universe, slot, wide: false, at, value, curve })
    })
  }
  return tracks
}
