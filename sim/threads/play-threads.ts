// Plays a scenario through both threads of the daemon on the virtual clock: the player of the main
// thread, the engine's host on the other one, and the messages between them as in production.
import type { Worker } from 'node:worker_threads'
import { createTimeMemory } from '../../src/clock/shared-time.js'
import { frame } from '../../src/clock/frame.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { Catalogue, type Show } from '../../src/engine/catalogue.js'
import { positionAt } from '../../src/engine/dmx/dmx-run.js'
import type { Fact } from '../../src/engine/ports.js'
import { EngineHost } from '../../src/sound/engine-host.js'
import { OutputSwitch } from '../../src/sound/output-switch.js'
import { SoundLink } from '../../src/sound/sound-link.js'
import type { FromSound, SoundSetup, ToSound } from '../../src/sound/sound-messages.js'
import { VirtualThread } from '../devices/virtual-thread.js'
import { violationIn } from '../oracle/judge.js'
import { isCommand, KnownRuns, type CommandOp } from '../play/known-runs.js'
import { eventText, replyText } from '../play/records.js'
import { diceOf } from '../scenario/random.js'
import type { Op } from '../scenario/scenario.js'
import { catalogueOf, edited, pathOf, PLAIN_NAMING } from '../scenario/show.js'
import { Digest } from '../world/digest.js'
import { OUTPUT_LOST, SHOW_REFUSED } from '../world/engine-observer.js'
import { HostMedia } from '../world/host-media.js'
import { SURROUNDINGS } from '../world/player-under-test.js'
import { Channel } from './channel.js'
import type { ThreadName, ThreadsScenario } from './draw-threads.js'
import { ThreadsJudge } from './threads-judge.js'

/** Somebody reads so often, e.g. a wall. */
const LOOKS_EVERY_MS = 7

const OPENING = { sink: 'null', device: null, bufferMs: null } as const

export const playThreads = (drawn: ThreadsScenario) => new Threads(drawn).play()

class Threads {
  readonly #world = new VirtualTimers(0)
  readonly #threads: Readonly<Record<ThreadName, VirtualThread>>
  readonly #toSound: Channel<ToSound>
  readonly #toMain: Channel<FromSound>
  readonly #link: SoundLink
  readonly #known: KnownRuns
  readonly #judge: ThreadsJudge
  readonly #digest = new Digest()
  readonly #lateness: () => number
  #hear: (message: FromSound) => void = () => undefined
  #host: EngineHost | null = null
  #media: HostMedia | null = null
  #lists: ThreadsScenario['scenario']['lists']
  #shows = 0
  /** Saves of the show that wait for the one that is being read. */
  readonly #saves: (() => void)[] = []
  #isReading = false
  #hasEnded = false

