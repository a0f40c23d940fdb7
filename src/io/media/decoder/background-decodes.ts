// The decodes that nobody waits for: many to one ffmpeg, two of those at a time, after all others.
//
// It stands back while sound that somebody waits for is not there: no new decode begins, and what
// is decoded is not handed over. That has an end, since a share may be slow for a whole evening.
import { basename } from 'node:path'
import type { Timers } from '../../../clock/timers.js'
import { STEREO_FRAME_BYTES } from '../../../engine/ports.js'
import type { FileLooks } from '../look/file-looks.js'
import type { MediaFacts } from '../probe/probe-file.js'
import { type BatchMember, type BatchOutcome, DecoderBatch } from './decoder-batch.js'
import type { DecodeRequest, JobMessage } from './decoder-messages.js'
import { PacedSend } from './paced-send.js'
import { split } from './pcm.js'

export interface BackgroundSurroundings {
  readonly timers: Timers
  readonly looks: Pick<FileLooks, 'lookLately'>
  readonly factsOf: (path: string, stamp: string) => Promise<MediaFacts | null>
  /** `taken` once the message has left this process. */
  readonly send: (message: JobMessage, taken: () => void) => void
  /** Somebody waits for sound. */
  readonly isBusy: () => boolean
  /** Decodes one on its own; `over` once, also after a `drop`. */
  readonly decodeAlone: (
    job: number, request: DecodeRequest, send: (message: JobMessage) => void, over: () => void,
  ) => { drop(): void }
}

/** Two keep both cores of a small machine at work while one of them reads its disk. */
const BATCHES = 2
/** More in one cost more than they spare: all of them wait for the slowest. */
const MEMBERS = 24
/** A bound on what a batch holds in this process: 23 MB. */
const BATCH_FRAMES = 60 * 48_000
/** Frames in a message of decoded sound, a second: 384 KB. It is kept as it comes, in one piece. */
const MESSAGE_FRAMES = 48_000
/** Messages that wait to be taken: beyond this nothing more is decoded. */
const CLOGGED = 100
const BUSY_MS = 20
/** Files that are decoded alone from now on, since they spoil a batch; the oldest goes first. */
const ALONE_KEPT = 5_000

export class BackgroundDecodes {
  readonly #around: BackgroundSurroundings
  readonly #outbox: PacedSend<JobMessage>
  readonly #waiting = new Map<number, BatchMember>()
  readonly #alone = new Map<number, DecodeRequest>()
  readonly #batches = new Set<DecoderBatch>()
  /** By content: they hold no sound, or are damaged. */
  readonly #unsuited = new Set<string>()
  readonly #wanted = new Set<number>()
  #single: { readonly job: number; drop(): void } | null = null
  #isAwaiting = false

  constructor(around: BackgroundSurroundings) {
    this.#around = around
    this.#outbox = new PacedSend(around.timers.background, around.send, around.isBusy)
  }

  add(job: number, request: DecodeRequest): void {
    this.#wanted.add(job)
    void this.#look(job, request)
  }

  drop(job: number): void {
    if (!this.#wanted.delete(job)) return
    this.#waiting.delete(job)
    this.#alone.delete(job)
    for (const batch of [...this.#batches]) batch.drop(job)
    if (this.#single?.job === job) this.#single.drop()
  }

  /** Ends all of them. */
  close(): void {
    for (const job of [...this.#wanted]) this.drop(job)
  }

  /** A disk that hangs keeps its own files waiting, and no batch. */
  async #look(job: number, request: DecodeRequest): Promise<void> {
    const { path, to } = request
    const look = await this.#around.looks.lookLately(path)
    if (!this.#wanted.has(job)) return
    if (look.kind !== 'file') {
      this.#tell({ kind: 'failed', job, message: `${basename(path)}: ${look.message}` })
      return
    }
    const { stamp, isMp4, type, seeking } = look
    // Whatever its container has a say in at both ends is no matter of a batch.
    const isUnsuited = seeking === 'counted' || this.#unsuited.has(contentOf(path, stamp))
    if (to === null || isUnsuited) this.#alone.set(job, request)
    else this.#waiting.set(job, { job, request: { ...request, to }, stamp, isMp4, type, seeking })
    // What is asked for together is decoded together.
    setImmediate(() => {
      this.#pump()
    })
  }

  #pump(): void {
    if (this.#isAwaiting || this.#waiting.size + this.#alone.size === 0) return
    if (this.#around.isBusy() || this.#outbox.length > CLOGGED) {
      this.#isAwaiting = true
      this.#around.timers.background.after(BUSY_MS, () => {
        this.#isAwaiting = false
        this.#pump()
      })
      return
    }
    while (this.#waiting.size > 0 && this.#batches.size < BATCHES) this.#beginBatch()
    if (this.#single === null) this.#beginAlone()
  }

  #beginBatch(): void {
    const members: BatchMember[] = []
    let frames = 0
    for (const member of this.#waiting.values()) {
      const { from, to } = member.request
      frames += to - from
      if (members.length === MEMBERS || (members.length > 0 && frames > BATCH_FRAMES)) break
      this.#waiting.delete(member.job)
      members.push(member)
    }
    const batch = new DecoderBatch(members, {
      timers: this.#around.timers,
      factsOf: this.#around.factsOf,
      settled: (member, outcome) => {
        this.#settled(member, outcome)
      },
      over: () => {
        this.#batches.delete(batch)
        this.#pump()
      },
    })
    this.#batches.add(batch)
    batch.run()
  }

  #settled(member: BatchMember, outcome: BatchOutcome): void {
    const { job, request, stamp } = member
    if (outcome.kind === 'again') {
      this.#waiting.set(job, member)
      return
    }
    if (outcome.kind === 'alone') {
      this.#alone.set(job, request)
      if (outcome.isCulprit) this.#remember(contentOf(request.path, stamp))
      return
    }
    const { sound, end, source } = outcome
    const bytes = MESSAGE_FRAMES * STEREO_FRAME_BYTES
    for (let at = 0; at < sound.length; at += bytes) {
      const piece = sound.subarray(at, at + bytes)
      const { left, right } = split(piece, piece.length / STEREO_FRAME_BYTES)
      this.#outbox.push({ kind: 'pcm', job, left, right })
    }
    this.#tell({ kind: 'done', job, end, source })
  }

  #beginAlone(): void {
    const [first] = this.#alone
    if (first === undefined) return
    const [job, request] = first
    this.#alone.delete(job)
    const send = (message: JobMessage): void => {
      if (message.kind === 'pcm' || message.kind === 'silence') this.#outbox.push(message)
      else this.#tell(message)
    }
    const single = this.#around.decodeAlone(job, request, send, () => {
      if (this.#single?.job === job) this.#single = null
      setImmediate(() => {
        this.#pump()
      })
    })
    this.#single = { job, drop: () => single.drop() }
  }

  #remember(content: string): void {
    this.#unsuited.add(content)
    if (this.#unsuited.size <= ALONE_KEPT) return
    const [oldest] = this.#unsuited
    if (oldest !== undefined) this.#unsuited.delete(oldest)
  }

  /** The last word on a job. */
  #tell(message: JobMessage): void {
    this.#wanted.delete(message.job)
    this.#outbox.push(message)
  }
}

const contentOf = (path: string, stamp: string): string => `${path}\0${stamp}`
