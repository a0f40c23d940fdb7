// Keys of the wall: which button a key presses, and what every key asks for.
import { describe, expect, test } from 'vitest'
import { capOf, keysOfPage, placeOfKey } from '../../../src/pages/wall/hotkeys.js'
import { keyIntent, type KeyContext } from '../../../src/pages/wall/key-intent.js'

describe('keys of places', () => {
  test('the first forty have the four rows, in order', () => {
    const keys = keysOfPage(new Array<null>(50).fill(null), 0, 50)
    expect(keys.slice(0, 11)).toEqual([
      'Digit1', 'Digit2', 'Digit3', 'Digit4', 'Digit5', 'Digit6', 'Digit7', 'Digit8', 'Digit9',
      'Digit0', 'KeyQ',
    ])
    expect(keys[39]).toBe('Slash')
    expect(keys[40]).toBeNull()
    const caps = ['Digit0', 'KeyQ', 'Semicolon'].map((code) => capOf(code, new Map()))
    expect(caps).toEqual(['0', 'Q', ';'])
  })

  test('a key that a button claims is not given to a place too', () => {
    const hotkeys = [null, 'Digit1', null]
    expect(keysOfPage(hotkeys, 0, 3)).toEqual([null, 'Digit1', 'Digit3'])
    expect(placeOfKey('Digit1', hotkeys, 0, 3)).toBe(1)
  })

  test('nor where that button stands on another page: the key would start it unseen', () => {
    const hotkeys = [null, null, 'Digit2', null]
    expect(keysOfPage(hotkeys, 0, 2)).toEqual(['Digit1', null])
    expect(placeOfKey('Digit2', hotkeys, 0, 2)).toBe(2)
  })

  test('a hotkey works from every page, a place on its own', () => {
    const hotkeys = [null, null, null, 'F5']
    expect(placeOfKey('F5', hotkeys, 0, 2)).toBe(3)
    expect(placeOfKey('F5', ['F5', null], 1, 1)).toBe(0)
    expect(placeOfKey('Digit1', hotkeys, 2, 2)).toBe(2)
    expect(placeOfKey('Digit2', [null, null, null, null], 2, 2)).toBe(3)
    expect(placeOfKey('Digit3', hotkeys, 2, 2)).toBeNull()
  })
})

const GRID: KeyContext = {
  somethingOpen: false, isCovered: false, awaitsAnswer: false, inField: false, inGrid: true,
  onPage: false,
  letterKeys: true,
  hasButton: (code) => code === 'F5' || code === 'NumpadAdd',
}
const stroke = (code: string, more = {}) => ({
  code, shift: false, modified: false, repeat: false, ...more,
})

describe('what a key asks for', () => {
  test.each([
    ['KeyQ', {}, {}, { kind: 'press', code: 'KeyQ', stop: false }],
    ['KeyQ', { shift: true }, {}, { kind: 'press', code: 'KeyQ', stop: true }],
    ['KeyQ', { repeat: true }, {}, { kind: 'held' }],
    ['KeyQ', { modified: true }, {}, null],
    ['KeyQ', {}, { inField: true }, null],
    ['KeyQ', {}, { somethingOpen: true, awaitsAnswer: true }, null],
    ['KeyQ', {}, { somethingOpen: true }, { kind: 'press', code: 'KeyQ', stop: false }],
    ['KeyQ', {}, { letterKeys: false }, null],
    ['ArrowUp', {}, { inGrid: false, onPage: true }, { kind: 'enter', move: 'up' }],
    ['F10', { shift: true }, { inGrid: false, onPage: true }, { kind: 'enter', move: null }],
    ['Enter', {}, { inGrid: false, onPage: true }, null],
    ['Space', {}, { inGrid: false, onPage: true }, null],
    ['ArrowUp', {}, { inGrid: false, onPage: true, awaitsAnswer: true }, null],
    ['Quote', {}, { letterKeys: false }, null],
    ['Backslash', {}, { letterKeys: false }, null],
    ['IntlBackslash', {}, { letterKeys: false }, null],
    ['Numpad5', {}, { letterKeys: false }, null],
    ['NumpadAdd', {}, {}, { kind: 'press', code: 'NumpadAdd', stop: false }],
    ['F5', {}, { letterKeys: false }, { kind: 'press', code: 'F5', stop: false }],
    ['F5', {}, { hasButton: () => false }, null],
    ['F11', {}, {}, null],
    ['F11', { repeat: true }, {}, null],
    ['KeyX', {}, { hasButton: () => false }, { kind: 'press', code: 'KeyX', stop: false }],
    ['Space', {}, {}, { kind: 'press_focused', stop: false }],
    ['Enter', { shift: true }, {}, { kind: 'press_focused', stop: true }],
    ['Enter', { repeat: true }, {}, { kind: 'held' }],
    ['Enter', {}, { inGrid: false }, null],
    ['Enter', { repeat: true }, { inGrid: false }, { kind: 'held' }],
    ['Enter', { repeat: true }, { inGrid: false, inField: true }, { kind: 'held' }],
    ['NumpadEnter', { repeat: true }, { inGrid: false }, { kind: 'held' }],
    ['Space', { repeat: true }, { inGrid: false, inField: true }, null],
    ['ArrowDown', { repeat: true }, {}, { kind: 'focus', move: 'down' }],
    ['ArrowDown', {}, { inGrid: false }, null],
    ['PageDown', {}, {}, { kind: 'page', by: 1 }],
    ['BracketLeft', {}, {}, { kind: 'page', by: -1 }],
    ['BracketLeft', {}, { letterKeys: false }, null],
    ['Equal', {}, {}, { kind: 'playlist', by: 1 }],
    ['Backquote', {}, {}, { kind: 'search' }],
    ['Backquote', { repeat: true }, {}, { kind: 'held' }],
    ['Backquote', { repeat: true }, { inField: true, somethingOpen: true }, { kind: 'held' }],
    ['Backquote', {}, { inField: true, somethingOpen: true }, null],
    ['Backquote', { repeat: true }, { letterKeys: false }, null],
    ['Backquote', { repeat: true, modified: true }, {}, null],
    ['F10', { shift: true }, {}, { kind: 'menu' }],
    ['F10', {}, {}, null],
    ['ContextMenu', {}, {}, { kind: 'menu' }],
    ['F1', {}, { inField: true }, { kind: 'keys' }],
    ['F1', { repeat: true }, {}, { kind: 'held' }],
    ['Escape', {}, {}, { kind: 'panic' }],
    ['Escape', {}, { somethingOpen: true }, { kind: 'close' }],
    ['Escape', {}, { somethingOpen: true, inField: true }, { kind: 'close' }],
    ['Escape', {}, { inField: true, letterKeys: false }, { kind: 'panic' }],
    ['Escape', { repeat: true }, {}, { kind: 'held' }],
    ['Tab', {}, {}, null],
    ['ShiftLeft', { shift: true }, {}, null],
  ])('%s %o %o', (code, key, context, intent) => {
    expect(keyIntent(stroke(code, key), { ...GRID, ...context })).toEqual(intent)
  })
})
