// The stage's few keys: diagnostics, full screen, and the offset that is kept in this browser.
import { every } from '../../client/time.js'
import { keepOffset } from './kept-offset.js'
import type { StageTime } from './timing.js'

const OFFSET_STEP_MS = 5
/** `=` is `+` without Shift on many keyboards. */
const OFFSET_KEYS: Readonly<Record<string, number>> = {
  '+': OFFSET_STEP_MS, '=': OFFSET_STEP_MS, '-': -OFFSET_STEP_MS,
}
const DRAW_EVERY_MS = 250

export const addControls = (
  panel: HTMLElement, time: StageTime, draw: () => string, offsetSet: () => void,
): void => {
  const turn = (by: number): void => {
    time.offsetMs += by
    keepOffset(time.offsetMs)
    offsetSet()
  }
  const keys: Readonly<Record<string, () => void>> = {
    KeyD: () => {
      panel.hidden = !panel.hidden
      if (!panel.hidden) panel.textContent = draw()
    },
    KeyF: toggleFullscreen,
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    // By what they write: + and - stand elsewhere on each layout; the German ß is named Minus, and
    // F and D of a Dvorak keyboard have other names. A Russian one writes neither.
    const by = OFFSET_KEYS[event.key]
    if (by !== undefined) turn(by)
    // One that is held would flicker.
    else if (!event.repeat) keys[letterOf(event)]?.()
  })
  document.addEventListener('dblclick', toggleFullscreen)
  document.addEventListener('contextmenu', (event) => event.preventDefault())
  every(DRAW_EVERY_MS, () => {
    if (!panel.hidden) panel.textContent = draw()
  })
}

const letterOf = ({ key, code }: KeyboardEvent): string =>
  /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : code

const toggleFullscreen = (): void => {
  const change = document.fullscreenElement === null
    ? document.documentElement.requestFullscreen()
    : document.exitFullscreen()
  change.catch(() => {
    // Not allowed here, e.g. in an embedded browser, which is full already.
  })
}
