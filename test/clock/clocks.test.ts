// Clocks and alarms: never early, in order, each once; on virtual time as in production.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { frame, frameText, type Frame } from '../../src/clock/frame.js'
import { RealClock, realTimers } from '../../src/clock/real.js'
import type { Timers } from '../../src/clock/timers.js'
import { VirtualClock, VirtualTimers } from '../../src/clock/virtual.js'
import { BackOff, settledWithin, Watchdog } from '../../src/clock/waiting.js'

beforeEach(() => { vi.useFakeTimers() })
afterEach(() => { vi.useRealTimers() })

describe('the clocks', () => {
  it('the real one rings once, never early, and forgets a replaced alarm', () => {
    const rings: Frame[] = []
    const clock: RealClock = new RealClock(() => { rings.push(clock.now()) })
    clock.arm(frame(100))
    clock.arm(frame(4_801))
    vi.advanceTimersByTime(99)
    expect(rings).toEqual([])
    vi.advanceTimersByTime(200)
    expect(rings).toHaveLength(1)
    expect(rings[0]).toBeGreaterThanOrEqual(4_801)
    clock.arm(frame(48_000))
    clock.arm(null)
    vi.advanceTimersByTime(5_000)
    expect(rings).toHaveLength(1)
  })

  it('the real one keeps an alarm that is further off than its longest sleep', () => {
    const rings: Frame[] = []
    const clock: RealClock = new RealClock(() => { rings.push(clock.now()) })
    clock.arm(frame(150 * 48_000))
    vi.advanceTimersByTime(149_900)
    expect(rings).toEqual([])
    vi.advanceTimersByTime(200)
    expect(rings).toHaveLength(1)
    vi.advanceTimersByTime(600_000)
    expect(rings).toHaveLength(1)
  })

  it('the virtual one stops at each alarm on its way and never goes back', () => {
    const rings: Frame[] = []
    const clock: VirtualClock = new VirtualClock(() => {
      rings.push(clock.now())
      if (rings.length < 3) clock.arm(frame(rings.length * 1_000))
    })
    clock.arm(frame(7))
    clock.advance(frame(5_000))
    expect(rings).toEqual([7, 1_000, 2_000])
    expect(clock.now()).toBe(5_000)
    expect(() => { clock.advance(frame(4_999)) }).toThrow()
  })
})

interface Made {
  readonly timers: Timers
  readonly pass: (ms: number) => void
}

describe.each<readonly [string, () => Made]>([
  ['real', () => ({ timers: realTimers(), pass: (ms: number) => vi.advanceTimersByTime(ms) })],
  ['virtual', () => {
    const timers = new VirtualTimers(0)
    return { timers, pass: (ms: number) => timers.pass(ms) }
  }],
])('%s timers', (_name, make) => {
  it('ring each alarm once, by time and then in the order they were set', () => {
    const { timers, pass } = make()
    const rang: string[] = []
    timers.after(20, () => rang.push('c'))
    timers.after(10, () => rang.push('a'))
    timers.after(10, () => rang.push('b'))
    const never = timers.after(15, () => rang.push('never'))
    never()
    never()
    pass(9)
    expect(rang).toEqual([])
    pass(100)
    expect(rang).toEqual(['a', 'b', 'c'])
  })

  it('repeat without drift, until cancelled from within', () => {
    const { timers, pass } = make()
    const at: number[] = []
    const cancel = timers.every(5, () => {
      at.push(timers.nowMs())
      if (at.length === 100) cancel()
    })
    pass(1_000)
    expect(at).toHaveLength(100)
    expect(at[99]).toBeGreaterThanOrEqual(500)
    expect(at[99]).toBeLessThan(502)
  })

  it('go on after an alarm that throws', () => {
    const { timers, pass } = make()
    let rang = false
    timers.after(1, () => { throw new Error('a bug') })
    timers.after(1, () => { rang = true })
    expect(() => pass(5)).toThrow('a bug')
    pass(5)
    expect(rang).toBe(true)
  })

  it('end a wait at its deadline, or when the work is done', async () => {
    const { timers, pass } = make()
    const late = settledWithin(timers, new Promise(() => undefined), 30)
    pass(40)
    expect(await late).toBe(false)
    expect(await settledWithin(timers, Promise.reject(new Error('no')), 30)).toBe(true)
  })
})

it('a stalled thread meets an alarm once, and goes on from there', () => {
  const timers = new VirtualTimers(0)
  const at: number[] = []
  timers.every(5, () => at.push(timers.nowMs()))
  timers.stall(52)
  timers.pass(11)
  expect(at).toEqual([52, 57, 62])
})

it('a wait that is over leaves no alarm that would keep a process from ending', async () => {
  const timers = new VirtualTimers(0)
  expect(await settledWithin(timers, Promise.resolve(), 30_000)).toBe(true)
  expect(await settledWithin(timers, Promise.reject(new Error('no')), 30_000)).toBe(true)
  expect(timers.size).toBe(0)
  const late = settledWithin(timers, new Promise(() => undefined), 30_000)
  timers.pass(29_999)
  expect(timers.size).toBe(1)
  timers.pass(1)
  expect([await late, timers.size]).toEqual([false, 0])
})

