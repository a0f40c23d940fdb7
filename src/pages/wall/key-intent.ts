// What a key asks for (docs/pages.md, "Keys"): pure, from the key and what has the focus.
import type { FocusMove } from './grid.js'

export interface KeyStroke {
  /** The physical key. */
  readonly code: string
  readonly shift: boolean
  /** Ctrl, Alt or Meta: the browser's own. */
  readonly modified: boolean
  readonly repeat: boolean
}

export interface KeyContext {
  /** A panel, a menu or the search is open. */
  readonly somethingOpen: boolean
  /** The sign of a panic that was not sent covers all, and says that Esc tries again. */
  readonly isCovered: boolean
  /** It is the search, a menu or a form: what is typed is meant for it. */
  readonly awaitsAnswer: boolean
  /** A field or a dialog has the focus: letters belong to it. */
  readonly inField: boolean
  /** The focus is on a button of the grid. */
  readonly inGrid: boolean
  /** Nothing has it: it is on the page itself, as before the first key. */
  readonly onPage: boolean
  /** The switch of the settings (WCAG 2.1.4). */
  readonly letterKeys: boolean
  /** Whether a key presses a button of the playlist. */
  readonly hasButton: (code: string) => boolean
}

export type KeyIntent =
  | { readonly kind: 'press'; readonly code: string; readonly stop: boolean }
  | { readonly kind: 'press_focused'; readonly stop: boolean }
  | { readonly kind: 'focus'; readonly move: FocusMove }
  /** From the page into the grid; null: by a key that moves nothing. */
  | { readonly kind: 'enter'; readonly move: FocusMove | null }
  | { readonly kind: 'page'; readonly by: 1 | -1 }
  | { readonly kind: 'playlist'; readonly by: 1 | -1 }
  | { readonly kind: 'search' }
  | { readonly kind: 'keys' }
  | { readonly kind: 'menu' }
  | { readonly kind: 'close' }
  | { readonly kind: 'panic' }
  /** A held key: it does nothing, nor may the browser do anything with it. */
  | { readonly kind: 'held' }

const MOVES: Readonly<Record<string, FocusMove>> = {
  ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down',
  Home: 'home', End: 'end',
}
const PAGES: Readonly<Record<string, 1 | -1>> = {
  PageUp: -1, PageDown: 1, BracketLeft: -1, BracketRight: 1,
}
const PLAYLISTS: Readonly<Record<string, 1 | -1>> = { Minus: -1, Equal: 1 }
/** Keys with a letter, digit or sign on them: those that can be switched off. */
const LETTERS = /^(Key|Digit|Numpad|Intl|Bracket)\w+$/
const SIGNS = /^(Semicolon|Comma|Period|Slash|Backslash|Minus|Equal|Quote|Backquote)$/
const isEnter = (code: string): boolean => code === 'Enter' || code === 'NumpadEnter'
const isCharacter = (code: string): boolean => LETTERS.test(code) || SIGNS.test(code)

/** Null: none of the wall's, so the browser may have it. */
export const keyIntent = (key: KeyStroke, context: KeyContext): KeyIntent | null => {
  if (key.code === 'Escape') return escape(key, context)
  // A browser clicks again and again: what an Enter opened must not be chosen from by the same one.
  if (key.repeat && isEnter(key.code)) return { kind: 'held' }
  if (key.modified) return null
  if (key.code === 'F1') return key.repeat ? { kind: 'held' } : { kind: 'keys' }
  // Nor may the key that opened the search be typed into it, e.g. by a hand that rests on it.
  if (key.repeat && key.code === 'Backquote' && context.letterKeys) return { kind: 'held' }
  if (context.inField) return null
  if (context.inGrid) {
    const inGrid = gridIntent(key)
    if (inGrid !== null) return inGrid
  }
  if (context.onPage && !context.awaitsAnswer) {
    const enter = enterIntent(key)
    if (enter !== null) return enter
  }
  return pageIntent(key, context)
}

/** A held Esc must not close what is open and then panic: the key comes up in between. */
const escape = (key: KeyStroke, context: KeyContext): KeyIntent => {
  if (key.repeat) return { kind: 'held' }
  return context.somethingOpen && !context.isCovered ? { kind: 'close' } : { kind: 'panic' }
}

/** Nobody sees yet which button would be meant: the first key only shows it. */
const enterIntent = (key: KeyStroke): KeyIntent | null => {
  const move = MOVES[key.code]
  if (move !== undefined) return { kind: 'enter', move }
  return asksForMenu(key) ? { kind: 'enter', move: null } : null
}

const asksForMenu = ({ code, shift }: KeyStroke): boolean =>
  code === 'ContextMenu' || (code === 'F10' && shift)

const gridIntent = (key: KeyStroke): KeyIntent | null => {
  const move = MOVES[key.code]
  if (move !== undefined) return { kind: 'focus', move }
  if (isEnter(key.code) || key.code === 'Space') {
    return key.repeat ? { kind: 'held' } : { kind: 'press_focused', stop: key.shift }
  }
  return asksForMenu(key) ? { kind: 'menu' } : null
}

const pageIntent = (key: KeyStroke, context: KeyContext): KeyIntent | null => {
  if (!context.letterKeys && isCharacter(key.code)) return null
  const page = PAGES[key.code]
  if (page !== undefined) return { kind: 'page', by: page }
  const playlist = PLAYLISTS[key.code]
  if (playlist !== undefined) return { kind: 'playlist', by: playlist }
  if (key.code === 'Backquote') return { kind: 'search' }
  if (context.awaitsAnswer) return null
  if (isNavigation(key.code)) return null
  // F5, F11 and their like. Letters stay: some browsers begin to search the page at one of them.
  if (!isCharacter(key.code) && !context.hasButton(key.code)) return null
  return key.repeat ? { kind: 'held' } : { kind: 'press', code: key.code, stop: key.shift }
}

/** Keys that move in the page, or that work elsewhere: never a hotkey. */
const isNavigation = (code: string): boolean =>
  code in MOVES || /^(Tab|Enter|NumpadEnter|Space|Shift\w*|F10|ContextMenu)$/.test(code)
