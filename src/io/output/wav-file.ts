// A WAV file that grows: written behind a bounded queue, valid on disk at every second.
import { rm, type FileHandle } from 'node:fs/promises'
import type { Timers } from '../../clock/timers.js'
import { STEREO_FRAME_BYTES, type StereoBlock } from '../../engine/ports.js'
import { openNewFile } from '../files/new-file.js'
import { WAV_HEADER_BYTES, wavHeader } from './wav-header.js'

/** A piece is handed to the disk when it holds this much: a sixth of a second. */
const PIECE_FRAMES = 8_192
/** A disk that is this far behind has failed: 22 s of sound, 8 MB. */
const PIECES_WAITING = 128
const HEADER_EVERY_MS = 1_000

export class WavFile {
  private piece = Buffer.allocUnsafe(PIECE_FRAMES * STEREO_FRAME_BYTES)
  private filled = 0
  private readonly waiting: Buffer[] = []
  private writing: Promise<void> = Promise.resolve()
  private busy = false
  private written = 0
  private headerAt = 0
  private failure: Error | null = null

  private constructor(
    /** Where it is: the path that was asked for, or a numbered one beside it. */
    readonly path: string,
    private readonly file: FileHandle,
    private readonly timers: Timers,
    private readonly failed: (error: Error) => void,
  ) {}

  /** What is there is kept. @param failed is called once, when a write fails. */
  static async create(
    asked: string, timers: Timers, failed: (error: Error) => void,
  ): Promise<WavFile> {
    const { file, path } = await openNewFile(asked)
    try {
      await writeAll(file, wavHeader(0), 0)
    } catch (error) {
      // It is ours and holds nothing: each further try on a full disk would leave one more.
      await file.close().catch(() => undefined)
      await rm(path, { force: true }).catch(() => undefined)
      throw error
    }
    return new WavFile(path, file, timers, failed)
  }

  append(block: StereoBlock, count: number): void {
    if (this.failure !== null) return
    for (let i = 0; i < count; i += 1) {
      this.piece.writeFloatLE(block.left[i] ?? 0, this.filled)
      this.piece.writeFloatLE(block.right[i] ?? 0, this.filled + 4)
      this.filled += STEREO_FRAME_BYTES
      if (this.filled === this.piece.length && !this.cut()) return
    }
  }

  /**
   * Writes what is there and closes; the header tells the true length. Behind a failure sound is
   * missing: what came since is no part of the recording. One that got none at all is taken away,
   * or each try on a disk that has room for a header only would leave one more.
   */
  async close(): Promise<void> {
    if (this.filled > 0 && this.failure === null) this.cut()
    this.pump()
    await this.writing
    try {
      if (this.failure !== null && this.written === 0) await rm(this.path)
      else {
        await writeAll(this.file, wavHeader(this.written), 0)
        await this.file.sync()
      }
    } catch (error) {
      this.fail(error)
    } finally {
      await this.file.close().catch(() => undefined)
    }
  }

  /** False where that many wait that nothing more is taken. */
  private cut(): boolean {
    if (this.waiting.length >= PIECES_WAITING) {
      this.fail(new Error('the disk is too slow for the recording'))
      return false
    }
    this.waiting.push(this.piece.subarray(0, this.filled))
    this.piece = Buffer.allocUnsafe(PIECE_FRAMES * STEREO_FRAME_BYTES)
    this.filled = 0
    this.pump()
    return true
  }

  private pump(): void {
    if (this.busy) return
    this.busy = true
    this.writing = this.drain().catch((error: unknown) => {
      this.busy = false
      this.fail(error)
    })
  }

  private async drain(): Promise<void> {
    // Bounded: `append` stops filling the queue once writing failed; a disk that works is faster.
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      await writeAll(this.file, next, WAV_HEADER_BYTES + this.written * STEREO_FRAME_BYTES)
      this.written += next.length / STEREO_FRAME_BYTES
      const now = this.timers.nowMs()
      if (now - this.headerAt < HEADER_EVERY_MS) continue
      this.headerAt = now
      await writeAll(this.file, wavHeader(this.written), 0)
    }
    // In the same step as the look at the empty queue, so that no piece is left behind unseen.
    this.busy = false
  }

  private fail(cause: unknown): void {
    if (this.failure !== null) return
    this.failure = cause instanceof Error ? cause : new Error(String(cause))
    this.waiting.length = 0
    this.failed(this.failure)
  }
}

/** A file may take less than it is given; then the rest follows. */
const writeAll = async (file: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    if (bytesWritten === 0) throw new Error('the disk takes no more')
    done += bytesWritten
  }
}
