// The keyboard's focus in the grid: how it comes in, and how it goes along where keys move it.
import { useLayoutEffect } from 'preact/hooks'
import type { FocusMove } from '../grid.js'
import type { WallModel } from '../wall-model.js'

interface Area {
  readonly current: HTMLElement | null
}

const pressesOf = (area: ParentNode | null): readonly HTMLElement[] =>
  [...area?.querySelectorAll<HTMLElement>('.press') ?? []]

/** Nothing has the focus, e.g. after a click between two buttons. */
export const isOnPage = (focused: Element | null): boolean =>
  focused === null || focused === document.body

/** An empty playlist has no button that could have it: there it waits for the next list. */
export const isInGrid = (model: WallModel): boolean => {
  const focused = document.activeElement
  return focused?.matches('.press') === true || (model.focusFollows.current && isOnPage(focused))
}

/**
 * Where keys or the search moved the place that has the focus, the focus goes with it, in the same
 * drawing: a held key comes again before an effect that waits for the screen, and the button that
 * this effect then focused would be taken away.
 */
export const useFocusInGrid = (model: WallModel, area: Area): void => {
  const place = model.places.focus.value
  const follows = model.focusFollows
  useLayoutEffect(() => {
    if (!follows.current) return
    const press = pressesOf(area.current)[place]
    if (press === undefined) return
    follows.current = false
    const focused = document.activeElement
    // While it waited, somebody may have begun to type in the search.
    if (isOnPage(focused) || area.current?.contains(focused) === true) press.focus()
  }, [place, model.places.cells.value])
}

/** From the page to the place that had the focus last, or where Home and End lead. */
export const enterGrid = ({ places }: WallModel, move: FocusMove | null): void => {
  if (move === 'home' || move === 'end') places.move(move)
  pressesOf(document.querySelector('.grid'))[places.tabStop.value]?.focus()
}
