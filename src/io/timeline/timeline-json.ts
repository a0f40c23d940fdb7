// cartwall's own timeline files: fixtures, tracks and keyframes, checked by place.
import { msToFrames, type Frame } from '../../clock/frame.js'
import { cutText } from '../../contract/cut-text.js'
import type { TrackSource } from '../../engine/lighting/timeline-build.js'
import { CURVES, SLOTS, type Curve } from '../../engine/lighting/timeline.js'
import { TIMELINE_LIMITS, type Faults } from './timeline-faults.js'

export interface TimelineSource {
  readonly durationFrames: Frame
  readonly tracks: readonly TrackSource[]
}

/** Where a channel goes: the slot counts from 0, a wide one takes two. */
interface Place {
  readonly universe: number
  readonly slot: number
  readonly wide: boolean
}

type Json = Record<string, unknown>

/** The keys of each kind of object; others are passed over, `x-` ones belong to somebody else. */
const KEYS = {
  file: ['$schema', 'format', 'version', 'name', 'durationMs', 'fixtures', 'tracks'],
  fixture: ['id', 'universe', 'address', 'channels'],
  channel: ['name', 'resolution'],
  track: ['target', 'keyframes'],
  target: ['fixture', 'universe', 'channel', 'resolution'],
} as const

/** Art-Net's port-address has 15 bits. */
export const UNIVERSE_MAX = 32_767
/**
 * Frames of twice this time are no whole numbers any more; it is some thousands of years. As many
 * are left for the engine's time, at which a timeline of this length begins.
 */
const TIME_MS_MAX = Math.floor(Number.MAX_SAFE_INTEGER / 96)

/** Of a name that is wrong, and of all that would be right. */
const NAME_CHARACTERS = 60
const NAMES_CHARACTERS = 120

/** Null where it has faults; they stand in `faults`. */
export const readTimeline = (value: unknown, faults: Faults): TimelineSource | null => {
  if (!isObject(value)) {
    faults.add('file', 'must be an object')
    return null
  }
  if (value['format'] !== 'dmx-timeline') faults.add('format', 'must be "dmx-timeline"')
  if (value['version'] !== 1) faults.add('version', 'must be 1')
  if (value['name'] !== undefined && typeof value['name'] !== 'string') {
    faults.add('name', 'must be text')
  }
  noteUnknown(value, KEYS.file, '', faults)
  const durationFrames = durationOf(value['durationMs'], faults)
  const fixtures = readFixtures(value['fixtures'], faults)
  const tracks = readTracks(value['tracks'], fixtures, faults)
  for (const [index, track] of tracks.entries()) {
    const past = track.at.findIndex((at) => at > durationFrames)
    if (past < 0 || faults.any) continue
    const place = `tracks[${String(index)}].keyframes[${String(past)}]`
    faults.note(place, 'lies past durationMs and is never reached')
  }
  return faults.any ? null : { durationFrames, tracks }
}

const noteUnknown = (
  value: Json, known: readonly string[], place: string, faults: Faults,
): void => {
  for (const key of Object.keys(value)) {
    if (known.includes(key) || key.startsWith('x-')) continue
    faults.note(`${place}${key}`, 'is no key of this format and is passed over')
  }
}

const durationOf = (ms: unknown, faults: Faults): Frame => {
  if (isNumber(ms, 0, TIME_MS_MAX) && msToFrames(ms) > 0) return msToFrames(ms)
  const most = String(TIME_MS_MAX)
  faults.add('durationMs', `must be a number of milliseconds greater than 0, at most ${most}`)
  return msToFrames(0)
}

/** Where the channels of each fixture go; null where its own faults leave that open. */
type Fixtures = ReadonlyMap<string, ReadonlyMap<string, Place> | null>

const readFixtures = (value: unknown, faults: Faults): Fixtures => {
  const fixtures = new Map<string, ReadonlyMap<string, Place> | null>()
  if (value === undefined) return fixtures
  if (!Array.isArray(value)) {
    faults.add('fixtures', 'must be a list')
    return fixtures
  }
  value.forEach((entry: unknown, index) => {
    const place = `fixtures[${String(index)}]`
    if (!isObject(entry)) {
      faults.add(place, 'must be an object')
      return
    }
    noteUnknown(entry, KEYS.fixture, `${place}.`, faults)
    const id = entry['id']
    if (typeof id !== 'string' || id === '') {
      faults.add(`${place}.id`, 'must be text')
      return
    }
    const before = faults.list.length
    if (fixtures.has(id)) faults.add(`${place}.id`, `another fixture is called ${id} too`)
    const channels = readChannels(entry, place, faults)
    fixtures.set(id, faults.list.length > before ? null : channels)
  })
  return fixtures
}

