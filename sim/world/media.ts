// Media of a simulation: position-coded sound with every fault a decoder can have, and a list of
// what was asked of it.
import { frame, type Frame } from '../../src/clock/frame.js'
import type {
  Asker, Fact, MediaPort, MediaStream, OpenRequest, StereoBlock,
} from '../../src/engine/ports.js'
import type { FileSpec } from '../scenario/scenario.js'
import { pathOf } from '../scenario/show.js'

/** What an observer saw of a stream; the model tells by it what could be heard. */
export interface SeenStream {
  readonly request: OpenRequest
  readonly openedAt: number
  closedAt: number | null
}

export interface SeenCheck {
  readonly ticket: number
  readonly path: string
  readonly at: number
}

/** Long enough that no scenario meets its end. */
const ENDLESS = 1_000_000_000_000
const STEPS_MAX = 4_000

/** Left tells the low 16 bits of the frame, right the rest; both exact in f32. */
const leftOf = (at: number): number => ((at % 65_536) + 1) / 131_072
const rightOf = (at: number): number => (Math.floor(at / 65_536) + 1) / 131_072
export const sampleOf = (at: number): readonly [number, number] => [leftOf(at), rightOf(at)]

export class SimMedia implements MediaPort {
  readonly files: FileSpec[]
  readonly streams: SeenStream[] = []
  /** Looks for commands that the model has not met yet. */
  readonly checks: SeenCheck[] = []
  /** Decodes that the model has not met yet, by their button. */
  readonly unclaimed = new Map<string, SeenStream[]>()
  #byPath = new Map<string, number>()
  private now = (): number => 0
  private post: (fact: Fact, at: Frame) => void = () => undefined

  constructor(files: readonly FileSpec[]) {
    this.files = [...files]
    files.forEach((_, n) => this.#byPath.set(pathOf(n), n))
  }

  /** Whom it answers, and the clock that its files keep time by. */
  attach(now: () => number, post: (fact: Fact, at: Frame) => void): void {
    this.now = now
    this.post = post
  }

  fileAt(path: string): FileSpec | null {
    const n = this.#byPath.get(path)
    return n === undefined ? null : this.files[n]!
  }

  check(ticket: number, path: string, asker: Asker): void {
    const file = this.fileAt(path)
    if (asker === 'command') this.checks.push({ ticket, path, at: this.now() })
    const after = file === null ? 0 : file.checkedAfter
    if (after === null) return
    const found = file !== null && !file.missing
    this.post({ kind: 'checked', ticket, found }, frame(this.now() + after))
  }

  takeCheck(path: string, at: number): SeenCheck | null {
    const place = this.checks.findIndex((one) => one.path === path && one.at === at)
    return place < 0 ? null : this.checks.splice(place, 1)[0]!
  }

  open(request: OpenRequest): MediaStream {
    const seen: SeenStream = { request, openedAt: this.now(), closedAt: null }
    this.streams.push(seen)
    const own = this.unclaimed.get(request.buttonId)
    if (own === undefined) this.unclaimed.set(request.buttonId, [seen])
    else own.push(seen)
    const file = this.fileAt(request.path)
    if (file === null) throw new Error(`an open of ${request.path}, which no button names`)
    this.#supply(request, file)
    return {
      read: (at, into, offset, count) => {
        if (seen.closedAt !== null) throw new Error('a read of a closed stream')
        if (at < request.from) throw new Error('a read before the beginning of the stream')
        copy(at, into, offset, count)
      },
      passed: () => undefined,
      keepAhead: () => undefined,
      close: () => {
        seen.closedAt ??= this.now()
      },
    }
  }

  #supply(request: OpenRequest, file: FileSpec): void {
    const { stream, from } = request
    if (file.readyAfter === null) return
    const begin = this.now() + file.readyAfter
    if (file.missing) {
      this.post({ kind: 'broken', stream, message: 'the file is gone' }, frame(begin))
      return
    }
    const source = file.endless ? ENDLESS : file.frames
    const end = Math.min(request.to ?? source, source)
    const breaks = file.breaksAt !== null && file.breaksAt <= end
    const last = breaks ? file.breaksAt : end
    const told = !breaks && !(file.endless && request.to === null)
    const ended = {
      kind: 'ended', stream, end: frame(end), source: end === source ? frame(source) : null,
      held: file.holds && request.hold,
    } as const
    if (told && file.tellsEndEarly) this.post(ended, frame(begin))
    let at = begin
    for (const piece of pieces(from, last, file)) {
      at += piece.wait
      this.post({ kind: 'supplied', stream, until: frame(piece.until) }, frame(at))
    }
    if (told && !file.tellsEndEarly) this.post(ended, frame(at))
    if (breaks) this.post({ kind: 'broken', stream, message: 'the decoder broke' }, frame(at))
  }
}

/** The supply of [from, last) in pieces, each so long after the one before. */
const pieces = (from: number, last: number, file: FileSpec): { until: number; wait: number }[] => {
  const found: { until: number; wait: number }[] = []
  const { step, stall } = file
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

const copy = (at: number, into: StereoBlock, offset: number, count: number): void => {
  for (let i = 0; i < count; i += 1) {
    into.left[offset + i] = leftOf(at + i)
    into.right[offset + i] = rightOf(at + i)
  }
}
