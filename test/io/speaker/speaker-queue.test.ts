// Frames on their way to the device whose end is taken back, also where it was handed over already.
import { beforeEach, describe, expect, it } from 'vitest'
import { FrameQueue } from '../../../src/io/speaker/speaker-queue.js'
import { HEAD_BYTES, writeHead } from '../../../src/io/speaker/speaker-wire.js'

/** What the device has, and how much of it it still gives back. */
let device: number[]
let mayReturn: number
let queue: FrameQueue
beforeEach(() => {
  device = []
  mayReturn = 0
  queue = new FrameQueue((frames) => {
    const returned = Math.min(frames, mayReturn)
    device.splice(device.length - returned)
    mayReturn -= returned
    return returned
  })
})

/** Frames on both sides, each with its value. */
const send = (values: readonly number[], { replaced = 0, open = 0, more = true } = {}): void => {
  const bytes = Buffer.alloc(HEAD_BYTES + values.length * 8)
  writeHead(bytes, { count: values.length, more, replaced, open })
  values.forEach((value, n) => {
    bytes.writeFloatLE(value, HEAD_BYTES + n * 8)
    bytes.writeFloatLE(value, HEAD_BYTES + n * 8 + 4)
  })
  bytes.copy(queue.room())
  queue.received(bytes.length)
}

const handOver = (frames: number): void => {
  const { bytes, offset } = queue.head()
  for (let n = 0; n < frames; n += 1) device.push(bytes.readFloatLE(offset + n * 8))
  queue.drop(frames)
}

describe('what is taken back', () => {
  it('is replaced where it waits', () => {
    send([1, 2, 3, 4], { open: 3 })
    expect(queue.settled()).toBe(1)
    send([12, 13], { replaced: 3, open: 2 })
    handOver(queue.frames())
    expect([device, queue.late()]).toEqual([[1, 12, 13], 0])
  })

  it('is asked of the device where it has it', () => {
    send([1, 2, 3, 4], { open: 3 })
    handOver(3)
    mayReturn = 2
    send([12, 13, 14], { replaced: 3, open: 3 })
    handOver(queue.frames())
    expect([device, queue.late()]).toEqual([[1, 12, 13, 14], 0])
  })

  it('is left out at its beginning where the device has played that', () => {
    send([1, 2, 3, 4], { open: 3 })
    handOver(4)
    mayReturn = 1
    send([12, 13, 14], { replaced: 3, open: 3 })
    handOver(queue.frames())
    expect([device, queue.late()]).toEqual([[1, 2, 3, 14], 2])
  })

  it('leaves nothing out of the next sound where an end came too late', () => {
    send([1, 2, 3, 4], { open: 3 })
    handOver(4)
    send([12], { replaced: 3, more: false })
    expect([queue.late(), queue.takeBeyondEnd(), queue.takeBeyondEnd()]).toEqual([3, 2, 0])
    send([21, 22, 23], { open: 1 })
    expect(queue.settled()).toBe(2)
    handOver(queue.frames())
    expect(device).toEqual([1, 2, 3, 4, 21, 22, 23])
  })
})
