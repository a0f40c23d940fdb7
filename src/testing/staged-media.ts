// Media of a test player: named files of a stated length, decoded just in time, heard by impulses.
//
// Nothing is decoded further ahead than the player is about to move, so that a decoder which a test
// breaks is heard to break at once. While the ear listens, the streams sound one after another, one
// frame each, so that what the mixer puts out tells the gain of every single one.
import { add, earlier, frame, later, type Frame } from '../clock/frame.js'
import type { Fact, MediaPort, MediaStream, OpenRequest } from '../engine/ports.js'

export interface StagedFile {
  readonly frames: Frame
  /** From the open to the first sound. */
  readonly readyAfter: Frame
  /** The decoder breaks when it reaches this position; null: it never does. */
  readonly breaksAt: Frame | null
}

export interface OpenStream {
  readonly stream: number
  readonly buttonId: string
  readonly path: string
  /** The position that is read next. */
  position: Frame
}

interface Staged extends OpenStream {
  readonly readyAt: Frame
  readonly end: Frame
  readonly breaksAt: Frame | null
  supplied: Frame
  broken: boolean
}

/** One stream as it was read while the ear listened. */
export interface Reading {
  readonly stream: OpenStream
  /** The engine's frame at which `position` was read. */
  readonly at: Frame
  readonly position: Frame
  /** The frame at which this stream alone sounds, counted from the beginning of listening. */
  readonly turn: number
}

type Post = (fact: Fact, at: Frame) => void

export class StagedMedia implements MediaPort {
  readonly files = new Map<string, StagedFile>()
  readonly #open = new Map<number, Staged>()
  #post: Post = () => undefined
  #now: () => Frame = () => frame(0)
  /** How far the player is about to move. */
  #horizon: Frame = frame(0)
  #listening: { readonly since: Frame; readonly turns: Map<number, number> } | null = null
  #readings: Reading[] = []

  attach(post: Post, now: () => Frame): void {
    this.#post = post
    this.#now = now
    this.#open.clear()
    this.#horizon = now()
  }

  check(ticket: number, path: string): void {
    this.#post({ kind: 'checked', ticket, found: this.files.has(path) }, this.#now())
  }

  open(request: OpenRequest): MediaStream {
    const { stream, buttonId, path, from } = request
    const now = this.#now()
    const file = this.files.get(path) ?? null
    const frames = file?.frames ?? from
    const end = earlier(request.to ?? frames, frames)
    const staged: Staged = {
      stream, buttonId, path, position: from, end, supplied: from, broken: false,
      readyAt: add(now, file?.readyAfter ?? 0), breaksAt: file?.breaksAt ?? null,
    }
    this.#open.set(stream, staged)
    if (file === null) this.#break(staged, now, 'the file is gone')
    else {
      const source = end === frames ? frames : null
      this.#post({ kind: 'ended', stream, end, source, held: false }, staged.readyAt)
      this.#supply(staged, now)
    }
    return {
      read: (at, into, offset, count) => {
        into.left.fill(0, offset, offset + count)
        into.right.fill(0, offset, offset + count)
        this.#sound(staged, at, into.left, offset, count)
      },
      passed: (at) => {
        staged.position = at
      },
      keepAhead: () => undefined,
      close: () => {
        this.#open.delete(stream)
      },
    }
  }

  /** Decodes as much as it takes to move to `horizon`, and a frame more so that nothing starves. */
  feed(horizon: Frame): void {
    this.#horizon = horizon
    for (const staged of this.#open.values()) this.#supply(staged, this.#now())
  }

  /** Breaks every decoder of a button; answers whether there was one. */
  breakDecoders(buttonId: string, message: string): boolean {
    const mine = [...this.#open.values()].filter((staged) => staged.buttonId === buttonId)
    for (const staged of mine) this.#break(staged, this.#now(), message)
    return mine.length > 0
  }

  /** From now on each stream sounds for one frame in its turn; answers the number of turns. */
  listen(): number {
    const turns = new Map([...this.#open.keys()].map((stream, turn) => [stream, turn]))
    this.#listening = { since: this.#now(), turns }
    this.#readings = []
    return turns.size
  }

  /** What was read since `listen`. */
  heard(): readonly Reading[] {
    this.#listening = null
    return this.#readings
  }

  get streams(): number {
    return this.#open.size
  }

  #supply(staged: Staged, now: Frame): void {
    if (staged.broken) return
    const at = later(now, staged.readyAt)
    const ahead = Math.max(0, this.#horizon - at) + 1
    const wanted = earlier(add(staged.position, ahead), staged.end)
    const { breaksAt, stream } = staged
    const until = breaksAt === null ? wanted : earlier(wanted, breaksAt)
    if (until > staged.supplied) {
      staged.supplied = until
      this.#post({ kind: 'supplied', stream, until }, at)
    }
    if (breaksAt !== null && wanted >= breaksAt) {
      this.#break(staged, at, 'the decoder broke')
    }
  }

  #break(staged: Staged, at: Frame, message: string): void {
    staged.broken = true
    this.#post({ kind: 'broken', stream: staged.stream, message }, at)
  }

  #sound(staged: Staged, at: Frame, left: Float32Array, offset: number, count: number): void {
    if (this.#listening === null) return
    const { since, turns } = this.#listening
    const turn = turns.get(staged.stream)
    if (turn === undefined) return
    const first = this.#now() - since
    if (turn >= first && turn < first + count) left[offset + turn - first] = 1
    this.#readings.push({ stream: staged, at: this.#now(), position: at, turn })
  }
}
