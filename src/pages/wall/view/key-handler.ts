// The keyboard of the wall: one handler, on the document, registered once.
import type { ShowButton } from '../../../contract/show-page.js'
import { keyIntent, type KeyContext, type KeyIntent } from '../key-intent.js'
import type { Open, WallModel } from '../wall-model.js'
import { enterGrid, isInGrid, isOnPage } from './grid-focus.js'
import { hasShift, isComposed, placeOf } from './key-event.js'

/** What has letters of its own to be typed into, or keys of its own. */
const FIELDS = 'input, select, textarea, [role="dialog"], [role="menu"]'

export const registerKeys = (model: WallModel): void => {
  document.addEventListener('keydown', (event) => {
    // The menu, tabs and panels take their own keys first; so does a sign of several strokes.
    if (event.defaultPrevented || isComposed(event)) return
    const intent = keyIntent(
      {
        code: placeOf(event),
        shift: hasShift(event),
        modified: event.ctrlKey || event.altKey || event.metaKey,
        repeat: event.repeat,
      },
      contextOf(model),
    )
    if (intent === null) return
    event.preventDefault()
    // Nobody sees what else a key would do behind the sign: it takes the sign away.
    if (intent.kind !== 'panic' && intent.kind !== 'held' && model.panicSign.close()) return
    obey(model, intent)
  })
  // Space makes its click when it comes up; the press was taken when it went down.
  document.addEventListener('keyup', (event) => {
    const isPress = event.target instanceof HTMLElement && event.target.matches('.press')
    if (isPress && event.code === 'Space') event.preventDefault()
  })
}

const contextOf = (model: WallModel): KeyContext => {
  const focused = document.activeElement
  return {
    somethingOpen: model.open.value !== null,
    isCovered: model.panicSign.state.value.kind === 'not_sent',
    awaitsAnswer: isAsking(model.open.value),
    inField: (focused?.closest(FIELDS) ?? null) !== null,
    inGrid: focused?.matches('.press') === true,
    onPage: isOnPage(focused),
    letterKeys: model.settings.value.letterKeys,
    hasButton: (code) => model.places.buttonOfKey(code) !== null,
  }
}

/** What is only read, as the lights, may stay open beside the grid all evening. */
const isAsking = (open: Open | null): boolean =>
  open !== null && (open.kind !== 'panel' || open.panel === 'search')

const obey = (model: WallModel, intent: KeyIntent): void => {
  const { places } = model
  switch (intent.kind) {
    case 'held':
      return
    case 'press': {
      const button = places.buttonOfKey(intent.code)
      if (button !== null) pressByKey(model, button, intent.stop)
      return
    }
    case 'press_focused': {
      const button = focusedButton(model)
      if (button !== null) pressByKey(model, button, intent.stop)
      return
    }
    case 'focus':
      return model.moveFocus(() => places.move(intent.move))
    case 'enter':
      return enterGrid(model, intent.move)
    case 'page':
      return turn(model, () => places.turnPage(intent.by))
    case 'playlist':
      return turn(model, () => places.turnPlaylist(intent.by))
    case 'search':
      return model.openPanel('search')
    case 'keys':
      return model.openPanel('keys')
    case 'menu':
      return menuOfFocused(model)
    case 'close':
      return model.close()
    case 'panic':
      return model.panic.press()
  }
}

/** The focus goes along only where it is in the grid already. */
const turn = (model: WallModel, act: () => void): void => {
  if (isInGrid(model)) model.moveFocus(act)
  else act()
}

/** One that opens a playlist takes the button that has the focus away, and may be that button. */
const pressByKey = (model: WallModel, button: ShowButton, stop: boolean): void =>
  turn(model, () => model.presses.press(button, stop))

const focusedButton = (model: WallModel) =>
  model.places.cells.value[model.places.focus.value]?.button ?? null

const menuOfFocused = (model: WallModel): void => {
  const from = document.activeElement
  const button = focusedButton(model)
  if (button === null || !(from instanceof HTMLElement)) return
  const { left, bottom } = from.getBoundingClientRect()
  model.openMenu({ button, x: left, y: bottom, from })
}
