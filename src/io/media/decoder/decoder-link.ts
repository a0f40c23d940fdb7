// The daemon's end of the decoding process: starts it, restarts it, and routes its messages.
import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { resolve } from 'node:path'
import { Heartbeat } from '../../../clock/heartbeat.js'
import type { Cancel, Timers } from '../../../clock/timers.js'
import { settledWithin, Watchdog } from '../../../clock/waiting.js'
import { DISK_PATIENCE_MS } from '../../files/disk-patience.js'
import { forkProgram, wantsProcessor } from '../../programs.js'
import { decodedFolder, readDecoded, removeDecodedFolder } from './decoded-socket.js'
import { OWN_MEMORY } from './decoder-memory.js'
import type {
  DecodeListener, DecodeRequest, Decoding, FromHost, Inquiring, ToHost,
} from './decoder-messages.js'
import type { Look } from '../look/file-look.js'
import type { ProbeAnswer } from '../probe/probe-file.js'
import type { WaveAnswer, WaveLink } from '../../waves/wave-messages.js'

export interface DecoderLinkOptions {
  readonly timers: Timers
  /** The environment of the decoding process; its PATH finds ffmpeg. */
  readonly env: NodeJS.ProcessEnv
}

const LOST = 'the decoding process ended unexpectedly'
/** A decoding process that dies at once is not started again faster than this. */
const RESTART_MS = 1_000
const CLOSE_MS = 900
/** On a machine that has much else to do it starts, and answers, only after a while. */
const BEAT = { everyMs: 500, openMost: 3, openAtStart: 20 } as const
/** It answers for its looks within four seconds; where it hangs it is ended sooner than this. */
const LOOK_MS = 15_000

type Decoded = Exclude<FromHost, { kind: 'pong' | 'looked' | 'facts' | 'wave' | 'listening' }>
type Question = Extract<ToHost, { readonly job: number }>
type Answer = Look | ProbeAnswer | WaveAnswer

/** A question about a file that was not answered yet. */
interface Inquiry {
  readonly question: Question
  /** Null: nobody answered. */
  readonly settle: (answer: Answer | null) => void
  /** The process died over it, or over another: the next one that dies answers for it. */
  isAskedAnew: boolean
}

export class DecoderLink implements Decoding, Inquiring {
  readonly #env: NodeJS.ProcessEnv
  readonly #timers: Timers
  readonly #decodes = new Map<number, DecodeListener>()
  readonly #inquiries = new Map<number, Inquiry>()
  /** Asked while no process could be started; at most one entry a job. */
  readonly #backlog = new Map<number, Question>()
  #host: ChildProcess | null = null
  /** Over it comes what is decoded, once the process listens. */
  #socket: Socket | null = null
  #startedAt = Number.NEGATIVE_INFINITY
  #restart: Cancel | null = null
  #heartbeat: Heartbeat | null = null
  #nextJob = 1
  #holdsWaves = false
  readonly waves: WaveLink = {
    ask: (question) =>
      this.#inquire<WaveAnswer>({ kind: 'wave', job: this.#nextJob++, question }, { kind: 'away' }),
    hold: (holds) => {
      this.#holdsWaves = holds
      this.#tell({ kind: 'hold_waves', holds })
    },
    rest: () => {
      this.#tell({ kind: 'rest_waves' })
    },
  }
  #closing = false

  constructor(options: DecoderLinkOptions) {
    this.#env = options.env
    this.#timers = options.timers
  }

  /** Starts the process ahead of its first use. */
  warm(): void {
    this.#running()
  }

  decode(request: DecodeRequest, listener: DecodeListener): number {
    const job = this.#nextJob++
    this.#decodes.set(job, listener)
    this.#ask({ kind: 'decode', job, request: { ...request, path: resolve(request.path) } })
    return job
  }

