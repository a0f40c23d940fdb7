// The stage's few keys: diagnostics, full screen, and the offset that is kept in this browser.
import { every } from '../../client/time.js'
import { cutText } from '../../contract/cut-text.js'
import type { Figures } from './figures.js'
import type { Renderer } from './renderer.js'
import type { StageTime } from './timing.js'

const OFFSET_STEP_MS = 5
/** `=` is `+` without Shift on many keyboards. */
const OFFSET_KEYS: Readonly<Record<string, number>> = {
  '+': OFFSET_STEP_MS, '=': OFFSET_STEP_MS, '-': -OFFSET_STEP_MS,
}
const OFFSET_KEY = 'cartwall.stage.offsetMs'
const DRAW_EVERY_MS = 250

/** What the address asks for: `/stage?name=left&offsetMs=40`. */
export interface StageAddress {
  readonly name: string
  readonly offsetMs: number | null
}

const NAME_CHARACTERS = 64

export const readAddress = (search: string): StageAddress => {
  const asked = new URLSearchParams(search)
  const offset = asked.get('offsetMs')
  const isNumber = offset !== null && offset !== '' && Number.isFinite(Number(offset))
  return {
    name: cutText(asked.get('name') ?? 'stage', NAME_CHARACTERS),
    offsetMs: isNumber ? Number(offset) : null,
  }
}

/** The offset that was set here by hand; a browser may keep nothing at all. */
export const keptOffset = (): number | null => {
  try {
    const kept = localStorage.getItem(OFFSET_KEY)
    return kept === null || !Number.isFinite(Number(kept)) ? null : Number(kept)
  } catch {
    return null
  }
}

const keepOffset = (ms: number): void => {
  try {
    localStorage.setItem(OFFSET_KEY, String(ms))
  } catch {
    // It holds until the page is loaded anew.
  }
}

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
    // By what they write: + and - stand elsewhere on each layout; the German ß is named Minus.
    const by = OFFSET_KEYS[event.key]
    if (by !== undefined) turn(by)
    // One that is held would flicker.
    else if (!event.repeat) keys[event.code]?.()
  })
  document.addEventListener('dblclick', toggleFullscreen)
  document.addEventListener('contextmenu', (event) => event.preventDefault())
  every(DRAW_EVERY_MS, () => {
    if (!panel.hidden) panel.textContent = draw()
  })
}

const toggleFullscreen = (): void => {
  const change = document.fullscreenElement === null
    ? document.documentElement.requestFullscreen()
    : document.exitFullscreen()
  change.catch(() => {
    // Not allowed here, e.g. in an embedded browser, which is full already.
  })
}

/** What `D` shows. */
export const diagnosticsText = (
  renderer: Renderer, figures: Figures, time: StageTime, connection: string, name: string,
): string => {
  const told = (share: number): string => figures.percentile(share)?.toFixed(1) ?? '-'
  const decks = renderer.decks.map(({ part, key, rate, element }, n) => {
    const state = `${part} ready ${element.readyState} at ${element.currentTime.toFixed(3)}`
    return `  ${n} ${state} rate ${rate.toFixed(3)} ${key ?? ''}`
  })
  return [
    `${name}: ${connection}`,
    `error p50 ${told(0.5)} ms, p95 ${told(0.95)} ms`,
    `latency ${time.latencyMs.toFixed(1)} ms, offset ${time.offsetMs} ms`,
    `refresh ${time.refreshMs.toFixed(2)} ms, lead ${time.leadMs.toFixed(1)} ms`,
    `on ${renderer.on.map(({ key }) => key).join(' < ') || 'black'}`,
    ...decks,
    ...renderer.errors.map(({ buttonId, message }) => `${buttonId}: ${message}`),
  ].join('\n')
}
