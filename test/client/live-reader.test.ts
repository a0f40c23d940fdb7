// Where a run is by its anchor: up to what happens next, and past a wrap from where that leads.
import { describe, expect, it } from 'vitest'
import {
  LiveClock, liveMs, readLive, type LiveRunTold, type LiveTimeTold,
} from '../../src/client/live-reader.js'
import type { ClientSocket } from '../../src/client/types.js'
import { AppClock } from '../../src/testing/app-clock.js'
import { msToFrames } from '../../src/clock/frame.js'

/** Frame 4800 of the engine is 100 ms of the source; its next thing comes at 200 ms. */
const runWith = (anchor: Partial<LiveRunTold['anchor']>): LiveRunTold => ({
  executionId: 'e', buttonId: 'b', state: 'playing', endReason: null, duration: null,
  anchor: { at: 4_800, position: 4_800, moving: true, until: 9_600, then: null, ...anchor },
})

describe('a place, in milliseconds', () => {
  it.each([
    ['goes on with the clock', {}, 7_200, 150],
    ['is never before its anchor', {}, 0, 100],
    ['rests where the run rests', { moving: false }, 99_999, 100],
    ['goes on for ever where nobody knows the end', { until: null }, 48_000, 1_000],
    ['stays at the end', { then: { kind: 'end' } }, 48_000, 200],
    ['stays where it goes on in another way', { then: { kind: 'on' } }, 48_000, 200],
    ['past a wrap goes on from Start', { then: { kind: 'wrap', to: 0 } }, 12_000, 50],
    ['and from what the head has played', { then: { kind: 'wrap', to: 960 } }, 12_000, 70],
  ] as const)('%s', (_what, anchor, frame, ms) => {
    expect(liveMs(runWith(anchor), frame)).toBe(ms)
  })
})

describe('the frame that is heard', () => {
  const told = (frame: number, latency: number): LiveTimeTold =>
    ({ kind: 'time', id: 1, frame, latency })

  it('is behind the engine by the latency of the output', () => {
    const clock = new LiveClock()
    expect(clock.heardAt(1_000)).toBeNull()
    clock.note(990, 1_010, told(480_000, 1_440))
    expect(clock.heardAt(1_000)).toBe(480_000 - 1_440)
    expect(clock.heardAt(1_010)).toBe(480_000 - 960)
  })

  it('goes by the answer that came back quickest', () => {
    const clock = new LiveClock()
    clock.note(1_000, 1_002, told(96_000, 0))
    clock.note(2_000, 2_200, told(145_000, 0))
    expect(clock.heardAt(2_001)).toBe(96_000 + 48_000)
  })

  it('is behind what it was as soon as one answer tells that the output was waited for', () => {
    const clock = new LiveClock()
    for (let ms = 0; ms <= 20_000; ms += 2_000) clock.note(ms, ms + 2, told((ms + 1) * 48, 0))
    // It stood for three seconds; the network is slower by now.
    clock.note(22_000, 22_010, told((22_005 - 3_000) * 48, 0))
    expect(clock.heardAt(22_010)).toBe((22_010 - 3_000) * 48)
    clock.note(24_000, 24_004, told((24_002 - 3_000) * 48, 0))
    expect(clock.heardAt(25_000)).toBe((25_000 - 3_000) * 48)
  })
})

