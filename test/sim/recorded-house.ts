// A house whose nights are recorded as the daemon records them, on virtual time.
//
// As in the daemon: time passes in blocks, what decoders and files say waits for the edge of a
// block, what an armed head or a file of a moment ago says is said within the step; the recorder is
// the daemon's own.
import { frame, FRAMES_PER_MS } from '../../src/clock/frame.js'
import type { Catalogue } from '../../src/engine/catalogue.js'
import type { Command } from '../../src/engine/commands/commands.js'
import { DEFAULT_ENGINE, Engine } from '../../src/engine/engine.js'
import type { EngineEvent } from '../../src/engine/events.js'
import { drawnFrom } from '../../src/engine/ids.js'
import type { Fact } from '../../src/engine/ports.js'
import {
  RECORDING_VERSION, type RecordedFact, type RecordedInput, type RecordingHeader,
} from '../../src/recording/recording.js'
import { Recorder } from '../../src/recording/recorder.js'
import { SimMedia } from '../../sim/world/media.js'
import { optionsOf } from '../../sim/oracle/model/shapes.js'
import type { Op, Scenario } from '../../sim/scenario/scenario.js'
import { buttonId, catalogueOf, edited, PLAIN_NAMING, UNKNOWN_ID } from '../../sim/scenario/show.js'

export interface Parts {
  readonly partBytes: number
  readonly parts: number
}

export interface House {
  readonly events: readonly EngineEvent[]
}

/** Frames that the output takes at a time. */
const BLOCK = 480

interface Coming {
  readonly at: number
  readonly fact: Fact
}

/** Spends a scenario's night with the recorder on; answers what the night told. */
export const spendRecorded = async (
  scenario: Scenario, file: string, { partBytes, parts }: Parts,
): Promise<House> => {
  const show = catalogueOf(scenario.lists, PLAIN_NAMING)
  const header: RecordingHeader = {
    kind: 'cartwall-recording', version: RECORDING_VERSION, cartwall: 'test',
    startedAt: '2026-01-01T20:00:00.000Z', seed: scenario.seed, origin: DEFAULT_ENGINE.origin,
    dmxAllowed: scenario.dmxAllowed, retentionMs: scenario.retentionMs,
    loopHeadBytes: scenario.loopHeadBytes, show: { title: show.title, playlists: show.playlists },
  }
  const failed = (message: string): never => {
    throw new Error(message)
  }
  const startedMs = new Date(header.startedAt).getTime()
  const wallMs = (): number => startedMs + (night.now - header.origin) / FRAMES_PER_MS
  const recorder = new Recorder({ file, header, partBytes, parts, wallMs, failed })
  await recorder.begin()
  const night = new Night(scenario, show, recorder)
  for (const op of scenario.ops) night.act(op)
  await recorder.close(night.now)
  return night
}

class Night {
  readonly events: EngineEvent[] = []
  readonly #engine: Engine
  readonly #media: SimMedia
  #coming: Coming[] = []
  #fresh: RecordedInput[] = []
  #told = 0
  #lists: Scenario['lists']
  readonly #runs = new Map<string, string>()
  readonly #lights = new Map<string, string>()
  #sequence = 0
  readonly #buttons: number

  constructor(scenario: Scenario, catalogue: Catalogue, private readonly recorder: Recorder) {
    this.#lists = scenario.lists
    this.#buttons = scenario.lists.reduce((sum, list) => sum + list.buttons.length, 0)
    this.#media = new SimMedia(scenario.files)
    this.#media.attach(() => this.now, (fact, at) => {
      // A file that was looked at lately is known within the step, too.
      const within = fact.kind !== 'checked' || scenario.seed % 2 === 0
      if (at <= this.now && within) this.#post(fact)
      else this.#coming.push({ at, fact })
    })
    this.#engine = new Engine({
      ...DEFAULT_ENGINE, media: this.#media, ...drawnFrom(scenario.seed), catalogue,
      dmxAllowed: scenario.dmxAllowed, retentionMs: scenario.retentionMs,
      loopHeadBytes: scenario.loopHeadBytes,
      onEvent: (event) => {
        this.events.push(event)
        if (event.kind === 'run') this.#runs.set(event.buttonId, event.executionId)
        if (event.kind === 'dmx') this.#lights.set(event.buttonId, event.dmxExecutionId)
      },
    })
  }

  get now(): number {
    return this.#engine.now
  }

  act(op: Op): void {
    this.#spend(this.now + op.gap)
    const command = this.#commandOf(op)
    if (command === null) for (const fact of this.#factsOf(op)) this.#post(fact)
    else {
      this.#fresh.push({ at: this.now, command })
      this.#engine.submit(command, () => undefined)
      this.#publish()
    }
  }

  /** What came is posted at the edge of a block, and settled within the next one. */
  #spend(to: number): void {
    while (this.now < to) {
      const due = this.#coming.filter(({ at }) => at <= this.now)
      this.#coming = this.#coming.filter(({ at }) => at > this.now)
      for (const { fact } of due) this.#post(fact)
      const next = Math.min(to, ...this.#coming.map(({ at }) => at))
      const block = this.#fresh.length > 0 ? Math.min(next, this.now + BLOCK) : next
      this.#engine.advance(frame(block))
      this.#publish()
    }
  }

  #post(fact: Fact): void {
    this.#fresh.push({ at: this.now, fact: written(fact) })
    this.#engine.post(fact)
  }

  /** What went in, then what the engine told of it. */
  #publish(): void {
    this.recorder.write(this.#fresh, this.events.slice(this.#told))
    this.#fresh = []
    this.#told = this.events.length
  }

  #factsOf(op: Op): readonly Fact[] {
    if (op.op === 'shutdown') return [{ kind: 'shutdown' }]
    if (op.op === 'output') {
      return [op.up ? { kind: 'output_back' } : { kind: 'output_lost', message: 'unplugged' }]
    }
    if (op.op !== 'swap') return []
    this.#lists = edited(this.#lists, op.edits)
    const catalogue = catalogueOf(this.#lists, PLAIN_NAMING)
    return [{ kind: 'catalogue_busy' }, { kind: 'catalogue', catalogue }]
  }

  #commandOf(op: Op): Command | null {
    if (op.op === 'panic') return { kind: 'panic', fadeOutMs: op.fadeMs }
    if (!('button' in op)) return null
    const button = buttonId(op.button % this.#buttons, PLAIN_NAMING)
    const run = this.#runs.get(button) ?? UNKNOWN_ID
    switch (op.op) {
      case 'play':
      case 'restart':
        return { kind: op.op, buttonId: button, options: optionsOf(op.options) }
      case 'pause':
        return { kind: 'pause', buttonId: button, executionId: run, fadeOutMs: op.fadeMs }
      case 'resume':
        return { kind: 'resume', buttonId: button, executionId: run, fadeInMs: op.fadeMs }
      case 'stop':
        return { kind: 'stop', buttonId: button, executionId: null, fadeOutMs: op.fadeMs }
      case 'sync': {
        this.#sequence += 1
        return {
          kind: 'sync', buttonId: button, executionId: this.#lights.get(button) ?? UNKNOWN_ID,
          sequence: this.#sequence, positionMs: 'ms' in op.at ? op.at.ms : 1_000,
          isPlaying: op.isPlaying, forceSeek: op.forceSeek,
        }
      }
    }
  }
}

/** A catalogue is written as the show that it is made from. */
const written = (fact: Fact): RecordedFact => {
  if (fact.kind !== 'catalogue') return fact
  const { title, playlists } = fact.catalogue
  return { kind: 'catalogue', show: { title, playlists } }
}
