// The player port by direct calls: the same engine and readings, in one thread, on any clock.
import { FRAMES_PER_MS, type Frame } from '../clock/frame.js'
import type { ButtonsAnswer, Execution, StatusAnswer } from '../contract/schemas.js'
import type { Command, Reply } from '../engine/commands/commands.js'
import { Engine, type EngineOptions } from '../engine/engine.js'
import type { EngineEvent } from '../engine/events.js'
import { ReadModel } from '../engine/read-model.js'
import {
  newsReading, partsReading, type EngineParts, type LiveNews, type LivePort, type Present,
} from '../engine/live-port.js'
import type { Player } from '../engine/player.js'
import type { Fact, StereoBlock } from '../engine/ports.js'
import { buttonsBody } from '../engine/buttons-body.js'
import { statusBody, type Surroundings } from '../engine/status-body.js'

export class DirectPlayer implements Player, LivePort {
  readonly engine: Engine
  readonly readModel = new ReadModel()
  readonly events: EngineEvent[] = []
  readonly #listeners = new Set<(event: EngineEvent) => void>()
  readonly #followers = new Set<(news: LiveNews) => void>()
  #untold: EngineEvent[] = []

  constructor(
    options: Omit<EngineOptions, 'onEvent'>,
    private readonly around: () => Surroundings,
  ) {
    this.engine = new Engine({
      ...options,
      onEvent: (event) => {
        this.events.push(event)
        this.#untold.push(event)
        for (const listener of this.#listeners) listener(event)
      },
    })
  }

  execute(command: Command): Promise<Reply> {
    return new Promise((resolve) => {
      this.submit(command, resolve)
    })
  }

  /** The same without a promise: the answer comes within the call unless its file takes time. */
  submit(command: Command, answer: (reply: Reply) => void): void {
    this.engine.submit(command, (reply) => {
      this.#sync()
      answer(reply)
    })
    this.#sync()
  }

  post(fact: Fact): void {
    this.engine.post(fact)
    this.settle()
  }

  /** What is due at this very frame happens now. */
  settle(): void {
    this.engine.settle()
    this.#sync()
  }

  advance(frames: number): void {
    this.engine.advance((this.engine.now + frames) as Frame)
    this.#sync()
  }

  render(into: StereoBlock, offset: number, count: number): void {
    this.engine.render(into, offset, count)
    this.#sync()
  }

  execution(executionId: string): Execution | null {
    return this.readModel.execution(executionId, this.engine.now)
  }

  buttons(): ButtonsAnswer {
    return buttonsBody(this.engine.catalogue, this.readModel)
  }

  status(): StatusAnswer {
    return statusBody(this.engine.catalogue, this.readModel, this.engine.now, this.around())
  }

  subscribe(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  parts(): EngineParts {
    const { audio, lights } = this.around()
    const { sink, latencyMs, underruns, armedHeads } = audio
    const output = { sink, latency: latencyMs * FRAMES_PER_MS, underruns, armedHeads }
    return partsReading(this.engine.catalogue, this.readModel, { output, lights })
  }

  /** Virtual time stands while somebody looks. */
  present(): Present {
    return { frame: this.engine.now, latency: this.around().audio.latencyMs * FRAMES_PER_MS }
  }

  follow(listener: (news: LiveNews) => void): () => void {
    this.#followers.add(listener)
    return () => {
      this.#followers.delete(listener)
    }
  }

  #sync(): void {
    const changes = this.engine.takeChanges()
    this.readModel.apply(changes)
    const events = this.#untold
    this.#untold = []
    if (changes.length + events.length === 0 || this.#followers.size === 0) return
    const news = newsReading(this.engine.now, events, changes)
    for (const follower of this.#followers) follower(news)
  }
}
