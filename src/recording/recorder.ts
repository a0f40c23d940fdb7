// The flight recorder: every input of the engine as JSON lines; a night can be replayed from it.
//
// What the lines are stands in recording/recording.ts.
//
// A recording is cut into parts of bounded size: FILE, then FILE.1, FILE.2 and so on, each of which
// goes on where the one before ended. The oldest parts but the first go when there are too many.
// An earlier recording is never written over: where FILE is taken, a numbered one is made.
import { createWriteStream, type WriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { EngineEvent } from '../engine/events.js'
import { openNewFile, RECORDING_MODE } from '../io/files/new-file.js'
import {
  EventDigest, type RecordedInput, type RecordedMark, type RecordingHeader,
} from './recording.js'

export interface RecorderOptions {
  readonly file: string
  readonly header: RecordingHeader
  readonly partBytes: number
  readonly parts: number
  /** The time of day: a machine that sleeps is not caught up with by the engine's frames. */
  readonly wallMs: () => number
  /** Hears once of a disk that fails; the show goes on. */
  readonly failed: (message: string) => void
}

export const RECORDER_DEFAULTS = { partBytes: 64 * 1024 * 1024, parts: 8 } as const

/**
 * Lines that wait for the disk, beside the longest one; beyond it they are counted and left out. A
 * large show is one line, and none that follows is lost for it.
 */
const PENDING_BYTES_MAX = 16 * 1024 * 1024

/** Lines are kept until the recording may begin; one that failed takes none any more. */
type Phase =
  | { readonly is: 'waiting'; readonly early: string[] }
  | { readonly is: 'writing'; readonly stream: WriteStream }
  | { readonly is: 'failed' }

export class Recorder {
  readonly #options: RecorderOptions
  readonly #digest = new EventDigest()
  #beginning: Promise<string | null> = Promise.resolve(null)
  #phase: Phase = { is: 'waiting', early: [] }
  #file: string
  #part = 0
  #partBytes = 0
  #longestBytes = 0
  #left = 0
  #at = 0
  /** What of a part is still under way: its last lines to the disk, or its end. */
  readonly #pending = new Map<number, Promise<void>>()

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#file = options.file
    this.#line({ ...options.header })
  }

  /** Makes the file, and answers which; null where none can be made, which is told then. */
  begin(): Promise<string | null> {
    this.#beginning = this.#begin()
    return this.#beginning
  }

  async #begin(): Promise<string | null> {
    try {
      const { file, path } = await openNewFile(this.#options.file)
      this.#file = path
      this.#write(file.createWriteStream())
      return path
    } catch (error) {
      this.#fail(error)
      return null
    }
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
    const { count, hash } = this.#digest
    const mark: RecordedMark = { at, events: count, hash, wallMs: this.#options.wallMs() }
    this.#line(mark)
  }

  /** Resolves when all is on the disk, or cannot be. Nothing is made of one that never began. */
  async close(at: number): Promise<void> {
    this.#line({ at: Math.max(at, this.#at), end: true }, true)
    // A disk may still hang over the making of its file.
    await this.#beginning
    if (this.#phase.is === 'writing') this.#finish(this.#phase.stream)
    await Promise.all(this.#pending.values())
  }

  /** The last line is never left out: it tells how many others were. */
  #line(value: object, isLast = false): void {
    const phase = this.#phase
    if (phase.is === 'failed') return
    const waiting = phase.is === 'writing' ? phase.stream.writableLength : this.#partBytes
    if (waiting > PENDING_BYTES_MAX + this.#longestBytes && !isLast) {
      this.#left += 1
      return
    }
    const gap = this.#left > 0 ? `${JSON.stringify({ at: this.#at, gap: this.#left })}\n` : ''
    this.#left = 0
    const text = `${gap}${JSON.stringify(value)}\n`
    if (phase.is === 'waiting') phase.early.push(text)
    else this.#streamOfPart(phase.stream).write(text)
    const bytes = Buffer.byteLength(text)
    this.#partBytes += bytes
    this.#longestBytes = Math.max(this.#longestBytes, bytes)
  }

  /** The present part's, or the next one's where this one is full. */
  #streamOfPart(stream: WriteStream): WriteStream {
    if (this.#partBytes <= this.#options.partBytes) return stream
    this.#finish(stream)
    this.#part += 1
    this.#deletePart(this.#part - this.#options.parts + 1)
    this.#partBytes = 0
    const next = createWriteStream(this.#nameOf(this.#part), { flags: 'wx', mode: RECORDING_MODE })
    return this.#write(next)
  }

  /** The first part is FILE itself. */
  #nameOf(laterPart: number): string {
    return `${this.#file}.${String(laterPart)}`
  }

  #write(stream: WriteStream): WriteStream {
    stream.on('error', (error) => {
      this.#fail(error)
    })
    if (this.#phase.is === 'waiting') for (const text of this.#phase.early) stream.write(text)
    this.#phase = { is: 'writing', stream }
    return stream
  }

  /** Ends the present part; it may flush for a while beside the next one. */
  #finish(stream: WriteStream): void {
    this.#keepUntil(this.#part, new Promise<void>((resolve) => {
      // One that failed may have closed already: nothing more comes of it.
      if (stream.closed) resolve()
      stream.once('close', resolve)
      stream.end()
    }))
  }

  /** Once it is written: on a slow disk its file may not be there yet. The first part stays. */
  #deletePart(part: number): void {
    if (part <= 0) return
    const written = this.#pending.get(part) ?? Promise.resolve()
    // One that may not be deleted stays.
    const gone = written.then(() => rm(this.#nameOf(part))).catch(() => undefined)
    this.#keepUntil(part, gone)
  }

  #keepUntil(part: number, done: Promise<void>): void {
    this.#pending.set(part, done)
    void done.then(() => {
      if (this.#pending.get(part) === done) this.#pending.delete(part)
    })
  }

  #fail(error: unknown): void {
    const phase = this.#phase
    if (phase.is === 'failed') return
    this.#phase = { is: 'failed' }
    // It may be an earlier part that failed, and nothing more comes into this one.
    if (phase.is === 'writing') this.#finish(phase.stream)
    this.#options.failed(error instanceof Error ? error.message : String(error))
  }
}