/** Channels stand one after the other from the address on; a 16-bit one takes two slots. */
const readChannels = (
  fixture: Json, place: string, faults: Faults,
): ReadonlyMap<string, Place> => {
  const { universe, address, channels } = fixture
  const found = new Map<string, Place>()
  const sound = checkUniverse(universe, `${place}.universe`, faults)
  if (!isWhole(address, 1, SLOTS)) {
    faults.add(`${place}.address`, 'must be a whole number from 1 to 512')
    return found
  }
  if (!Array.isArray(channels)) {
    faults.add(`${place}.channels`, 'must be a list')
    return found
  }
  let slot = address - 1
  channels.forEach((channel: unknown, index) => {
    const where = `${place}.channels[${String(index)}]`
    if (!isObject(channel) || typeof channel['name'] !== 'string' || channel['name'] === '') {
      faults.add(where, 'must be an object with a name')
      return
    }
    noteUnknown(channel, KEYS.channel, `${where}.`, faults)
    const wide = readResolution(channel['resolution'], where, faults)
    if (found.has(channel['name'])) faults.add(`${where}.name`, 'stands twice in this fixture')
    if (slot + (wide ? 2 : 1) > SLOTS) faults.add(where, 'lies beyond slot 512')
    found.set(channel['name'], { universe: sound, slot, wide })
    slot += wide ? 2 : 1
  })
  return found
}

const readTracks = (value: unknown, fixtures: Fixtures, faults: Faults): readonly TrackSource[] => {
  if (!Array.isArray(value)) {
    faults.add('tracks', 'must be a list')
    return []
  }
  const keyframes = value.reduce<number>((sum, track) => sum + countOf(track), 0)
  if (keyframes > TIMELINE_LIMITS.keyframes) {
    const most = String(TIMELINE_LIMITS.keyframes)
    faults.add('tracks', `hold ${String(keyframes)} keyframes in all, at most ${most} are read`)
    return []
  }
  if (value.length === 0) faults.note('tracks', 'is empty: no lamp obeys this timeline')
  const taken = new Map<number, string>()
  const tracks: TrackSource[] = []
  value.forEach((track: unknown, index) => {
    const place = `tracks[${String(index)}]`
    if (!isObject(track)) {
      faults.add(place, 'must be an object')
      return
    }
    noteUnknown(track, KEYS.track, `${place}.`, faults)
    const target = readTarget(track['target'], fixtures, `${place}.target`, faults)
    if (target !== null) claim(target, place, taken, faults)
    const source = readKeyframes(track['keyframes'], target, `${place}.keyframes`, faults)
    if (source !== null) tracks.push(source)
  })
  return tracks
}

const countOf = (track: unknown): number =>
  isObject(track) && Array.isArray(track['keyframes']) ? track['keyframes'].length : 0

/** Two tracks on one slot would leave to chance which of them a lamp obeys. */
const claim = (target: Place, place: string, taken: Map<number, string>, faults: Faults): void => {
  for (let slot = target.slot; slot <= target.slot + (target.wide ? 1 : 0); slot += 1) {
    const key = target.universe * SLOTS + slot
    const other = taken.get(key)
    if (other !== undefined) {
      const where = `slot ${String(slot + 1)} of universe ${String(target.universe)}`
      faults.add(`${place}.target`, `${where} is driven by ${other} already`)
      return
    }
    taken.set(key, place)
  }
}

const readTarget = (
  target: unknown, fixtures: Fixtures, place: string, faults: Faults,
): Place | null => {
  if (!isObject(target)) {
    faults.add(place, 'must be an object with fixture and channel, or with universe and channel')
    return null
  }
  noteUnknown(target, KEYS.target, `${place}.`, faults)
  if (target['fixture'] !== undefined) return fixtureTarget(target, fixtures, place, faults)
  const before = faults.list.length
  const universe = checkUniverse(target['universe'], `${place}.universe`, faults)
  const channel = target['channel']
  if (!isWhole(channel, 1, SLOTS)) {
    faults.add(`${place}.channel`, 'must be a whole number from 1 to 512')
    return null
  }
  const wide = readResolution(target['resolution'], place, faults)
  if (wide && channel === SLOTS) faults.add(`${place}.channel`, 'has no slot 513 for its fine part')
  return faults.list.length > before ? null : { universe, slot: channel - 1, wide }
}

