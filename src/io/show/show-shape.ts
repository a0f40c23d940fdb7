// The shape of show.json as strict schemas: each field's range and default, one message each.
import { z } from 'zod'
import { LIMITS } from '../../contract/limits.js'
import type { OwnKeys } from '../../contract/schemas.js'
import { BUTTON_COLORS, FITS, PRESS_AGAIN } from '../../contract/show-page.js'
import { BUTTON_KINDS, CROSSFADE_CURVES, PLAYLIST_MODES } from '../../contract/vocabulary.js'
import type { Fault } from '../files/fault.js'
import { issueFaults } from '../files/issue.js'
import { numberFrom, wholeFrom } from '../files/number-shape.js'
import { unseenIn } from '../files/unseen-sign.js'
import type { Raw } from './raw-show.js'

/** Far beyond a position that any media has, and still exact in frames. */
export const POSITION_MS_MAX = 1e11

const must = (what: string) => ({
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? `is missing; it must be ${what}` : `must be ${what}${unseen(input)}`,
})

/** An id or a word that was pasted looks right; a long text is wrong for another reason. */
const unseen = (input: unknown): string => {
  const code = typeof input === 'string' && input.length <= PASTED_MAX ? unseenIn(input) : null
  return code === null ? '' : `; in it is a sign that cannot be seen (${code})`
}
const PASTED_MAX = 100

const guid = z
  .guid(must('a GUID (8-4-4-4-12 hexadecimal digits)'))
  .transform((id) => id.toLowerCase())

const titleIs = must(`a text of at most ${String(LIMITS.titleCharacters)} characters`)
const title = z.string(titleIs).max(LIMITS.titleCharacters, titleIs)

const flag = z.boolean(must('true or false')).default(false)

const wholeMs = (max: number) =>
  wholeFrom(0, max, must(`a whole number of milliseconds from 0 to ${String(max)}`)).default(0)

const positionIs = must('a number of milliseconds, 0 or more')
const position = numberFrom(0, POSITION_MS_MAX, positionIs)

const gainIs = must(
  `a number of decibels from ${String(LIMITS.gainDbMin)} to ${String(LIMITS.gainDbMax)}`,
)
const gainDb = numberFrom(LIMITS.gainDbMin, LIMITS.gainDbMax, gainIs)

const pathIs = must('the path of a file')
const path = z
  .string(pathIs)
  .min(1, pathIs)
  .refine((text) => !text.includes('\0'), pathIs)

const oneOf = <const T extends readonly string[]>(words: T) =>
  z.enum(words, must(`one of ${words.join(', ')}`))

/** Keys that the wall needs for itself: a button on Escape would take the place of panic. */
const KEYS_OF_THE_WALL: readonly string[] = [
  'Escape', 'Enter', 'NumpadEnter', 'Space', 'Tab', 'Home', 'End', 'PageUp', 'PageDown', 'ArrowUp',
  'ArrowDown', 'ArrowLeft', 'ArrowRight', 'BracketLeft', 'BracketRight', 'Minus', 'Equal',
  'Backquote', 'F1', 'F10', 'ContextMenu', 'ShiftLeft', 'ShiftRight', 'ControlLeft', 'ControlRight',
  'AltLeft', 'AltRight', 'MetaLeft', 'MetaRight', 'CapsLock',
]
const hotkeyIs = must('the code of a key, such as "KeyQ" or "Digit1", that the wall does not use')
const hotkey = z
  .string(hotkeyIs)
  .regex(/^(?:[A-Z][A-Za-z]{1,20}[0-9]{0,2}|F[0-9]{1,2})$/, hotkeyIs)
  .refine((code) => !KEYS_OF_THE_WALL.includes(code), hotkeyIs)
  // For editors: to a JSON Schema a check is nothing.
  .meta({ not: { enum: KEYS_OF_THE_WALL } })

const columnsAre = must(
  `null or a whole number from ${String(LIMITS.columnsMin)} to ${String(LIMITS.columnsMax)}`,
)

const objectIs = must('an object')
const dmxIs = must('an object such as { "timeline": "lights/fanfare.json" }')

