// All keys of the wall, on one sheet.
import type { JSX } from 'preact'

const KEYS = [
  ['1 – 0, Q – P, A – ;, Z – /', 'press the 1st to 40th button of the page, as its cap says'],
  ['Shift and that key', 'stop it, with its saved fade'],
  ['arrows, Home, End', 'move in the grid'],
  ['Enter, Space', 'press the button that has the focus'],
  ['Page Up, Page Down, [ ]', 'previous, next page'],
  ['- =', 'previous, next playlist'],
  ['`', 'search: Enter goes to the button, and once more presses it'],
  ['Shift F10, Menu', 'the menu of the button that has the focus'],
  ['Esc', 'close what is open; else panic: fade everything. Again within 5 seconds: cut'],
  ['F1', 'this sheet'],
] as const

export const KeysPanel = (): JSX.Element => (
  <dl class="keys">
    {KEYS.map(([key, words]) => (
      <div class="keys-row" key={key}>
        <dt>{key}</dt>
        <dd>{words}</dd>
      </div>
    ))}
  </dl>
)
