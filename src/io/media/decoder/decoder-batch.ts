// Several short ranges decoded by one ffmpeg: starting one costs more than decoding ten heads.
//
// What is clean is handed over. Where ffmpeg complains of a member by name, that one is decoded on
// its own and the others once more; where it complains and names nobody, all whose range is not
// whole are decoded on their own, since only then it is known whose complaint it is.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Timers } from '../../../clock/timers.js'
import { Watchdog } from '../../../clock/waiting.js'
import { STEREO_FRAME_BYTES } from '../../../engine/ports.js'
import { lowerPriority, startedProcess, wantsProcessor } from '../../programs.js'
import type { Seeking } from '../look/seeking.js'
import type { MediaFacts } from '../probe/probe-file.js'
import { batchArgs, culprits } from './decoder-args.js'
import { mayShow, silentUntil } from '../pictures-after-sound.js'
import { sourceMet } from './decoder-job.js'
import type { DecodeRequest } from './decoder-messages.js'
import { ffmpegCommand, ffmpegMajor } from './ffmpeg-process.js'

/** A range that is short enough to be decoded in company. */
export interface BatchMember {
  readonly job: number
  readonly request: DecodeRequest & { readonly to: number }
  readonly stamp: string
  readonly isMp4: boolean
  readonly type: string
  readonly seeking: Seeking
}

export type BatchOutcome =
  | { readonly kind: 'decoded'; readonly sound: Buffer; readonly end: number
    readonly source: number | null }
  /** It is the one that ffmpeg complains of, or only may be. */
  | { readonly kind: 'alone'; readonly isCulprit: boolean }
  /** Another one spoilt it. */
  | { readonly kind: 'again' }

export interface BatchSurroundings {
  readonly timers: Timers
  readonly factsOf: (path: string, stamp: string) => Promise<MediaFacts | null>
  /** Once for each member that was not dropped. */
  readonly settled: (member: BatchMember, outcome: BatchOutcome) => void
  /** Its ffmpeg is gone and all are settled. */
  readonly over: () => void
}

/** The first descriptor of a child that is not one of the usual three. */
const FIRST_PIPE = 3
const COMPLAINT_BYTES = 65_536
/** As for a head that is decoded alone: nobody waits for one, and the others do. */
const STALL_MS = 5_000
/**
 * MP4 and its kin pad their last packet. A range that ends so long before the sound does is away
 * from that, and the container need not be asked where the sound ends.
 */
const PADDING_FRAMES = 24_000

export class DecoderBatch {
  readonly #around: BatchSurroundings
  /** Those that are not settled, with what came of each. */
  readonly #open = new Map<BatchMember, { readonly pieces: Buffer[]; bytes: number }>()
  readonly #members: readonly BatchMember[]
  #process: ChildProcess | null = null
  #watchdog: Watchdog | null = null
  #errors = ''
  #isOver = false

  constructor(members: readonly BatchMember[], around: BatchSurroundings) {
    this.#members = members
    this.#around = around
    for (const member of members) this.#open.set(member, { pieces: [], bytes: 0 })
  }

