// The engine on its thread: one door in for commands and facts, one way out for what comes of them.
import { Catalogue } from '../engine/catalogue.js'
import { DEFAULT_ENGINE, Engine } from '../engine/engine.js'
import type { EngineEvent } from '../engine/events.js'
import type { Command, Reply } from '../engine/commands/commands.js'
import { drawnFrom } from '../engine/ids.js'
import { Master } from '../engine/sound/master.js'
import { RenderAhead } from '../engine/sound/render-ahead.js'
import { Meter } from '../engine/sound/meter.js'
import type { Fact, MediaPort, StereoBlock } from '../engine/ports.js'
import { LIVE } from '../contract/live.js'
import { armedRange, type ArmedButton } from '../io/media/preroll-entry.js'
import type { Cancel, Timers } from '../clock/timers.js'
import { TimeWriter } from '../clock/shared-time.js'
import type {
  ArmedChange, FromSound, SeenFile, SoundSetup, NumberedFact, NumberedInput, ToSound,
} from './sound-messages.js'
import type { OutputOwner, OutputSwitch } from './output-switch.js'
import { ShowReceiver, type ShowPart } from './show-transfer.js'

/** How often the figures of the output go over, in milliseconds. */
const FIGURES_MS = 250

/** Frames between two tellings of levels. */
const LEVELS_EVERY = LIVE.framesPerSecond / LIVE.levelsPerSecond

/** What is heard once there is a show. */
export type ForTheShow =
  Exclude<ToSound, { kind: 'open' | 'setup' | 'ping' | 'file_question' | 'waves' }>

/** What media have to say beside the facts that answer the engine. */
export interface MediaNews {
  /** A fact for the engine; may come while the engine calls. */
  post(fact: Fact): void
  /** Another file stands in the place of one that was there, or none does. */
  replaced(path: string): void
  /** How a file was at its first look: its stamp; null: it was not there. */
  firstSeen(path: string, stamp: string | null): void
  /** A range (`keyOf`) would sound at once from now on, or no more. */
  armed(key: string, isArmed: boolean): void
}

/** Media that are made ready ahead of their starts. */
export interface ArmingMedia extends MediaPort {
  readonly armedHeads: number
  setArmed(buttons: Iterable<ArmedButton>): void
  setImages(paths: Iterable<string>): void
  /** Resolves once no process of it is left. */
  closeAll(): Promise<void>
}

export interface HostParts {
  /** The time of this thread. */
  readonly timers: Timers
  readonly output: OutputSwitch
  readonly media: (news: MediaNews) => ArmingMedia
  /** To the main thread, in order. */
  readonly tell: (message: FromSound) => void
  /** All is over: every run ended, the output closed. */
  readonly stopped: () => void
}

export class EngineHost {
  readonly engine: Engine
  readonly #media: ArmingMedia
  readonly #master = new Master()
  readonly #ahead: RenderAhead
  readonly #time: TimeWriter
  #catalogue: Catalogue
  readonly #shows = new ShowReceiver()
  #isArming = false
  #meter: Meter | null = null
  readonly #figures: Cancel
  /** How often there was some. */
  #news = 0
  #events: EngineEvent[] = []
  #replies: { id: number; reply: Reply }[] = []
  #inputs: NumberedInput[] = []

