// What a stage reports fits into one message, however much there is to tell of. Without a browser.
import { expect, test, vi } from 'vitest'
import { LIVE } from '../../src/contract/live.js'
import { Figures } from '../../src/pages/stage/figures.js'
import type { Renderer } from '../../src/pages/stage/renderer.js'
import { StageTime } from '../../src/pages/stage/timing.js'

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