  want(job: number, until: number): void {
    if (!this.#decodes.has(job)) return
    const asked = this.#backlog.get(job)
    if (asked?.kind === 'decode') {
      this.#backlog.set(job, { ...asked, request: { ...asked.request, until } })
    } else this.#tell({ kind: 'want', job, until })
  }

  drop(job: number): void {
    if (!this.#decodes.delete(job) || this.#backlog.delete(job)) return
    this.#tell({ kind: 'drop', job })
  }

  probe(path: string): Promise<ProbeAnswer> {
    const question: Question = { kind: 'probe', job: this.#nextJob++, path: resolve(path) }
    return this.#inquire<ProbeAnswer>(question, { ok: false, message: LOST })
  }

  look(path: string, patienceMs = DISK_PATIENCE_MS): Promise<Look> {
    const job = this.#nextJob++
    const question: Question = { kind: 'look', job, path: resolve(path), patienceMs }
    const message = 'the decoding process does not answer'
    const look = this.#inquire<Look>(question, { kind: 'unavailable', message })
    const dog = new Watchdog(this.#timers.background, LOOK_MS, () => this.#settle(job, null))
    return look.finally(() => dog.stop())
  }

  /** Ends the process and with it every decoder; resolves once it is gone. */
  async close(): Promise<void> {
    this.#closing = true
    this.#restart?.()
    this.#decodes.clear()
    this.#backlog.clear()
    const host = this.#host
    this.#forgetHost()
    this.#failAll()
    if (host === null || host.exitCode !== null || host.signalCode !== null) return
    const gone = new Promise((settle) => host.once('exit', settle))
    if (host.connected) host.disconnect()
    if (!(await settledWithin(this.#timers, gone, CLOSE_MS))) host.kill('SIGKILL')
    await gone
  }

  #inquire<Kind extends Answer>(question: Question, away: Kind): Promise<Kind> {
    if (this.#closing) return Promise.resolve(away)
    return new Promise((done) => {
      const settle = (answer: Answer | null): void => done((answer ?? away) as Kind)
      this.#inquiries.set(question.job, { question, settle, isAskedAnew: false })
      this.#ask(question)
    })
  }

  /** What is for the process that runs alone. */
  #tell(message: ToHost): void {
    this.#host?.send(message, () => undefined)
  }

  /** Now, or as soon as a process may be started again. */
  #ask(question: Question): void {
    const host = this.#running()
    if (host !== null && host.connected) host.send(question, () => undefined)
    else this.#backlog.set(question.job, question)
  }

  #running(): ChildProcess | null {
    if (this.#host !== null || this.#closing) return this.#host
    const wait = this.#startedAt + RESTART_MS - this.#timers.nowMs()
    if (wait > 0) {
      this.#restart ??= this.#timers.background.after(wait, () => {
        this.#restart = null
        this.#running()
      })
      return null
    }
    this.#startedAt = this.#timers.nowMs()
    const host = startHost(this.#env)
    this.#host = host
    this.#heartbeat = this.#watch(host)
    host.on('message', (message) => {
      if (this.#host === host || this.#closing) this.#route(owned(message as FromHost), host)
    })
    const lost = (): void => {
      if (this.#host !== host) return
      this.#forgetHost()
      this.#failAll()
    }
    host.on('exit', lost)
    host.on('error', lost)
    if (this.#holdsWaves) this.#tell({ kind: 'hold_waves', holds: true })
    for (const question of this.#backlog.values()) host.send(question, () => undefined)
    this.#backlog.clear()
    return host
  }

  #forgetHost(): void {
    this.#host = null
    this.#heartbeat?.stop()
    this.#socket?.destroy()
    this.#socket = null
  }

  /** A process whose socket closes while it lives is of no use: it is ended, and another begins. */
  #listen(path: string, host: ChildProcess): void {
    if (this.#host !== host) return
    this.#socket = readDecoded(path, (message) => {
      if (this.#host === host) this.#route(message, host)
    }, () => {
      if (this.#host === host) host.kill('SIGKILL')
    })
  }

  /** A process that hangs is as bad as one that died. */
  #watch(host: ChildProcess): Heartbeat {
    return new Heartbeat({
      ...BEAT,
      timers: this.#timers,
      wantsProcessor: () => wantsProcessor(host),
      ask: () => {
        if (host.connected) host.send({ kind: 'ping' } satisfies ToHost, () => undefined)
      },
      hangs: () => {
        this.#forgetHost()
        host.kill('SIGKILL')
        this.#failAll()
      },
    })
  }

  /**
   * What the process had to do is lost, and each decode is told so. What it was asked about files
   * is asked of the next process, once; what this one was not yet asked waits for that anyway.
   */
  #failAll(): void {
    const decodes = [...this.#decodes].filter(([job]) => !this.#backlog.has(job))
    const inquiries = [...this.#inquiries].filter(([job]) => !this.#backlog.has(job))
    for (const [job] of decodes) this.#decodes.delete(job)
    for (const [job, inquiry] of inquiries) {
      if (inquiry.isAskedAnew || this.#closing) this.#settle(job, null)
      else {
        inquiry.isAskedAnew = true
        this.#ask(inquiry.question)
      }
    }
    for (const [, listener] of decodes) listener.died(LOST)
    // What was asked after its channel had closed, and before it was gone, is nobody's else.
    if (this.#backlog.size > 0) this.#running()
  }

  #route(message: FromHost, host: ChildProcess): void {
    switch (message.kind) {
      case 'listening':
        this.#listen(message.path, host)
        break
      case 'pong':
        this.#heartbeat?.answered()
        break
      case 'looked':
        this.#settle(message.job, message.look)
        break
      case 'facts':
        this.#settle(message.job, { ok: true, facts: message.facts })
        break
      case 'wave':
        this.#settle(message.job, ownWave(message.answer))
        break
      case 'pcm':
      case 'silence':
      case 'done':
      case 'died':
      case 'failed':
        this.#decoded(message)
        break
    }
  }

  #decoded(message: Decoded): void {
    const listener = this.#decodes.get(message.job)
    switch (message.kind) {
      case 'pcm':
        listener?.pcm(message.left, message.right)
        break
      case 'silence':
        listener?.silence(message.count)
        break
      case 'done':
        this.#decodes.delete(message.job)
        listener?.done(message.end, message.source)
        break
      case 'died':
      case 'failed':
        this.#decodes.delete(message.job)
        listener?.[message.kind](message.message)
        this.#settle(message.job, { ok: false, message: message.message })
        break
    }
  }

  #settle(job: number, answer: Answer | null): void {
    const inquiry = this.#inquiries.get(job)
    this.#inquiries.delete(job)
    this.#backlog.delete(job)
    inquiry?.settle(answer)
  }
}

/** Through the channel sound comes as a view of a larger message, which it would keep alive. */
const owned = (message: FromHost): FromHost => message.kind === 'pcm'
  ? { ...message, left: message.left.slice(), right: message.right.slice() }
  : message

const ownWave = (answer: WaveAnswer): WaveAnswer => answer.kind === 'wave'
  ? { ...answer, peaks: answer.peaks.map((each) => each.slice()) }
  : answer

const startHost = (env: NodeJS.ProcessEnv): ChildProcess => {
  const folder = decodedFolder()
  const host = forkProgram('io/media/decoder/decoder-host', {
    serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...env, ...OWN_MEMORY },
  }, [folder])
  host.once('exit', () => removeDecodedFolder(folder))
  // Read here and not inherited: a reader of the log that has stopped must not stop the decoding.
  host.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk))
  ;(host.stderr as Socket | null)?.unref()
  return host
}
