// Whose memory the armed heads take: short ones all find room, and long ones give way in turn.
import { afterEach, describe, expect, it } from 'vitest'
import type {
  DecodeListener, DecodeRequest,
} from '../../../src/io/media/decoder/decoder-messages.js'
import type { WatchedFile } from '../../../src/io/media/look/file-watch.js'
import type { HeadStore } from '../../../src/io/media/preroll.js'
import { Entry, type Head } from '../../../src/io/media/preroll-entry.js'
import { PrerollRoom } from '../../../src/io/media/preroll-room.js'
import {
  atRest, buttons, HEAD, InstantDecoder, look, pathOf, stamps, storeFor, until,
} from './preroll-rig.js'

/** Files that are so many frames long. */
class ShortDecoder extends InstantDecoder {
  constructor(private readonly frames: number) {
    super()
  }

  override decode(request: DecodeRequest, listener: DecodeListener): number {
    this.asked.push(request)
    setImmediate(() => {
      listener.pcm(new Float32Array(this.frames), new Float32Array(this.frames))
      listener.done(request.from + this.frames, request.from + this.frames)
    })
    return this.asked.length
  }
}

let store: HeadStore
afterEach(() => {
  stamps.clear()
  store.close()
})

const lengthOf = (n: number): number => {
  const head = store.take(pathOf(n), n, null)
  return head === null ? 0 : (head.until - n) / HEAD
}

describe('heads of short files', () => {
  it.each([10, 100])('are all armed where what they take has room: %i at once', async (at) => {
    const decoder = new ShortDecoder(HEAD / 10)
    store = storeFor(at, decoder)
    // Each may come to take ten times what it does: that is known once it is decoded.
    store.setArmed(buttons(90))
    await until(atRest(decoder))
    expect(store.armedHeads).toBe(90)
    expect(store.bytes).toBe(90 * (HEAD / 10) * 8)
  })

  it('as many as have room are armed where not all have', async () => {
    const decoder = new ShortDecoder(HEAD / 2)
    store = storeFor(10, decoder)
    store.setArmed(buttons(90))
    await until(atRest(decoder))
    // The last place may have room for a short one, and is not tried: it could be a long one.
    expect(store.armedHeads).toBeGreaterThanOrEqual(19)
    expect(store.bytes).toBeLessThanOrEqual(10 * HEAD * 8)
  })
})

describe('heads that grew', () => {
  it('of a file that became another one grow again, as far as before', async () => {
    const decoder = new InstantDecoder()
    store = storeFor(100, decoder, { growFrames: [2 * HEAD, 4 * HEAD] })
    store.setArmed(buttons(3))
    await until(atRest(decoder))
    for (let turn = 0; turn < 3; turn += 1) {
      stamps.set(pathOf(1), `content ${turn}`)
      store.files.seen(pathOf(1), await look(pathOf(1)))
      await until(atRest(decoder))
      expect([0, 1, 2].map(lengthOf)).toEqual([4, 4, 4])
    }
    expect(store.bytes).toBe(3 * 4 * HEAD * 8)
  })

  it('and gave that back grow again with a show that leaves them room', async () => {
    const decoder = new InstantDecoder()
    store = storeFor(12, decoder, { growFrames: [4 * HEAD] })
    for (let turn = 0; turn < 3; turn += 1) {
      store.setArmed(buttons(3))
      await until(atRest(decoder))
      expect([0, 1, 2].map(lengthOf)).toEqual([4, 4, 4])
      store.setArmed(buttons(12))
      await until(atRest(decoder))
      expect([0, 1, 2, 11].map(lengthOf)).toEqual([1, 1, 1, 1])
      expect(store.bytes).toBe(12 * HEAD * 8)
    }
  })

  it('give it back one after the other: what was pressed last comes last', async () => {
    const decoder = new InstantDecoder()
    store = storeFor(16, decoder, { growFrames: [4 * HEAD] })
    store.setArmed(buttons(4))
    await until(atRest(decoder))
    // All are as long as they get; now two of them are pressed.
    store.take(pathOf(0), 0, null)
    store.take(pathOf(1), 1, null)
    store.setArmed(buttons(8))
    await until(atRest(decoder))
    expect(store.armedHeads).toBe(8)
    // Four more heads: two of those that nobody pressed made room for them, and grew no more.
    expect([0, 1, 2, 3].map(lengthOf)).toEqual([4, 4, 1, 1])
  })
})

it('what was decoded for heads is held, or was told to be let go', async () => {
  const decoder = new InstantDecoder()
  let gone = 0
  const released = (bytes: number): void => { gone += bytes }
  store = storeFor(12, decoder, { growFrames: [4 * HEAD], released })
  const allThere = async (): Promise<void> => {
    await until(atRest(decoder))
    const frames = decoder.asked.reduce((sum, { from, to }) => sum + (to ?? 0) - from, 0)
    expect(store.bytes + gone).toBe(frames * 8)
  }
  // They grow; give that back to others; become other files; are pressed; give way; all go.
  store.setArmed(buttons(3))
  await allThere()
  store.setArmed(buttons(12))
  await allThere()
  for (const n of [0, 1]) {
    stamps.set(pathOf(n), 'another')
    store.files.seen(pathOf(n), await look(pathOf(n)))
  }
  await allThere()
  store.setArmed(buttons(20))
  store.take(pathOf(19), 19, null)
  await allThere()
  store.setArmed([])
  await allThere()
  expect(store.bytes).toBe(0)
})

it('what finds no room once it is decoded is let go', () => {
  let gone = 0
  const bytes = 10 * 8
  const bounds = { budgetBytes: bytes, mostBytes: bytes, headFrames: 8, leastHeadFrames: 8 }
  const room = new PrerollRoom(bounds, (more) => { gone += more })
  const headOf = (from: number, count: number): Head => {
    const sound = { left: new Float32Array(count), right: new Float32Array(count) }
    return { pieces: [{ at: from, count, sound }], until: from + count, end: null }
  }
  const [held, late] = ['a.wav', 'b.wav'].map((path) =>
    new Entry(path, { path } as WatchedFile, 0, null)) as [Entry, Entry]
  const head = headOf(0, 8)
  expect(room.hold(held, head, () => undefined)).toBe(true)
  room.grow(held, head, headOf(8, 4))
  expect(gone).toBe(4 * 8)
  expect(room.hold(late, headOf(0, 8), () => undefined)).toBe(false)
  expect(gone).toBe(12 * 8)
  expect([held.head, late.head, room.bytes]).toEqual([head, null, 8 * 8])
})