  constructor(private readonly setup: SoundSetup, private readonly parts: HostParts) {
    this.#time = new TimeWriter(setup.time)
    this.#media = parts.media({
      post: (fact) => {
        this.post(fact)
      },
      replaced: (path) => {
        parts.tell({ kind: 'file_replaced', path })
      },
      firstSeen: (...seen) => {
        this.#seen.push(seen)
      },
      armed: (...change) => {
        this.#armings.push(change)
      },
    })
    this.#catalogue = new Catalogue(setup.show)
    this.engine = new Engine({
      ...DEFAULT_ENGINE,
      media: this.#media,
      catalogue: this.#catalogue,
      dmxAllowed: setup.dmxAllowed,
      ...drawnFrom(setup.seed),
      onEvent: (event) => {
        this.#events.push(event)
      },
    })
    this.#ahead = new RenderAhead(this.engine, this.#master)
    this.#figures = parts.timers.every(FIGURES_MS, () => {
      this.#tellFigures()
    })
    parts.output.attach(this.#owner())
  }

  /** The one door in for what ports and the main thread have to say; `show`: a catalogue's. */
  post(fact: Fact, show = 0): void {
    // What a port says while the engine calls it is settled within that very step.
    if (this.#stepping) this.#post(fact, show)
    else this.parts.output.meet(() => {
      this.#post(fact, show)
      this.parts.output.wake()
    })
  }

  #post(fact: Fact, show: number): void {
    if (this.setup.record) this.#inputs.push({ at: this.engine.now, fact: told(fact, show) })
    this.engine.post(fact)
  }

  #stepping = false

  #step(act: () => void): void {
    this.#stepping = true
    act()
    this.#stepping = false
  }

  heard(message: ForTheShow): void {
    if (message.kind === 'command') {
      this.parts.output.meet(() => this.#command(message.id, message.command))
    }
    if (message.kind === 'facts') for (const fact of message.facts) this.post(fact)
    if (message.kind === 'show_part') this.#showPart(message.part)
    if (message.kind === 'meter') this.#setMeter(message.wanted)
    // Behind what else waits: the shutdown that ends all runs.
    if (message.kind === 'stop') this.parts.output.meet(() => void this.#stop())
  }

  #command(id: number, command: Command): void {
    if (this.setup.record) this.#inputs.push({ at: this.engine.now, command })
    this.#step(() => {
      this.engine.submit(command, (reply) => {
        this.#replies.push({ id, reply })
      })
    })
    // What was accepted sounds with the next block, and the answer does not wait for it.
    this.#publish()
    this.parts.output.wake()
  }

  #showPart(part: ShowPart): void {
    this.parts.tell({ kind: 'show_part_taken', show: part.show })
    const catalogue = this.#shows.add(part)
    if (catalogue === null) return
    this.#catalogue = catalogue
    this.post({ kind: 'catalogue', catalogue }, part.show)
    this.#arm()
  }

  #setMeter(wanted: boolean): void {
    this.#meter = wanted ? new Meter(LEVELS_EVERY) : null
    this.engine.meter = this.#meter
  }

  #tellLevels(block: StereoBlock, count: number, meter: Meter): void {
    meter.noteMaster(block, count)
    const levels = meter.take(this.engine.now)
    if (levels !== null) this.parts.tell({ kind: 'levels', levels })
  }

  /** The decoding process, which arming starts, waits until the daemon is ready. */
  #arm(): void {
    if (!this.#isArming) return
    this.#media.setArmed(armed(this.#catalogue))
    this.#media.setImages(images(this.#catalogue))
  }

  #owner(): OutputOwner {
    return {
      render: (into: StereoBlock, count: number) => {
        this.#step(() => {
          this.engine.render(into, 0, count)
        })
        this.#master.process(into, 0, count)
        this.#publish(true)
        if (this.#meter !== null) this.#tellLevels(into, count, this.#meter)
      },
      quiet: () => this.engine.quiet(),
      foresee: (into, count, isAnew) => this.#ahead.foresee(into, count, isAnew),
      back: () => {
        this.post({ kind: 'output_back' })
      },
      lost: (message) => {
        this.post({ kind: 'output_lost', message })
      },
      notice: (message) => {
        this.#events.push({
          kind: 'notice', at: this.engine.now, buttonId: null, executionId: null, message,
        })
        // It may be that nothing is rendered for now, which would tell it.
        this.#publish()
      },
      ready: (note) => {
        this.#tellFigures()
        this.parts.tell({ kind: 'ready', note })
        this.#isArming = true
        this.#arm()
      },
    }
  }

  /**
   * Changes, events and replies go over together, in order; nothing where nothing happened. Before
   * them the engine's frame, where it moved, with how much news belongs to it: whoever reads the
   * frame first knows that some is on its way.
   */
  #publish(hasMoved = false): void {
    const changes = this.engine.takeChanges()
    const [events, replies, inputs] = [this.#events, this.#replies, this.#inputs]
    const isNews = changes.length + events.length + replies.length + inputs.length > 0
    if (isNews) this.#news += 1
    const frame = this.engine.now
    if (hasMoved) this.#time.write(frame, this.#news)
    if (!isNews) return
    this.#events = []
    this.#replies = []
    this.#inputs = []
    this.parts.tell({ kind: 'news', frame, changes, events, replies, inputs })
  }

  #armings: ArmedChange[] = []
  #seen: SeenFile[] = []

  #tellFigures(): void {
    if (this.#armings.length > 0) this.parts.tell({ kind: 'armed', changes: this.#armings })
    this.#armings = []
    if (this.#seen.length > 0) this.parts.tell({ kind: 'files_seen', files: this.#seen })
    this.#seen = []
    const { sinkName, latencyFrames, underruns } = this.parts.output.stats()
    const figures = {
      sink: sinkName,
      latencyFrames: latencyFrames + this.#master.lookAhead,
      underruns,
      armedHeads: this.#media.armedHeads,
    }
    const text = JSON.stringify(figures)
    if (text === this.#toldFigures) return
    this.#toldFigures = text
    this.parts.tell({ kind: 'figures', figures })
  }

  #toldFigures = ''

  /** Every run has ended by the `shutdown` fact before; the output closes what it wrote. */
  async #stop(): Promise<void> {
    this.#figures()
    this.#step(() => {
      this.engine.settle()
    })
    this.#publish()
    await Promise.all([this.parts.output.stop(), this.#media.closeAll()])
    this.parts.stopped()
  }
}

/** The main thread has the show itself. */
const told = (fact: Fact, show: number): NumberedFact =>
  fact.kind === 'catalogue' ? { kind: 'catalogue', show } : fact

/** Every button that can sound, one after the other as it is asked for: there may be 10 000. */
const armed = function* (catalogue: Catalogue): Generator<ArmedButton> {
  for (const { buttons } of catalogue.playlists) {
    for (const button of buttons) {
      const range = armedRange(button)
      if (range !== null) yield range
    }
  }
}

/** The files of images, for which nothing is armed. */
const images = function* (catalogue: Catalogue): Generator<string> {
  for (const { buttons } of catalogue.playlists) {
    for (const { kind, media } of buttons) if (kind === 'image' && media !== null) yield media
  }
}
