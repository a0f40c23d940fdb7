// The output that is heard: a device behind its own process, fed just in time.
import { FRAMES_PER_MS } from '../../clock/frame.js'
import type { Cancel, Timers } from '../../clock/timers.js'
import { BLOCK_FRAMES, Feeder, type FrameSink } from '../output/feeder.js'
import type {
  Output, OutputCallbacks, OutputState, OutputStats, Renderer,
} from '../output/output.js'
import type { UrgentThread } from '../thread-priority.js'
import { ADDON_CURE } from './speaker-addon.js'
import { SpeakerLink } from './speaker-link.js'
import { OutgoingFrames } from './speaker-outgoing.js'
import { stockFor, TARGET_LIMITS, type Learned, type TargetLimits } from './speaker-target.js'
import type { News, Report, SpeakerMode, StartSoundProcess } from './speaker-wire.js'

/** The device's buffer beyond the most that is put there: a server asks in pieces of a period. */
const BUFFER_SPARE_FRAMES = 480
const PERIOD_FRAMES = 64
/** What a process that helped itself may have handed over since: a period, two looks, the pipe. */
const CAUTION_FRAMES = 160
/**
 * A device that takes back has what is foreseen too. So much of it moves up from one report to the
 * next to where it cannot be taken back; where it is more this thread was held up.
 */
const USUAL_FRAMES = 96
/** The port's promise that something follows `start`. */
const FIRST_OUTCOME_MS = 4_500

export interface SpeakerOptions {
  /** Null: the system's default. */
  readonly device: string | null
  readonly target: TargetLimits
  /** To be run before others, e.g. the thread that renders. */
  readonly urgentThreads: readonly UrgentThread[]
  /** Calls back once what can be read by now was read. */
  readonly afterReading: (act: () => void) => void
}

export const SPEAKER_OPTIONS: SpeakerOptions = {
  device: null, target: TARGET_LIMITS, urgentThreads: [],
  afterReading: (act) => { setImmediate(act) },
}

export class SpeakerOutput implements Output {
  private readonly feeder: Feeder
  private readonly link: SpeakerLink
  private readonly outgoing: OutgoingFrames
  private state: OutputState = 'opening'
  private mode: SpeakerMode | null = null
  private callbacks: OutputCallbacks | null = null
  private firstOutcome: Cancel | null = null
  /** Whether there is a device: not known as long as it only takes long. */
  private isKnown = false
  /** What is to change the sound and waits for what the device says. */
  private readonly waiting: (() => void)[] = []
  private isMeeting = false
  private isWoken = false
  private consumed = 0
  /** Frames that the process handed to the device and that were not consumed yet. */
  private handed = 0
  /** It went on with what was foreseen, since this thread was held up. */
  private helpedItself = false
  /** What must be rendered for good ahead of what the device consumed. */
  private wanted: number
  private takesBack = false
  /** What the processes before learned of the device. */
  private learned: Learned | null = null
  /** What lies beyond its buffer: the server, the hardware. */
  private beyond = 0
  private underruns = 0
  private underrunsBefore = 0
  private late = 0

  constructor(
    renderer: Renderer, private readonly options: SpeakerOptions,
    private readonly timers: Timers, startProcess: StartSoundProcess,
  ) {
    const { target } = options
    // The device is not known yet.
    const most = stockFor(target.ceilingFrames, true)
    this.wanted = target.startFrames
    // What was rendered for good and foreseen, and the block that goes beyond either.
    this.outgoing = new OutgoingFrames(2 * most + 2 * BLOCK_FRAMES)
    this.feeder = new Feeder(renderer, this.sink(), timers, (gapMs) => {
      this.callbacks?.notice(`time leapt by ${gapMs.toFixed(0)} ms; the output goes on from now`)
    })
    this.link = new SpeakerLink(
      (isDoubted) => ({
        device: options.device,
        bufferFrames: most + BUFFER_SPARE_FRAMES,
        periodFrames: PERIOD_FRAMES,
        target, learned: this.learned,
        urgentThreads: options.urgentThreads,
        isDoubted,
      }),
      {
        opened: (news) => { this.opened(news) },
        report: (report) => { this.report(report) },
        lost: (message) => {
          if (this.isKnown) this.lost(message)
          else this.absent(message)
        },
        killed: (message) => { this.lost(message) },
        notice: (message) => { this.callbacks?.notice(message) },
      },
      timers, startProcess,
    )
  }

  start(callbacks: OutputCallbacks): void {
    this.callbacks = callbacks
    this.feeder.start()
    this.link.start()
    this.firstOutcome = this.timers.after(FIRST_OUTCOME_MS, () => {
      if (this.state === 'opening') this.lost('the device takes too long to open')
    })
  }

