// The requests that the main thread answers to itself: they are carried out, in short turns.
import { describe, expect, it } from 'vitest'
import type { Timers } from '../../src/clock/timers.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { warmUp } from '../../src/daemon/warm-up.js'

/** Each look at the time takes half a millisecond; what is waited for comes at the next turn. */
const slowMachine = (): { timers: Timers, turns: number[] } => {
  const virtual = new VirtualTimers(0)
  const turns: number[] = []
  let now = 0
  let asked = 0
  const timers: Timers = {
    nowMs: () => {
      now += 0.5
      asked += 1
      return now
    },
    wallMs: () => 0,
    after: (ms, act) => virtual.after(ms, act),
    every: (ms, act) => virtual.every(ms, act),
    background: {
      ...virtual.background,
      after: (ms, act) => {
        now += ms
        turns.push(asked)
        asked = 0
        setImmediate(act)
        return () => undefined
      },
    },
  }
  return { timers, turns }
}

describe('the warm-up of the main thread', () => {
  it('presses, pauses, resumes and looks, and each is answered as it should be', async () => {
    const answers = await warmUp(slowMachine().timers, () => true)
    expect(Object.fromEntries(answers)).toEqual({ 200: 3_000, 202: 1_000 })
  })

  it('leaves the thread to others after two milliseconds, again and again', async () => {
    const { timers, turns } = slowMachine()
    await warmUp(timers, () => true)
    expect(turns.length).toBeGreaterThan(500)
    expect(Math.max(...turns)).toBeLessThan(12)
  })

  it('ends where it is not wanted any more', async () => {
    let asked = 0
    const answers = await warmUp(slowMachine().timers, () => {
      asked += 1
      return asked < 5
    })
    expect([...answers.values()].reduce((sum, count) => sum + count, 0)).toBe(4)
  })
})
