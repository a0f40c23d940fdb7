// The store of decoded frames: whatever the pieces, a frame read is the frame that was appended.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MediaStore } from '../../../src/io/media/media-store.js'

/** Frame n is n on the left and -n on the right; every third piece is silence. */
const appendPiece = (store: MediaStore, count: number, isSilent: boolean): void => {
  if (isSilent) {
    store.append(null, count)
    return
  }
  const left = Float32Array.from({ length: count }, (_, i) => store.until + i)
  store.append({ left, right: left.map((value) => -value) }, count)
}

describe('MediaStore', () => {
  it('reads any part of any pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 1_000 }),
        fc.nat(),
        fc.nat(),
        (counts, from, a, b) => {
          const store = new MediaStore(from)
          const silent = new Set<number>()
          counts.forEach((count, i) => {
            if (i % 3 === 2) for (let n = 0; n < count; n += 1) silent.add(store.until + n)
            appendPiece(store, count, i % 3 === 2)
          })
          const at = from + (a % (store.until - from))
          const count = 1 + (b % (store.until - at))
          const into = { left: new Float32Array(count + 2), right: new Float32Array(count + 2) }
          // What a block held before: no frame of it may be heard, and none beside is touched.
          into.left.fill(8)
          into.right.fill(9)
          store.copy(at, into, 1, count)
          const wanted = (sign: number): readonly number[] =>
            Array.from({ length: count }, (_, n) => silent.has(at + n) ? 0 : sign * (at + n))
          expect([...into.left]).toEqual([8, ...wanted(1), 8])
          expect([...into.right]).toEqual([9, ...wanted(-1), 9])
        },
      ),
    )
  })

  it('tells what it forgot and what it has, of what was not lent', () => {
    const store = new MediaStore(0)
    const sound = { left: new Float32Array(10), right: new Float32Array(10) }
    store.append(sound, 10, true)
    store.append(sound, 10)
    store.append(null, 10)
    store.append(sound, 10)
    expect([store.bytes, store.ownBytes]).toEqual([240, 160])
    expect([store.forget(9), store.forget(10), store.forget(30)]).toEqual([0, 0, 80])
    expect([store.bytes, store.ownBytes]).toEqual([80, 80])
  })

  it('forgets whole pieces in front, and refuses what it forgot or never had', () => {
    const store = new MediaStore(100)
    appendPiece(store, 10, false)
    appendPiece(store, 10, true)
    appendPiece(store, 10, false)
    expect(store.bytes).toBe(160)
    store.forget(109)
    expect(store.from).toBe(100)
    store.forget(110)
    expect([store.from, store.until, store.bytes]).toEqual([110, 130, 80])
    const into = { left: new Float32Array(30), right: new Float32Array(30) }
    expect(() => {
      store.copy(109, into, 0, 1)
    }).toThrow(RangeError)
    expect(() => {
      store.copy(129, into, 0, 2)
    }).toThrow(RangeError)
    store.forget(1_000)
    expect([store.from, store.until, store.bytes]).toEqual([130, 130, 0])
  })
})