  constructor(private readonly drawn: ThreadsScenario) {
    const { scenario: { seed, lists, dmxAllowed }, messageMs, latenessMs } = drawn
    const dice = diceOf(seed ^ 0x41c6_4e6d)
    this.#lateness = () => dice.next() * latenessMs
    this.#threads = {
      main: new VirtualThread(this.#world, this.#lateness),
      sound: new VirtualThread(this.#world, this.#lateness),
    }
    const delay = (): number => dice.next() * messageMs
    const { main, sound } = this.#threads
    this.#toSound = new Channel(this.#world, sound, delay, (message) => this.#soundHears(message))
    this.#toMain = new Channel(this.#world, main, delay, (message) => this.#mainHears(message))
    this.#lists = lists
    const setup: SoundSetup = {
      ...OPENING, show: this.#nextShow(), dmxAllowed, time: createTimeMemory(), seed, record: true,
    }
    this.#judge = new ThreadsJudge({
      seed, dmxAllowed, show: setup.show,
      player: () => this.#link.player, engineNow: () => this.#host?.engine.now ?? 0,
    })
    this.#link = this.#linkOf(setup)
    const { player } = this.#link
    this.#known = new KnownRuns(lists, PLAIN_NAMING, (button) => {
      const view = player.readModel.dmxOf(button)
      return view === null ? 0 : positionAt(view, player.now)
    })
    player.subscribe((event) => {
      this.#known.hear(event)
      this.#digest.add(eventText(event, 0))
    })
  }

  play() {
    const { main } = this.#threads
    const violation = violationIn(() => {
      this.#link.begin()
      for (const { atMs, op } of this.drawn.ops) {
        this.#world.after(atMs, () => main.run(() => this.#meet(op)))
      }
      for (const { atMs, who, ms } of this.drawn.stalls) {
        this.#world.after(atMs, () => this.#threads[who].stall(ms))
      }
      for (let ms = 0; ms < this.drawn.lengthMs; ms += LOOKS_EVERY_MS) {
        this.#world.pass(LOOKS_EVERY_MS)
        main.run(() => this.#judge.look())
      }
      const { engine } = this.#host!
      this.#judge.finish({ show: engine.catalogue, armed: this.#media!.armed })
    })
    return { hash: this.#digest.hash, violation }
  }

  // As the daemon does it

  #linkOf(setup: SoundSetup): SoundLink {
    const worker = {
      postMessage: (message: ToSound) => this.#toSound.send(message),
      on: (what: string, hear: (message: FromSound) => void) => {
        if (what === 'message') this.#hear = hear
      },
      terminate: () => Promise.resolve(0),
    }
    return new SoundLink({
      timers: this.#threads.main.timers,
      started: { worker: worker as unknown as Worker, failure: () => null },
      setup,
      around: () => SURROUNDINGS,
      died: (error) => { throw error },
      recorded: (inputs, events) => this.#judge.recorded(inputs, events),
      fileReplaced: () => undefined,
      filesSeen: () => undefined,
      changed: () => undefined,
    })
  }

  #mainHears(message: FromSound): void {
    this.#hear(message)
    if (message.kind === 'news') this.#judge.heardNews()
  }

  // As the sound thread does it

  #soundHears(message: ToSound): void {
    if (message.kind === 'setup') this.#host = this.#hostOf(message.setup)
    else if (message.kind === 'ping') this.#toMain.send({ kind: 'pong' })
    else if (message.kind === 'file_question' || message.kind === 'waves') {
      throw new Error('nobody looks into files here')
    } else if (message.kind !== 'open') this.#host!.heard(message)
  }

  #hostOf(setup: SoundSetup): EngineHost {
    const { sound } = this.#threads
    return new EngineHost(setup, {
      timers: sound.timers,
      output: new OutputSwitch(setup, sound.timers),
      media: (news) => this.#media = new HostMedia(this.drawn.scenario.files, news, {
        now: () => this.#host?.engine.now ?? 0,
        after: (frames, act) => {
          this.#world.after(frames / 48 + this.#lateness(), () => sound.run(act))
        },
      }),
      tell: (message) => {
        if (message.kind === 'news') this.#judge.tellsNews(this.#host!.engine.catalogue)
        this.#toMain.send(message)
      },
      stopped: () => undefined,
    })
  }

  // What happens

  #meet(op: Op): void {
    if (this.#hasEnded) return
    if (isCommand(op)) {
      this.#command(op)
      if (op.again === true) this.#command(op)
      return
    }
    switch (op.op) {
      case 'wait':
        return
      case 'read':
        return this.#judge.look()
      case 'output':
        return this.#post(
          op.up ? { kind: 'output_back' } : { kind: 'output_lost', message: OUTPUT_LOST })
      case 'file':
        return this.#media?.change(op.file, op.set)
      case 'probe':
        this.#judge.tells('probed')
        return this.#link.player.tell(
          { kind: 'probed', path: pathOf(op.file), duration: frame(op.frames) })
      case 'swap':
        this.#lists = edited(this.#lists, op.edits)
        return this.#save(op.busyFor, this.#replacing(this.#nextShow()))
      case 'kept':
        return this.#save(op.busyFor, () => {
          this.#judge.tells('catalogue_kept')
          this.#link.player.tell({ kind: 'catalogue_kept', message: SHOW_REFUSED })
        })
      case 'shutdown':
        this.#hasEnded = true
        this.#judge.ends()
        this.#link.player.tell({ kind: 'shutdown' })
        void this.#link.stop()
    }
  }

  #command(op: CommandOp): void {
    const command = this.#known.commandOf(op)
    this.#judge.asks(command)
    this.#link.player.submit(command, (reply) => {
      this.#judge.answered(command, reply)
      this.#digest.add(replyText(reply))
    }, () => this.#judge.unanswered(command))
  }

  /** The output of the sound thread tells it there. */
  #post(fact: Fact): void {
    this.#threads.sound.run(() => this.#host?.post(fact))
  }

  #replacing(show: Show): () => void {
    return () => {
      this.#judge.tells('catalogue', show.title)
      this.#link.player.replaceCatalogue(new Catalogue(show))
    }
  }

  /** One after the other, each read for a while. */
  #save(frames: number, act: () => void): void {
    this.#saves.push(() => {
      this.#isReading = true
      this.#judge.tells('catalogue_busy')
      this.#link.player.tell({ kind: 'catalogue_busy' })
      const ms = Math.min(frames / 48, this.drawn.readingMs)
      this.#threads.main.timers.after(ms, () => {
        this.#isReading = false
        if (this.#hasEnded) return
        act()
        this.#saves.shift()?.()
      })
    })
    if (!this.#isReading) this.#saves.shift()?.()
  }

  #nextShow(): Show {
    this.#shows += 1
    const { playlists } = catalogueOf(this.#lists, PLAIN_NAMING)
    return { title: `show ${this.#shows}`, playlists }
  }
}
