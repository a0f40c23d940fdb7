// What is sent to the sound process: what it does not have yet, in the order of frames.
import { expect, it } from 'vitest'
import { OutgoingFrames } from '../../../src/io/speaker/speaker-outgoing.js'
import { HEAD_BYTES, readHead } from '../../../src/io/speaker/speaker-wire.js'

const MOST = 480

const block = (count: number, value: number) =>
  ({ left: new Float32Array(count).fill(value), right: new Float32Array(count).fill(-value) })

/** What the process is told, and what it is to hear on the left. */
const sent = (outgoing: OutgoingFrames) => {
  const message = outgoing.message()
  if (message === null) return null
  const { count, replaced, open } = readHead(Buffer.from(message.buffer), 0)
  const sound = new Float32Array(message.buffer, HEAD_BYTES)
  return { count, replaced, open, left: [...sound].filter((_, at) => at % 2 === 0) }
}

it('goes on from its first frame at another device, however much the one before had', () => {
  const outgoing = new OutgoingFrames(MOST)
  for (let n = 1; n <= 20; n += 1) {
    outgoing.take(block(MOST, n), MOST, true)
    expect(sent(outgoing)?.left).toEqual(Array<number>(MOST).fill(n))
  }
  outgoing.restart()
  expect(outgoing.settled()).toBe(0)
  outgoing.take(block(3, 0.5), 3, true)
  outgoing.foresee(block(2, 0.25), 2)
  expect(sent(outgoing))
    .toEqual({ count: 5, replaced: 0, open: 2, left: [0.5, 0.5, 0.5, 0.25, 0.25] })
})

it('sends again, of what was foreseen, what is another sound now', () => {
  const outgoing = new OutgoingFrames(MOST)
  outgoing.take(block(4, 1), 4, true)
  outgoing.foresee(block(8, 2), 8)
  expect(sent(outgoing)).toMatchObject({ count: 12, replaced: 0, open: 8 })
  expect(sent(outgoing)).toBeNull()
  outgoing.revise()
  outgoing.foresee(block(5, 2), 5)
  outgoing.foresee(block(3, 3), 3)
  expect(sent(outgoing)).toEqual({ count: 3, replaced: 3, open: 8, left: [3, 3, 3] })
})
