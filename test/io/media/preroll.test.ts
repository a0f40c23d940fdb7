// The store of armed heads with many buttons: no turn of it may hold up the thread of the sound.
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { describe, expect, it } from 'vitest'
import type { Decoding } from '../../../src/io/media/decoder/decoder-messages.js'
import type { HeadStore } from '../../../src/io/media/preroll.js'
import { keyOf, type ArmedButton } from '../../../src/io/media/preroll-entry.js'
import {
  atRest, buttons, HEAD, InstantDecoder, pathOf, stamps, storeFor, until,
} from './preroll-rig.js'

describe('20 000 buttons', () => {
  it('with room for a tenth: no turn goes through them all, nor does each press', async () => {
    const decoder = new InstantDecoder()
    const store = storeFor(2_000, decoder)
    let [taken, mostTaken] = [0, 0]
    const counted = function* (count: number): Generator<ArmedButton> {
      for (const button of buttons(count)) {
        if (taken === 0) setImmediate(() => (taken = 0))
        taken += 1
        mostTaken = Math.max(mostTaken, taken)
        yield button
      }
    }
    // The processor's time tells more than the clock does, on a machine that does other things.
    const begun = process.cpuUsage()
    store.setArmed(counted(20_000))
    await until(atRest(decoder))
    expect(store.armedHeads).toBe(2_000)
    expect(decoder.asked.length).toBe(2_000)
    // Each press of a cold one takes the place of an unused one.
    for (let n = 10_000; n < 11_000; n += 1) store.take(pathOf(n), n, null)
    await until(atRest(decoder))
    expect(store.armedHeads).toBe(2_000)
    expect(store.take(pathOf(10_999), 10_999, null)).not.toBeNull()
    store.setArmed(counted(19_000))
    await until(atRest(decoder))
    store.setArmed([])
    await until(() => store.armedHeads === 0)
    expect(store.bytes).toBe(0)
    expect(mostTaken).toBeLessThanOrEqual(200)
    // A second or so; where each looks through all of the others, a dozen.
    expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(3)
    store.close()
  })

  it('a file that 400 buttons begin in is heard anew after a change, by each of them', async () => {
    const decoder = new InstantDecoder()
    const store = storeFor(20_000, decoder)
    store.setArmed(buttons(20_000))
    await until(() => store.armedHeads === 20_000)
    stamps.set('7.wav', 'second')
    store.files.seen('7.wav', {
      kind: 'file', stamp: 'second', disk: 1, own: null, isMp4: false, seeking: 'exact',
      type: '',
    })
    // At once, though the others' turn comes later: none sounds from the old content.
    expect(store.take('7.wav', 19_957, null)).toBeNull()
    await until(() => store.armedHeads === 20_000)
    expect(decoder.asked.length).toBe(20_400)
    stamps.clear()
    store.close()
  })
})

describe('a file that two buttons begin in at different places', () => {
  it('is heard anew after a change, also once one of the buttons has gone', async () => {
    const decoder = new InstantDecoder()
    const timers = new VirtualTimers(0)
    const store = storeFor(10, decoder, { timers, recheckMs: 2_000 })
    const [whole, refrain] = [0, 100].map((from) =>
      ({ buttonId: `from ${from}`, path: 'one.wav', from, to: null }))
    store.setArmed([whole!, refrain!])
    await until(() => store.armedHeads === 2)
    store.setArmed([whole!])
    await until(() => store.armedHeads === 1)
    stamps.set('one.wav', 'second')
    timers.pass(2_000)
    await until(atRest(decoder))
    expect(decoder.asked.map(({ from }) => from)).toEqual([0, 100, 0])
    expect(store.armedHeads).toBe(1)
    stamps.clear()
    store.close()
  })
})

describe('the order of going', () => {
  it('the unused go first, then the least recently used; never a later used one', async () => {
    const decoder = new InstantDecoder()
    const store = storeFor(3, decoder)
    store.setArmed(buttons(6))
    await until(() => store.armedHeads === 3)
    const isWarm = (n: number): boolean => store.take(pathOf(n), n, null) !== null
    expect([isWarm(1), isWarm(0)]).toEqual([true, true])
    expect(isWarm(4)).toBe(false)
    await until(atRest(decoder))
    // 2 was unused: it went. Then 1, which was used before 0 and before 4.
    expect(isWarm(5)).toBe(false)
    await until(atRest(decoder))
    expect([isWarm(0), isWarm(4), isWarm(5)]).toEqual([true, true, true])
    expect(store.armedHeads).toBe(3)
    store.close()
  })

  it('are counted by the buttons that begin with them, also after another show', async () => {
    const decoder = new InstantDecoder()
    const store = storeFor(10, decoder)
    const alike = (count: number): ArmedButton[] => Array.from({ length: count }, (_, n) =>
      ({ buttonId: `b${n}`, path: 'one.wav', from: 0, to: null }))
    for (const count of [1, 3, 2]) {
      store.setArmed(alike(count))
      await until(atRest(decoder))
      expect(store.armedHeads).toBe(count)
    }
    expect(decoder.asked.length).toBe(1)
  })

  it('are told one by one as they come and go, whatever takes them', async () => {
    const decoder = new InstantDecoder()
    const told = new Set<string>()
    const store = storeFor(4, decoder, {
      armed: (key, isArmed) => {
        // Each change is told once.
        expect(told.has(key)).toBe(!isArmed)
        if (isArmed) told.add(key)
        else told.delete(key)
      },
    })
    const armed = (): number => {
      const all = [...buttons(8)].map(({ path, from }) => keyOf(path, from, null))
      expect([...told].filter((key) => !all.includes(key))).toEqual([])
      expect(told.size).toBe(store.armedHeads)
      return told.size
    }
    for (const count of [3, 8, 8, 2]) {
      store.setArmed(buttons(count))
      await until(atRest(decoder))
      expect(armed()).toBe(Math.min(count, 4))
    }
    store.setArmed(buttons(8))
    await until(atRest(decoder))
    store.take(pathOf(7), 7, null)
    await until(atRest(decoder))
    expect([told.has(keyOf(pathOf(7), 7, null)), armed()]).toEqual([true, 4])
    store.files.seen(pathOf(7), { kind: 'missing', message: 'gone' })
    await until(() => !told.has(keyOf(pathOf(7), 7, null)))
    armed()
    store.close()
  })

  it('a disk that does not answer takes no head away', async () => {
    const decoder = new InstantDecoder()
    const store = storeFor(6, decoder)
    store.setArmed(buttons(3))
    await until(() => store.armedHeads === 3)
    store.files.seen('1.wav', { kind: 'unavailable', message: 'no answer' })
    expect(store.armedHeads).toBe(3)
    store.close()
  })
})

