// The player port across the sound thread's channel: commands go over, reads from a model.
import type { Worker } from 'node:worker_threads'
import { frame, FRAMES_PER_MS, type Frame } from '../clock/frame.js'
import type { Timers } from '../clock/timers.js'
import { LIMITS } from '../contract/limits.js'
import type { ButtonsAnswer, Execution, StatusAnswer } from '../contract/schemas.js'
import type { Catalogue } from '../engine/catalogue.js'
import type { Command, Reply } from '../engine/commands/commands.js'
import type { EngineEvent } from '../engine/events.js'
import { ReadModel, type Change } from '../engine/read-model.js'
import {
  newsReading, partsReading, type EngineParts, type LiveNews, type LivePort, type Present,
} from '../engine/live-port.js'
import type { Levels } from '../engine/sound/meter.js'
import type { Player } from '../engine/player.js'
import { buttonsBody } from '../engine/buttons-body.js'
import { statusBody, type Surroundings } from '../engine/status-body.js'
import type { SharedEngineTime } from '../clock/shared-time.js'
import type { RecordedInput } from '../recording/recording.js'
import type { FromSound, MainFact, SoundFigures, NumberedInput, ToSound } from './sound-messages.js'
import { ShowSender } from './show-transfer.js'

const NO_FIGURES: SoundFigures = { sink: 'none', latencyFrames: 0, underruns: 0, armedHeads: 0 }

export interface RemotePlayerOptions {
  readonly worker: Worker
  readonly timers: Timers
  readonly catalogue: Catalogue
  readonly time: SharedEngineTime
  readonly around: () => Omit<Surroundings, 'audio'>
}

