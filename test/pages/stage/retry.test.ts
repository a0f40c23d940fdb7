// When a video that failed is asked for again: ever more rarely, and soon where there is reason to.
import { expect, test } from 'vitest'
import { Retry } from '../../../src/pages/stage/deck/retry.js'

/** Fails so many times of one showing; how long each time it was left alone. */
const pauses = (retry: Retry, times: number): readonly number[] =>
  Array.from({ length: times }, () => {
    retry.failed(0)
    let ms = 0
    while (!retry.isDue(ms)) ms += 1_000
    retry.begun(true)
    return ms
  })

test('after two seconds, each time twice as many, at last every thirty', () => {
  expect(pauses(new Retry(), 6)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})

test('soon for another showing, however often the last one failed', () => {
  const retry = new Retry()
  pauses(retry, 5)
  retry.begun(false)
  expect(pauses(retry, 2)).toEqual([2_000, 4_000])
})

test('at once where the daemon is back, and soon where it fails once more', () => {
  const retry = new Retry()
  pauses(retry, 5)
  retry.failed(100_000)
  retry.soon(100_500)
  expect([retry.isDue(100_499), retry.isDue(100_500)]).toEqual([false, true])
  expect(pauses(retry, 2)).toEqual([2_000, 4_000])
})

test('not at all what did not fail, though the daemon is back', () => {
  const retry = new Retry()
  retry.soon(1_000)
  expect(retry.isDue(90_000)).toBe(false)
  retry.failed(1_000)
  retry.begun(true)
  expect(retry.isDue(90_000)).toBe(false)
})
