// The decoding process's end of the one that makes waveforms: started when asked, ended when idle.
import type { ChildProcess } from 'node:child_process'
import type { Cancel, Timers } from '../../clock/timers.js'
import { settledWithin } from '../../clock/waiting.js'
import { forkProgram } from '../programs.js'
import type { FromWaveHost, ToWaveHost, WaveAnswer, WaveAsked } from './wave-messages.js'

export interface WaveLinkOptions {
  readonly timers: Timers
  /** Where waveforms are kept. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

interface Open {
  readonly settle: (answer: WaveAnswer) => void
  readonly cancel: Cancel
}

/** The longest file takes minutes on a busy machine; who says nothing for so long is ended. */
const PATIENCE_MS = 30 * 60_000
/** It ends by itself, and its ffmpeg before it; one that hangs does not hear that it should. */
const END_MS = 500

export class ForkedWaveLink {
  readonly #options: WaveLinkOptions
  readonly #open = new Map<number, Open>()
  #host: ChildProcess | null = null
  #ids = 0
  #holds = false

  constructor(options: WaveLinkOptions) {
    this.#options = options
  }

  ask(question: WaveAsked): Promise<WaveAnswer> {
    const { timers, folder } = this.#options
    const id = (this.#ids += 1)
    return new Promise((settle) => {
      const cancel = timers.background.after(PATIENCE_MS, () => void this.rest())
      this.#open.set(id, { settle, cancel })
      this.#send({ kind: 'ask', folder, question: { id, ...question } })
    })
  }

  hold(holds: boolean): void {
    if (holds === this.#holds) return
    this.#holds = holds
    if (this.#host !== null) this.#send({ kind: 'hold', holds })
  }

  /** Resolves once it is gone. */
  async rest(): Promise<void> {
    const host = this.#host
    this.#host = null
    const gone = new Promise((settle) => host?.once('exit', settle))
    host?.disconnect()
    for (const id of [...this.#open.keys()]) this.#settle(id, { kind: 'away' })
    if (host === null || (await settledWithin(this.#options.timers, gone, END_MS))) return
    host.kill('SIGKILL')
  }

  #send(message: ToWaveHost): void {
    this.#host ??= this.#start()
    this.#host.send(message, () => undefined)
  }

  #start(): ChildProcess {
    const host = forkProgram('io/waves/wave-host', {
      serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: this.#options.env,
    })
    host.on('message', (raw) => {
      const { id, answer } = raw as FromWaveHost
      this.#settle(id, answer)
    })
    const lost = (): void => {
      if (this.#host === host) void this.rest()
    }
    host.on('disconnect', lost)
    host.on('error', lost)
    if (this.#holds) host.send({ kind: 'hold', holds: true } satisfies ToWaveHost, () => undefined)
    return host
  }

  #settle(id: number, answer: WaveAnswer): void {
    const open = this.#open.get(id)
    this.#open.delete(id)
    open?.cancel()
    open?.settle(answer)
  }
}
