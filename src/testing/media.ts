// Media without files: position-coded sound of any length, with the faults that decoders have.
import { add, frame, type Frame } from '../clock/frame.js'
import type { Fact, MediaPort, MediaStream, OpenRequest, StereoBlock } from '../engine/ports.js'

/** How a decoder supplies a file. All times and positions are frames. */
export interface Decoding {
  /** Length of the source. */
  readonly frames: number
  /** From the open to the first supply; 0 is a warm head, null: it never comes. */
  readonly readyAfter: number | null
  /** The decoder breaks when it has supplied up to this source position; null: it never does. */
  readonly breaksAt: number | null
  /** Supplied in steps of so many frames, each as long after the one before; null: all at once. */
  readonly step: { readonly frames: number; readonly every: number } | null
  /** The supply stands still at this position for so long. */
  readonly stall: { readonly at: number; readonly frames: number } | null
  /** Nobody knows where it ends, not even its decoder. */
  readonly endless: boolean
  /**
   * The end is known from the first supply on, as of a container that tells it; else at the last.
   */
  readonly tellsEndEarly: boolean
  /** Whether a range can be held in memory for a loop. */
  readonly holds: boolean
}

export interface VirtualFile extends Decoding {
  /** Frames between the check and its answer. */
  readonly checkedAfter: Frame
  /** A look at the file says that it is not there. */
  readonly missing: boolean
  /** The sample of a source frame, left and right. */
  readonly sample: (at: Frame) => readonly [number, number]
}

/** Each frame tells its own index: left its low 16 bits, right the rest, both exact in f32. */
export const positionCode = (at: number): readonly [number, number] => [
  ((at % 65_536) + 1) / 131_072,
  (Math.floor(at / 65_536) + 1) / 131_072,
]

/** The frame that a position-coded sample tells, at gain 1. */
export const positionDecode = (left: number, right: number): number =>
  Math.round(left * 131_072) - 1 + (Math.round(right * 131_072) - 1) * 65_536

export const virtualFile = (frames: number, faults: Partial<VirtualFile> = {}): VirtualFile => ({
  frames,
  readyAfter: 0,
  checkedAfter: frame(0),
  missing: false,
  breaksAt: null,
  step: null,
  stall: null,
  endless: false,
  tellsEndEarly: false,
  holds: true,
  sample: positionCode,
  ...faults,
})

export type Post = (fact: Fact, at: Frame) => void

/** Long enough that nobody meets its end. */
const ENDLESS = 1_000_000_000_000
/** A bound on the steps of one supply, so that a mistaken file cannot fill memory. */
const STEPS_MAX = 4_000

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
    } else supply(request, file, this.#now(), this.#post)
    return {
      read: (at, into, offset, count) => {
        if (!this.open$.has(stream)) throw new Error('bug: read after close')
        copySound(file?.sample ?? silence, at, into, offset, count)
      },
      passed: () => undefined,
      keepAhead: () => undefined,
      close: () => {
        this.open$.delete(stream)
      },
    }
  }
}

/** Tells all that the decoder of a stream opened at `now` will have to tell, each at its frame. */
export const supply = (request: OpenRequest, file: Decoding, now: number, post: Post): void => {
  const { stream, from, to } = request
  if (file.readyAfter === null) return
  const begin = now + file.readyAfter
  const source = file.endless ? ENDLESS : file.frames
  const end = Math.min(to ?? source, source)
  const breaks = file.breaksAt !== null && file.breaksAt <= end
  const isTold = !breaks && !(file.endless && to === null)
  const ended = {
    kind: 'ended', stream, end: frame(end), source: end === source ? frame(source) : null,
    held: file.holds && request.hold,
  } as const
  if (isTold && file.tellsEndEarly) post(ended, frame(begin))
  let at = begin
  for (const { until, wait } of pieces(from, breaks ? file.breaksAt : end, file)) {
    at += wait
    post({ kind: 'supplied', stream, until: frame(until) }, frame(at))
  }
  if (isTold && !file.tellsEndEarly) post(ended, frame(at))
  if (breaks) post({ kind: 'broken', stream, message: 'the decoder broke' }, frame(at))
}

/** The supply of [from, last) in pieces, each so long after the one before. */
const pieces = (
  from: number, last: number, { step, stall }: Decoding,
): { until: number; wait: number }[] => {
  const found: { until: number; wait: number }[] = []
  let until = from
  for (let n = 0; n < STEPS_MAX && until < last; n += 1) {
    const before = until
    until = step === null ? last : Math.min(last, until + step.frames)
    let wait = n === 0 || step === null ? 0 : step.every
    if (stall !== null && before < stall.at && stall.at < until) until = stall.at
    else if (stall !== null && before === stall.at) wait += stall.frames
    found.push({ until, wait })
  }
  return found
}

const silence = (): readonly [number, number] => [0, 0]

/** What a decoder that sounds by `sample` reads into a block. */
export const copySound = (
  sample: VirtualFile['sample'], at: Frame, into: StereoBlock, offset: number, count: number,
): void => {
  for (let i = 0; i < count; i += 1) {
    const [left, right] = sample(add(at, i))
    into.left[offset + i] = left
    into.right[offset + i] = right
  }
}
