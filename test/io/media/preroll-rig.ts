// A store of armed heads over a decoder that answers at once, for the tests of it.
import { VirtualTimers } from '../../../src/clock/virtual.js'
import type {
  DecodeListener, DecodeRequest, Decoding,
} from '../../../src/io/media/decoder/decoder-messages.js'
import type { Look } from '../../../src/io/media/look/file-look.js'
import { HeadStore, type HeadStoreOptions } from '../../../src/io/media/preroll.js'
import type { ArmedButton } from '../../../src/io/media/preroll-entry.js'

export const HEAD = 480
const FILES = 50

/** Decodes at once, as far as turns of the event loop go, and notes what it was asked for. */
export class InstantDecoder implements Decoding {
  readonly asked: DecodeRequest[] = []

  decode(request: DecodeRequest, listener: DecodeListener): number {
    this.asked.push(request)
    setImmediate(() => {
      const count = (request.to ?? HEAD) - request.from
      listener.pcm(new Float32Array(count), new Float32Array(count))
      listener.done(request.from + count, null)
    })
    return this.asked.length
  }

  want(): void {
    // A head is asked for as a whole.
  }

  drop(): void {
    // What was decoded by then is ignored by the store.
  }
}

export const stamps = new Map<string, string>()
export const look = (path: string): Promise<Look> =>
  Promise.resolve({
    kind: 'file', stamp: stamps.get(path) ?? 'first', disk: 1, own: null, isMp4: false,
    seeking: 'exact', type: '',
  })

export const storeFor = (
  heads: number, decoding: Decoding, bounds: Partial<HeadStoreOptions> = {},
): HeadStore =>
  new HeadStore({
    decoding, looking: { look }, budgetBytes: heads * HEAD * 8, mostBytes: heads * HEAD * 8,
    growFrames: [], headFrames: HEAD, leastHeadFrames: HEAD, recheckMs: null,
    timers: new VirtualTimers(0),
    ...bounds,
  })

export const pathOf = (n: number): string => `${n % FILES}.wav`

export const buttons = function* (count: number): Generator<ArmedButton> {
  for (let n = 0; n < count; n += 1) {
    yield { buttonId: `b${n}`, path: pathOf(n), from: n, to: null }
  }
}

/** Lets the event loop turn until `isDone`. */
export const until = (isDone: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const turn = (): void => {
      if (isDone()) resolve()
      else setImmediate(turn)
    }
    setImmediate(turn)
  })

/** Nothing was asked of the decoder for so many turns: the store is at rest. */
export const atRest = (decoder: InstantDecoder): (() => boolean) => {
  let [before, calm] = [-1, 0]
  return () => {
    calm = decoder.asked.length === before ? calm + 1 : 0
    before = decoder.asked.length
    return calm > 1_000
  }
}
