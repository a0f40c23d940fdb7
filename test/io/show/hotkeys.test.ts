// The keys that a show may give to a button: those by which the wall presses it, and no others.
import { describe, expect, it } from 'vitest'
import { ruleFaults } from '../../../src/io/show/show-rules.js'
import { parseShape } from '../../../src/io/show/show-shape.js'
import { keyIntent } from '../../../src/pages/wall/key-intent.js'

const idOf = (n: number): string => `00000000-0000-4000-8000-${`${n}`.padStart(12, '0')}`

/** A show with a playlist for each list of hotkeys. */
const showOf = (...lists: readonly (readonly string[])[]): object => {
  let ids = 0
  return { title: 'T', playlists: lists.map((hotkeys) => ({
    id: idOf(ids += 1), title: 'P', buttons: hotkeys.map((hotkey) =>
      ({ id: idOf(ids += 1), title: '', kind: 'audio', media: 'a.wav', hotkey })),
  })) }
}

const isTaken = (hotkey: string): boolean => parseShape(showOf([hotkey])).faults.length === 0

const names = (from: number, to: number, word: string): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `${word}${String(from + n)}`)
const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ', (letter) => `Key${letter}`)
/** Keys as https://www.w3.org/TR/uievents-code/ names them. */
const USUAL = [
  ...LETTERS, ...names(0, 9, 'Digit'), ...names(0, 9, 'Numpad'), ...names(2, 9, 'F'),
  ...names(11, 24, 'F'), 'Semicolon', 'Comma', 'Period', 'Slash', 'Backslash', 'Quote',
  'IntlBackslash', 'IntlRo', 'NumpadAdd', 'NumpadSubtract', 'NumpadDecimal', 'Insert', 'Delete',
  'Backspace', 'Pause', 'ScrollLock', 'MediaPlayPause', 'Lang1', 'KanaMode',
]
const OF_THE_WALL = [
  'Escape', 'Enter', 'NumpadEnter', 'Space', 'Tab', 'Home', 'End', 'PageUp', 'PageDown',
  'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'BracketLeft', 'BracketRight', 'Minus',
  'Equal', 'Backquote', 'F1', 'F10', 'ContextMenu', 'ShiftLeft', 'ShiftRight',
]
const MODIFIERS = [
  'ControlLeft', 'ControlRight', 'AltLeft', 'AltRight', 'MetaLeft', 'MetaRight', 'CapsLock',
]

/** What the wall does at a key that is the hotkey of a button, wherever the focus is. */
const intents = (code: string): ReadonlySet<string | undefined> => {
  const found = new Set<string | undefined>()
  for (const [inGrid, shift] of [[true, false], [true, true], [false, false], [false, true]]) {
    const context = {
      somethingOpen: false, isCovered: false, awaitsAnswer: false, inField: false, letterKeys: true,
      onPage: false, inGrid: inGrid === true, hasButton: () => true,
    }
    const key = { code, shift: shift === true, modified: false, repeat: false }
    found.add(keyIntent(key, context)?.kind)
  }
  return found
}

describe('a hotkey', () => {
  it('is any key by which the wall presses its button', () => {
    expect(USUAL.filter((code) => !isTaken(code))).toEqual([])
    expect(USUAL.filter((code) => intents(code).size > 1 || !intents(code).has('press')))
      .toEqual([])
  })

  it('is none that the wall needs for itself, and none that is held with another', () => {
    expect([...OF_THE_WALL, ...MODIFIERS].filter(isTaken)).toEqual([])
    // Those of the first list would do something else than press it.
    for (const code of OF_THE_WALL) expect([code, ...intents(code)]).not.toEqual([code, 'press'])
  })

  it.each(['', 'q', 'Q', '1', 'keyQ', 'Key Q', 'KeyQ ', 'Ctrl+KeyQ', 'F', 'F100', 'Key-Q', 'é'])(
    'is no such word as %j', (word) => expect(isTaken(word)).toBe(false))

  it('is one button’s in a playlist, and another’s in the next', () => {
    const twice = ruleFaults(showOf(['KeyA', 'KeyB'], ['KeyA', 'KeyC', 'KeyB', 'KeyA']))
    expect(twice).toEqual([{
      place: 'playlists[1].buttons[3].hotkey',
      message: 'must be unique in its playlist: KeyA stands at playlists[1].buttons[0].hotkey '
        + 'already',
    }])
  })
})
