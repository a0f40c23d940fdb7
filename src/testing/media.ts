// Media without files: position-coded sound of any length, with the faults that decoders have.
import { add, earlier, frame, type Frame } from '../clock/frame.js'
import type { Fact, MediaPort, MediaStream, OpenRequest, StereoBlock } from '../engine/ports.js'

export interface VirtualFile {
  /** Length of the source in frames. */
  readonly frames: Frame
  /** Frames between the open and the first supply; 0 is a warm head. */
  readonly readyAfter: Frame
  /** Frames between the check and its answer. */
  readonly checkedAfter: Frame
  /** A look at the file says that it is not there. */
  readonly missing: boolean
  /** The decoder breaks when it has supplied up to this source position; null: it never does. */
  readonly breaksAt: Frame | null
  /** Supplied in steps of so many frames, each as long after the one before; null: all at once. */
  readonly step: { readonly frames: Frame; readonly every: Frame } | null
  /**
   * The end is known from the first supply on, as of a container that tells it; else at the last.
   */
  readonly endTold: boolean
  /** Whether a range can be held in memory for a loop. */
  readonly holds: boolean
  /** The sample of a source frame, left and right. */
  readonly sample: (at: Frame) => readonly [number, number]
}

/** Each frame tells its own index: left its low 16 bits, right the rest, both exact in f32. */
const positionCode = (at: Frame): readonly [number, number] => [
  ((at % 65_536) + 1) / 131_072,
  (Math.floor(at / 65_536) + 1) / 131_072,
]

/** The frame that a position-coded sample tells, at gain 1. */
export const positionDecode = (left: number, right: number): number =>
  Math.round(left * 131_072) - 1 + (Math.round(right * 131_072) - 1) * 65_536

export const virtualFile = (frames: number, faults: Partial<VirtualFile> = {}): VirtualFile => ({
  frames: frame(frames),
  readyAfter: frame(0),
  checkedAfter: frame(0),
  missing: false,
  breaksAt: null,
  step: null,
  endTold: false,
  holds: true,
  sample: positionCode,
  ...faults,
})

type Post = (fact: Fact, at: Frame) => void

/** A bound on the steps of one supply, so that a mistaken file cannot fill memory. */
const STEPS_MAX = 100_000

export class VirtualMedia implements MediaPort {
  readonly files = new Map<string, VirtualFile>()
  /** Streams that are open now; a test looks here for leaks. */
  readonly open$ = new Set<number>()
  #post: Post = () => {
    throw new Error('bug: not attached to an engine')
  }
  #now: () => Frame = () => frame(0)

  attach(post: Post, now: () => Frame): void {
    this.#post = post
    this.#now = now
  }

  check(ticket: number, path: string): void {
    const file = this.files.get(path)
    const found = file !== undefined && !file.missing
    this.#post({ kind: 'checked', ticket, found }, add(this.#now(), file?.checkedAfter ?? 0))
  }

  open(request: OpenRequest): MediaStream {
    const file = this.files.get(request.path)
    const { stream } = request
    this.open$.add(stream)
    if (file === undefined) {
      this.#post({ kind: 'broken', stream, message: 'no such file' }, this.#now())
    } else this.#supply(request, file)
    return {
      read: (at, into, offset, count) => {
        if (!this.open$.has(stream)) throw new Error('bug: read after close')
        copy(file, at, into, offset, count)
      },
      passed: () => undefined,
      keepAhead: () => undefined,
      close: () => {
        this.open$.delete(stream)
      },
    }
  }

  #supply(request: OpenRequest, file: VirtualFile): void {
    const { stream, from } = request
    const end = earlier(request.to ?? file.frames, file.frames)
    const breaks = file.breaksAt
    const last = breaks === null ? end : earlier(breaks, end)
    const first = add(this.#now(), file.readyAfter)
    let at = first
    if (file.step !== null) {
      let until = from
      for (let n = 0; n < STEPS_MAX && until < last; n += 1) {
        until = earlier(add(until, file.step.frames), last)
        this.#post({ kind: 'supplied', stream, until }, at)
        if (until < last) at = add(at, file.step.every)
      }
    } else if (last > from) this.#post({ kind: 'supplied', stream, until: last }, at)
    if (breaks !== null && breaks <= end) {
      this.#post({ kind: 'broken', stream, message: 'the decoder broke' }, at)
      return
    }
    const held = file.holds && request.hold
    const source = end === file.frames ? end : null
    this.#post({ kind: 'ended', stream, end, source, held }, file.endTold ? first : at)
  }
}

const copy = (
  file: VirtualFile | undefined, at: Frame, into: StereoBlock, offset: number, count: number,
): void => {
  for (let i = 0; i < count; i += 1) {
    const [left, right] = file?.sample(add(at, i)) ?? [0, 0]
    into.left[offset + i] = left
    into.right[offset + i] = right
  }
}
