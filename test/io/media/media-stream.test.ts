// A stream that is held for its loop: one that outgrows what may be held goes on as others do.
import { expect, it } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import type { Fact, OpenRequest } from '../../../src/engine/ports.js'
import type {
  DecodeListener, DecodeRequest, Decoding,
} from '../../../src/io/media/decoder/decoder-messages.js'
import { DecodedStream } from '../../../src/io/media/media-stream.js'

const SECOND = 48_000

/** A source of so many frames, which is decoded as far as is asked for and no frame further. */
class ExactDecoder implements Decoding {
  #request: DecodeRequest | null = null
  #listener: DecodeListener | null = null
  #at = 0

  constructor(private readonly frames: number) {}

  decode(request: DecodeRequest, listener: DecodeListener): number {
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
  const stream = new DecodedStream(
    request, new ExactDecoder(frames), heldBytes, (fact) => facts.push(fact), () => undefined)
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
  const stream = new DecodedStream(request, new ExactDecoder(60 * SECOND), 0, (fact) => {
    if (fact.kind === 'supplied') told.push(fact.until / SECOND)
  }, () => undefined)
  stream.start(null)
  stream.keepAhead(8 * SECOND)
  stream.passed(5 * SECOND)
  stream.keepAhead(SECOND)
  stream.passed(6 * SECOND)
  stream.passed(14 * SECOND)
  expect(told).toEqual([3, 10, 15, 17])
})
