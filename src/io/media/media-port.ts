// The media port over ffmpeg: checks files, opens streams, keeps heads armed. It never blocks.
import { totalmem } from 'node:os'
import type { Asker, Fact, MediaPort, MediaStream, OpenRequest } from '../../engine/ports.js'
import { DISK_PATIENCE_MS } from '../files/disk-patience.js'
import { ReleasedMemory } from './decoded-memory.js'
import { DecoderLink } from './decoder/decoder-link.js'
import type { Inquiring } from './decoder/decoder-messages.js'
import type { Look } from './look/file-look.js'
import { ImageWatch } from './look/image-watch.js'
import { QuickLook } from './look/quick-look.js'
import { HeadStore, type HeadStoreOptions } from './preroll.js'
import type { ArmedButton } from './preroll-entry.js'
import { DecodedStream, type StreamSurroundings } from './media-stream.js'

/** What it hears of files is found by the way. */
export interface FfmpegMediaOptions
  extends Omit<HeadStoreOptions, 'decoding' | 'looking' | 'released'> {
  readonly post: (fact: Fact) => void
  /** The environment of the decoding process: its PATH finds ffmpeg. */
  readonly env: NodeJS.ProcessEnv
  /** The most that one held stream keeps (3.4.8). */
  readonly holdBytes: number
}

/** What this process may use: a container may have less than its machine. */
const memoryBytes = (): number => {
  const bound = process.constrainedMemory()
  return bound > 0 ? Math.min(bound, totalmem()) : totalmem()
}

/**
 * What heads may take, for comfort and at most: an eighth of the memory. In a container of 300 MB
 * (MemoryMax) heads that take 256 end the daemon some seconds after each start.
 */
export const headBounds = (memory: number) => {
  // 1.2 GB are the least heads of 10 000 buttons.
  const mostBytes = Math.min(1_200_000_000, Math.floor(memory / 8))
  return { budgetBytes: Math.min(256 * 1024 * 1024, mostBytes), mostBytes } as const
}

/** What the daemon runs with. */
export const MEDIA_DEFAULTS = {
  holdBytes: 32 * 1024 * 1024,
  ...headBounds(memoryBytes()),
  /** A second for up to 699 buttons, 300 ms from 2330 on: a decoder is there in 60 to 500 ms. */
  headFrames: 48_000,
  leastHeadFrames: 14_400,
  /**
   * Ten seconds outlast any late decoder, twelve hold nearly all stings whole. With thirty the demo
   * show took 22 MB more, for songs that nobody heard any better.
   */
  growFrames: [10 * 48_000, 12 * 48_000],
  recheckMs: 2_000,
} as const

/** Commands are carried out one after the other: a disk that hangs must not keep the next ones. */
const COMMAND_LOOK_MS = 500
/** Where nobody can say how a file is: of a disk that hangs the process tells sooner. */
const CHECK_MS = 4_000

/** It asks `ffmpeg -h` before all else: where that hangs, so does this. */
const SLOW: Look = {
  kind: 'unavailable',
  message: 'the decoding process does not answer: see whether `ffmpeg -h` ends',
}

export class FfmpegMedia implements MediaPort {
  readonly #options: FfmpegMediaOptions
  readonly #link: DecoderLink
  readonly #heads: HeadStore
  readonly #images: ImageWatch
  readonly #quick: QuickLook
  readonly #streams = new Set<DecodedStream>()
  readonly #surroundings: StreamSurroundings

  constructor(options: FfmpegMediaOptions) {
    this.#options = options
    this.#link = new DecoderLink({ env: options.env, timers: options.timers })
    const memory = new ReleasedMemory(options.timers)
    const released = (bytes: number): void => { memory.add(bytes) }
    const { timers, holdBytes, post } = options
    this.#surroundings = { decoding: this.#link, timers, holdBytes, post, released }
    this.#heads = new HeadStore({
      ...options, decoding: this.#link, looking: this.#link, released,
    })
    this.#quick = new QuickLook(options.timers)
    this.#images = new ImageWatch({
      looking: this.#link,
      timers: options.timers,
      everyMs: options.recheckMs,
      replaced: options.replaced,
      firstSeen: options.firstSeen,
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

  /** Replaces the set of images that are watched; called at each change of the catalogue. */
  setImages(paths: Iterable<string>): void {
    this.#images.set(paths)
  }

  /** For questions about files that no stream asks. */
  get files(): Inquiring {
    return this.#link
  }

  check(ticket: number, path: string, asker: Asker): void {
    let told = false
    const tell = (look: Look): void => {
      if (told) return
      told = true
      cancel()
      const found = look.kind === 'file'
      const trouble = look.kind === 'unavailable' ? { trouble: look.message } : {}
      this.#options.post({ kind: 'checked', ticket, found, ...trouble })
    }
    const patienceMs = asker === 'command' ? COMMAND_LOOK_MS : DISK_PATIENCE_MS
    const cancel = this.#options.timers.after(CHECK_MS, () => {
      tell(SLOW)
    })
    const look = (): void => {
      void this.#link.look(path, patienceMs).then((found) => {
        // How a file looks now decides whether its heads still hold.
        for (const { files } of [this.#heads, this.#images]) files.seen(path, found)
        tell(found)
      })
    }
    const seen = this.#heads.files.lastSeen(path) ?? this.#images.files.lastSeen(path)
    const answered = (isSame: boolean | null): void => {
      if (seen !== null && isSame === true) tell(seen.look)
      else look()
    }
    const same = this.#quick.isSame(path, seen)
    if (same instanceof Promise) void same.then(answered)
    else answered(same)
  }

  open(request: OpenRequest): MediaStream {
    const stream = new DecodedStream(request, this.#surroundings, () => {
      this.#streams.delete(stream)
    })
    this.#streams.add(stream)
    stream.start(this.#heads.take(request.path, request.from, request.to))
    return stream
  }

  /** Ends every stream, decoder and background work; resolves once no process is left. */
  closeAll(): Promise<void> {
    this.#heads.close()
    this.#images.close()
    for (const stream of [...this.#streams]) stream.close()
    return this.#link.close()
  }
}
