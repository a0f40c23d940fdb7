// The loop of the sound process over a device that says what it is told to: what counts as a gap.
import { describe, expect, test } from 'vitest'
import type { Timers } from '../../../src/clock/timers.js'
import { DEVICE, type LiveAddon } from '../../../src/io/speaker/speaker-addon.js'
import { LiveDevice } from '../../../src/io/speaker/speaker-device.js'
import { LiveFeed } from '../../../src/io/speaker/speaker-live.js'
import { limitsOf, MARGIN_LIMITS, TARGET_LIMITS } from '../../../src/io/speaker/speaker-target.js'
import {
  HEAD_BYTES, writeHead, type Line, type Report,
} from '../../../src/io/speaker/speaker-wire.js'

const message = (count: number, more: boolean, { replaced = 0, open = 0 } = {}): Buffer => {
  const bytes = Buffer.alloc(HEAD_BYTES + count * 8)
  writeHead(bytes, { count, more, replaced, open })
  return bytes
}

/** A server that takes all at once, and tells `sinceDry` at the looks at which it is to. */
class Rig {
  now = 0
  fill = 0
  sinceDry = -1
  readonly #inbox: Buffer[] = []
  readonly #lines: Line[] = []
  readonly #steps: ReturnType<LiveFeed['run']>

  constructor() {
    const addon: LiveAddon = {
      MPG123_ENC_FLOAT_32: 0,
      open: () => ({}),
      write: () => Promise.reject(new Error('not used')),
      tryWrite: (_handle, _bytes, _offset, frames) => {
        this.fill += frames
        return frames
      },
      takeBack: (_handle, frames) => {
        const taken = Math.min(frames, this.fill)
        this.fill -= taken
        return taken
      },
      queue: (_handle, into) => {
        into.fill(0)
        into[DEVICE.fill] = this.fill
        into[DEVICE.delay] = this.fill
        into[DEVICE.takesBack] = 1
        into[DEVICE.sinceDry] = this.sinceDry
        this.sinceDry = -1
        return 0
      },
      explain: String,
      close: () => undefined,
      waitReadable: () => false,
    }
    const read = (into: Buffer): number => this.#inbox.shift()?.copy(into) ?? 0
    const timers = { nowMs: () => this.now } as unknown as Timers
    const tell = (line: Line): void => void this.#lines.push(line)
    const limitsFor = (quantum: number) => limitsOf(TARGET_LIMITS, true, quantum, null)
    const device = new LiveDevice(addon, {})
    const feed = new LiveFeed(device, read, timers, tell, MARGIN_LIMITS, limitsFor)
    this.#steps = feed.run()
    this.#steps.next()
  }

  /** A millisecond goes by, and what is sent has come. */
  turn(sent: Buffer | null = null): void {
    this.now += 1
    if (sent !== null) this.#inbox.push(sent)
    this.#steps.next(sent !== null)
  }

  report(): Report {
    const report = this.#lines.findLast((line): line is Line & Report => 'underruns' in line)
    if (report === undefined) throw new Error('nothing was reported')
    return report
  }

  /** For a second nothing comes, so that all was reported. */
  underruns(): number {
    for (let n = 0; n < 1_000; n += 1) this.turn()
    return this.report().underruns
  }
}

describe('a server that says that it ran dry', () => {
  test('at the end of a sound, before anyone looked again: that is no gap', () => {
    const rig = new Rig()
    rig.turn(message(480, true))
    rig.turn(message(40, false))
    // Less than a millisecond was left of it.
    Object.assign(rig, { fill: 0, sinceDry: 0 })
    expect(rig.underruns()).toBe(0)
  })

  test('while more is to come: that is one', () => {
    const rig = new Rig()
    rig.turn(message(480, true))
    Object.assign(rig, { fill: 0, sinceDry: 0 })
    expect(rig.underruns()).toBe(1)
  })

  test('before the last frames of a sound were there: that is one as well', () => {
    const rig = new Rig()
    rig.turn(message(480, true))
    rig.turn(message(40, false))
    rig.sinceDry = 40
    expect(rig.underruns()).toBe(1)
  })

  test('not at all, where a change came too late and its rest is on its way: that is none', () => {
    const rig = new Rig()
    rig.turn(message(480, true, { open: 480 }))
    // All but these was read by the time of the change, whose first 480 frames are too late.
    rig.fill = 20
    rig.turn(message(460, true, { replaced: 480, open: 460 }))
    rig.turn()
    rig.turn(message(480, true))
    expect([rig.fill, rig.underruns()]).toEqual([480, 0])
  })
})

describe('a server that reads a quantum at a time, and nothing of less', () => {
  /** Each 21 ms it reads 1024 frames, and gets as many as its owner is asked for. */
  const play = (rig: Rig, quanta: number): void => {
    for (let ms = 0; ms < quanta * 21; ms += 1) {
      if (ms % 21 === 20 && rig.fill >= 1_024) rig.fill -= 1_024
      const { fill, target } = rig.report()
      const wanted = target - fill
      rig.turn(wanted > 0 ? message(wanted, true) : null)
    }
  }

  test('is to have more than that for good, so that it never stands still', () => {
    const rig = new Rig()
    rig.turn(message(5_760, true))
    play(rig, 5)
    expect(rig.report().target).toBe(MARGIN_LIMITS.startFrames + 1_024 - 64)
    play(rig, 20)
    const { taken, fill, underruns } = rig.report()
    expect([taken - fill, underruns]).toEqual([25 * 1_024, 0])
  })

  test('and stands still, having less: it is asked for more until it reads on', () => {
    const rig = new Rig()
    rig.turn(message(560, true))
    rig.sinceDry = 560
    play(rig, 6)
    expect(rig.report().taken - rig.report().fill).toBeGreaterThan(1_024)
  })
})
