// The addon as it comes: all that is sent is written, in long pieces, until it takes no more.
import { EventEmitter } from 'node:events'
import { beforeEach, expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { PlainFeed } from '../../../src/io/speaker/speaker-plain.js'
import { HEAD_BYTES, writeHead, type Line } from '../../../src/io/speaker/speaker-wire.js'

const turns = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await new Promise((turn) => setImmediate(turn))
}

let timers: VirtualTimers
/** In place of a pipe. */
let input: EventEmitter
let lines: Line[]
let writes: number[]
let ends: (string | null)[]
/** What a write comes to; null: it takes its time. */
let outcome: ((bytes: number) => Promise<number>) | null
let settle: () => void
beforeEach(() => {
  timers = new VirtualTimers(0)
  input = new EventEmitter()
  lines = []
  writes = []
  ends = []
  outcome = (bytes) => Promise.resolve(bytes)
  new PlainFeed({
    MPG123_ENC_FLOAT_32: 512,
    open: () => ({}),
    write: (_handle, { length }) => {
      writes.push(length / 8)
      return outcome === null
        ? new Promise((done) => (settle = () => done(length)))
        : outcome(length)
    },
  }, {}, timers, (line) => { lines.push(line) }, (message) => ends.push(message))
    .run(input as unknown as NodeJS.ReadableStream)
})

const send = (frames: number, more = true): void => {
  const bytes = Buffer.alloc(HEAD_BYTES + frames * 8)
  writeHead(bytes, { count: frames, more, replaced: 0, open: 0 })
  input.emit('data', bytes)
}

it('one write at a time, of 2048 frames at most', async () => {
  outcome = null
  send(5_000)
  await turns()
  expect(writes).toEqual([2_048])
  for (let n = 0; n < 2; n += 1) {
    settle()
    await turns()
  }
  expect(writes).toEqual([2_048, 2_048, 904])
  settle()
  await turns()
  expect(lines.at(-1)).toMatchObject({ taken: 5_000, fill: 0, target: 720, underruns: 0, late: 0 })
  expect(ends).toEqual([])
})

it('what waits is told as such, four times a second at least', async () => {
  outcome = null
  send(3_000)
  await turns()
  lines.length = 0
  timers.pass(1_000)
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatchObject({ taken: 3_000, fill: 3_000, delay: 24_120 })
})

it.each([
  ['takes less than it is given', () => Promise.resolve(8), 'the device takes no more sound'],
  ['fails', () => Promise.reject(new Error('no device')), 'Error: no device'],
])('a device that %s is lost, once', async (_what, fails, message) => {
  outcome = fails
  send(480)
  send(480)
  await turns()
  input.emit('end')
  await turns()
  expect(ends).toEqual([message])
  const told = lines.length
  timers.pass(5_000)
  expect(lines.length).toBe(told)
})

it('after very many writes a fresh process takes over, once all was heard', async () => {
  for (let n = 0; n <= 100_000; n += 1) {
    send(1)
    // The write is done, and that is told.
    for (let each = 0; each < 4; each += 1) await Promise.resolve()
  }
  expect(writes).toHaveLength(100_001)
  // Another frame is promised: a pause here would be heard.
  expect(ends).toEqual([])
  send(1)
  await turns()
  expect(ends).toEqual([])
  timers.pass(5_000)
  expect(ends).toEqual([])
  // The device still has up to 440 ms of it.
  send(0, false)
  await turns()
  timers.pass(900)
  expect(ends).toEqual([])
  send(1, false)
  await turns()
  timers.pass(900)
  expect(ends).toEqual([])
  timers.pass(100)
  expect(ends).toEqual(['a fresh sound process takes over'])
})
