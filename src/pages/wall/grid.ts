// The grid's arithmetic: how many cells fit a window, which page a button is on, where focus goes.
//
// There is no scrolling: what does not fit is another page. A button's place follows from the
// window and the playlist alone, so that a hand finds it again.

export interface GridBox {
  readonly width: number
  readonly height: number
  readonly count: number
  /** The playlist's own (2 to 12); null: by width. */
  readonly columns: number | null
}

export interface Grid {
  readonly columns: number
  readonly rows: number
  readonly perPage: number
  readonly pages: number
  readonly cellWidth: number
  readonly cellHeight: number
}

export const CELL = {
  gap: 8,
  leastWidth: 120,
  leastHeight: 96,
  /**
   * By itself a cell is at least so large, and grows to the most where there is room; on the
   * narrowest screens it may be less wide, so that two stand side by side.
   */
  goodWidth: 168,
  goodHeight: 112,
  mostWidth: 360,
  mostHeight: 230,
} as const

/** How many cells of a size, with gaps between them, fit a length; one at least. */
const fit = (length: number, size: number): number =>
  Math.max(1, Math.floor((length + CELL.gap) / (size + CELL.gap)))

const share = (length: number, cells: number): number =>
  Math.floor((length - CELL.gap * (cells - 1)) / cells)

export const gridOf = ({ width, height, count, columns }: GridBox): Grid => {
  const most = columns === null
    ? Math.max(fit(width, CELL.goodWidth), Math.min(2, fit(width, CELL.leastWidth)))
    : Math.min(columns, fit(width, CELL.leastWidth))
  const rowsThatFit = fit(height, columns === null ? CELL.goodHeight : CELL.leastHeight)
  if (columns === null && count <= most * rowsThatFit) return onePage(width, height, count, most)
  const rows = count <= most * rowsThatFit ? Math.max(1, Math.ceil(count / most)) : rowsThatFit
  return gridWith(width, height, count, most, rows)
}

/** All fit on one page: of the ways to lay them out, the one with the largest cells. */
const onePage = (width: number, height: number, count: number, most: number): Grid => {
  let best = gridWith(width, height, count, most, Math.max(1, Math.ceil(count / most)))
  for (let columns = most - 1; columns >= 1; columns -= 1) {
    const rows = Math.max(1, Math.ceil(count / columns))
    const next = gridWith(width, height, count, columns, rows)
    if (next.cellHeight < CELL.goodHeight) break
    if (sizeOf(next) > sizeOf(best)) best = next
  }
  return best
}

/** A cell is about half as high as it is wide; the tighter of the two decides. */
const sizeOf = ({ cellWidth, cellHeight }: Grid): number => Math.min(cellWidth / 1.7, cellHeight)

const gridWith = (
  width: number, height: number, count: number, columns: number, rows: number,
): Grid => {
  const perPage = columns * rows
  return {
    columns,
    rows,
    perPage,
    pages: Math.max(1, Math.ceil(count / perPage)),
    cellWidth: Math.min(CELL.mostWidth, share(width, columns)),
    cellHeight: Math.max(
      Math.min(CELL.leastHeight, height), Math.min(CELL.mostHeight, share(height, rows)),
    ),
  }
}

/** The page that a button stands on. */
export const pageOf = (grid: Grid, place: number): number => Math.floor(place / grid.perPage)

/** A page's own number where it still exists, else the last one. */
export const clampPage = (grid: Grid, page: number): number =>
  Math.max(0, Math.min(page, grid.pages - 1))

export type FocusMove = 'left' | 'right' | 'up' | 'down' | 'home' | 'end'

/** Where an arrow key takes the focus, as a place on this page of `shown` buttons. */
export const moveFocus = (
  { columns }: Grid, shown: number, from: number, move: FocusMove,
): number => {
  const last = Math.max(0, shown - 1)
  const to = {
    left: from - 1,
    right: from + 1,
    up: from - columns < 0 ? from : from - columns,
    down: from + columns > last ? from : from + columns,
    home: 0,
    end: last,
  }[move]
  return Math.max(0, Math.min(to, last))
}
