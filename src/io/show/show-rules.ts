// The rules of show.json that concern more than one field: ids, ranges, kinds, targets.
// They read the raw file, so that a fault elsewhere in it hides none of theirs.
import { msToFrames } from '../../clock/frame.js'
import { BUTTON_KINDS, type ButtonKind } from '../../contract/vocabulary.js'
import { placeOf, WHOLE_FILE, type Fault } from '../files/fault.js'
import { isRaw, placeInShow, rawList, type Raw } from './raw-show.js'
import { POSITION_MS_MAX } from './show-shape.js'

const PLAYLISTS_MAX = 10_000
const BUTTONS_MAX = 100_000
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What not every kind of button has, in the order in which faults of it are told. */
const KEYS_OF_KINDS = ['media', 'fit', 'dissolveMs', 'dmx', 'target'] as const
type KeyOfKinds = (typeof KEYS_OF_KINDS)[number]

/** What a button of a kind cannot be without, and what means nothing in it. */
export const OF_KIND: Readonly<Record<ButtonKind, {
  readonly needs: KeyOfKinds
  readonly lacks: readonly KeyOfKinds[]
}>> = {
  audio: { needs: 'media', lacks: ['fit', 'dissolveMs', 'target'] },
  video: { needs: 'media', lacks: ['target'] },
  image: { needs: 'media', lacks: ['target'] },
  dmx: { needs: 'dmx', lacks: ['media', 'fit', 'dissolveMs', 'target'] },
  navigation: { needs: 'target', lacks: ['media', 'fit', 'dissolveMs', 'dmx'] },
}

const isKind = (kind: unknown): kind is ButtonKind =>
  (BUTTON_KINDS as readonly unknown[]).includes(kind)

type Say = (path: readonly PropertyKey[], message: string) => void

/** A file larger than any show is refused before each of its entries is looked at. */
export const sizeFaults = (raw: unknown): readonly Fault[] => {
  const playlists = rawList(raw, 'playlists')
  const faults: Fault[] = []
  const say: Say = (path, message) => faults.push({ place: placeOf(path), message })
  if (playlists.length > PLAYLISTS_MAX) {
    say(['playlists'], `must have at most ${String(PLAYLISTS_MAX)} entries`)
  }
  let buttons = 0
  for (const playlist of playlists) buttons += rawList(playlist, 'buttons').length
  if (buttons > BUTTONS_MAX) {
    say(['playlists'], `must have at most ${String(BUTTONS_MAX)} buttons altogether`)
  }
  return faults
}

export const ruleFaults = (raw: unknown): readonly Fault[] => {
  const faults: Fault[] = []
  const say: Say = (path, message) => faults.push({ place: placeOf(path), message })
  const owners = new Map<string, string>()
  const playlistIds = new Set<string>()
  const playlists = rawList(raw, 'playlists')
  for (const [p, playlist] of playlists.entries()) {
    const id = lowerGuid(playlist, 'id')
    if (id !== null) playlistIds.add(id)
    claim(owners, id, ['playlists', p, 'id'], say)
    const keys = new Map<string, string>()
    for (const [b, button] of rawList(playlist, 'buttons').entries()) {
      claimKey(keys, button, ['playlists', p, 'buttons', b, 'hotkey'], say)
      claim(owners, lowerGuid(button, 'id'), ['playlists', p, 'buttons', b, 'id'], say)
    }
  }
  for (const [p, playlist] of playlists.entries()) {
    for (const [b, button] of rawList(playlist, 'buttons').entries()) {
      if (isRaw(button)) buttonRules(button, ['playlists', p, 'buttons', b], playlistIds, say)
    }
  }
  return faults
}

/** GUIDs are unique across the show, in either case of their letters. */
const claim = (
  owners: Map<string, string>,
  id: string | null,
  path: readonly PropertyKey[],
  say: Say,
): void => {
  if (id === null) return
  const owner = owners.get(id)
  if (owner === undefined) owners.set(id, placeOf(path))
  else say(path, `must be unique: ${id} stands at ${owner} already`)
}

/** One key presses one button of the playlist that is open. */
const claimKey = (
  keys: Map<string, string>, button: unknown, path: readonly PropertyKey[], say: Say,
): void => {
  const code = isRaw(button) ? button['hotkey'] : null
  if (typeof code !== 'string') return
  const owner = keys.get(code)
  if (owner === undefined) keys.set(code, placeOf(path))
  else say(path, `must be unique in its playlist: ${code} stands at ${owner} already`)
}

const buttonRules = (
  button: Raw,
  path: readonly PropertyKey[],
  playlistIds: ReadonlySet<string>,
  say: Say,
): void => {
  const kind = button['kind']
  if (isKind(kind)) {
    const { needs, lacks } = OF_KIND[kind]
    for (const key of KEYS_OF_KINDS) {
      const present = button[key] !== undefined && button[key] !== null
      const place = [...path, key]
      if (key === needs && !present) say(place, `is missing; a button of kind ${kind} needs it`)
      if (lacks.includes(key) && present) say(place, `has no meaning in a button of kind ${kind}`)
    }
  }
  const target = lowerGuid(button, 'target')
  if (target !== null && !playlistIds.has(target)) {
    say([...path, 'target'], `must be the id of a playlist of this show; there is no ${target}`)
  }
  rangeRule(button, path, say)
}

/** Start and End are compared as frames: a range that rounds to nothing is none. */
const rangeRule = (button: Raw, path: readonly PropertyKey[], say: Say): void => {
  const start = button['startMs'] ?? 0
  const end = button['endMs'] ?? null
  if (!isPosition(start) || !isPosition(end)) return
  if (msToFrames(start) >= msToFrames(end)) {
    say([...path, 'endMs'], `must be greater than startMs (${String(start)})`)
  }
}

/** What the shape takes as a position; anything else is the shape's to refuse. */
const isPosition = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= POSITION_MS_MAX

const lowerGuid = (value: unknown, key: string): string | null => {
  const id = isRaw(value) ? value[key] : null
  return typeof id === 'string' && GUID.test(id) ? id.toLowerCase() : null
}

/** As a reader of the file meets them: by playlist, then by button; the file as a whole first. */
export const inOrder = (faults: readonly Fault[]): readonly Fault[] => {
  const rank = (fault: Fault): readonly number[] => {
    if (fault.place === WHOLE_FILE) return [-2]
    const at = placeInShow(fault.place)
    return at === null ? [-1] : [at.playlist, at.button ?? -1]
  }
  const ranked = faults.map((fault) => ({ fault, rank: rank(fault) }))
  ranked.sort((a, b) => (a.rank[0] ?? 0) - (b.rank[0] ?? 0) || (a.rank[1] ?? 0) - (b.rank[1] ?? 0))
  return ranked.map(({ fault }) => fault)
}