it.each([
  [0, '0:00:00.000'], [47, '0:00:00.000'], [48, '0:00:00.001'], [48 * 59_999, '0:00:59.999'],
  [48 * 60_000, '0:01:00.000'], [48 * 3_599_000, '0:59:59.000'], [48 * 3_723_004, '1:02:03.004'],
  [48 * 90_061_000, '25:01:01.000'],
])('%i frames are %s for people', (frames, text) => {
  expect(frameText(frames)).toBe(text)
})

it('an alarm that rings late keeps to its grid, as long as no turn of it was missed', () => {
  const timers = new VirtualTimers(0)
  const at: number[] = []
  timers.every(10, () => at.push(timers.nowMs()))
  timers.stall(13)
  timers.pass(1)
  timers.stall(9)
  timers.pass(17)
  expect(at).toEqual([13, 23, 30, 40])
})

it('an alarm in the background keeps no process from ending, one before it does', () => {
  // Not by a spy: one over a fake timer is left in its place for the files that follow.
  const { setTimeout: start } = globalThis
  const made: NodeJS.Timeout[] = []
  globalThis.setTimeout = Object.assign((act: () => void, ms: number): NodeJS.Timeout => {
    made.push(start(act, ms))
    return made.at(-1)!
  }, start)
  const holds = (): boolean => made.at(-1)!.hasRef()
  try {
    const timers = realTimers()
    timers.background.every(10, () => undefined)
    expect(holds()).toBe(false)
    vi.advanceTimersByTime(25)
    expect([made.length, holds()]).toEqual([3, false])
    const cancel = timers.after(50, () => undefined)
    expect(holds()).toBe(true)
    vi.advanceTimersByTime(25)
    expect(holds()).toBe(true)
    cancel()
    expect(holds()).toBe(false)
  } finally {
    globalThis.setTimeout = start
  }
})

it('waits twice as long after each failure, up to the bound, and begins anew after calm', () => {
  const pause = new BackOff(100, 1_000)
  expect([1, 2, 3, 4, 5, 6].map(() => pause.nextMs())).toEqual([100, 200, 400, 800, 1_000, 1_000])
  pause.restart()
  expect(pause.nextMs()).toBe(100)
})

describe('a watchdog', () => {
  const watched = () => {
    const timers = new VirtualTimers(0)
    const barks: number[] = []
    const dog = new Watchdog(timers, 1_000, () => barks.push(timers.nowMs()))
    return { timers, barks, dog }
  }

  it('barks once, when it was not fed for so long', () => {
    const { timers, barks, dog } = watched()
    for (let fed = 0; fed < 5; fed += 1) {
      timers.pass(700)
      dog.feed()
    }
    timers.pass(60_000)
    expect(barks).toEqual([4_500])
    expect(timers.size).toBe(0)
  })

  it('believes an excuse for a while, and only when it would bark', () => {
    const timers = new VirtualTimers(0)
    const [asked, barks]: [number[], number[]] = [[], []]
    const excuses = [true, true, false]
    const bark = (): void => { barks.push(timers.nowMs()) }
    new Watchdog(timers, 1_000, bark, () => {
      asked.push(timers.nowMs())
      return excuses.shift() ?? false
    })
    timers.pass(60_000)
    expect([asked, barks]).toEqual([[1_000, 2_000, 3_000], [3_000]])
    new Watchdog(timers, 1_000, bark, () => true)
    timers.pass(60_000)
    expect(barks).toEqual([3_000, 60_000 + 12_000])
  })

  it('does not count the time for which it stood still itself: what came lies unread', () => {
    const { timers, barks, dog } = watched()
    timers.pass(900)
    timers.stall(60_000)
    timers.pass(500)
    dog.feed()
    timers.pass(999)
    expect(barks).toEqual([])
    timers.pass(1)
    expect(barks).toEqual([62_400])
  })

  it('barks though it looks a little late: a busy machine does so each time', () => {
    for (const lateMs of [1, 100, 1_000]) {
      const { timers, barks } = watched()
      timers.pass(999)
      timers.stall(1 + lateMs)
      expect([lateMs, barks]).toEqual([lateMs, [1_000 + lateMs]])
    }
  })

  it('lets what came while it stood still be read before it barks', () => {
    const { dog, timers, barks } = watched()
    timers.pass(10)
    timers.stall(1_500)
    dog.feed()
    timers.pass(900)
    expect(barks).toEqual([])
  })

  it('of much patience barks in time', () => {
    const timers = new VirtualTimers(0)
    const barks: number[] = []
    new Watchdog(timers, 15_000, () => barks.push(timers.nowMs()))
    timers.pass(60_000)
    expect(barks).toEqual([15_000])
  })

  it('that is stopped while an excuse is believed never barks', () => {
    const timers = new VirtualTimers(0)
    const barks: number[] = []
    const dog = new Watchdog(timers, 1_000, () => barks.push(timers.nowMs()), () => true)
    timers.pass(1_500)
    dog.stop()
    timers.pass(60_000)
    expect([barks, timers.size]).toEqual([[], 0])
  })

  it('that is stopped never barks, however long it was fed before', () => {
    for (const fedTimes of [0, 1, 5]) {
      const { timers, barks, dog } = watched()
      for (let fed = 0; fed < fedTimes; fed += 1) {
        timers.pass(700)
        dog.feed()
      }
      dog.stop()
      timers.pass(60_000)
      expect([fedTimes, barks, timers.size]).toEqual([fedTimes, [], 0])
    }
  })
})
