// One opened stream: when its decoder begins behind a head, how far ahead it decodes, and a loop's,
// which outgrows what may be held and goes on as others do.
import { describe, expect, it } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import type { Fact, OpenRequest } from '../../../src/engine/ports.js'
import type {
  DecodeListener, DecodeRequest, Decoding,
} from '../../../src/io/media/decoder/decoder-messages.js'
import { DecodedStream } from '../../../src/io/media/media-stream.js'
import type { Head } from '../../../src/io/media/preroll-entry.js'

const SECOND = 48_000

/** A source of so many frames, which is decoded as far as is asked for and no frame further. */
class ExactDecoder implements Decoding {
  #request: DecodeRequest | null = null
  #listener: DecodeListener | null = null
  #at = 0
  begun = 0

  constructor(private readonly frames: number) {}

  /** Where it began; null: nobody wanted it yet. */
  get from(): number | null {
    return this.#request?.from ?? null
  }

  decode(request: DecodeRequest, listener: DecodeListener): number {
    this.begun += 1
    this.#request = request
    this.#listener = listener
    this.#at = request.from
    this.#goOn(request.until)
    return 1
  }

  want(_job: number, until: number): void {
    this.#goOn(until)
  }

  drop(): void {
    this.#request = null
  }

  #goOn(until: number): void {
    const count = Math.min(until, this.frames) - this.#at
    if (this.#request === null || count <= 0) return
    this.#at += count
    this.#listener?.pcm(new Float32Array(count), new Float32Array(count))
    if (this.#at === this.frames) this.#listener?.done(this.frames, this.frames)
  }
}

it.each([
  ['shorter than what may be held', 4 * SECOND], ['just as long', 5 * SECOND],
  ['a frame longer', 5 * SECOND + 1], ['many times as long', 60 * SECOND],
])('%s: it is decoded to its end', (_what, frames) => {
  const facts: Fact[] = []
  const request = {
    stream: 1, buttonId: 'b', purpose: 'start', path: 'loop.wav', from: frame(0), to: null,
    ahead: 0, hold: true,
  } as unknown as OpenRequest
  const heldBytes = 5 * SECOND * 8
  const stream = new DecodedStream(request, {
    decoding: new ExactDecoder(frames), timers: new VirtualTimers(0), holdBytes: heldBytes,
    post: (fact) => facts.push(fact), released: () => undefined,
  }, () => undefined)
  stream.start(null)
  for (let at = 0; at <= frames; at += SECOND) stream.passed(at)
  expect(facts.at(-1)).toMatchObject({ kind: 'ended', end: frames, held: frames <= 5 * SECOND })
})

it('keeps more decoded ahead from the moment at which more is asked for', () => {
  const told: number[] = []
  const request = {
    stream: 1, buttonId: 'b', purpose: 'start', path: 'long.wav', from: frame(0), to: null,
    ahead: SECOND, hold: false,
  } as unknown as OpenRequest
  const stream = new DecodedStream(request, {
    decoding: new ExactDecoder(60 * SECOND), timers: new VirtualTimers(0), holdBytes: 0,
    post: (fact) => {
      if (fact.kind === 'supplied') told.push(fact.until / SECOND)
    },
    released: () => undefined,
  }, () => undefined)
  stream.start(null)
  stream.keepAhead(8 * SECOND)
  stream.passed(5 * SECOND)
  stream.keepAhead(SECOND)
  stream.passed(6 * SECOND)
  stream.passed(14 * SECOND)
  expect(told).toEqual([3, 10, 15, 17])
})

describe('behind a head', () => {
  const headOf = (frames: number): Head => {
    const sound = { left: new Float32Array(frames), right: new Float32Array(frames) }
    return { pieces: [{ at: 0, sound, count: frames }], until: frames, end: null }
  }

  const started = (
    { headFrames, ahead = 0, hold = false }: { headFrames: number, ahead?: number, hold?: boolean },
  ) => {
    const decoder = new ExactDecoder(60 * SECOND)
    const request = {
      stream: 1, buttonId: 'b', purpose: 'start', path: 'bed.wav', from: frame(0), to: null,
      ahead, hold,
    } as unknown as OpenRequest
    const timers = new VirtualTimers(0)
    const gone: number[] = []
    const stream = new DecodedStream(request, {
      decoding: decoder, timers, holdBytes: 5 * SECOND * 8, post: () => undefined,
      released: (bytes) => gone.push(bytes),
    }, () => undefined)
    stream.start(headOf(headFrames))
    return { stream, decoder, timers, gone: () => gone.reduce((sum, bytes) => sum + bytes, 0) }
  }

  it.each([[false], [true]])(
    'that lasts the decoder begins after a quarter of a second, played or not, held: %s',
    (hold) => {
      const { decoder, timers } = started({ headFrames: 10 * SECOND, hold })
      expect(decoder.from).toBeNull()
      timers.pass(249)
      expect(decoder.from).toBeNull()
      timers.pass(1)
      expect(decoder.from).toBe(10 * SECOND)
    })

  it('that is short it begins at once', () => {
    const { decoder } = started({ headFrames: 2 * SECOND - 1 })
    expect(decoder.from).toBe(2 * SECOND - 1)
  })

  it('that is short of what must be decoded ahead it begins at once', () => {
    const { decoder } = started({ headFrames: 10 * SECOND, ahead: 8 * SECOND + 1 })
    expect(decoder.from).toBe(10 * SECOND)
  })

  it('it begins when more must be decoded ahead than the head has', () => {
    const { stream, decoder, timers } = started({ headFrames: 10 * SECOND })
    stream.keepAhead(8 * SECOND)
    expect(decoder.from).toBeNull()
    stream.keepAhead(9 * SECOND)
    expect(decoder.from).toBe(10 * SECOND)
    timers.pass(1_000)
    expect(decoder.begun).toBe(1)
  })

  it.each([[false], [true]])(
    'what was decoded behind it is let go as it was played, and the head is not: held %s',
    (hold) => {
      const { stream, timers, gone } = started({ headFrames: SECOND, hold })
      timers.pass(250)
      stream.passed(SECOND)
      expect(gone()).toBe(0)
      stream.passed(3 * SECOND)
      stream.close()
      stream.close()
      // From one second to five: two beyond what was played, or all that may be held.
      expect(gone() / 8 / SECOND).toBeCloseTo(4, 3)
    })

  it('it never begins for a run that was over by then', () => {
    const { stream, decoder, timers } = started({ headFrames: 10 * SECOND })
    stream.close()
    timers.pass(1_000)
    expect(decoder.from).toBeNull()
  })
})
