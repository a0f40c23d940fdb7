// The store of keys (7.1) by itself: held to a plain model of its rules, and when it is full.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Idempotency, type Answered } from '../../src/api/idempotency.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { refuse, type Refusal } from '../../src/contract/errors.js'
import { SWEPT_BY_PANIC } from '../../src/engine/commands/panic.js'
import { LIMITS } from '../../src/contract/limits.js'
import type { Command, Reply } from '../../src/engine/commands/commands.js'

const panic = (fadeOutMs: number): Command => ({ kind: 'panic', fadeOutMs })
const STOP: Command = { kind: 'stop', buttonId: 'b', executionId: null, fadeOutMs: null }
const done = (stopped: number): Reply =>
  ({ ok: true, status: 200, body: { result: 'stopped', fadingOut: 0, stopped } })
const no = (refusal: Refusal): Reply => ({ ok: false, refusal })

/** How a command may end, and whether its key keeps that. */
const ENDS = {
  success: [done(0), true],
  refused: [no(refuse('stale_execution', '')), true],
  'not now': [no(refuse('app_busy', '')), false],
  failed: [no(refuse('command_failed', '')), false],
  'no output': [no(refuse('playback_unavailable', '')), false],
  swept: [no(SWEPT_BY_PANIC), true],
  thrown: [null, false],
} as const satisfies Record<string, readonly [Reply | null, boolean]>
type End = keyof typeof ENDS

/** Lets what was settled be heard. */
const turns = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await Promise.resolve()
}

interface Known {
  readonly asked: number
  readonly number: number
  /** Null while it is carried out. */
  until: number | null
}

const step = fc.oneof(
  fc.record({
    what: fc.constant('send' as const), key: fc.nat(3), address: fc.nat(1), asked: fc.nat(1),
  }),
  fc.record({
    what: fc.constant('end' as const), which: fc.nat(3),
    end: fc.constantFrom(...(Object.keys(ENDS) as End[])),
  }),
  fc.record({ what: fc.constant('pass' as const), ms: fc.constantFrom(1, 299_999, 599_999) }),
)

it('repeats, waits, refuses and forgets as its rules say, in any order of things', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
    const timers = new VirtualTimers(0)
    const store = new Idempotency(timers)
    const known = new Map<number, Known>()
    const open: { readonly key: number; readonly end: (how: End) => void }[] = []
    const replies = new Map<number, Promise<Reply>>()
    let carriedOut = 0
    for (const one of steps) {
      if (one.what === 'pass') timers.pass(one.ms)
      else if (one.what === 'end') {
        const [it] = open.splice(one.which, 1)
        if (it === undefined) continue
        it.end(one.end)
        await turns()
        const kept = known.get(it.key)!
        if (ENDS[one.end][1]) kept.until = timers.nowMs() + LIMITS.idempotencyMs
        else known.delete(it.key)
      } else {
        const before = known.get(one.key)
        const isKnown = before !== undefined
          && (before.until === null || before.until > timers.nowMs())
        const number = carriedOut
        const answered = store.once(
          { key: `key ${one.key}`, address: `at ${one.address}`, command: panic(one.asked) },
          () => new Promise<Reply>((resolve, reject) => {
            carriedOut += 1
            open.push({
              key: one.key,
              end: (how) => {
                const [reply] = ENDS[how]
                if (reply === null) reject(new Error('planted'))
                else resolve(reply)
              },
            })
          }),
        )
        expect(carriedOut - number).toBe(isKnown ? 0 : 1)
        if (isKnown && before.asked !== one.asked) {
          expect(answered).toMatchObject({ code: 'idempotency_conflict' })
          continue
        }
        const { reply, isReplay } = answered as Answered
        reply.catch(() => undefined)
        expect(isReplay).toBe(isKnown)
        // The very answer of the first one, also where that is not there yet.
        if (isKnown) expect(reply).toBe(replies.get(before.number))
        else {
          replies.set(number, reply)
          known.set(one.key, { asked: one.asked, number, until: null })
        }
      }
    }
  }), { numRuns: 500 })
})

it('keeps no key longer because another command was slow', async () => {
  const timers = new VirtualTimers(0)
  const store = new Idempotency(timers)
  let finish: (reply: Reply) => void = () => undefined
  const send = (key: string, reply: Promise<Reply>) =>
    store.once({ key, address: 'app', command: panic(0) }, () => reply)
  const slow = new Promise<Reply>((resolve) => (finish = resolve))
  send('slow', slow)
  send('quick', Promise.resolve(done(1)))
  await turns()
  timers.pass(5_000)
  finish(done(2))
  await turns()
  timers.pass(LIMITS.idempotencyMs - 4_000)
  const again = Promise.resolve(done(3))
  expect(send('quick', again)).toMatchObject({ isReplay: false })
  expect(send('slow', again)).toMatchObject({ isReplay: true })
  timers.pass(5_000)
  expect(send('slow', again)).toMatchObject({ isReplay: false })
})

