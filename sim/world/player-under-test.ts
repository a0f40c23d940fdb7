// The player under test: an engine on virtual time with simulated media, and its observer.
import { frame } from '../../src/clock/frame.js'
import type { Command, Reply } from '../../src/engine/commands/commands.js'
import { DEFAULT_ENGINE } from '../../src/engine/engine.js'
import { stereo } from '../../src/engine/sound/mixer.js'
import type { Fact, StereoBlock } from '../../src/engine/ports.js'
import { createPrng } from '../../src/engine/prng.js'
import { DirectPlayer } from '../../src/testing/direct-player.js'
import { SimMedia } from './media.js'
import type { Scenario } from '../scenario/scenario.js'
import { catalogueOf, runId, type Naming } from '../scenario/show.js'
import { EngineObserver } from './engine-observer.js'
import { insert } from './lists.js'

const BLOCK = 4096

export const SURROUNDINGS = {
  version: 'sim', showError: null, uptimeMs: 0, dmxEnabled: true, universes: 0,
  audio: { sink: 'sim', latencyMs: 0, underruns: 0, armedHeads: 0 },
  lights: { state: 'off', message: null },
  log: { state: 'ok', message: null, lost: 0 },
} as const

export class PlayerUnderTest extends DirectPlayer {
  readonly media: SimMedia
  readonly observer = new EngineObserver()
  readonly block: StereoBlock = stereo(BLOCK)

  /** @param origin the frame at which time begins. */
  constructor(readonly scenario: Scenario, readonly naming: Naming, readonly origin: number) {
    let ids = 0
    const media = new SimMedia(scenario.files)
    super({
      media,
      ids: { next: () => runId(ids += 1, naming) },
      prng: createPrng(scenario.seed),
      catalogue: catalogueOf(scenario.lists, naming),
      dmxAllowed: scenario.dmxAllowed,
      origin: frame(origin),
      retentionMs: scenario.retentionMs,
      loopHeadBytes: scenario.loopHeadBytes,
      cushion: DEFAULT_ENGINE.cushion,
    }, () => SURROUNDINGS)
    this.media = media
    media.attach(() => this.now, (fact, at) => this.schedule(fact, at, this.now))
    this.subscribe((event) => {
      this.observer.hear(event)
      // The observer keeps what is needed: a year of events would fill memory.
      this.events.length = 0
    })
  }

  get now(): number {
    return this.engine.now
  }

  /** A fact that comes at some frame; `postedAt` is told of what answers something. */
  schedule(fact: Fact, at: number, postedAt = -1): void {
    insert(this.observer.arrivals, { fact, at, postedAt })
    this.engine.post(fact, frame(at))
  }

  override post(fact: Fact): void {
    this.schedule(fact, this.now)
    this.settle()
  }

  override submit(command: Command, answer: (reply: Reply) => void): void {
    super.submit(command, (reply) => {
      this.observer.heard += 1
      answer(reply)
    })
  }

  passTo(to: number): void {
    this.advance(to - this.now)
  }

  /** Renders up to the size of the block; the sound stands at its beginning. */
  renderBlock(count: number): void {
    this.render(this.block, 0, count)
  }

  /** Renders any length and forgets the sound. */
  renderTo(to: number): void {
    while (this.now < to) this.renderBlock(Math.min(BLOCK, to - this.now))
  }
}