export class RemotePlayer implements Player, LivePort {
  readonly readModel = new ReadModel()
  figures: SoundFigures = NO_FIGURES
  #newsHeard = 0
  /** The frame up to which all that happened was heard of. */
  #known = 0
  /** The ranges (`keyOf`) that would sound at once. */
  readonly armed = new Set<string>()
  #catalogue: Catalogue
  /** Handed over and not yet taken by the engine, by their numbers. */
  readonly #coming = new Map<number, Catalogue>()
  readonly #shows = new ShowSender((part) => {
    this.send({ kind: 'show_part', part })
  })
  /** What is told while a show is under way comes after it. */
  #behind: MainFact[] = []
  #nextId = 0
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  readonly #listeners = new Set<(event: EngineEvent) => void>()
  readonly #followers = new Set<(news: LiveNews) => void>()
  #onLevels: ((levels: Levels) => void) | null = null

  constructor(private readonly options: RemotePlayerOptions) {
    this.#catalogue = options.catalogue
  }

  execute(command: Command): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.submit(command, resolve, reject)
    })
  }

  /** The same without a promise; `unanswered` where the thread says nothing for seven seconds. */
  submit(
    command: Command, answer: (reply: Reply) => void, unanswered: (error: Error) => void,
  ): void {
    const id = (this.#nextId += 1)
    const cancel = this.options.timers.after(LIMITS.commandLinkMs, () => {
      this.#waiting.delete(id)
      unanswered(new Error('the sound thread does not answer'))
    })
    this.#waiting.set(id, (reply) => {
      cancel()
      answer(reply)
    })
    this.send({ kind: 'command', id, command })
  }

  send(message: ToSound): void {
    this.options.worker.postMessage(message)
  }

  tell(...facts: readonly MainFact[]): void {
    if (facts.some(({ kind }) => kind === 'shutdown')) this.#abandonShow()
    this.#behind.push(...facts)
    this.#tellBehind()
  }

  /** Hands over a changed show; readers see it from the moment at which the engine took it. */
  replaceCatalogue(catalogue: Catalogue): void {
    this.#abandonShow()
    // What waited behind the one before is older than this one, e.g. that this one is read.
    this.#tellBehind()
    const { title, playlists } = catalogue
    this.#coming.set(this.#shows.begin({ title, playlists }), catalogue)
  }

  /** One that is still under way is not wanted any more, and never becomes the engine's. */
  #abandonShow(): void {
    const unsent = this.#shows.abandon()
    if (unsent !== null) this.#coming.delete(unsent)
  }

  /** Facts keep their place behind a show. */
  #tellBehind(): void {
    if (this.#shows.isSending || this.#behind.length === 0) return
    this.send({ kind: 'facts', facts: this.#behind })
    this.#behind = []
  }

  /** What went into the engine, with the shows themselves; to be asked before it is heard. */
  recorded(inputs: readonly NumberedInput[]): readonly RecordedInput[] {
    return inputs.map((input) => {
      if (!('fact' in input) || input.fact.kind !== 'catalogue') return input as RecordedInput
      const { title, playlists } = this.#coming.get(input.fact.show) ?? this.#catalogue
      return { at: input.at, fact: { kind: 'catalogue', show: { title, playlists } } }
    })
  }

  heard(message: FromSound): void {
    if (message.kind === 'levels') this.#onLevels?.(message.levels)
    if (message.kind === 'armed') {
      for (const [key, isArmed] of message.changes) {
        if (isArmed) this.armed.add(key)
        else this.armed.delete(key)
      }
    }
    if (message.kind === 'figures') {
      this.figures = message.figures
      this.#tellFollowers([], [])
    }
    if (message.kind === 'show_part_taken') {
      this.#shows.taken(message.show)
      this.#tellBehind()
    }
    if (message.kind === 'news') this.#news(message)
  }

  #news(message: Extract<FromSound, { kind: 'news' }>): void {
    this.#newsHeard += 1
    this.#known = Math.max(this.#known, message.frame)
    this.readModel.apply(message.changes)
    for (const event of message.events) {
      if (event.kind === 'catalogue' && event.change === 'replaced') this.#tookShow()
      for (const listener of this.#listeners) listener(event)
    }
    this.#tellFollowers(message.events, message.changes)
    for (const { id, reply } of message.replies) {
      this.#waiting.get(id)?.(reply)
      this.#waiting.delete(id)
    }
  }

  /** The engine takes them in the order in which they were handed over. */
  #tookShow(): void {
    for (const [show, catalogue] of this.#coming) {
      this.#catalogue = catalogue
      this.#coming.delete(show)
      return
    }
  }

  get catalogue(): Catalogue {
    return this.#catalogue
  }

  execution(executionId: string): Execution | null {
    return this.readModel.execution(executionId, this.now)
  }

  buttons(): ButtonsAnswer {
    return buttonsBody(this.#catalogue, this.readModel)
  }

  status(): StatusAnswer {
    const { sink, latencyFrames, underruns, armedHeads } = this.figures
    const audio = { sink, latencyMs: latencyFrames / FRAMES_PER_MS, underruns, armedHeads }
    return statusBody(this.#catalogue, this.readModel, this.now, {
      ...this.options.around(), audio,
    })
  }

  subscribe(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  parts(): EngineParts {
    const { sink, latencyFrames: latency, underruns, armedHeads } = this.figures
    const output = { sink, latency, underruns, armedHeads }
    const { lights } = this.options.around()
    return partsReading(this.#catalogue, this.readModel, { output, lights })
  }

  present(): Present {
    return { frame: this.options.time.nowFrame(), latency: this.figures.latencyFrames }
  }

  follow(listener: (news: LiveNews) => void): () => void {
    this.#followers.add(listener)
    return () => {
      this.#followers.delete(listener)
    }
  }

  /** Levels are measured from now on, for this listener; null: no more. */
  meter(listener: ((levels: Levels) => void) | null): void {
    this.#onLevels = listener
    this.send({ kind: 'meter', wanted: listener !== null })
  }

  #tellFollowers(events: readonly EngineEvent[], changes: readonly Change[]): void {
    if (this.#followers.size === 0) return
    const news = newsReading(this.now, events, changes)
    for (const follower of this.#followers) follower(news)
  }

  /**
   * What the output has taken, never ahead of it. A frame that was written behind news which are
   * still on their way is not gone by: one may be of a pause, which holds a position before it.
   */
  get now(): Frame {
    const written = this.options.time.written()
    if (written.news <= this.#newsHeard) this.#known = Math.max(this.#known, written.frame)
    return frame(this.#known)
  }
}