  run(): void {
    const child = startedProcess(() => {
      const ranges = this.#members.map(({ request, isMp4, seeking }) => ({
        ...request, to: request.to + (isMp4 ? PADDING_FRAMES : 0), seeking,
      }))
      const pipes = this.#members.map(() => 'pipe' as const)
      return spawn(ffmpegCommand(), batchArgs(ranges, FIRST_PIPE, ffmpegMajor()), {
        stdio: ['ignore', 'ignore', 'pipe', ...pipes], windowsHide: true,
      })
    })
    this.#process = child
    lowerPriority(child)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (this.#errors.length < COMPLAINT_BYTES) this.#errors += text
    })
    this.#members.forEach((member, n) => {
      const pipe = child.stdio[FIRST_PIPE + n] as NodeJS.ReadableStream | null | undefined
      pipe?.on('data', (bytes: Buffer) => {
        this.#take(member, bytes)
      })
      // A pipe that breaks with its process is told by how that ended.
      pipe?.on('error', () => undefined)
    })
    child.on('error', () => {
      this.#allAlone()
    })
    child.on('close', (code) => void this.#closed(code))
    this.#watchdog = new Watchdog(this.#around.timers, STALL_MS, () => {
      this.#allAlone()
    }, () => wantsProcessor(child))
  }

  /** Nobody wants it any more. */
  drop(job: number): void {
    for (const member of this.#open.keys()) if (member.job === job) this.#open.delete(member)
    if (this.#open.size === 0) this.#end()
  }

  #take(member: BatchMember, bytes: Buffer): void {
    this.#watchdog?.feed()
    const got = this.#open.get(member)
    if (got === undefined) return
    got.pieces.push(bytes)
    got.bytes += bytes.length
  }

  /** As long as was asked for, and so far from the end that no container has a say in it. */
  #isWhole(member: BatchMember): boolean {
    const { from, to } = member.request
    const margin = member.isMp4 ? PADDING_FRAMES : 0
    const bytes = (to - from + margin) * STEREO_FRAME_BYTES
    return (this.#open.get(member)?.bytes ?? 0) >= bytes
  }

  async #closed(code: number | null): Promise<void> {
    this.#watchdog?.stop()
    for (const member of [...this.#open.keys()]) {
      if (this.#isWhole(member)) this.#decoded(member, member.request.to, null)
    }
    if (code === 0 && this.#errors.trim() === '') {
      for (const member of [...this.#open.keys()]) await this.#endedEarly(member)
      this.#end()
      return
    }
    const paths = this.#members.map(({ request }) => request.path)
    const named = code === 0 || code === null ? null : culprits(this.#errors, paths)
    this.#members.forEach((member, n) => {
      const isCulprit = named?.has(n) === true
      const isOther = !isCulprit && named !== null && named.size > 0
      this.#settle(member, isOther ? { kind: 'again' } : { kind: 'alone', isCulprit })
    })
    this.#end()
  }

  /** The source ended within the range, where its container does not say that it ends before. */
  async #endedEarly(member: BatchMember): Promise<void> {
    const got = this.#open.get(member)
    if (got === undefined) return
    const { from, to, path } = member.request
    const met = from + Math.floor(got.bytes / STEREO_FRAME_BYTES)
    const facts = mayShow(member) ? await this.#around.factsOf(path, member.stamp) : null
    const cap = member.isMp4 ? facts?.soundEnd ?? null : null
    const end = Math.min(met, cap ?? met)
    if (end < to && facts !== null && silentUntil(facts, end) !== null) {
      this.#settle(member, { kind: 'alone', isCulprit: false })
      return
    }
    if (cap !== null && cap <= Math.min(met, to)) this.#decoded(member, Math.max(from, cap), cap)
    else if (met >= to) this.#decoded(member, to, null)
    else this.#decoded(member, met, sourceMet(member.request, met))
  }

  #decoded(member: BatchMember, end: number, source: number | null): void {
    const got = this.#open.get(member)
    if (got === undefined) return
    const bytes = (end - member.request.from) * STEREO_FRAME_BYTES
    const sound = Buffer.concat(got.pieces, bytes)
    this.#settle(member, { kind: 'decoded', sound, end, source })
  }

  #settle(member: BatchMember, outcome: BatchOutcome): void {
    if (this.#open.delete(member)) this.#around.settled(member, outcome)
  }

  #allAlone(): void {
    for (const member of this.#members) this.#settle(member, { kind: 'alone', isCulprit: false })
    this.#end()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#watchdog?.stop()
    this.#process?.kill('SIGKILL')
    for (const pipe of this.#process?.stdio ?? []) pipe?.destroy()
    this.#around.over()
  }
}
