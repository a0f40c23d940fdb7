// Media of a simulation: position-coded sound, every fault of decoders, a list of what was asked.
import { frame } from '../../src/clock/frame.js'
import type { Asker, MediaPort, MediaStream, OpenRequest } from '../../src/engine/ports.js'
import { copySound, positionCode, supply, type Post } from '../../src/testing/media.js'
import type { FileSpec } from '../scenario/scenario.js'
import { pathOf } from '../scenario/show.js'
import { push } from './lists.js'

export { positionCode }

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

export class SimMedia implements MediaPort {
  readonly files: FileSpec[]
  readonly streams: SeenStream[] = []
  /** Those of them that were not closed yet. */
  readonly opened = new Set<SeenStream>()
  /** Looks for commands that the model has not met yet. */
  readonly checks: SeenCheck[] = []
  /** Passes of loops that the model has not met yet, by their button. */
  readonly passes = new Map<string, SeenStream[]>()
  private now = (): number => 0
  private post: Post = () => undefined

  constructor(files: readonly FileSpec[]) {
    this.files = [...files]
  }

  /** Whom it answers, and the clock that its files keep time by. */
  attach(now: () => number, post: Post): void {
    this.now = now
    this.post = post
  }

  fileAt(path: string): FileSpec | null {
    return this.files.find((_, n) => pathOf(n) === path) ?? null
  }

  check(ticket: number, path: string, asker: Asker): void {
    const file = this.fileAt(path)
    if (asker === 'command') this.checks.push({ ticket, path, at: this.now() })
    const after = file === null ? 0 : file.checkedAfter
    if (after === null) return
    const found = file !== null && !file.missing
    this.post({ kind: 'checked', ticket, found }, frame(this.now() + after))
  }

  open(request: OpenRequest): MediaStream {
    const seen: SeenStream = { request, openedAt: this.now(), closedAt: null }
    this.streams.push(seen)
    this.opened.add(seen)
    if (request.purpose === 'pass') push(this.passes, request.buttonId, seen)
    const file = this.fileAt(request.path)
    if (file === null) throw new Error(`an open of ${request.path}, which no button names`)
    if (file.missing && file.readyAfter !== null) {
      const at = frame(this.now() + file.readyAfter)
      this.post({ kind: 'broken', stream: request.stream, message: 'the file is gone' }, at)
    } else supply(request, file, this.now(), this.post)
    return {
      read: (at, into, offset, count) => {
        if (seen.closedAt !== null) throw new Error('a read of a closed stream')
        if (at < request.from) throw new Error('a read before the beginning of the stream')
        copySound(positionCode, at, into, offset, count)
      },
      passed: () => undefined,
      keepAhead: () => undefined,
      close: () => {
        seen.closedAt ??= this.now()
        this.opened.delete(seen)
      },
    }
  }
}