const fixtureTarget = (
  target: Json, fixtures: Fixtures, place: string, faults: Faults,
): Place | null => {
  const { fixture, channel } = target
  const channels = typeof fixture === 'string' ? fixtures.get(fixture) : undefined
  if (channels === undefined) {
    faults.add(`${place}.fixture`, noSuch('fixture of this file', fixture, fixtures))
  }
  // What is wrong with a fixture is said where it stands, not once more at each of its tracks.
  if (channels === undefined || channels === null) return null
  const found = typeof channel === 'string' ? channels.get(channel) : undefined
  if (found === undefined) {
    faults.add(`${place}.channel`, noSuch('channel of this fixture', channel, channels))
  } else noteOtherwise(target, found, place, faults)
  return found ?? null
}

/** Of a name that is none: which there are, as far as they fit into a line. */
const noSuch = (what: string, name: unknown, known: ReadonlyMap<string, unknown>): string => {
  const given = typeof name === 'string' ? JSON.stringify(cutText(name, NAME_CHARACTERS)) : 'it'
  const all = [...known.keys()].join(', ')
  const names = cutText(all, NAMES_CHARACTERS)
  if (names === '') return `${given} is no ${what}`
  return `${given} is no ${what} (${names}${names === all ? '' : '…'})`
}

const noteOtherwise = (target: Json, { universe, wide }: Place, place: string, faults: Faults) => {
  for (const [key, said] of Object.entries({ universe, resolution: wide ? 16 : 8 })) {
    if (target[key] === undefined || target[key] === said) continue
    faults.note(`${place}.${key}`, `is passed over: its fixture says ${String(said)}`)
  }
}

/** @param target null where it has a fault: as far as it can be, the rest is looked at */
const readKeyframes = (
  keyframes: unknown, target: Place | null, place: string, faults: Faults,
): TrackSource | null => {
  if (!Array.isArray(keyframes) || keyframes.length === 0) {
    faults.add(place, 'must be a list with at least one keyframe')
    return null
  }
  const most = target === null || target.wide ? 65_535 : 255
  const at: number[] = []
  const value: number[] = []
  const curve: Curve[] = []
  let last = 0
  keyframes.forEach((keyframe: unknown, index) => {
    const where = `${place}[${String(index)}]`
    if (!Array.isArray(keyframe) || keyframe.length < 2 || keyframe.length > 3) {
      faults.add(where, 'must be [timeMs, value] or [timeMs, value, curve]')
      return
    }
    const [time, level, shape = 'step'] = keyframe as unknown[]
    if (!isNumber(time, 0, TIME_MS_MAX)) {
      const latest = String(TIME_MS_MAX)
      faults.add(`${where}[0]`, `must be a time in milliseconds from 0 to ${latest}`)
    } else if (time < last) {
      faults.add(`${where}[0]`, `is earlier than the ${String(last)} ms before it`)
    } else last = time
    if (!isWhole(level, 0, most)) {
      faults.add(`${where}[1]`, `must be a whole number from 0 to ${String(most)}`)
    }
    if (!isCurve(shape)) faults.add(`${where}[2]`, `must be one of ${CURVES.join(', ')}`)
    if (faults.any) return
    at.push(msToFrames(time as number))
    value.push(level as number)
    curve.push(shape as Curve)
  })
  return target === null || faults.any ? null : { ...target, at, value, curve }
}

const checkUniverse = (universe: unknown, place: string, faults: Faults): number => {
  if (isWhole(universe, 0, UNIVERSE_MAX)) return universe
  faults.add(place, `must be a whole number from 0 to ${String(UNIVERSE_MAX)}`)
  return 0
}

const readResolution = (resolution: unknown, place: string, faults: Faults): boolean => {
  if (resolution !== undefined && resolution !== 8 && resolution !== 16) {
    faults.add(`${place}.resolution`, 'must be 8 or 16')
  }
  return resolution === 16
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNumber = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most

const isWhole = (value: unknown, least: number, most: number): value is number =>
  isNumber(value, least, most) && Number.isInteger(value)

const isCurve = (value: unknown): value is Curve => (CURVES as readonly unknown[]).includes(value)
