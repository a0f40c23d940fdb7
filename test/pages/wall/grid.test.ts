// The grid's arithmetic: cells fit the window, places stay, focus stays on the page.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CELL, clampPage, gridOf, moveFocus, pageOf } from '../../../src/pages/wall/grid.js'

const box = fc.record({
  width: fc.integer({ min: 120, max: 4_000 }),
  height: fc.integer({ min: 96, max: 2_500 }),
  count: fc.integer({ min: 0, max: 1_000 }),
  columns: fc.option(fc.integer({ min: 2, max: 12 })),
})

describe('any window', () => {
  test('holds whole cells of the least size, and every button has a page', () => {
    fc.assert(
      fc.property(box, (given) => {
        const grid = gridOf(given)
        const wide = grid.columns * grid.cellWidth + CELL.gap * (grid.columns - 1)
        const high = grid.rows * grid.cellHeight + CELL.gap * (grid.rows - 1)
        expect(wide).toBeLessThanOrEqual(given.width)
        expect(high).toBeLessThanOrEqual(given.height)
        expect(grid.cellWidth).toBeGreaterThanOrEqual(CELL.leastWidth)
        expect(grid.cellHeight).toBeGreaterThanOrEqual(CELL.leastHeight)
        expect(grid.pages * grid.perPage).toBeGreaterThanOrEqual(given.count)
        if (given.count > 0) expect(pageOf(grid, given.count - 1)).toBe(grid.pages - 1)
      }),
    )
  })

  test('focus never leaves the page', () => {
    const moves = fc.constantFrom('left', 'right', 'up', 'down', 'home', 'end')
    fc.assert(
      fc.property(box, fc.integer({ min: 1, max: 60 }), fc.nat(59), moves, (given, n, at, move) => {
        const to = moveFocus(gridOf(given), n, Math.min(at, n - 1), move)
        expect(to).toBeGreaterThanOrEqual(0)
        expect(to).toBeLessThan(n)
      }),
    )
  })
})

test.each([
  [{ width: 374, height: 600, count: 20, columns: null }, 2],
  // Three of the least width would fit a larger phone: two are better to hit.
  [{ width: 400, height: 600, count: 20, columns: null }, 2],
  [{ width: 304, height: 300, count: 20, columns: null }, 2],
  [{ width: 240, height: 300, count: 20, columns: null }, 1],
  [{ width: 1_300, height: 900, count: 1_000, columns: null }, 7],
  [{ width: 1_300, height: 900, count: 100, columns: 10 }, 10],
  // Twelve cells of the least size do not fit here: the size wins.
  [{ width: 640, height: 900, count: 100, columns: 12 }, 5],
  // Large cells before many columns, but none that is lower than a hand likes.
  [{ width: 400, height: 900, count: 3, columns: null }, 1],
  [{ width: 260, height: 220, count: 2, columns: null }, 2],
])('%o has %i columns', (given, columns) => {
  expect(gridOf(given).columns).toBe(columns)
})

test('a few buttons are large ones', () => {
  const few = gridOf({ width: 1_300, height: 900, count: 4, columns: null })
  expect(few.cellWidth).toBe(CELL.mostWidth)
  expect(few.pages).toBe(1)
})

test('a playlist with columns of its own has low cells where many must fit, else high ones', () => {
  const low = { width: 1_300, height: 210, count: 100 }
  expect(gridOf({ ...low, columns: 10 }).rows).toBe(2)
  expect(gridOf({ ...low, columns: null }).rows).toBe(1)
  const few = gridOf({ width: 1_300, height: 900, count: 4, columns: 4 })
  expect([few.rows, few.cellHeight]).toEqual([1, CELL.mostHeight])
})

test('a page that is no more becomes the last one', () => {
  const grid = gridOf({ width: 400, height: 300, count: 10, columns: null })
  expect(clampPage(grid, 99)).toBe(grid.pages - 1)
  expect(clampPage(grid, -1)).toBe(0)
})

test('arrows move by cells and rows, and stay at an edge', () => {
  const grid = gridOf({ width: 700, height: 900, count: 10, columns: 4 })
  expect(moveFocus(grid, 10, 1, 'down')).toBe(5)
  expect(moveFocus(grid, 10, 5, 'down')).toBe(9)
  expect(moveFocus(grid, 10, 5, 'up')).toBe(1)
  expect(moveFocus(grid, 10, 4, 'up')).toBe(0)
  expect(moveFocus(grid, 10, 4, 'left')).toBe(3)
  expect(moveFocus(grid, 10, 7, 'down')).toBe(7)
  expect(moveFocus(grid, 10, 1, 'up')).toBe(1)
  expect(moveFocus(grid, 10, 3, 'end')).toBe(9)
  expect(moveFocus(grid, 10, 9, 'right')).toBe(9)
})
