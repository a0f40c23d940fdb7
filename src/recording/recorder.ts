// The flight recorder: every input of the engine as JSON lines; a night can be replayed from it.
//
// What the lines are stands in recording/recording.ts.
//
// A recording is cut into parts of bounded size: FILE, then FILE.1, FILE.2 and so on, each of which
// goes on where the one before ended. The oldest parts but the first go when there are too many.
import { createWriteStream, type WriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { EngineEvent } from '../engine/events.js'
import { EventDigest, type RecordedInput, type RecordingHeader } from './recording.js'

export interface RecorderOptions {
  readonly file: string
  readonly header: RecordingHeader
  readonly partBytes: number
  readonly parts: number
  /** Hears once of a disk that fails; the show goes on. */
  readonly failed: (message: string) => void
}

export const RECORDER_DEFAULTS = { partBytes: 64 * 1024 * 1024, parts: 8 } as const

/** Lines that wait for the disk; beyond it they are counted and left out. */
const PENDING_BYTES_MAX = 16 * 1024 * 1024

export class Recorder {
  readonly #options: RecorderOptions
  readonly #digest = new EventDigest()
  #stream: WriteStream
  #part = 0
  #partBytes = 0
  #left = 0
  #at = 0
  #broken = false
  readonly #finishing = new Set<Promise<void>>()

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#stream = this.#open()
    this.#line({ ...options.header })
  }

  /** A batch of news: what went in, then what the engine told of it. */
  write(inputs: readonly RecordedInput[], events: readonly EngineEvent[]): void {
    for (const input of inputs) {
      this.#at = input.at
      this.#line(input)
    }
    if (events.length === 0) return
    for (const event of events) this.#digest.add(event)
    const at = Math.max(this.#at, ...events.map((event) => event.at))
    this.#at = at
    this.#line({ at, events: this.#digest.count, hash: this.#digest.hash })
  }

  /** Resolves when all is on the disk, or cannot be. */
  async close(at: number): Promise<void> {
    this.#line({ at: Math.max(at, this.#at), end: true })
    this.#finish()
    await Promise.all(this.#finishing)
  }

  #line(value: object): void {
    if (this.#broken) return
    if (this.#stream.writableLength > PENDING_BYTES_MAX) {
      this.#left += 1
      return
    }
    if (this.#partBytes > this.#options.partBytes) this.#nextPart()
    const gap = this.#left > 0 ? `${JSON.stringify({ at: this.#at, gap: this.#left })}\n` : ''
    this.#left = 0
    const text = `${gap}${JSON.stringify(value)}\n`
    this.#partBytes += text.length
    this.#stream.write(text)
  }

  /** Ends the present part; it may flush for a while beside the next one. */
  #finish(): void {
    const stream = this.#stream
    const done = new Promise<void>((resolve) => {
      stream.once('close', resolve)
      stream.end()
    })
    this.#finishing.add(done)
    void done.then(() => this.#finishing.delete(done))
  }

  #nextPart(): void {
    this.#finish()
    this.#part += 1
    const oldest = this.#part - this.#options.parts + 1
    if (oldest > 0) void rm(this.#name(oldest), { force: true })
    this.#stream = this.#open()
  }

  #name(part: number): string {
    return part === 0 ? this.#options.file : `${this.#options.file}.${String(part)}`
  }

  #open(): WriteStream {
    this.#partBytes = 0
    const stream = createWriteStream(this.#name(this.#part))
    stream.on('error', (error) => {
      if (this.#broken) return
      this.#broken = true
      this.#options.failed(error.message)
    })
    return stream
  }
}
