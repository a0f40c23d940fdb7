// The pacemaker, the queue's length and the pipe to the device, on a time that is moved by hand.
import { describe, expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { STEREO_FRAME_BYTES, type StereoBlock } from '../../../src/engine/ports.js'
import { Feeder } from '../../../src/io/output/feeder.js'
import { PlainFeed } from '../../../src/io/speaker/speaker-plain.js'
import { FrameQueue } from '../../../src/io/speaker/speaker-queue.js'
import { QueueTarget, TARGET_LIMITS } from '../../../src/io/speaker/speaker-target.js'
import { HEAD_BYTES, MORE, type Line } from '../../../src/io/speaker/speaker-wire.js'
import { PassThrough } from 'node:stream'

/** A device that plays in real time, and an engine that counts its frames. */
class Bench {
  on = false
  here = true
  taken: number[] = []
  queue = 0
  more = false
  rendered = 0
  readonly timers = new VirtualTimers(0)
  readonly feeder = new Feeder(
    {
      render: (into: StereoBlock, count: number) => {
        for (let i = 0; i < count; i += 1) {
          this.rendered += 1
          into.left[i] = this.on ? this.rendered : 0
          into.right[i] = 0
        }
      },
      quiet: () => !this.on,
    },
    {
      queued: () => (this.here ? this.queue : null),
      target: () => 720,
      wantsSilence: false,
      take: (block, count, more) => {
        this.taken.push(...block.left.subarray(0, count))
        this.queue += count
        this.more = more
      },
      flush: () => undefined,
    },
    this.timers,
    () => undefined,
  )

  play(ms: number): void {
    for (let n = 0; n < ms; n += 1) {
      this.queue = Math.max(0, this.queue - 48)
      this.timers.pass(1)
      if (this.here) this.feeder.step()
    }
  }
}

describe('the feeder', () => {
  it('queues nothing in silence, all that may be queued at a wake, and stays there', () => {
    const bench = new Bench()
    bench.feeder.start()
    bench.play(100)
    expect(bench.queue).toBe(0)
    expect(bench.rendered).toBeGreaterThan(4_500)
    bench.on = true
    bench.feeder.wake()
    expect(bench.queue).toBeGreaterThan(720 - 128)
    expect(bench.queue).toBeLessThanOrEqual(720)
    expect(bench.taken[0]).not.toBe(0)
    bench.play(500)
    expect(bench.queue).toBeGreaterThan(720 - 128 - 48)
    // What was taken is one run of frames: none asked for twice, none passed over.
    const first = bench.taken[0] ?? 0
    bench.taken.forEach((sample, n) => { expect(sample).toBe(first + n) })
  })

  it('hands over to the clock and back without a leap or a step back', () => {
    const bench = new Bench()
    bench.feeder.start()
    for (let ms = 0, turn = 0; ms < 4_000; ms += 100, turn += 1) {
      bench.on = turn % 3 !== 0
      bench.here = turn % 7 !== 0
      if (!bench.here) bench.queue = 0
      bench.feeder.wake()
      bench.play(100)
      const ahead = bench.rendered - (ms + 100) * 48
      expect(ahead).toBeGreaterThanOrEqual(-48 * 5)
      expect(ahead).toBeLessThanOrEqual(720 + 48)
    }
    bench.feeder.stop()
  })

  it('tells the last block before silence from those that others follow', () => {
    const bench = new Bench()
    bench.feeder.start()
    bench.on = true
    bench.feeder.wake()
    expect(bench.more).toBe(true)
    bench.on = false
    bench.play(10)
    expect(bench.more).toBe(false)
    bench.play(50)
    expect(bench.queue).toBe(0)
  })
})

describe('the queue', () => {
  it('grows after an underrun, never beyond its bound, and stays grown', () => {
    const target = new QueueTarget(TARGET_LIMITS)
    expect(target.frames()).toBe(720)
    target.underrun(5)
    expect(target.frames()).toBe(1_080)
    for (let second = 0; second < 100; second += 1) target.observe(900, second * 1_000)
    expect(target.frames()).toBe(1_080)
    for (let n = 0; n < 5; n += 1) target.underrun(5)
    expect(target.frames()).toBe(1_920)
  })

  it('shrinks while it has more than it needs, and learns nothing from a stall', () => {
    const target = new QueueTarget(TARGET_LIMITS)
    target.underrun(500)
    expect(target.frames()).toBe(720)
    for (let second = 0; second < 1_000; second += 1) target.observe(400, second * 1_000)
    expect(target.frames()).toBe(480)
    target.restart()
    for (let second = 1_000; second < 1_012; second += 1) target.observe(20, second * 1_000)
    expect(target.frames()).toBe(576)
  })
})

const message = (samples: number[], more: boolean): Buffer => {
  const bytes = Buffer.alloc(HEAD_BYTES + samples.length * STEREO_FRAME_BYTES)
  bytes.writeUInt32LE(more ? samples.length + MORE : samples.length, 0)
  samples.forEach((sample, n) => {
    bytes.writeFloatLE(sample, HEAD_BYTES + n * STEREO_FRAME_BYTES)
  })
  return bytes
}

describe('the sound process', () => {
  it('puts messages together however the pipe cuts them', () => {
    const whole = Buffer.concat([message([1, 2, 3], true), message([4, 5], false)])
    for (let cut = 1; cut < whole.length; cut += 1) {
      const queue = new FrameQueue()
      for (const part of [whole.subarray(0, cut), whole.subarray(cut)]) {
        part.copy(queue.room())
        queue.received(part.length)
      }
      const { bytes, offset } = queue.head()
      const heard = [0, 1, 2, 3, 4].map((n) => bytes.readFloatLE(offset + n * STEREO_FRAME_BYTES))
      expect(heard).toEqual([1, 2, 3, 4, 5])
      expect(queue.frames()).toBe(5)
      expect(queue.more()).toBe(false)
    }
  })

  it('plays through the addon as it comes, and ends with its input', async () => {
    const heard: number[] = []
    const lines: Line[] = []
    const input = new PassThrough()
    const finished = new Promise<string | null>((resolve) => {
      new PlainFeed({
        MPG123_ENC_FLOAT_32: 512,
        open: () => ({}),
        write: (_handle, bytes) => {
          const view = Buffer.from(bytes)
          for (let at = 0; at < view.length; at += STEREO_FRAME_BYTES) {
            heard.push(view.readFloatLE(at))
          }
          return Promise.resolve(view.length)
        },
      }, {}, new VirtualTimers(0), (line) => { lines.push(line) }, resolve).run(input)
    })
    input.write(message([1, 2, 3], true))
    input.end(message([4], false))
    expect(await finished).toBeNull()
    expect(heard).toEqual([1, 2, 3, 4])
    expect(lines.at(-1)).toEqual([4, 0, 21_120, 0])
  })
})
