// How much a device reads in one go, by what it has at looks a millisecond apart.
import { describe, expect, it } from 'vitest'
import { QuantumWatch } from '../../../src/io/speaker/speaker-quantum.js'

/** A device that reads `quantum` frames each `everyMs`, looked at each millisecond for a while. */
class Reads {
  readonly watch = new QuantumWatch(true)
  consumed = 0
  #ms = 0

  go(ms: number, quantum: number, everyMs: number, has = 5_760): number {
    for (let n = 1; n <= ms; n += 1) {
      this.#ms += 1
      if (n % everyMs === 0) this.consumed += quantum
      this.watch.observe(this.consumed, has, false, this.#ms)
    }
    return this.watch.frames()
  }

  /** The last rest of a sound is read. */
  end(frames: number): void {
    this.#ms += 1
    this.consumed += frames
    this.watch.observe(this.consumed, 0, true, this.#ms)
  }

  /** Nobody looks for so long. */
  stall(ms: number, read: number): number {
    this.#ms += ms - 1
    return this.go(1, read, 1)
  }
}

describe('what a device reads in one go', () => {
  it('is nothing in particular where it reads as time goes by', () => {
    expect(new Reads().go(200, 48, 1)).toBe(0)
    expect(new Reads().go(200, 126, 1)).toBe(0)
  })

  it('is known after four', () => {
    const reads = new Reads()
    expect(reads.go(63, 1_024, 21)).toBe(0)
    expect(reads.go(21, 1_024, 21)).toBe(1_024)
  })

  it('is not what was read while nobody looked', () => {
    const reads = new Reads()
    for (let n = 0; n < 4; n += 1) expect(reads.stall(20, 960)).toBe(0)
    reads.go(100, 256, 5)
    expect(reads.stall(20, 1_024)).toBe(256)
  })

  it('is not what it reads as it catches up', () => {
    const reads = new Reads()
    reads.go(100, 48, 1)
    expect(reads.go(6, 252, 1)).toBe(0)
    expect(reads.go(100, 48, 1)).toBe(0)
  })

  it('is not the rest of a sound', () => {
    const reads = new Reads()
    reads.go(100, 1_024, 21)
    for (let n = 0; n < 4; n += 1) reads.end(100)
    expect(reads.watch.frames()).toBe(1_024)
  })

  it('becomes less again, and trembles by nothing at another rate', () => {
    const reads = new Reads()
    reads.go(100, 1_024, 21)
    expect(reads.go(40, 256, 5)).toBe(256)
    reads.go(100, 1_115, 23)
    expect(reads.go(100, 1_114, 23)).toBe(1_115)
  })

  it('is more than it has where it said that it ran dry, and reads nothing of that', () => {
    const reads = new Reads()
    reads.go(50, 256, 5)
    reads.watch.ranDry()
    expect(reads.go(4, 0, 5, 560)).toBe(256)
    expect(reads.go(4, 0, 5, 560)).toBe(1_120)
    expect(reads.go(4, 0, 5, 1_000)).toBe(2_000)
  })

  it('is not more than a usual quantum where the server itself is held up for a moment', () => {
    const reads = new Reads()
    reads.go(50, 256, 5)
    reads.watch.ranDry()
    expect(reads.go(300, 0, 5, 5_760)).toBe(256)
    expect(reads.go(200, 0, 5, 5_760)).toBe(8_192)
  })

  it('is more than it has where it read nothing yet, and no card takes so long to begin', () => {
    const reads = new Reads()
    expect(reads.go(300, 0, 5)).toBe(0)
    expect(reads.go(200, 0, 5)).toBe(8_192)
  })
})
