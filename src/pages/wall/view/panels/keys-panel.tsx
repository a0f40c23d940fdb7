// All keys of the wall, on one sheet.
import type { JSX } from 'preact'
import { capOf } from '../../hotkeys.js'
import { useWall } from '../model-context.js'

/** Keys that are told by their code have the cap of this keyboard. */
const KEYS = [
  ['1 – 0, KeyQ – KeyP, KeyA – Semicolon, KeyZ – Slash',
    'press the 1st to 40th button of the page, as its cap says'],
  ['Shift and that key', 'stop it, with its saved fade'],
  ['arrows, Home, End', 'move in the grid'],
  ['Enter, Space', 'press the button that has the focus'],
  ['Page Up, Page Down, BracketLeft BracketRight', 'previous, next page'],
  ['Minus Equal', 'previous, next playlist'],
  ['Backquote', 'search: Enter goes to the button, and once more presses it'],
  ['Shift F10, Menu', 'the menu of the button that has the focus'],
  ['Esc', 'close what is open; else panic: sound fades, images and lights end at once. '
    + 'Again within 5 seconds: silence'],
  ['F1', 'this sheet'],
] as const

const CODES = /Key[A-Z]|Semicolon|Slash|Bracket(Left|Right)|Minus|Equal|Backquote/g

export const KeysPanel = (): JSX.Element => {
  const layout = useWall().layout.value
  return (
    <dl class="keys">
      {KEYS.map(([keys, words]) => (
        <div class="keys-row" key={keys}>
          <dt>{keys.replace(CODES, (code) => capOf(code, layout))}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  )
}
