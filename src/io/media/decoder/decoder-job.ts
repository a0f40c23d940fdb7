// One decode inside the decoding process: its ffmpeg, its PCM, how it ended.
import { basename } from 'node:path'
import type { Timers } from '../../../clock/timers.js'
import { Watchdog } from '../../../clock/waiting.js'
import {
  changingArgs, complaint, decodeArgs, firstFrame, HOLDS_NO_SOUND,
} from './decoder-args.js'
import type { DecodeRequest, JobMessage } from './decoder-messages.js'
import { FfmpegOutput } from './ffmpeg-output.js'
import { ffmpegMajor } from './ffmpeg-process.js'
import { split, WholeFrames } from './pcm.js'
import type { Seeking } from '../look/seeking.js'
import type { FileLooks } from '../look/file-looks.js'
import { STEREO_FRAME_BYTES } from '../../../engine/ports.js'
import { mayShow, silentUntil } from '../pictures-after-sound.js'
import type { MediaFacts, ProbeAnswer } from '../probe/probe-file.js'

/** So long others stand back for a decode that is late. */
const AWAITED_MS = 5_000
/** A decoder that is asked for sound and gives none for so long hangs (a dead network share). */
const STALL_MS = 20_000
/** Nobody waits for a head: the next one is more use than a disk that may come back. */
const STALL_BACKGROUND_MS = 5_000
/** A source that ends so much before its announced length after an error was cut off by it. */
const SHORTFALL_FRAMES = 24_000

/** What the decoding process has for its jobs. */
export interface JobSurroundings {
  readonly timers: Timers
  readonly looks: Pick<FileLooks, 'lookLately'>
  readonly factsOf: (path: string, stamp: string) => Promise<ProbeAnswer>
  readonly send: (message: JobMessage) => void
}

export class DecoderJob {
  readonly #job: number
  readonly #request: DecodeRequest
  readonly #around: JobSurroundings
  readonly #onSettled: () => void
  #output: FfmpegOutput | null = null
  #watchdog: Watchdog | null = null
  #want: number
  #at: number
  #owesSince: number
  /** Where the frames must end: the range's end, or the container's if earlier (MP4 pads). */
  #limit: number
  #cap: number | null = null
  #stamp = ''
  #mayShow = false
  #seeking: Seeking = 'exact'
  #frames = new WholeFrames()
  /** Decoded anew after a change of the format, from before its place: so much is dropped. */
  #isAnew = false
  #toDrop = 0
  #settled = false

  constructor(
    job: number,
    request: DecodeRequest,
    around: JobSurroundings,
    onSettled: () => void,
  ) {
    this.#job = job
    this.#request = request
    this.#around = around
    this.#onSettled = onSettled
    this.#want = request.until
    this.#at = request.from
    this.#owesSince = around.timers.nowMs()
    this.#limit = request.to ?? Number.POSITIVE_INFINITY
  }

  /** Never rejects: what goes wrong with one job is told to that job's listener alone. */
  async run(): Promise<void> {
    try {
      await this.#begin()
    } catch (error) {
      this.#fail(bugMessage(error))
    }
  }

  async #begin(): Promise<void> {
    const path = this.#request.path
    const look = await this.#around.looks.lookLately(path)
    if (this.#settled) return
    if (look.kind !== 'file') {
      this.#fail(`${basename(path)}: ${look.message}`)
      return
    }
    this.#stamp = look.stamp
    this.#seeking = look.seeking
    this.#mayShow = mayShow(look)
    this.#spawn(decodeArgs({ ...this.#request, seeking: look.seeking }, ffmpegMajor()))
    // The container's length is asked for while ffmpeg starts; its sound waits for the answer.
    if (look.isMp4 || look.seeking === 'counted') await this.#capByContainer()
    this.#listen()
  }

  want(until: number): void {
    // One that owes sound already owes it since then: a run that plays on asks for more all along.
    if (this.#at >= this.#want) {
      this.#owesSince = this.#around.timers.nowMs()
      this.#watchdog?.feed()
    }
    this.#want = Math.max(this.#want, until)
    if (this.#at < this.#want) this.#output?.resume()
  }

  drop(): void {
    this.#settle()
  }

  /**
   * Sound is wanted of it that it has not given yet: a start or a starving run may wait for it. A
   * disk that is slow for long does not count: it must not keep all else waiting.
   */
  get isAwaited(): boolean {
    if (this.#settled || this.#at >= this.#want) return false
    return this.#around.timers.nowMs() - this.#owesSince < AWAITED_MS
  }

  #spawn(args: readonly string[]): void {
    this.#output = new FfmpegOutput(args, {
      took: (bytes) => this.#take(bytes),
      closed: (code, signal) => {
        this.#closed(code, signal).catch((error: unknown) => this.#fail(bugMessage(error)))
      },
      failed: (message) => this.#fail(message),
    })
    if (this.#request.background) this.#output.lowerPriority()
    this.#watch()
  }

