// One video element on virtual time, whose start waits for its moment and is taken back.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { Deck } from '../../../src/pages/stage/deck/deck.js'
import type { DeckListener, Part } from '../../../src/pages/stage/deck/part.js'
import { ElementTraits } from '../../../src/pages/stage/deck/element-traits.js'
import { StageTime } from '../../../src/pages/stage/timing.js'
import { lendMedia, modelOf } from './model-media.js'
import { openVirtual, pass } from '../virtual-page.js'
import { CLIP } from './virtual-stage.js'

/** Where it is to move on in 15 ms more than a start takes. */
const aboutToMove = async (
  fromMs = 5_000, frame: DeckListener['frame'] = () => undefined,
): Promise<Deck> => {
  openVirtual('')
  lendMedia(() => CLIP)
  const traits = new ElementTraits(false)
  const listener = { frame, seek: () => undefined }
  const add = (element: HTMLElement): void => document.body.append(element)
  const deck = new Deck(new StageTime(), traits, listener, add)
  deck.take('run/0', 'a', '/media/a', fromMs, 0)
  await pass(200)
  const begins = performance.now() + traits.startMs + 15
  const heardMs = (at: number): number => fromMs + at - begins
  deck.play({ kind: 'run', heardMs, endMs: Infinity }, performance.now())
  return deck
}

test.each<Part>([
  { kind: 'hold', positionMs: 5_000 }, { kind: 'park', positionMs: 5_000 }, { kind: 'freeze' },
])('a video that is to move in 15 ms, and is to $kind before, stands still', async (part) => {
  const deck = await aboutToMove()
  const model = modelOf(deck.element)
  let moved = 0
  for (let n = 0; n < 100; n += 1) {
    await pass(8)
    if (!model.isPaused) moved += 8
    if (n % 2 === 0) deck.play(part, performance.now())
  }
  expect([moved, model.shownMs]).toEqual([0, 5_000])
})

test('its rate may be changed without a thought for the pitch of what nobody hears', async () => {
  const { element } = await aboutToMove()
  expect([element.muted, element.preservesPitch]).toEqual([true, false])
})

test('a video that has come to its end before its sound stays there', async () => {
  const endMs = CLIP.seconds * 1_000
  const deck = await aboutToMove(endMs - 200)
  const begins = performance.now() + 15
  const heardMs = (at: number): number => endMs - 200 + at - begins
  for (let n = 0; n < 100; n += 1) {
    await pass(8)
    deck.play({ kind: 'run', heardMs, endMs: Infinity }, performance.now())
  }
  expect(modelOf(deck.element).shownMs).toBeGreaterThan(endMs - 100)
})

// Beyond a hard cut the first picture of the next scene would be a flash.
test('one whose file goes on stops before its End, and goes on with a later one', async () => {
  const deck = await aboutToMove()
  const model = modelOf(deck.element)
  const begins = performance.now() + 15
  const runTo = async (endMs: number): Promise<number> => {
    const heardMs = (at: number): number => Math.min(endMs, 5_000 + at - begins)
    let last = 0
    for (let n = 0; n < 28; n += 1) {
      await pass(16)
      deck.play({ kind: 'run', heardMs, endMs }, performance.now())
      last = Math.max(last, model.shownMs)
    }
    return last
  }
  for (const endMs of [5_400, 5_800]) {
    const last = await runTo(endMs)
    expect(last).toBeLessThan(endMs)
    expect(last).toBeGreaterThan(endMs - 100)
  }
})

test('it is judged by the frames that are seen, not by where the element says it is', async () => {
  const told: number[] = []
  const deck = await aboutToMove(5_000, (error) => told.push(error))
  const begins = performance.now() + 15
  const heardMs = (at: number): number => 5_000 + at - begins
  const errors: number[] = []
  const watch = (): void => void deck.element.requestVideoFrameCallback((_, seen) => {
    errors.push(heardMs(seen.expectedDisplayTime) - seen.mediaTime * 1_000)
    watch()
  })
  watch()
  for (let n = 0; n < 60; n += 1) {
    await pass(16)
    deck.play({ kind: 'run', heardMs, endMs: Infinity }, performance.now())
  }
  expect(told.length).toBeGreaterThan(20)
  expect(told).toEqual(errors.slice(-told.length))
})
