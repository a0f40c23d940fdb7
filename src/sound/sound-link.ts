// The sound thread as the daemon holds it: set up, listened to, watched over, stopped.
import type { Worker } from 'node:worker_threads'
import { Catalogue } from '../engine/catalogue.js'
import type { EngineEvent } from '../engine/events.js'
import type { Surroundings } from '../engine/status-body.js'
import { Heartbeat, THREAD_BEAT } from '../clock/heartbeat.js'
import type { Timers } from '../clock/timers.js'
import { settledWithin } from '../clock/waiting.js'
import { SharedEngineTime } from '../clock/shared-time.js'
import { FileInquiries } from './file-inquiries.js'
import { RemotePlayer } from './remote-player.js'
import type { RecordedInput } from '../recording/recording.js'
import type { FromSound, SeenFile, SoundSetup } from './sound-messages.js'
import type { StartedSound } from './sound-start.js'

/** A thread that does not stop by then is ended: shutting down goes first. */
const STOP_MS = 1_200
/** One that computes is ended within moments; one that waits for the system may never be. */
const TERMINATE_MS = 500

export interface SoundOptions {
  readonly timers: Timers
  readonly started: StartedSound
  readonly setup: SoundSetup
  readonly around: () => Omit<Surroundings, 'audio'>
  /** The thread died or hangs: nothing sounds, and nothing here can bring its runs back. */
  readonly died: (error: Error) => void
  /** What went into the engine and what it told, in order: for the flight recorder. */
  readonly recorded: (inputs: readonly RecordedInput[], events: readonly EngineEvent[]) => void
  /** A file of the show is another one now, or is gone. */
  readonly fileReplaced: (path: string) => void
  /** How files of the show were at the first look at them. */
  readonly filesSeen: (files: readonly SeenFile[]) => void
  /** After every batch of news, when readers already see it. */
  readonly changed: (player: RemotePlayer) => void
}

export class SoundLink {
  readonly player: RemotePlayer
  readonly files = new FileInquiries((question) => this.player.send(question))
  /** Resolves when the output is open or known to be away; with what an operator should read. */
  readonly ready: Promise<string | null>
  readonly #worker: Worker
  readonly #timers: Timers
  readonly #stopped: Promise<void>
  readonly #setup: SoundSetup
  /** Reads go by what it told last: without this `/status` would say for ever that all is well. */
  readonly #heartbeat: Heartbeat
  #stopping = false
  #hangs = false
  /** It hung and could not be ended: a process that waits for its threads would not end either. */
  isStuck = false

  constructor(options: SoundOptions) {
    this.#worker = options.started.worker
    this.#timers = options.timers
    this.#setup = options.setup
    this.player = new RemotePlayer({
      worker: this.#worker,
      timers: options.timers,
      catalogue: new Catalogue(options.setup.show),
      time: new SharedEngineTime(options.setup.time),
      around: options.around,
    })
    let readyNow: (note: string | null) => void
    let stoppedNow: () => void
    this.ready = new Promise((resolve) => (readyNow = resolve))
    this.#stopped = new Promise((resolve) => (stoppedNow = resolve))
    this.#worker.on('message', (message: FromSound) => {
      // Its first word is that it has loaded: from there on one that hangs is found out.
      this.#heartbeat.answered()
      const inputs = message.kind === 'news' ? this.player.recorded(message.inputs) : []
      this.player.heard(message)
      if (message.kind === 'ready') readyNow(message.note)
      if (message.kind === 'stopped') stoppedNow()
      if (message.kind === 'file_replaced') options.fileReplaced(message.path)
      if (message.kind === 'files_seen') options.filesSeen(message.files)
      if (message.kind === 'file_answer') this.files.heard(message)
      if (message.kind !== 'news' && message.kind !== 'figures') return
      if (message.kind === 'news') options.recorded(inputs, message.events)
      options.changed(this.player)
    })
    this.#worker.on('error', (error) => {
      options.died(error)
    })
    this.#worker.on('exit', () => {
      stoppedNow()
      if (!this.#stopping) options.died(new Error('the sound thread ended'))
    })
    this.#heartbeat = new Heartbeat({
      ...THREAD_BEAT,
      timers: options.timers,
      ask: () => this.player.send({ kind: 'ping' }),
      hangs: () => {
        this.#hangs = true
        options.died(new Error('the sound thread hangs'))
      },
    })
    const failure = options.started.failure()
    if (failure !== null) {
      setImmediate(() => {
        stoppedNow()
        options.died(failure)
      })
    }
  }

  /** From here on the thread carries out what it was told; a file to record into is made now. */
  begin(): void {
    this.player.send({ kind: 'setup', setup: this.#setup })
  }

  /** Ends every run, closes the output in order, leaves no process behind. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#heartbeat.stop()
    this.player.send({ kind: 'stop' })
    await settledWithin(this.#timers, this.#stopped, STOP_MS)
    const ended = this.#worker.terminate()
    // Of any other one whoever ends the daemon knows by what time it must be over, and what then.
    if (!this.#hangs) await ended
    else this.isStuck = !await settledWithin(this.#timers, ended, TERMINATE_MS)
  }
}
