// A booth: one engine on virtual time with its media, its read model, and a witness of all it
// tells.
import { frame } from '../../src/clock/frame.js'
import type { Command, Reply } from '../../src/engine/commands/commands.js'
import { DEFAULT_ENGINE, Engine } from '../../src/engine/engine.js'
import type { EngineEvent } from '../../src/engine/events.js'
import { ReadModel } from '../../src/engine/read-model.js'
import { stereo } from '../../src/engine/sound/mixer.js'
import type { Fact, StereoBlock } from '../../src/engine/ports.js'
import { createPrng } from '../../src/engine/prng.js'
import { buttonsReading, executionReading, statusReading } from '../../src/engine/readings.js'
import { SimMedia } from './media.js'
import type { Scenario } from '../scenario/scenario.js'
import { catalogueOf, runId, type Naming } from '../scenario/show.js'
import { Witness } from './witness.js'

const BLOCK = 4096

export const SURROUNDINGS = {
  version: 'sim', uptimeMs: 0, dmxEnabled: true, universes: 0,
  audio: { sink: 'sim', latencyMs: 0, underruns: 0, armedHeads: 0 },
  lights: { state: 'off', message: null },
  log: { state: 'ok', message: null, lost: 0 },
} as const

export class Booth {
  readonly engine: Engine
  readonly readModel = new ReadModel()
  readonly media: SimMedia
  readonly witness: Witness
  readonly block: StereoBlock = stereo(BLOCK)
  readonly #names = new Map<string, string>()
  #ids = 0

  constructor(
    scenario: Scenario, naming: Naming, origin: number, onEvent: (event: EngineEvent) => void,
  ) {
    this.media = new SimMedia(scenario.files, () => this.engine.now, (fact, at) => {
      this.witness.arrives(fact, at, this.engine.now)
      this.engine.post(fact, at)
    })
    this.witness = new Witness(this.media)
    this.engine = new Engine({
      media: this.media,
      ids: { next: () => this.#nextId(naming) },
      prng: createPrng(scenario.seed),
      catalogue: catalogueOf(scenario.lists, naming),
      dmxAllowed: scenario.dmxAllowed,
      origin: frame(origin),
      retentionMs: scenario.retentionMs,
      loopHeadBytes: scenario.loopHeadBytes,
      cushion: DEFAULT_ENGINE.cushion,
      onEvent: (event) => {
        this.witness.hear(event)
        onEvent(event)
      },
    })
  }

  #nextId(naming: Naming): string {
    this.#ids += 1
    const id = runId(this.#ids, naming)
    this.#names.set(id, `x${this.#ids}`)
    return id
  }

  /** An id as every guise of a scenario calls it. */
  nameOf(id: string | null): string {
    return id === null ? '-' : (this.#names.get(id) ?? id)
  }

  get now(): number {
    return this.engine.now
  }

  post(fact: Fact, at: number = this.now): void {
    this.witness.arrives(fact, at, -1)
    this.engine.post(fact, frame(at))
  }

  submit(command: Command, answer: (reply: Reply) => void): void {
    this.engine.submit(command, (reply) => {
      this.sync()
      this.witness.replied()
      answer(reply)
    })
    this.sync()
  }

  advance(to: number): void {
    this.engine.advance(frame(to))
    this.sync()
  }

  /** Renders up to the size of the block; the sound stands at its beginning. */
  render(count: number): void {
    this.engine.render(this.block, 0, count)
    this.sync()
  }

  /** Renders any length and forgets the sound. */
  renderTo(to: number): void {
    while (this.now < to) this.render(Math.min(BLOCK, to - this.now))
  }

  settle(): void {
    this.engine.settle()
    this.sync()
  }

  sync(): void {
    this.readModel.apply(this.engine.takeChanges())
  }

  execution(id: string) {
    return executionReading(this.readModel, id, this.engine.now)
  }

  buttons() {
    return buttonsReading(this.engine.catalogue, this.readModel)
  }

  status() {
    return statusReading(this.engine.catalogue, this.readModel, this.engine.now, SURROUNDINGS)
  }
}
