// The pacemaker, the queue's length and the pipe to the device, on a time that is moved by hand.
import { describe, expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { STEREO_FRAME_BYTES, type StereoBlock } from '../../../src/engine/ports.js'
import { Feeder } from '../../../src/io/output/feeder.js'
import { OutgoingFrames } from '../../../src/io/speaker/speaker-outgoing.js'
import { PlainFeed } from '../../../src/io/speaker/speaker-plain.js'
import { FrameQueue } from '../../../src/io/speaker/speaker-queue.js'
import { fixedTarget } from '../../../src/io/speaker/speaker-target.js'
import { HEAD_BYTES, writeHead, type Line } from '../../../src/io/speaker/speaker-wire.js'
import { PassThrough } from 'node:stream'

/** A device that plays in real time, and an engine that counts its frames. */
class Bench {
  on = false
  here = true
  taken: number[] = []
  queue = 0
  more = false
  rendered = 0
  leaps: number[] = []
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
    this.timers, (gapMs) => { this.leaps.push(gapMs) },
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

  it('goes at the pace of the clock after a machine that slept while something sounded', () => {
    const bench = new Bench()
    bench.feeder.start()
    bench.on = true
    bench.feeder.wake()
    bench.play(100)
    bench.timers.stall(3_600_000)
    bench.on = false
    bench.play(100)
    const before = bench.rendered
    bench.play(1_000)
    expect((bench.rendered - before) / 48).toBeCloseTo(1_000, -2)
    bench.feeder.stop()
  })

  it.each([true, false])('tells once that it stood still, while something sounds: %s', (on) => {
    const bench = new Bench()
    bench.timers.pass(60_000)
    bench.feeder.start()
    bench.on = on
    bench.feeder.wake()
    bench.play(100)
    bench.timers.stall(900)
    bench.play(100)
    bench.timers.stall(25_000)
    bench.timers.pass(4_000)
    expect(bench.leaps).toEqual([expect.closeTo(25_000, -2)])
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

/** A device with a stock, and an engine that foresees, whose sound is the number of each frame. */
const stocked = (settled: number, dueAt: number) => {
  const timers = new VirtualTimers(0)
  const outgoing = new OutgoingFrames(2_000)
  const queue = new FrameQueue()
  const [heard, messages]: [number[], number[]] = [[], []]
  let [level, present, foreseen] = [0, 0, 0]
  const fill = (into: StereoBlock, from: number, count: number): void => {
    for (let i = 0; i < count; i += 1) {
      into.left[i] = level === 0 ? 0 : level * (from + i + 1)
      into.right[i] = 0
    }
  }
  const feeder = new Feeder({
    render: (into, count) => {
      fill(into, present, count)
      present += count
    },
    quiet: () => level === 0,
    foresee: (into, count, isAnew) => {
      if (isAnew) foreseen = present
      const due = present <= dueAt ? dueAt : Infinity
      const known = Math.min(count, due - foreseen)
      fill(into, foreseen, known)
      foreseen += known
      return known
    },
  }, {
    queued: () => outgoing.settled() - heard.length, target: () => 1_920, wantsSilence: false,
    take: (block, count, more) => { outgoing.take(block, count, more) },
    flush: () => {
      const bytes = outgoing.message()
      if (bytes === null) return
      messages.push((bytes.length - HEAD_BYTES) / STEREO_FRAME_BYTES)
      queue.room().set(bytes)
      queue.received(bytes.length)
    },
    stock: {
      settled: () => settled, ahead: () => outgoing.ahead(),
      foresee: (block, count) => { outgoing.foresee(block, count) },
      isChanged: () => outgoing.isChanged(),
      revise: () => { outgoing.revise() },
    },
  }, timers, () => undefined)
  feeder.start()
  return {
    feeder, queue, heard, messages, rendered: () => present,
    set: (to: number) => {
      level = to
      feeder.wake()
    },
    hear: (count: number) => {
      const { bytes, offset } = queue.head()
      for (let n = 0; n < count; n += 1) {
        heard.push(bytes.readFloatLE(offset + n * STEREO_FRAME_BYTES))
      }
      queue.drop(count)
      feeder.step()
    },
  }
}

describe('a stock', () => {
  it('is kept foreseen behind what the device needs, and gives way to what comes', () => {
    const path = stocked(240, Infinity)
    path.set(1)
    expect([path.queue.frames(), path.queue.settled(), path.rendered()]).toEqual([1_920, 240, 240])
    for (let turn = 0; turn < 20; turn += 1) path.hear(48)
    expect([path.queue.frames(), path.queue.settled()]).toEqual([1_920, 240])
    // A change is heard behind 240 frames, and not behind 1920; nothing is lost or doubled.
    path.set(-1)
    for (let turn = 0; turn < 20; turn += 1) path.hear(48)
    expect(path.heard).toEqual(Array.from({ length: 1_920 }, (_, n) =>
      n < 960 + 240 ? n + 1 : -(n + 1)))
    // Silence needs no stock.
    path.set(0)
    path.hear(48)
    const { queue } = path
    expect([queue.frames(), queue.settled(), queue.more()]).toEqual([240, 240, false])
  })

  it('sends 10 ms of a change first, then as much again; nothing where nothing changes', () => {
    const path = stocked(240, Infinity)
    path.set(1)
    expect(path.messages.splice(0)).toEqual([240, 512, 512, 656])
    path.hear(48)
    // That 48 of what it has are settled, and what takes their place in stock.
    expect(path.messages.splice(0)).toEqual([0, 48])
    path.set(-1)
    expect(path.messages.splice(0)).toEqual([512, 512, 656])
    path.feeder.wake()
    expect(path.messages).toEqual([])
  })

  it('reaches no further than what is due by itself, and past that once it is close', () => {
    const path = stocked(240, 1_000)
    path.set(1)
    expect([path.queue.frames(), path.rendered()]).toEqual([1_000, 240])
    for (let turn = 0; turn < 10; turn += 1) path.hear(48)
    expect([path.queue.frames(), path.rendered()]).toEqual([520, 720])
    path.hear(48)
    // Ten milliseconds before it is heard it is rendered for good, and foreseen beyond.
    expect([path.queue.frames(), path.rendered()]).toEqual([1_920, 1_001])
    for (let stall = 0; stall < 3; stall += 1) path.hear(1_920)
    expect(path.heard).toEqual(Array.from({ length: 528 + 3 * 1_920 }, (_, n) => n + 1))
  })
})

const message = (
  samples: readonly number[], more: boolean, replaced = 0, open = 0,
): Buffer => {
  const bytes = Buffer.alloc(HEAD_BYTES + samples.length * STEREO_FRAME_BYTES)
  writeHead(bytes, { count: samples.length, more, replaced, open })
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

  it('takes the longest buffer that may be asked for in one message', () => {
    const frames = fixedTarget(200).startFrames
    const queue = new FrameQueue()
    const bytes = message(Array.from({ length: frames }, (_, n) => n + 1), true)
    for (let at = 0; at < bytes.length;) {
      const taken = bytes.copy(queue.room(), 0, at)
      queue.received(taken)
      at += taken
    }
    expect(queue.frames()).toBe(9_600)
  })

  it('gives up what is taken back, and leaves out what comes too late for that', () => {
    const queue = new FrameQueue()
    const receive = (bytes: Buffer): void => {
      bytes.copy(queue.room())
      queue.received(bytes.length)
    }
    const hand = (count: number): number[] => {
      const { bytes, offset } = queue.head()
      const heard = Array.from({ length: count }, (_, n) =>
        bytes.readFloatLE(offset + n * STEREO_FRAME_BYTES))
      queue.drop(count)
      return heard
    }
    receive(message([1, 2, 3, 4, 5, 6], true, 0, 4))
    expect([queue.frames(), queue.settled()]).toEqual([6, 2])
    expect(hand(3)).toEqual([1, 2, 3])
    expect(queue.settled()).toBe(0)
    // 4, 5 and 6 give way; of what comes in place of 3 the first was handed over already.
    receive(message([13, 14, 15, 16, 17], true, 4, 1))
    expect([queue.frames(), queue.settled(), queue.late()]).toEqual([4, 3, 1])
    expect(hand(4)).toEqual([14, 15, 16, 17])
    receive(message([], true, 0, 0))
    receive(message([18], false, 0, 0))
    expect(hand(1)).toEqual([18])
    expect([queue.frames(), queue.late(), queue.more()]).toEqual([0, 1, false])
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
    expect(lines.at(-1)).toMatchObject({ taken: 4, fill: 0, delay: 21_120, underruns: 0 })
  })
})

it('a press right behind the end of a sound does not wait for what is still queued of it', () => {
  const bench = new Bench()
  bench.feeder.start()
  bench.play(100)
  bench.on = true
  bench.feeder.wake()
  bench.play(100)
  bench.on = false
  bench.play(1)
  expect(bench.feeder.isSounding()).toBe(false)
  expect(bench.queue).toBeGreaterThan(500)
  const { rendered } = bench
  // The engine is quiet until it has moved: the file of the command is looked at first.
  bench.feeder.wake()
  expect(bench.rendered).toBeGreaterThan(rendered)
})
