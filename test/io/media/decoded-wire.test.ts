// What was decoded comes out of the socket as it went in, wherever the system cut it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DecodedReader, partsOf } from '../../../src/io/media/decoder/decoded-wire.js'
import type { JobMessage } from '../../../src/io/media/decoder/decoder-messages.js'

const job = fc.maxSafeInteger().map(Math.abs)
const side = (length: number) =>
  fc.array(fc.float({ noNaN: true }), { minLength: length, maxLength: length })
    .map((samples) => Float32Array.from(samples))
const message: fc.Arbitrary<JobMessage> = fc.oneof(
  fc.integer({ min: 1, max: 40 }).chain((count) =>
    fc.record({ kind: fc.constant('pcm' as const), job, left: side(count), right: side(count) })),
  fc.record({ kind: fc.constant('silence' as const), job, count: fc.nat() }),
  fc.record({
    kind: fc.constant('done' as const), job, end: fc.nat(), source: fc.option(fc.nat()),
  }),
  fc.record({ kind: fc.constant('failed' as const), job, message: fc.string({ unit: 'binary' }) }),
)

describe('what was decoded', () => {
  it('is read as it was written, in order, however it is cut', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 })
    fc.assert(fc.property(fc.array(message), cuts, (messages, lengths) => {
      const bytes = Buffer.concat(messages.flatMap(partsOf))
      const heard: JobMessage[] = []
      const reader = new DecodedReader((one) => heard.push(one))
      // It is read into memory that is used again.
      const memory = Buffer.alloc(90)
      for (let at = 0, n = 0; at < bytes.length; n += 1) {
        const count = bytes.copy(memory, 0, at, at + lengths[n % lengths.length]!)
        reader.read(memory, count)
        at += count
      }
      expect(heard).toEqual(messages)
    }))
  })

  // Fifty media and fifty images of a large show are looked at every two seconds, a job each: in
  // less than three years these were more than 32 bits hold, and from then on nothing was decoded.
  it('is heard of the job that it is of after years, too', () => {
    const heard: JobMessage[] = []
    const reader = new DecodedReader((one) => heard.push(one))
    const [left, right] = [Float32Array.of(0.25), Float32Array.of(-0.5)]
    for (const job of [2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 25 * 50 * 365 * 86_400]) {
      const bytes = Buffer.concat(partsOf({ kind: 'pcm', job, left, right }))
      reader.read(bytes, bytes.length)
      expect(heard.splice(0)).toEqual([{ kind: 'pcm', job, left, right }])
    }
  })
})
