// The grid of buttons: one page of them, no scrolling; more buttons are more pages.
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { CELL, type Grid as GridOf } from '../grid.js'
import type { WallModel } from '../wall-model.js'
import { WORDS } from '../words.js'
import { Cell, type Box } from './cell.js'
import { useFocusInGrid } from './grid-focus.js'
import { Icon } from './icons.js'
import { useWall } from './model-context.js'

/** A finger on the strip that moves so far turns the page. */
const SWIPE_PX = 40

export const Grid = (): JSX.Element => {
  const model = useWall()
  const area = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => watchBox(model, area.current), [model])
  useFocusInGrid(model, area)
  const { cells, grid, playlist } = model.places
  return (
    <main class="buttons" aria-label={WORDS.buttons}>
      <Pages />
      <div class="grid" id="grid" ref={area} role="tabpanel"
        aria-label={playlist.value?.title ?? WORDS.buttons}>
        {model.show.value === null && <p class="empty">{WORDS.loading}</p>}
        {model.show.value?.playlists.length === 0 && <p class="empty">{WORDS.emptyShow}</p>}
        {playlist.value?.buttons.length === 0 && <p class="empty">{WORDS.emptyList}</p>}
        {cells.value.map((cell) => (
          <Cell key={cell.button.id} cell={cell} box={boxOf(grid.value, cell.place)} />
        ))}
      </div>
    </main>
  )
}

const boxOf = ({ columns, cellWidth, cellHeight }: GridOf, place: number): Box => ({
  x: (place % columns) * (cellWidth + CELL.gap),
  y: Math.floor(place / columns) * (cellHeight + CELL.gap),
  width: cellWidth,
  height: cellHeight,
})

const watchBox = (model: WallModel, element: HTMLElement | null): (() => void) | undefined => {
  if (element === null) return undefined
  const measure = (): void => {
    const { clientWidth: width, clientHeight: height } = element
    const before = model.places.box.value
    if (before.width !== width || before.height !== height) {
      model.places.box.value = { width, height }
    }
  }
  measure()
  const observer = new ResizeObserver(measure)
  observer.observe(element)
  return () => observer.disconnect()
}

const Pages = (): JSX.Element => {
  const model = useWall()
  /** Where each pointer went down on it. */
  const from = useRef(new Map<number, number>())
  const { places } = model
  const { pages } = places.grid.value
  const page = places.page.value
  const title = <span class="page-title" dir="auto">{places.playlist.value?.title ?? ''}</span>
  if (pages < 2) return <div class="pages is-single">{title}</div>
  return (
    <div
      class="pages"
      onPointerDown={({ target, pointerId, pointerType, clientX }) => {
        // However far a mouse was dragged over a sign, its click turns the page.
        const isOfSign = pointerType !== 'touch' && (target as Element).closest('.turn') !== null
        if (!isOfSign) from.current.set(pointerId, clientX)
      }}
      onPointerUp={({ pointerId, clientX }) => {
        const by = clientX - (from.current.get(pointerId) ?? clientX)
        from.current.delete(pointerId)
        if (Math.abs(by) >= SWIPE_PX) places.turnPage(by < 0 ? 1 : -1)
      }}
      onPointerCancel={({ pointerId }) => from.current.delete(pointerId)}
      onPointerLeave={({ pointerId }) => from.current.delete(pointerId)}
    >
      <button type="button" class="turn" aria-label={WORDS.previousPage} disabled={page === 0}
        onClick={() => places.turnPage(-1)}>
        <Icon sign="previous" />
      </button>
      {title}
      <span class="page-number" aria-live="polite">{page + 1}/{pages}</span>
      <button type="button" class="turn" aria-label={WORDS.nextPage} disabled={page === pages - 1}
        onClick={() => places.turnPage(1)}>
        <Icon sign="next" />
      </button>
    </div>
  )
}
