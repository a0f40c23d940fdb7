// Packs the tracks of a timeline that was found good into the typed arrays that are evaluated.
import type { Frame } from '../../clock/frame.js'
import { CURVES, type CompiledTimeline, type Curve } from './timeline.js'

/** One channel's keyframes, in rising order of time: `at` in frames; `slot` counts from 0. */
export interface TrackSource {
  readonly universe: number
  readonly slot: number
  readonly wide: boolean
  readonly at: readonly number[]
  readonly value: readonly number[]
  readonly curve: readonly Curve[]
}

/** Memory that threads can share: the daemon and its lights look at one copy. */
const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes)

export const buildTimeline = (
  durationFrames: Frame, tracks: readonly TrackSource[],
): CompiledTimeline => {
  if (durationFrames <= 0) throw new RangeError('a timeline lasts at least one frame')
  const total = tracks.reduce((sum, track) => sum + track.at.length, 0)
  const universes = [...new Set(tracks.map((track) => track.universe))].sort((a, b) => a - b)
  const indexOf = new Map(universes.map((universe, index) => [universe, index]))
  const built = {
    durationFrames,
    universes: Uint16Array.from(universes),
    universe: new Uint16Array(shared(tracks.length * 2)),
    slot: new Uint16Array(shared(tracks.length * 2)),
    wide: new Uint8Array(shared(tracks.length)),
    first: new Uint32Array(shared((tracks.length + 1) * 4)),
    at: new Float64Array(shared(total * 8)),
    value: new Uint16Array(shared(total * 2)),
    curve: new Uint8Array(shared(total)),
  }
  let next = 0
  tracks.forEach((track, index) => {
    if (track.at.length === 0) throw new RangeError('a track has at least one keyframe')
    built.universe[index] = indexOf.get(track.universe) ?? 0
    built.slot[index] = track.slot
    built.wide[index] = track.wide ? 1 : 0
    built.first[index] = next
    built.at.set(track.at, next)
    built.value.set(track.value, next)
    built.curve.set(track.curve.map((curve) => CURVES.indexOf(curve)), next)
    next += track.at.length
  })
  built.first[tracks.length] = next
  return built
}
