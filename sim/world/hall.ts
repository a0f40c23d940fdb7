// A hall: one engine on virtual time behind the player port, for long nights: it keeps no book of
// anything.
import { frame } from '../../src/clock/frame.js'
import type { ButtonsAnswer, Execution, StatusAnswer } from '../../src/contract/schemas.js'
import type { Command, Reply } from '../../src/engine/commands/commands.js'
import { DEFAULT_ENGINE, Engine } from '../../src/engine/engine.js'
import type { EngineEvent } from '../../src/engine/events.js'
import { ReadModel } from '../../src/engine/read-model.js'
import type { Player } from '../../src/engine/player.js'
import type { Fact, MediaPort, MediaStream, OpenRequest } from '../../src/engine/ports.js'
import { createPrng } from '../../src/engine/prng.js'
import { buttonsReading, executionReading, statusReading } from '../../src/engine/readings.js'
import { SURROUNDINGS } from './booth.js'
import type { ShowSpec } from '../night/night-show.js'
import { catalogueOf, PLAIN_NAMING, runId } from '../scenario/show.js'

/** Decoders that are ready a few milliseconds after they were asked, and never fail. */
class GoodMedia implements MediaPort {
  constructor(
    private readonly lengths: ReadonlyMap<string, number>,
    private readonly post: (fact: Fact, after: number) => void,
  ) {}

  check(ticket: number, path: string): void {
    this.post({ kind: 'checked', ticket, found: this.lengths.has(path) }, 0)
  }

  open({ stream, path, to, hold }: OpenRequest): MediaStream {
    const source = this.lengths.get(path) ?? 0
    const end = Math.min(to ?? source, source)
    const whole = end === source ? frame(source) : null
    this.post({ kind: 'ended', stream, end: frame(end), source: whole, held: hold }, READY)
    this.post({ kind: 'supplied', stream, until: frame(end) }, READY)
    return SILENT
  }
}

const READY = 240
const SILENT: MediaStream = { read: () => undefined, close: () => undefined }

export class Hall implements Player {
  readonly engine: Engine
  readonly readModel = new ReadModel()
  readonly #listeners = new Set<(event: EngineEvent) => void>()
  #ids = 0

  constructor(
    { lists, lengths, probed }: ShowSpec,
    onEvent: (event: EngineEvent) => void,
  ) {
    const media = new GoodMedia(lengths, (fact, after) => {
      this.engine.post(fact, frame(this.engine.now + after))
    })
    this.engine = new Engine({
      media,
      ids: {
        next: () => {
          this.#ids += 1
          return runId(this.#ids, PLAIN_NAMING)
        },
      },
      prng: createPrng(1),
      catalogue: catalogueOf(lists, PLAIN_NAMING),
      dmxAllowed: true,
      origin: frame(0),
      retentionMs: 600_000,
      loopHeadBytes: 33_554_432,
      cushion: DEFAULT_ENGINE.cushion,
      onEvent: (event) => {
        onEvent(event)
        for (const listener of this.#listeners) listener(event)
      },
    })
    for (const path of probed) {
      this.engine.post({ kind: 'probed', path, duration: frame(lengths.get(path) ?? 0) })
    }
    this.engine.settle()
    this.sync()
  }

  get now(): number {
    return this.engine.now
  }

  /** Answers at the latest when the file was looked at, which is within the step. */
  ask(command: Command): Reply {
    const box: { reply: Reply | null } = { reply: null }
    this.engine.submit(command, (reply) => {
      box.reply = reply
    })
    this.sync()
    if (box.reply === null) throw new Error(`no answer to ${command.kind}`)
    return box.reply
  }

  execute(command: Command): Promise<Reply> {
    return Promise.resolve(this.ask(command))
  }

  passTo(to: number): void {
    this.engine.advance(frame(to))
    this.sync()
  }

  sync(): void {
    this.readModel.apply(this.engine.takeChanges())
  }

  execution(executionId: string): Execution | null {
    return executionReading(this.readModel, executionId, this.engine.now)
  }

  buttons(): ButtonsAnswer {
    return buttonsReading(this.engine.catalogue, this.readModel)
  }

  status(): StatusAnswer {
    return statusReading(this.engine.catalogue, this.readModel, this.engine.now, SURROUNDINGS)
  }

  subscribe(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}
