// The daemon's side of the lights: starts their thread, feeds it, knows its state, brings it back.
import { Worker } from 'node:worker_threads'
import { Heartbeat, THREAD_BEAT } from '../../clock/heartbeat.js'
import type { Cancel, Timers } from '../../clock/timers.js'
import { settledWithin } from '../../clock/waiting.js'
import { msToFrames } from '../../clock/frame.js'
import type { DmxView } from '../../engine/dmx/dmx-run.js'
import type { CompiledTimeline } from '../../engine/lighting/timeline.js'
import { compiledProgram, THREAD } from '../programs.js'
import type { FromLights, LightsSetup, ToLights } from './lights-messages.js'

export interface LightsOptions {
  readonly output: 'none' | 'artnet'
  /** A numeric IPv4 address; null only where the output is none. */
  readonly host: string | null
  readonly port: number
  readonly timers: Timers
  readonly onStop: 'blackout' | 'hold'
  readonly offsetMs: number
  /** Where the engine's thread writes its frame (`TimeWriter`). */
  readonly time: SharedArrayBuffer
  /** Hears of every change of the state: for the log. */
  readonly changed: (status: LightsStatus) => void
}

export interface LightsStatus {
  readonly state: 'off' | 'ok' | 'failing'
  readonly message: string | null
  /** Universes that timelines drive, or have driven since the start. */
  readonly universes: number
}

/** A thread that died is started again after so long. */
const RESTART_MS = 1_000
/** A last look that takes longer is given up: shutting down goes first. */
const CLOSE_MS = 1_500

export class Lights {
  readonly #universes = new Set<number>()
  /** Null where nothing is sent. */
  readonly #thread: LightsThread | null

  constructor(options: LightsOptions) {
    this.#thread = options.output === 'artnet'
      ? new LightsThread(options, () => options.changed(this.status()))
      : null
  }

  /** The show's timelines by the names that views use. Replaces; live runs keep what they have. */
  setTimelines(timelines: ReadonlyMap<string, CompiledTimeline>): void {
    for (const { universes } of timelines.values()) {
      for (const universe of universes) this.#universes.add(universe)
    }
    this.#thread?.post({ kind: 'timelines', timelines })
  }

  /** The live runs, at every change; and the delay of the sound that some of them follow. */
  update(views: readonly DmxView[], latencyFrames: number): void {
    this.#thread?.post({ kind: 'update', views, latencyFrames })
  }

  status(): LightsStatus {
    const { state = 'off', message = null } = this.#thread ?? {}
    return { state, message, universes: this.#universes.size }
  }

  /** Resolves when the last look has left, or could not leave. */
  close(): Promise<void> {
    return this.#thread?.close() ?? Promise.resolve()
  }
}

/** A worker that is replaced when it dies or hangs; its successor gets what the last one knew. */
class LightsThread {
  readonly #setup: LightsSetup
  readonly #changed: () => void
  #worker: Worker | null = null
  #timelines: ToLights | null = null
  #update: ToLights | null = null
  #closed: (() => void) | null = null
  #closing = false
  #restart: Cancel | null = null
  #heartbeat: Heartbeat | null = null
  readonly #timers: Timers
  state: 'ok' | 'failing' = 'ok'
  message: string | null = null

  constructor(options: LightsOptions, changed: () => void) {
    if (options.host === null) throw new Error('Art-Net needs a host')
    this.#changed = changed
    this.#timers = options.timers
    this.#setup = {
      host: options.host,
      port: options.port,
      onStop: options.onStop,
      offsetFrames: msToFrames(options.offsetMs),
      time: options.time,
    }
    this.#start()
  }

  post(message: ToLights): void {
    if (message.kind === 'timelines') this.#timelines = message
    if (message.kind === 'update') this.#update = message
    this.#worker?.postMessage(message)
  }

  async close(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    this.#restart?.()
    this.#heartbeat?.stop()
    // Its lamps stay lit where it died a moment ago: another one sends the last look. What the
    // runs were is not sent with it, and may be what it died of.
    if (this.#worker === null) this.#update = null
    const worker = this.#worker ?? this.#start()
    const closed = new Promise<void>((resolve) => (this.#closed = resolve))
    this.post({ kind: 'close' })
    await settledWithin(this.#timers, closed, CLOSE_MS)
    await worker.terminate()
  }

  #start(): Worker {
    const worker = new Worker(compiledProgram('io/lights/lights-thread'), {
      ...THREAD, workerData: this.#setup, name: 'lights',
    })
    this.#worker = worker
    const heartbeat = this.#watch(worker)
    worker.on('message', (message: FromLights) => {
      if (this.#worker !== worker) return
      // Its first word is that it has loaded: from there on one that hangs is found out.
      heartbeat.answered()
      if (message.kind === 'state') this.#tell(message.state, message.message)
      if (message.kind === 'closed') this.#closed?.()
    })
    // It is lost at its error, not at its exit a moment later: what it said before may be read
    // between the two, and a close there would leave its lamps lit.
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#lost(`the lights thread died: ${error.message}`)
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#lost('the lights thread died')
    })
    if (this.#timelines !== null) worker.postMessage(this.#timelines)
    if (this.#update !== null) worker.postMessage(this.#update)
    return worker
  }

  /** One that hangs is given up at once: its end may hang, too. */
  #watch(worker: Worker): Heartbeat {
    this.#heartbeat = new Heartbeat({
      ...THREAD_BEAT,
      timers: this.#timers,
      ask: () => worker.postMessage({ kind: 'ping' } satisfies ToLights),
      hangs: () => {
        this.#lost('the lights thread hangs')
        void worker.terminate()
      },
    })
    return this.#heartbeat
  }

  /** Another one is begun. What the last one said of the network is no longer what is wrong. */
  #lost(message: string): void {
    this.#heartbeat?.stop()
    this.#worker = null
    this.#closed?.()
    if (this.#closing) return
    this.#tell('failing', message)
    this.#restart = this.#timers.after(RESTART_MS, () => {
      this.#start()
    })
  }

  #tell(state: 'ok' | 'failing', message: string | null): void {
    if (state === this.state && message === this.message) return
    this.state = state
    this.message = message
    this.#changed()
  }
}
