// Heads of buttons that begin in one file: each range has its own.
import { describe, expect, it } from 'vitest'
import { HEAD, InstantDecoder, storeFor, until } from './preroll-rig.js'

describe('ranges of one file', () => {
  const RANGES: readonly (readonly [from: number, to: number | null])[] =
    [[0, 100], [0, 200], [0, null], [100, 200], [100, 300], [100, null]]

  it.each([['as they stand', RANGES], ['the other way round', RANGES.toReversed()]] as const)(
    'have a head each, to its own End, whichever comes first: %s', async (_, ranges) => {
      const store = storeFor(10, new InstantDecoder())
      store.setArmed(ranges.map(([from, to], n) =>
        ({ buttonId: `b${n}`, path: 'one.wav', from, to })))
      await until(() => store.armedHeads === ranges.length)
      for (const [from, to] of ranges) {
        expect(store.take('one.wav', from, to)?.until).toBe(to ?? from + HEAD)
        expect(store.take('two.wav', from, to)).toBeNull()
      }
      expect(store.take('one.wav', 0, 300)).toBeNull()
      store.close()
    })
})
