// The daemon's end of the decoding process: starts it, restarts it, and routes its messages.
import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DecodeListener, DecodeRequest, FromHost, ToHost } from './decoder-messages.js'
import type { ProbeAnswer } from './probe-file.js'

export interface DecoderLinkOptions {
  /** The environment of the decoding process; its PATH finds ffmpeg. */
  readonly env: NodeJS.ProcessEnv
}

const LOST = 'the decoding process ended unexpectedly'
/** A decoding process that dies at once is not started again faster than this. */
const RESTART_MS = 1_000
const CLOSE_MS = 1_500

export class DecoderLink {
  readonly #env: NodeJS.ProcessEnv
  readonly #decodes = new Map<number, DecodeListener>()
  readonly #probes = new Map<number, (answer: ProbeAnswer) => void>()
  #host: ChildProcess | null = null
  #startedAt = Number.NEGATIVE_INFINITY
  #nextJob = 1
  #closing = false

  constructor(options: DecoderLinkOptions) {
    this.#env = options.env
  }

  /** Starts the process ahead of its first use. */
  warm(): void {
    this.#running()
  }

  decode(request: DecodeRequest, listener: DecodeListener): number {
    const job = this.#nextJob++
    const absolute = { ...request, path: resolve(request.path) }
    this.#decodes.set(job, listener)
    if (!this.#tell({ kind: 'decode', job, request: absolute })) {
      // As a message of the process would: after the caller's step, never within it.
      setImmediate(() => {
        this.#route({ kind: 'failed', job, message: LOST })
      })
    }
    return job
  }

  want(job: number, until: number): void {
    if (this.#decodes.has(job)) this.#tell({ kind: 'want', job, until })
  }

  drop(job: number): void {
    if (this.#decodes.delete(job)) this.#tell({ kind: 'drop', job })
  }

  probe(path: string): Promise<ProbeAnswer> {
    return new Promise((settle) => {
      const job = this.#nextJob++
      this.#probes.set(job, settle)
      if (!this.#tell({ kind: 'probe', job, path: resolve(path) })) {
        this.#route({ kind: 'failed', job, message: LOST })
      }
    })
  }

  /** Ends the process and with it every decoder; resolves once it is gone. */
  close(): Promise<void> {
    this.#closing = true
    this.#decodes.clear()
    const host = this.#host
    this.#host = null
    for (const settle of this.#probes.values()) settle({ ok: false, message: LOST })
    this.#probes.clear()
    if (host === null || host.exitCode !== null || host.signalCode !== null) {
      return Promise.resolve()
    }
    return new Promise((settle) => {
      const timer = setTimeout(() => host.kill('SIGKILL'), CLOSE_MS)
      host.once('exit', () => {
        clearTimeout(timer)
        settle()
      })
      if (host.connected) host.disconnect()
    })
  }

  #tell(message: ToHost): boolean {
    const host = this.#running()
    if (host === null || !host.connected) return false
    host.send(message, () => undefined)
    return true
  }

  #running(): ChildProcess | null {
    if (this.#host !== null || this.#closing) return this.#host
    const now = performance.now()
    if (now - this.#startedAt < RESTART_MS) return null
    this.#startedAt = now
    const host = startHost(this.#env)
    this.#host = host
    host.on('message', (message) => {
      this.#route(message as FromHost)
    })
    const lost = (): void => {
      if (this.#host !== host) return
      this.#host = null
      this.#failAll()
    }
    host.on('exit', lost)
    host.on('error', lost)
    return host
  }

  #failAll(): void {
    const decodes = [...this.#decodes.values()]
    const probes = [...this.#probes.values()]
    this.#decodes.clear()
    this.#probes.clear()
    for (const listener of decodes) listener.failed(LOST)
    for (const settle of probes) settle({ ok: false, message: LOST })
  }

  #route(message: FromHost): void {
    const listener = this.#decodes.get(message.job)
    switch (message.kind) {
      case 'pcm':
        // Copied: the arrays are views of a larger message buffer, which they would keep alive.
        listener?.pcm(message.left.slice(), message.right.slice())
        break
      case 'silence':
        listener?.silence(message.count)
        break
      case 'done':
        this.#decodes.delete(message.job)
        listener?.done(message.end, message.source)
        break
      case 'failed':
        this.#decodes.delete(message.job)
        listener?.failed(message.message)
        this.#answer(message.job, { ok: false, message: message.message })
        break
      case 'facts':
        this.#answer(message.job, { ok: true, facts: message.facts })
        break
    }
  }

  #answer(job: number, answer: ProbeAnswer): void {
    const settle = this.#probes.get(job)
    this.#probes.delete(job)
    settle?.(answer)
  }
}

/** From the sources (tests) the process runs through tsx, from the build as it is. */
const startHost = (env: NodeJS.ProcessEnv): ChildProcess => {
  const isSource = import.meta.url.endsWith('.ts')
  const file = new URL(isSource ? './decoder-host.ts' : './decoder-host.js', import.meta.url)
  const host = fork(fileURLToPath(file), [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: isSource ? ['--import', import.meta.resolve('tsx')] : [],
    env,
    // prism-media looks for ./ffmpeg too; nothing in a show's folder may be taken for it.
    cwd: '/',
  })
  // Read here and not inherited: a reader of the log that has stopped must not stop the decoding.
  host.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk))
  ;(host.stderr as Socket | null)?.unref()
  host.unref()
  host.channel?.unref()
  return host
}