const buttonShape = z.strictObject(
  {
    id: guid,
    title,
    kind: oneOf(BUTTON_KINDS),
    media: path.nullable().default(null),
    target: z.guid(must('the id of a playlist')).nullable().default(null),
    startMs: position.default(0),
    endMs: position.nullable().default(null),
    fadeInMs: wholeMs(LIMITS.fadeMsMax),
    fadeOutMs: wholeMs(LIMITS.fadeMsMax),
    fadeOutAtEnd: flag,
    isLoopEnabled: flag,
    pauseWhenReplaced: flag,
    allowOverlap: flag,
    gainDb: gainDb.default(0),
    color: oneOf(BUTTON_COLORS).nullable().default(null),
    hotkey: hotkey.nullable().default(null),
    pressAgain: oneOf(PRESS_AGAIN).default('pause'),
    fit: oneOf(FITS).default('contain'),
    dissolveMs: wholeMs(LIMITS.dissolveMsMax),
    dmx: z
      .strictObject({ timeline: path, loop: flag }, dmxIs)
      .nullable()
      .default(null),
  },
  objectIs,
)
/** A button with its `x-` keys; null: it has none. */
export type ButtonShape = z.output<typeof buttonShape> & { readonly own: OwnKeys | null }

/** As much of a button as names files: to be read also where the rest of it has faults. */
const namingShape = z.object({
  title: title.catch(''),
  kind: buttonShape.shape.kind,
  media: buttonShape.shape.media.catch(null),
  startMs: buttonShape.shape.startMs.catch(0),
  dmx: z.object({ timeline: path }).nullable().default(null).catch(null),
})

/** Null where not even the kind can be told. */
export const namingOf = (button: unknown): z.output<typeof namingShape> | null =>
  namingShape.safeParse(button).data ?? null

const playlistShape = z.strictObject(
  {
    id: guid,
    title,
    mode: oneOf(PLAYLIST_MODES).default('manual'),
    wrap: flag,
    mixOnTransition: flag,
    crossfadeMs: wholeMs(LIMITS.crossfadeMsMax),
    crossfadeCurve: oneOf(CROSSFADE_CURVES).default('linear'),
    columns: wholeFrom(LIMITS.columnsMin, LIMITS.columnsMax, columnsAre).nullable().default(null),
    buttons: z.array(buttonShape, must('a list of buttons')).default([]),
  },
  objectIs,
)

export const showShape = z.strictObject(
  {
    $schema: z.string(must('the address of a JSON Schema')).optional(),
    version: z.literal(1, must('1, the version of the format that this cartwall reads')).default(1),
    title,
    playlists: z.array(playlistShape, must('a list of playlists')).default([]),
  },
  objectIs,
)
type ShowKeys = z.output<typeof showShape>
type PlaylistShape = Omit<ShowKeys['playlists'][number], 'buttons'> & {
  readonly buttons: readonly ButtonShape[]
}
export type ShowShape = Omit<ShowKeys, 'playlists'> & {
  readonly playlists: readonly PlaylistShape[]
}

const OWN_KEYS = '; a key of your own begins with x-'

/** Checks a show; `x-` keys are their owners' business. */
export const parseShape = (
  raw: unknown,
): { readonly shape: ShowShape | null; readonly faults: readonly Fault[] } => {
  const parsed = showShape.safeParse(withoutOwnKeys(raw))
  if (parsed.success) return { shape: withOwnKeys(parsed.data, raw as RawShow), faults: [] }
  return { shape: null, faults: issueFaults(showShape, parsed.error.issues, OWN_KEYS) }
}

/** What has this shape once the rest of it was checked. */
interface RawShow {
  readonly playlists?: readonly { readonly buttons?: readonly Raw[] }[]
}

/** Readers of the catalogue get those of each button as they stand in the file. */
const withOwnKeys = (show: ShowKeys, raw: RawShow): ShowShape => ({
  ...show,
  playlists: show.playlists.map((playlist, p) => ({
    ...playlist,
    buttons: playlist.buttons.map((button, b) =>
      ({ ...button, own: ownKeysOf(raw.playlists?.[p]?.buttons?.[b] ?? {}) })),
  })),
})

const ownKeysOf = (button: Raw): OwnKeys | null => {
  const own = Object.entries(button).filter(([key]) => key.startsWith('x-'))
  return own.length === 0 ? null : Object.fromEntries(own)
}

/** `x-` keys may stand in every object of the format. */
const withoutOwnKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutOwnKeys)
  if (typeof value !== 'object' || value === null) return value
  const kept: [string, unknown][] = []
  for (const [key, inner] of Object.entries(value)) {
    if (!key.startsWith('x-')) kept.push([key, withoutOwnKeys(inner)])
  }
  return Object.fromEntries(kept)
}
