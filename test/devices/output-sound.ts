// A stand-in for the engine whose every sample tells which one it is, and a record of what happens.
import type { StereoBlock } from '../../src/engine/ports.js'
import type { OutputCallbacks, Renderer } from '../../src/io/output/output.js'

/** Counted samples stay exact in f32 up to here. */
const SCALE = 2 ** 23

/** Sample n of all that sounded, counted from 1. */
export const coded = (n: number): number => Math.fround(n / SCALE)

export class CountingRenderer implements Renderer {
  /** Frames asked for. */
  rendered = 0
  /** Frames of them that sounded. */
  sounded = 0
  on = false
  largest = 0

  render(into: StereoBlock, count: number): void {
    this.rendered += count
    this.largest = Math.max(this.largest, count)
    for (let i = 0; i < count; i += 1) {
      if (this.on) this.sounded += 1
      into.left[i] = this.on ? coded(this.sounded) : 0
      into.right[i] = this.on ? -coded(this.sounded) : 0
    }
  }

  quiet(): boolean {
    return !this.on
  }
}

/** The same with a mark on the right that a command changes: foreseen as it is, frame by frame. */
export class MarkingRenderer extends CountingRenderer {
  mark = 0.25
  /** The mark of each frame that sounded, as it was rendered for good. */
  readonly marks: number[] = []
  #foreseen = 0

  override render(into: StereoBlock, count: number): void {
    super.render(into, count)
    if (!this.on) return
    into.right.fill(this.mark, 0, count)
    for (let i = 0; i < count; i += 1) this.marks.push(this.mark)
  }

  foresee(into: StereoBlock, count: number, isAnew: boolean): number {
    if (isAnew) this.#foreseen = this.sounded
    for (let i = 0; i < count; i += 1) {
      into.left[i] = this.on ? coded(this.#foreseen += 1) : 0
      into.right[i] = this.on ? this.mark : 0
    }
    return count
  }
}

export class Journal implements OutputCallbacks {
  readonly events: {
    readonly what: 'back' | 'lost' | 'absent'
    readonly ms: number
    readonly message: string
  }[] = []
  readonly notices: string[] = []

  back(): void {
    this.events.push({ what: 'back', ms: performance.now(), message: '' })
  }

  lost(message: string): void {
    this.events.push({ what: 'lost', ms: performance.now(), message })
  }

  absent(message: string): void {
    this.events.push({ what: 'absent', ms: performance.now(), message })
  }

  notice(message: string): void {
    this.notices.push(message)
  }

  /** With what was said: why a device was lost is the first thing to know. */
  told(): string[] {
    return this.events.map(({ what, message }) => `${what} ${message}`.trim())
  }

  kinds(): string[] {
    return this.events.map(({ what }) => what)
  }
}

export const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => { setTimeout(resolve, ms) })
