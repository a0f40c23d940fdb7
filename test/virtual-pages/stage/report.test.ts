// What a stage reports: it fits into one message, and counts right. Without a browser.
import { expect, test, vi } from 'vitest'
import { LIVE } from '../../../src/contract/live.js'
import { Figures } from '../../../src/pages/stage/figures.js'
import type { Renderer } from '../../../src/pages/stage/renderer.js'
import { StageTime } from '../../../src/pages/stage/timing.js'

test('where eight pictures are on, and four of them are told to fail at length', () => {
  vi.stubGlobal('document', { hidden: false })
  const ids = Array.from({ length: 8 }, (_, n) => `00000000-0000-4000-8000-00000000000${n}`)
  const renderer = {
    decks: [], on: ids.map((buttonId) => ({ buttonId })),
    errors: ids.map((buttonId) => ({ buttonId, message: 'NS_ERROR_DOM_MEDIA '.repeat(20) })),
  } as unknown as Renderer
  const report = new Figures().report('Bühne links'.repeat(5), renderer, new StageTime())
  const bytes = Buffer.byteLength(JSON.stringify({ kind: 'stage', report }))
  expect(bytes).toBeLessThanOrEqual(LIVE.messageBytes)
  expect(report.on).toEqual(ids)
  expect(report.errors.length).toBeGreaterThan(0)
})

test('an error at length is cut between its signs, none of which is halved', () => {
  vi.stubGlobal('document', { hidden: false })
  const errors = [{ buttonId: 'a', message: `${'x'.repeat(119)}🎬` }]
  const renderer = { decks: [], on: [], errors } as unknown as Renderer
  const { errors: told } = new Figures().report('', renderer, new StageTime())
  expect(told).toEqual([{ buttonId: 'a', message: 'x'.repeat(119) }])
})

test('frames dropped add up, however soon an element has another file', () => {
  vi.stubGlobal('document', { hidden: false })
  const figures = new Figures()
  const total = (...elements: readonly (readonly [source: string | null, dropped: number])[]) => {
    const decks = elements.map(([source, dropped], n) => {
      playbacks[n]!.dropped = dropped
      return { element: playbacks[n], source }
    })
    const renderer = { decks, on: [], errors: [] } as unknown as Renderer
    return figures.report('', renderer, new StageTime()).framesDropped
  }
  const playbacks = [0, 1].map(() => ({
    dropped: 0,
    getVideoPlaybackQuality() {
      return { droppedVideoFrames: this.dropped }
    },
  }))
  const told = [
    total(['a', 3], [null, 0]), total(['a', 5], ['b', 1]),
    // Another file: as many as the one before, more, fewer.
    total(['c', 5], ['b', 1]), total(['d', 9], ['c', 2]), total(['e', 1], ['c', 2]),
    // The same one from its beginning; and none.
    total(['e', 0], ['c', 4]), total([null, 0], [null, 0]), total(['a', 2], ['a', 2]),
  ]
  expect(told).toEqual([3, 6, 11, 22, 23, 25, 25, 29])
})
