// The media port over ffmpeg: checks files, opens streams, keeps heads armed. It never blocks.
import type { Fact, MediaPort, MediaStream, OpenRequest } from '../engine/ports.js'
import { DecoderLink } from './decoder-link.js'
import { lookAtFile } from './file-look.js'
import { type ArmedButton, HeadStore } from './heads.js'
import { DecodedStream } from './media-stream.js'

export interface FfmpegMediaOptions {
  readonly post: (fact: Fact) => void
  /** The environment of the decoding process: its PATH finds ffmpeg. */
  readonly env: NodeJS.ProcessEnv
  /** The most that one held stream keeps (3.4.8). */
  readonly holdBytes: number
  /** The most that all armed heads take together. */
  readonly headBytes: number
  /** The length of a head, and the least it may shrink to where there are many buttons. */
  readonly headFrames: number
  readonly leastHeadFrames: number
  readonly recheckMs: number | null
}

/** What the daemon runs with. */
export const MEDIA_DEFAULTS = {
  holdBytes: 32 * 1024 * 1024,
  headBytes: 256 * 1024 * 1024,
  /** A second for up to 699 buttons, 300 ms from 2330 on: a decoder is there in 60 to 500 ms. */
  headFrames: 48_000,
  leastHeadFrames: 14_400,
  recheckMs: 2_000,
} as const

/** A file system that hangs must not keep a command waiting for its whole five seconds. */
const CHECK_MS = 4_000

export class FfmpegMedia implements MediaPort {
  readonly #options: FfmpegMediaOptions
  readonly #link: DecoderLink
  readonly #heads: HeadStore
  readonly #streams = new Set<DecodedStream>()

  constructor(options: FfmpegMediaOptions) {
    this.#options = options
    this.#link = new DecoderLink({ env: options.env })
    this.#heads = new HeadStore({
      decoding: this.#link,
      looking: { look: lookAtFile },
      budgetBytes: options.headBytes,
      headFrames: options.headFrames,
      leastHeadFrames: options.leastHeadFrames,
      recheckMs: options.recheckMs,
    })
  }

  /** Buttons whose head is decoded. */
  get armedHeads(): number {
    return this.#heads.armedHeads
  }

  /** Replaces the set of buttons whose heads are wanted; called at each change of the catalogue. */
  setArmed(list: Iterable<ArmedButton>): void {
    this.#link.warm()
    this.#heads.setArmed(list)
  }

  check(ticket: number, path: string): void {
    if (this.#heads.isFresh(path)) {
      this.#options.post({ kind: 'checked', ticket, found: true })
      return
    }
    let told = false
    const tell = (found: boolean): void => {
      if (told) return
      told = true
      clearTimeout(timer)
      this.#options.post({ kind: 'checked', ticket, found })
    }
    const timer = setTimeout(() => {
      tell(false)
    }, CHECK_MS)
    void this.#look(path).then(tell)
  }

  open(request: OpenRequest): MediaStream {
    const { holdBytes, post } = this.#options
    const stream = new DecodedStream(request, this.#link, holdBytes, post, () => {
      this.#streams.delete(stream)
    })
    this.#streams.add(stream)
    stream.start(this.#heads.take(request.path, request.from, request.to))
    return stream
  }

  /** Ends every stream, decoder and background work; resolves once no process is left. */
  closeAll(): Promise<void> {
    this.#heads.close()
    for (const stream of [...this.#streams]) stream.close()
    return this.#link.close()
  }

  /** How a file looks now decides whether its heads still hold. */
  async #look(path: string): Promise<boolean> {
    const look = await lookAtFile(path)
    this.#heads.verify(path, look)
    return look.kind === 'file'
  }
}
