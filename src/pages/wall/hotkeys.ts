// Which physical key presses which button of a page: its own hotkey, else the key of its place.
import { PLACE_KEYS } from '../../contract/place-keys.js'

const SIGNS: Readonly<Record<string, string>> = {
  Semicolon: ';', Comma: ',', Period: '.', Slash: '/', Backquote: '`', Minus: '-', Equal: '=',
  BracketLeft: '[', BracketRight: ']', Backslash: '\\', Quote: "'", Space: 'Space',
  Delete: 'Del', Insert: 'Ins', Backspace: 'Bksp', CapsLock: 'Caps', ScrollLock: 'ScrLk',
  NumLock: 'NumLk', PrintScreen: 'PrtSc', IntlBackslash: '<', NumpadAdd: 'N+',
  NumpadSubtract: 'N-', NumpadMultiply: 'N*', NumpadDivide: 'N/', NumpadDecimal: 'N.',
  NumpadComma: 'N,', NumpadEqual: 'N=',
}

/** Those whose sign differs from keyboard to keyboard; a French one writes digits with Shift. */
const BY_LAYOUT =
  /^(Key|Bracket|Intl|Semicolon|Comma|Period|Slash|Back(slash|quote)|Minus|Equal|Quote)/

/**
 * What stands on the cap, by the layout where it is known, else as on an American keyboard: the
 * place is what counts. Keys of the number pad have an N before it, since the digits above the
 * letters are other keys.
 */
export const capOf = (code: string, layout: ReadonlyMap<string, string>): string => {
  const own = BY_LAYOUT.test(code) ? layout.get(code) : undefined
  if (own !== undefined) return upper(own)
  return SIGNS[code] ?? code.replace(/^(Key|Digit)/, '').replace(/^Numpad/, 'N')
}

/** As it is on a cap, where ß stays one letter. */
const upper = (sign: string): string =>
  sign.toUpperCase().length === sign.length ? sign.toUpperCase() : sign

/**
 * The key of each button of the page, null where none is left. A key that a button of the playlist
 * claims as its hotkey is not given to a place as well, on whatever page that button stands.
 */
export const keysOfPage = (
  hotkeys: readonly (string | null)[], first: number, count: number,
): readonly (string | null)[] => {
  const claimed = new Set(hotkeys)
  return hotkeys.slice(first, first + count).map((own, place) => {
    if (own !== null) return own
    const byPlace = PLACE_KEYS[place]
    return byPlace === undefined || claimed.has(byPlace) ? null : byPlace
  })
}

/** The place in the playlist that a key presses: a hotkey everywhere, else one of the page. */
export const placeOfKey = (
  code: string, hotkeys: readonly (string | null)[], first: number, count: number,
): number | null => {
  const own = hotkeys.indexOf(code)
  if (own >= 0) return own
  const place = keysOfPage(hotkeys, first, count).indexOf(code)
  return place < 0 ? null : first + place
}