describe('heads that grow', () => {
  const lengthOf = (store: HeadStore, n: number): number => {
    const head = store.take(pathOf(n), n, null)
    return head === null ? 0 : head.until - n
  }

  it('grow once all have one, as far as the budget goes; none shrinks for that', async () => {
    const decoder = new InstantDecoder()
    const store = storeFor(10, decoder, { growFrames: [2 * HEAD, 4 * HEAD] })
    store.setArmed(buttons(4))
    await until(atRest(decoder))
    // Four of 1 first, then each 2: that makes 8. One more step would be 2 more: one has it.
    expect(decoder.asked.slice(0, 4).map(({ from }) => from)).toEqual([0, 1, 2, 3])
    const lengths = [0, 1, 2, 3].map((n) => lengthOf(store, n) / HEAD)
    expect(lengths).toEqual([4, 2, 2, 2])
    expect(store.bytes).toBe(10 * HEAD * 8)
    // What is decoded to grow begins where the head ends, in the same pass.
    expect(decoder.asked[4]).toMatchObject({ origin: 0, from: HEAD, to: 2 * HEAD })
    store.close()
  })

  it('give back what they grew by where more buttons need a head', async () => {
    const decoder = new InstantDecoder()
    const store = storeFor(8, decoder, { growFrames: [4 * HEAD] })
    store.setArmed(buttons(2))
    await until(atRest(decoder))
    expect(store.bytes).toBe(8 * HEAD * 8)
    store.setArmed(buttons(8))
    await until(atRest(decoder))
    expect(store.armedHeads).toBe(8)
    expect(store.bytes).toBe(8 * HEAD * 8)
    expect(lengthOf(store, 1)).toBe(HEAD)
    store.close()
  })

  it('one that gave back while it grew further holds its beginning, without a gap', async () => {
    const decoder = new InstantDecoder()
    const late: (() => void)[] = []
    const slow: Decoding = {
      decode: (request, listener) => {
        if (request.from < 2 * HEAD) return decoder.decode(request, listener)
        late.push(() => decoder.decode(request, listener))
        return -late.length
      },
      want: () => undefined,
      drop: () => undefined,
    }
    const bounds = { growFrames: [2 * HEAD, 4 * HEAD], mostBytes: 20 * HEAD * 8 }
    const store = storeFor(8, slow, bounds)
    store.setArmed(buttons(2))
    await until(() => late.length === 2)
    store.setArmed(buttons(12))
    await until(() => store.armedHeads === 12)
    for (const decode of late) decode()
    await until(atRest(decoder))
    const head = store.take(pathOf(0), 0, null)
    let end = 0
    for (const { at, count } of head?.pieces ?? []) {
      expect(at).toBe(end)
      end = at + count
    }
    expect([end, head?.until]).toEqual([HEAD, HEAD])
    store.close()
  })

  it('the least of many buttons may take more than is taken for comfort', async () => {
    const decoder = new InstantDecoder()
    const bounds = { growFrames: [2 * HEAD], mostBytes: 12 * HEAD * 8 }
    const store = storeFor(8, decoder, bounds)
    store.setArmed(buttons(20))
    await until(atRest(decoder))
    expect(store.armedHeads).toBe(12)
    expect(lengthOf(store, 0)).toBe(HEAD)
    store.close()
  })

  it('what follows a pressed button comes first', async () => {
    const decoder = new InstantDecoder()
    const store = storeFor(1_000, decoder)
    store.setArmed(buttons(300))
    await until(() => decoder.asked.length > 0)
    store.take(pathOf(200), 200, null)
    await until(() => store.armedHeads === 300)
    const place = (n: number): number => decoder.asked.findIndex(({ from }) => from === n)
    for (let n = 201; n < 216; n += 1) expect(place(n)).toBeGreaterThan(place(n - 1))
    expect(place(216)).toBeLessThan(150)
    store.close()
  })
})