  wake(): void {
    if (this.isMeeting) this.isWoken = true
    else this.feeder.wake()
  }

  /**
   * Where this thread was held up the process helped itself to what was foreseen. Its word on that
   * may lie unread beside the command, and the command must not change what is at the device.
   */
  meet(act: () => void): void {
    if (this.waiting.length === 0 && !this.feeder.isSounding()) {
      act()
      return
    }
    this.waiting.push(act)
    if (this.waiting.length > 1) return
    this.options.afterReading(() => {
      this.isMeeting = true
      for (const one of this.waiting.splice(0)) one()
      this.isMeeting = false
      // A burst of facts changes what is foreseen once.
      if (this.isWoken) this.feeder.wake()
      this.isWoken = false
    })
  }

  async stop(): Promise<void> {
    this.state = 'stopped'
    this.feeder.stop()
    this.firstOutcome?.()
    await this.link.stop()
  }

  stats(): OutputStats {
    const device = this.options.device === null ? '' : `:${this.options.device}`
    return {
      state: this.state,
      sinkName: `speaker${device}${this.mode === 'plain' ? ' (unpatched)' : ''}`,
      latencyFrames: Math.round(this.wanted + this.beyond),
      underruns: this.underrunsBefore + this.underruns,
    }
  }

  /** The sound process, for those who look after processes. */
  pid(): number | null {
    return this.link.pid()
  }

  private sink(): FrameSink {
    const { outgoing } = this
    return {
      queued: () => this.state === 'open' ? outgoing.settled() - this.consumed : null,
      target: () => this.isPlain() ? this.wanted : stockFor(this.wanted, this.takesBack),
      wantsSilence: false,
      take: (block, count, more) => { outgoing.take(block, count, more) },
      flush: () => {
        const message = outgoing.message()
        if (message !== null) this.link.send(message)
      },
      stock: {
        settled: () =>
          Math.max(this.wanted, this.helpedItself ? this.handed + CAUTION_FRAMES : this.handed),
        ahead: () => outgoing.ahead(),
        foresee: (block, count) => { outgoing.foresee(block, count) },
        isChanged: () => outgoing.isChanged(),
        revise: () => { outgoing.revise() },
      },
    }
  }

  /** The addon as it comes takes all that it gets. */
  private isPlain(): boolean {
    return this.mode === 'plain'
  }

  private opened(news: Extract<News, { kind: 'opened' }>): void {
    if (this.state === 'stopped') return
    this.isKnown = true
    this.mode = news.mode
    this.takesBack = news.takesBack
    this.wanted = news.target
    this.outgoing.restart()
    this.consumed = 0
    this.handed = 0
    this.helpedItself = false
    this.late = 0
    this.beyond = 0
    this.underrunsBefore += this.underruns
    this.underruns = 0
    this.state = 'open'
    if (news.mode === 'plain') {
      this.callbacks?.notice(
        `the sound addon is not patched: sound comes half a second late; ${ADDON_CURE}`)
    }
    this.callbacks?.back()
    this.feeder.step()
  }

  private report(report: Report): void {
    if (this.state !== 'open') return
    const { taken, fill, kept, delay, target, underruns, late } = report
    this.consumed = taken - fill
    this.handed = fill - kept
    const unsettled = this.consumed + this.handed - this.outgoing.settled()
    this.helpedItself = unsettled > (this.takesBack ? USUAL_FRAMES : 0)
    this.wanted = target
    this.learned = { takesBack: this.takesBack, frames: target }
    this.underruns = underruns
    // Smoothed, because a server's own estimate trembles by a millisecond or two.
    const beyond = Math.max(0, delay - this.handed)
    if (this.handed > 0) {
      this.beyond += (beyond - this.beyond) * (this.beyond === 0 ? 1 : 0.02)
    }
    if (late > this.late) this.tellLate(late - this.late)
    this.late = late
    this.feeder.step()
  }

  private tellLate(frames: number): void {
    const ms = (frames / FRAMES_PER_MS).toFixed(1)
    this.callbacks?.notice(`${ms} ms of a change came too late for the device and were left out`)
  }

  private absent(message: string): void {
    if (this.state === 'stopped') return
    this.isKnown = true
    this.state = 'lost'
    this.callbacks?.absent(message)
    this.feeder.step()
  }

  private lost(message: string): void {
    if (this.state === 'stopped' || this.state === 'lost') return
    this.state = 'lost'
    this.callbacks?.lost(message)
    this.feeder.step()
  }
}
