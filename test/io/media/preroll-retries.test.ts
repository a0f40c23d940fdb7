// Heads that could not be decoded: how often they are tried again, and when.
import { describe, expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import type { Decoding } from '../../../src/io/media/decoder/decoder-messages.js'
import type { Look } from '../../../src/io/media/look/file-look.js'
import type { HeadStore } from '../../../src/io/media/preroll.js'
import { buttons, InstantDecoder, look, pathOf, stamps, storeFor, until } from './preroll-rig.js'

describe('heads that could not be decoded', () => {
  it('one whose decoder dies is tried once more, and no third time', async () => {
    let tries = 0
    const dying: Decoding = {
      decode: (_, listener) => {
        tries += 1
        setImmediate(() => {
          listener.died('killed')
        })
        return tries
      },
      want: () => undefined,
      drop: () => undefined,
    }
    const store = storeFor(10, dying)
    store.setArmed(buttons(1))
    await until(() => tries === 2)
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
    expect([tries, store.armedHeads]).toEqual([2, 0])
    // With the next save of the show as at the first time.
    store.setArmed(buttons(1))
    await until(() => tries === 4)
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
    expect([tries, store.armedHeads]).toEqual([4, 0])
    store.close()
  })

  it('one that failed, e.g. since its disk was slow, is tried again after a while', async () => {
    const timers = new VirtualTimers(0)
    const decoder = new InstantDecoder()
    let failures = 0
    const failing: Decoding = {
      decode: (request, listener) => {
        if (failures === 3) return decoder.decode(request, listener)
        failures += 1
        setImmediate(() => {
          listener.failed('its disk does not answer')
        })
        return -failures
      },
      want: () => undefined,
      drop: () => undefined,
    }
    const store = storeFor(10, failing, { timers })
    store.setArmed(buttons(1))
    const course = [[0, 1, 0], [1_999, 1, 0], [1, 2, 0], [4_000, 3, 0], [8_000, 3, 1]] as const
    for (const [ms, failed, armed] of course) {
      timers.pass(ms)
      for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
      expect([failures, store.armedHeads]).toEqual([failed, armed])
    }
    store.close()
  })

  // ffmpeg that is installed during the evening; a share that is away for an hour.
  it.each([
    ['cannot be decoded', 302_000], ['is on a share that does not answer', 34_000],
  ])('one that %s for an hour is armed soon after, or with a new show', async (why, ms) => {
    const timers = new VirtualTimers(0)
    const decoder = new InstantDecoder()
    let isAway = true
    let tries = 0
    const isShare = why.includes('share')
    const failing: Decoding = {
      decode: (request, listener) => {
        if (!isAway) return decoder.decode(request, listener)
        tries += 1
        setImmediate(() => {
          listener.failed('ffmpeg was not found on the PATH')
        })
        return -1
      },
      want: () => undefined,
      drop: () => undefined,
    }
    const looking = {
      look: (path: string): Promise<Look> => {
        if (!isAway || !isShare) return look(path)
        tries += 1
        return Promise.resolve({ kind: 'unavailable', message: 'its disk does not answer' })
      },
    }
    const pass = async (ms: number): Promise<void> => {
      for (let past = 0; past < ms; past += 2_000) {
        timers.pass(2_000)
        for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
      }
    }
    const storeOfAnHour = async (): Promise<HeadStore> => {
      const store = storeFor(10, failing, { timers, looking })
      isAway = true
      tries = 0
      store.setArmed(buttons(1))
      await pass(3_600_000)
      expect([tries, store.armedHeads]).toEqual([isShare ? 116 : 19, 0])
      isAway = false
      return store
    }
    const waiting = await storeOfAnHour()
    await pass(ms)
    expect(waiting.armedHeads).toBe(1)
    waiting.close()

    const reloaded = await storeOfAnHour()
    reloaded.setArmed(buttons(1))
    await pass(2_000)
    expect(reloaded.armedHeads).toBe(1)
    reloaded.close()
  })

  it('one that became another file has all its tries again', async () => {
    const timers = new VirtualTimers(0)
    const decoder = new InstantDecoder()
    let isBroken = true
    const failing: Decoding = {
      decode: (request, listener) => {
        if (!isBroken) return decoder.decode(request, listener)
        setImmediate(() => {
          listener.failed('moov atom not found')
        })
        return -1
      },
      want: () => undefined,
      drop: () => undefined,
    }
    const settled = async (): Promise<void> => {
      for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
    }
    const store = storeFor(10, failing, { timers })
    store.setArmed(buttons(1))
    for (let minute = 0; minute < 3; minute += 1) {
      for (let n = 0; n < 60; n += 1) {
        timers.pass(1_000)
        await settled()
      }
    }
    // It is being copied anew, and not there as a whole yet.
    stamps.set(pathOf(0), 'half')
    store.files.seen(pathOf(0), await look(pathOf(0)))
    await settled()
    isBroken = false
    timers.pass(2_000)
    await settled()
    expect(store.armedHeads).toBe(1)
    stamps.clear()
    store.close()
  })
})
