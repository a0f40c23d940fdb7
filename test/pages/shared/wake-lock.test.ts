// A page holds the screen awake: it asks, asks again when it was taken, and never asks in vain.
import { expect, test } from 'vitest'
import { keepAwake, type HeldLock, type ScreenLock } from '../../../src/pages/shared/wake-lock.js'

/** A browser that gives locks, or refuses them, and takes them back. */
class Browser implements ScreenLock {
  asked = 0
  seen = true
  refuses = false
  held: { released: boolean } | null = null
  look: () => void = () => undefined
  #told: () => void = () => undefined

  request(): Promise<HeldLock> {
    this.asked += 1
    if (this.refuses) return Promise.reject(new Error('low battery'))
    this.held = { released: false }
    return Promise.resolve(this.held)
  }

  isSeen(): boolean {
    return this.seen
  }

  onSeen(call: () => void): void {
    this.#told = call
  }

  nowAndThen(call: () => void): void {
    this.look = call
  }

  /** As browsers do: a lock ends as its page is hidden. */
  hide(): void {
    this.seen = false
    if (this.held !== null) this.held.released = true
    this.#told()
  }

  show(): void {
    this.seen = true
    this.#told()
  }
}

const settled = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await Promise.resolve()
}

test('it is asked for at once, and once', async () => {
  const browser = new Browser()
  keepAwake(browser)
  browser.show()
  await settled()
  browser.show()
  expect(browser.asked).toBe(1)
})

test('it is asked for again after the page was hidden, not while it is', async () => {
  const browser = new Browser()
  keepAwake(browser)
  await settled()
  browser.hide()
  await settled()
  expect(browser.asked).toBe(1)
  browser.show()
  await settled()
  expect(browser.asked).toBe(2)
  expect(browser.held?.released).toBe(false)
})

test('a refusal is borne, and asked again the next time', async () => {
  const browser = new Browser()
  browser.refuses = true
  keepAwake(browser)
  await settled()
  browser.refuses = false
  browser.show()
  await settled()
  expect(browser.held?.released).toBe(false)
})

test('one that was taken away to save power, or refused, is asked for now and then', async () => {
  const browser = new Browser()
  keepAwake(browser)
  await settled()
  browser.held!.released = true
  browser.refuses = true
  browser.look()
  await settled()
  browser.refuses = false
  browser.look()
  await settled()
  expect([browser.asked, browser.held?.released]).toEqual([3, false])
  browser.look()
  browser.seen = false
  browser.held!.released = true
  browser.look()
  await settled()
  expect(browser.asked).toBe(3)
})

test('where there is none nothing happens', () => {
  expect(() => keepAwake(null)).not.toThrow()
})