describe('one connection', () => {
  type Heard = (event: { readonly data: unknown }) => void

  /** The page's end, with the service's said by hand, on time that is moved by hand. */
  const reading = () => {
    const listeners = new Map<string, Heard[]>()
    const clock = new AppClock()
    const it = {
      nowMs: 0, asked: [] as { kind: string; id: number }[], isClosed: false, closes: () => {},
      heard: [] as string[], over: null as boolean | null, leave: new AbortController(),
      pass: async (ms: number): Promise<void> => {
        for (const until = it.nowMs + ms; it.nowMs < until;) {
          it.nowMs += 100
          clock.ring(msToFrames(it.nowMs))
          await settled()
        }
      },
      say: async (data: unknown): Promise<void> => {
        const text = typeof data === 'string' ? data : JSON.stringify(data)
        for (const listener of listeners.get('message') ?? []) listener({ data: text })
        await settled()
      },
      raw: (type: string, data: unknown): void => {
        for (const listener of listeners.get(type) ?? []) listener({ data })
      },
      clock: new LiveClock(),
      /** Answers the last question of the time. */
      answer: async (): Promise<void> =>
        it.say({ kind: 'time', id: it.asked.at(-1)?.id, frame: 0, latency: 0 }),
    }
    const socket: ClientSocket = {
      send: (text) => void it.asked.push(JSON.parse(text) as { kind: string; id: number }),
      close: () => {
        it.isClosed = true
        it.closes()
      },
      addEventListener: (type: string, listener: Heard) => {
        listeners.set(type, [...listeners.get(type) ?? [], listener])
      },
    }
    const wait = Object.assign(
      (ms: number, signal: AbortSignal) => clock.wait(msToFrames(it.nowMs + ms), signal),
      { now: () => it.nowMs })
    void readLive(socket, {
      hello: (boot) => it.heard.push(`hello ${boot}`),
      state: ({ n }) => it.heard.push(`state ${n}`),
      change: ({ n }) => it.heard.push(`change ${n}`),
    }, { wait, timeoutMs: 3_000, signal: it.leave.signal, clock: it.clock })
      .then((stood) => (it.over = stood))
    return it
  }
  const settled = async (): Promise<void> => {
    for (let n = 0; n < 10; n += 1) await Promise.resolve()
  }
  const stateOf = (n: number) => ({ kind: 'state', n, at: 0, missed: null, runs: [] })
  const changeOf = (n: number) => ({ kind: 'change', n, at: 0, events: [], runs: [] })
  const standing = async () => {
    const it = reading()
    await it.say({ kind: 'hello', boot: 'b' })
    await it.say(stateOf(7))
    return it
  }

  it('tells each change once and in order, and passes over what it does not know', async () => {
    const it = await standing()
    await it.say({ kind: 'of tomorrow', n: 99 })
    it.raw('message', new ArrayBuffer(12))
    await it.say(changeOf(8))
    await it.say(changeOf(9))
    expect(it.heard).toEqual(['hello b', 'state 7', 'change 8', 'change 9'])
    expect([it.over, it.isClosed]).toEqual([null, false])
  })

  it('knows what is heard while it stands, and no more once it is over', async () => {
    const it = await standing()
    await it.answer()
    expect(it.clock.heardAt(it.nowMs)).not.toBeNull()
    await it.say(changeOf(9))
    expect([it.over, it.clock.heardAt(it.nowMs)]).toEqual([true, null])
  })

  it.each([['left out', 9], ['told twice', 7]])('where a change is %s ends', async (_how, n) => {
    const it = await standing()
    await it.say(changeOf(n))
    expect([it.over, it.isClosed]).toEqual([true, true])
    await it.say(changeOf(8))
    expect(it.heard).toEqual(['hello b', 'state 7'])
  })

  it('that says what is no JSON is given up', async () => {
    const it = await standing()
    await it.say('{')
    expect([it.over, it.isClosed]).toEqual([true, true])
  })

  it.each(['null', '2', '"hello"', '{', JSON.stringify(changeOf(0))])(
    'that begins with %s is not the service’s, and never stood', async (text) => {
      const it = reading()
      await it.say(text)
      expect([it.over, it.isClosed, it.heard]).toEqual([false, true, []])
    })

  it.each(['close', 'error'])('is over with its %s', async (type) => {
    const it = await standing()
    it.raw(type, null)
    await settled()
    expect([it.over, it.isClosed]).toEqual([true, true])
  })

  it('that tells of an error from within its close is closed once (Node 22)', async () => {
    const it = reading()
    let closes = 0
    it.closes = () => {
      closes += 1
      if (closes < 9) it.raw('error', null)
    }
    it.raw('error', null)
    await settled()
    expect([it.over, closes]).toEqual([false, 1])
  })

  it('is over when it is left', async () => {
    const it = await standing()
    it.leave.abort()
    await settled()
    expect([it.over, it.isClosed]).toEqual([true, true])
  })

  it('on which nothing is told in time never stood', async () => {
    const it = reading()
    await it.say({ kind: 'hello', boot: 'b' })
    await it.pass(2_900)
    expect(it.over).toBeNull()
    await it.pass(200)
    expect([it.over, it.isClosed, it.asked]).toEqual([false, true, []])
  })

  it('is asked for the time every two seconds, and over when that is not answered', async () => {
    const it = await standing()
    for (let n = 1; n <= 10; n += 1) {
      expect(it.asked).toHaveLength(n)
      await it.answer()
      await it.pass(2_000)
    }
    // An answer to another question is none.
    await it.say({ kind: 'time', id: 1, frame: 0, latency: 0 })
    await it.pass(2_900)
    expect(it.over).toBeNull()
    await it.pass(200)
    expect([it.over, it.isClosed]).toEqual([true, true])
    expect(it.asked.map(({ kind, id }) => `${kind} ${id}`)).toEqual(
      Array.from({ length: 11 }, (_each, n) => `time ${n + 1}`))
  })
})

describe('the clock over an evening', () => {
  it('follows the engine’s, though one answer of the beginning came back quickest', () => {
    const clock = new LiveClock()
    const told = (frame: number): LiveTimeTold => ({ kind: 'time', id: 1, frame, latency: 0 })
    clock.note(0, 1, told(24))
    // The machines' clocks run apart by a ten thousandth.
    for (let ms = 2_000; ms <= 3_600_000; ms += 2_000) clock.note(ms, ms + 5, told(ms * 48.0048))
    const heard = clock.heardAt(3_600_000) ?? NaN
    expect(Math.abs(heard - 3_600_000 * 48.0048)).toBeLessThan(48 * 10)
  })
})
