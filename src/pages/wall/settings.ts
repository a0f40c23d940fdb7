// What a person sets on this wall, kept in this browser.
import { signal, type Signal } from '@preact/signals'

export const THEMES = ['dark', 'dim', 'light'] as const
export type Theme = (typeof THEMES)[number]

export interface Settings {
  readonly theme: Theme
  readonly actOnRelease: boolean
  readonly letterKeys: boolean
}

const USUAL: Settings = { theme: 'dark', actOnRelease: false, letterKeys: true }
const KEY = 'cartwall.wall'

/** A browser that keeps nothing, as in private windows, has the usual ones each time. */
const storedSettings = (): Settings => {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>
    const theme = THEMES.find((each) => each === stored.theme) ?? USUAL.theme
    return {
      theme,
      actOnRelease: stored.actOnRelease === true,
      letterKeys: stored.letterKeys !== false,
    }
  } catch {
    return USUAL
  }
}

export const settingsSignal = (): Signal<Settings> => {
  const settings = signal(storedSettings())
  // Another wall of this browser set something: kept apart, each would undo what the other one did.
  let isTold = false
  window.addEventListener('storage', ({ key }) => {
    if (key !== KEY) return
    isTold = true
    settings.value = storedSettings()
    isTold = false
  })
  settings.subscribe((value) => {
    document.documentElement.dataset['theme'] = value.theme
    // Written back, a wall of another version would be answered, and answer, without an end.
    if (isTold) return
    try {
      localStorage.setItem(KEY, JSON.stringify(value))
    } catch {
      // Nothing is kept here; what was set holds until the page is closed.
    }
  })
  return settings
}