describe('a full store', () => {
  const send = (store: Idempotency, key: string, address: string, reply: Promise<Reply>) =>
    store.once({ key, address, command: STOP }, () => reply)
  const isKept = (store: Idempotency, key: string): boolean => {
    const answered = send(store, key, 'whoever', new Promise(() => undefined))
    return 'isReplay' in answered && answered.isReplay
  }

  it('forgets the oldest answers, and no command that is still carried out', async () => {
    const timers = new VirtualTimers(0)
    const store = new Idempotency(timers)
    let finish: (reply: Reply) => void = () => undefined
    const slow = new Promise<Reply>((resolve) => (finish = resolve))
    send(store, 'under way', 'app', new Promise(() => undefined))
    send(store, 'slow', 'app', slow)
    for (let n = 2; n < LIMITS.idempotencyKeys; n += 1) {
      send(store, `key ${n}`, 'app', Promise.resolve(done(n)))
    }
    await turns()
    finish(done(1))
    await turns()
    expect(send(store, 'more', 'app', slow)).toMatchObject({ code: 'idempotency_full' })
    for (const key of ['a', 'b', 'c']) {
      expect(send(store, key, 'tablet', Promise.resolve(done(0)))).toMatchObject({
        isReplay: false,
      })
    }
    // That of the slow one is the latest answer of all, though it was asked for early.
    const kept = ['under way', 'slow', 'key 5', 'key 9999', 'a', 'b', 'c']
    expect(kept.map((key) => [key, isKept(store, key)])).toEqual(kept.map((key) => [key, true]))
    expect(send(store, 'key 4', 'app', slow)).toMatchObject({ code: 'idempotency_full' })
  })

  it('still lets a panic through, which is silence', async () => {
    const store = new Idempotency(new VirtualTimers(0))
    for (let n = 0; n < LIMITS.idempotencyKeys; n += 1) {
      send(store, `key ${n}`, 'app', Promise.resolve(done(n)))
    }
    expect(send(store, 'more', 'app', Promise.resolve(done(0)))).toHaveProperty('code')
    const keyed = { key: 'silence', address: 'app', command: panic(0) }
    for (const stopped of [3, 0]) {
      const answered = store.once(keyed, () => Promise.resolve(done(stopped))) as Answered
      expect([answered.isReplay, await answered.reply]).toEqual([false, done(stopped)])
    }
  })

  it('shares itself out: who has fewer takes from who has most, until they are even', async () => {
    const store = new Idempotency(new VirtualTimers(0))
    // The oldest of all are not those of who has most.
    const shares = { some: 3_001, few: 1_999, many: 5_000 }
    for (const [address, count] of Object.entries(shares)) {
      for (let n = 0; n < count; n += 1) {
        send(store, `${address} ${n}`, address, Promise.resolve(done(n)))
      }
    }
    await turns()
    let taken = 0
    while ('reply' in send(store, `new ${taken}`, 'few', Promise.resolve(done(0)))) {
      taken += 1
      await turns()
    }
    // Of those who have more it takes from whoever has the most at that moment.
    expect(taken).toBe(Math.floor((5_000 - 1_999) / 2))
    expect(isKept(store, 'some 0')).toBe(true)
    expect(isKept(store, 'few 0')).toBe(true)
    expect(isKept(store, `many ${taken}`)).toBe(true)
  })

  it('has room again when the time of its keys is over', async () => {
    const timers = new VirtualTimers(0)
    const store = new Idempotency(timers)
    for (let n = 0; n < LIMITS.idempotencyKeys; n += 1) {
      send(store, `key ${n}`, 'app', Promise.resolve(done(n)))
    }
    await turns()
    timers.pass(LIMITS.idempotencyMs + 1)
    let refused = 0
    for (let n = 0; n < LIMITS.idempotencyKeys; n += 1) {
      if ('code' in send(store, `later ${n}`, 'app', Promise.resolve(done(n)))) refused += 1
    }
    expect(refused).toBe(0)
  })

  it('reckons with no key whose time is over, whosever it was', async () => {
    const timers = new VirtualTimers(0)
    const store = new Idempotency(timers)
    const sendAll = async (address: string, count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) {
        send(store, `${address} ${n}`, address, Promise.resolve(done(n)))
      }
      await turns()
    }
    await sendAll('yesterday', 9_000)
    timers.pass(LIMITS.idempotencyMs + 1)
    await sendAll('many', 6_000)
    await sendAll('some', 4_000)
    // Room is taken from whoever has most by now.
    expect(send(store, 'new', 'few', Promise.resolve(done(0)))).toMatchObject({ isReplay: false })
  })
})