  #watch(): void {
    const { background } = this.#request
    const patienceMs = background ? STALL_BACKGROUND_MS : STALL_MS
    this.#watchdog = new Watchdog(this.#around.timers, patienceMs, () => {
      this.#stalled()
    }, () => background && this.#output?.wantsProcessor === true)
  }

  /** Decoded anew from the same place without anything that counts: the frames are counted here. */
  #goOnChanged(): void {
    const range = { ...this.#request, seeking: this.#seeking }
    this.#watchdog?.stop()
    this.#frames = new WholeFrames()
    this.#isAnew = true
    this.#toDrop = this.#at - firstFrame(range)
    this.#spawn(changingArgs(range, ffmpegMajor()))
    this.#output?.open()
  }

  async #capByContainer(): Promise<void> {
    const answer = await this.#around.factsOf(this.#request.path, this.#stamp)
    const end = answer.ok ? answer.facts.soundEnd : null
    if (end === null || end >= this.#limit) return
    this.#cap = end
    this.#limit = end
  }

  #listen(): void {
    if (this.#settled) return
    if (this.#at >= this.#limit) {
      void this.#soundOver(this.#cap)
      return
    }
    this.#output?.open()
  }

  #take(bytes: Buffer): void {
    if (this.#settled || this.#at >= this.#limit) return
    const whole = this.#frames.add(bytes)
    const all = whole.length / STEREO_FRAME_BYTES
    const dropped = Math.min(all, this.#toDrop)
    this.#toDrop -= dropped
    const count = Math.min(all - dropped, this.#limit - this.#at)
    if (count > 0) {
      const { left, right } = split(whole.subarray(dropped * STEREO_FRAME_BYTES), count)
      this.#at += count
      this.#around.send({ kind: 'pcm', job: this.#job, left, right })
    }
    if (this.#at >= this.#limit) void this.#soundOver(this.#cap)
    else if (this.#at >= this.#want) this.#output?.hold()
    this.#watchdog?.feed()
  }

  /** All its output was taken and it ended by itself: what that means for the listener. */
  async #closed(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    if (this.#settled || this.#at >= this.#limit) return
    const { path } = this.#request
    const { complaints = '', hasFormatChanged = false } = this.#output ?? {}
    if (code === null) {
      this.#end('died', `${basename(path)}: the decoder was killed (${signal ?? 'no signal'})`)
    } else if (hasFormatChanged && !this.#isAnew) {
      this.#goOnChanged()
    } else if (code !== 0) {
      if (HOLDS_NO_SOUND.test(complaints)) await this.#playSilence()
      else this.#fail(complaint(complaints, path))
    } else if (complaints.trim() === '') {
      await this.#soundOver(sourceMet(this.#request, this.#at))
    } else {
      await this.#judge(complaints)
    }
  }

  /** ffmpeg forgives most damage and exits 0: a source cut off must not pass for a whole one. */
  async #judge(complaints: string): Promise<void> {
    const { path, from, to } = this.#request
    const answer = await this.#around.factsOf(path, this.#stamp)
    // A guessed length, or that of the pictures, says nothing about where the sound should end.
    const facts = answer.ok && !answer.facts.isEstimate ? answer.facts : null
    const duration = facts?.soundEnd ?? facts?.duration ?? 0
    const expected = Math.min(duration, to ?? duration)
    const cutOff = this.#at < expected - SHORTFALL_FRAMES
    if (cutOff || (this.#at === from && from === 0)) this.#fail(complaint(complaints, path))
    else await this.#soundOver(sourceMet(this.#request, this.#at))
  }

  /** Its sound, or the range, is over; pictures that go on after their sound are silent. */
  async #soundOver(source: number | null): Promise<void> {
    const { path, to } = this.#request
    const asks = this.#mayShow && (to === null || this.#at < to)
    const answer = asks ? await this.#around.factsOf(path, this.#stamp) : null
    if (this.#settled) return
    const end = answer?.ok === true ? silentUntil(answer.facts, this.#at) : null
    if (end === null) this.#complete(this.#at, source)
    else this.#silentTo(end)
  }

  /** A video without sound plays as silence of its length; a still image or a text as nothing. */
  async #playSilence(): Promise<void> {
    const { path } = this.#request
    const answer = await this.#around.factsOf(path, this.#stamp)
    if (this.#settled) return
    const facts: MediaFacts | null = answer.ok ? answer.facts : null
    const isMute = facts !== null && facts.video !== null && facts.audio === null
    if (!isMute || facts.duration === 0) {
      const why = isMute ? 'it has no sound, and how long its pictures last is not in it'
        : 'neither sound nor moving pictures are in it'
      this.#fail(`${basename(path)}: ${why}`)
      return
    }
    this.#silentTo(facts.duration)
  }

  /** Silence up to the source's end, or that of the range where it is earlier. */
  #silentTo(source: number): void {
    const end = Math.min(source, this.#request.to ?? source)
    const count = Math.max(0, end - this.#at)
    if (count > 0) this.#around.send({ kind: 'silence', job: this.#job, count })
    this.#complete(this.#at + count, end === source ? source : null)
  }

  #stalled(): void {
    // One that has given all that was wanted is watched on: it may hang when more is.
    if (this.#at >= this.#want) this.#watch()
    else {
      // A machine that is busy all the while lets no head through: it is tried once more.
      const kind = this.#request.background ? 'died' : 'failed'
      this.#end(kind, `${basename(this.#request.path)}: the decoder gives nothing`)
    }
  }

  #complete(end: number, source: number | null): void {
    if (this.#settled) return
    this.#around.send({ kind: 'done', job: this.#job, end, source })
    this.#settle()
  }

  #fail(message: string): void {
    this.#end('failed', message)
  }

  #end(kind: 'died' | 'failed', message: string): void {
    if (this.#settled) return
    this.#around.send({ kind, job: this.#job, message })
    this.#settle()
  }

  #settle(): void {
    if (this.#settled) return
    this.#settled = true
    this.#watchdog?.stop()
    this.#output?.kill()
    this.#onSettled()
  }
}

/**
 * The source's length, where a decode that ended by itself met it. A source that ends before the
 * range was never met: only that it is shorter is known.
 */
export const sourceMet = ({ origin, from }: DecodeRequest, at: number): number | null =>
  at > from || from === 0 || from > origin ? at : null

const bugMessage = (error: unknown): string => `it could not be decoded: ${String(error)}`
