// The output that is heard: a device behind its own process, fed just in time.
import type { Cancel, Timers } from '../../clock/timers.js'
import { STEREO_FRAME_BYTES, type StereoBlock } from '../../engine/ports.js'
import { BLOCK_FRAMES, Feeder, type FrameSink } from '../output/feeder.js'
import type {
  Output, OutputCallbacks, OutputState, OutputStats, Renderer,
} from '../output/output.js'
import { SpeakerLink } from './speaker-link.js'
import { QueueTarget, TARGET_LIMITS, type TargetLimits } from './speaker-target.js'
import {
  HEAD_BYTES, MESSAGE_FRAMES_MAX, MORE, type News, type Report, type SpeakerMode,
  type StartSoundProcess,
} from './speaker-wire.js'

/** The device's buffer beyond the largest queue: a server asks in pieces of a period. */
const BUFFER_SPARE_FRAMES = 480
const PERIOD_FRAMES = 128
/** The port's promise that `back` or `lost` follows `start`. */
const FIRST_OUTCOME_MS = 4_500

export interface SpeakerOptions {
  /** Null: the system's default. */
  readonly device: string | null
  readonly target: TargetLimits
  /** The thread that renders, by the system's id, to be run before others; null: not asked for. */
  readonly realtimeThread: number | null
}

export const SPEAKER_OPTIONS: SpeakerOptions = {
  device: null, target: TARGET_LIMITS, realtimeThread: null,
}

export class SpeakerOutput implements Output {
  private readonly feeder: Feeder
  private readonly link: SpeakerLink
  private readonly target: QueueTarget
  private readonly batch: Buffer
  private batchFrames = 0
  private batchMore = false
  private state: OutputState = 'opening'
  private mode: SpeakerMode | null = null
  private callbacks: OutputCallbacks | null = null
  private firstOutcome: Cancel | null = null
  /** Frames sent since the device opened. */
  private sent = 0
  private consumed = 0
  /** What lies beyond our own queue: the server, the hardware. */
  private beyond = 0
  private underruns = 0
  private underrunsBefore = 0
  private reportedMs = 0

  constructor(
    renderer: Renderer, private readonly options: SpeakerOptions,
    private readonly timers: Timers, startProcess: StartSoundProcess,
  ) {
    const { target } = options
    this.target = new QueueTarget(target)
    this.batch = Buffer.alloc((target.ceilingFrames + BLOCK_FRAMES) * STEREO_FRAME_BYTES)
    if (target.ceilingFrames + BLOCK_FRAMES > MESSAGE_FRAMES_MAX) {
      throw new RangeError('a queue longer than a message')
    }
    const sink: FrameSink = {
      queued: () => this.state === 'open' ? this.sent + this.batchFrames - this.consumed : null,
      target: () => this.target.frames(),
      wantsSilence: false,
      take: (block, count, more) => { this.take(block, count, more) },
      flush: () => { this.flush() },
    }
    this.feeder = new Feeder(renderer, sink, timers, (gapMs) => {
      this.callbacks?.notice(`time leapt by ${gapMs.toFixed(0)} ms; the output goes on from now`)
    })
    this.link = new SpeakerLink(
      {
        device: options.device,
        bufferFrames: target.ceilingFrames + BUFFER_SPARE_FRAMES,
        periodFrames: PERIOD_FRAMES,
        realtimeThread: options.realtimeThread,
      },
      {
        opened: (news) => { this.opened(news) },
        report: (report) => { this.report(report) },
        lost: (message) => { this.lost(message) },
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
    this.feeder.wake()
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
      latencyFrames: Math.round(this.target.frames() + this.beyond),
      underruns: this.underrunsBefore + this.underruns,
      rebases: this.feeder.rebases(),
    }
  }

  /** The sound process, for those who look after processes. */
  pid(): number | null {
    return this.link.pid()
  }

  private take(block: StereoBlock, count: number, more: boolean): void {
    let at = this.batchFrames * STEREO_FRAME_BYTES
    for (let i = 0; i < count; i += 1) {
      this.batch.writeFloatLE(block.left[i] ?? 0, at)
      this.batch.writeFloatLE(block.right[i] ?? 0, at + 4)
      at += STEREO_FRAME_BYTES
    }
    this.batchFrames += count
    this.batchMore = more
  }

  private flush(): void {
    if (this.batchFrames === 0) return
    const bytes = this.batchFrames * STEREO_FRAME_BYTES
    const message = Buffer.allocUnsafe(HEAD_BYTES + bytes)
    message.writeUInt32LE(this.batchMore ? this.batchFrames + MORE : this.batchFrames, 0)
    this.batch.copy(message, HEAD_BYTES, 0, bytes)
    this.sent += this.batchFrames
    this.batchFrames = 0
    this.link.send(message)
  }

  private opened(news: Extract<News, { kind: 'opened' }>): void {
    if (this.state === 'stopped') return
    this.mode = news.mode
    this.sent = 0
    this.consumed = 0
    this.batchFrames = 0
    this.beyond = 0
    this.underrunsBefore += this.underruns
    this.underruns = 0
    this.target.restart()
    this.state = 'open'
    if (news.mode === 'plain') {
      this.callbacks?.notice('the sound addon is not patched: sound comes half a second late')
    }
    this.callbacks?.back()
    this.feeder.step()
  }

  private report(report: Report): void {
    if (this.state !== 'open') return
    const [taken, fill, delay, underruns] = report
    const now = this.timers.nowMs()
    this.consumed = taken - fill
    // Smoothed, because a server's own estimate trembles by a millisecond or two.
    const beyond = Math.max(0, delay - fill)
    if (fill > 0) this.beyond += (beyond - this.beyond) * (this.beyond === 0 ? 1 : 0.02)
    if (underruns > this.underruns) {
      this.underruns = underruns
      this.target.underrun(now - this.reportedMs)
    } else if (this.feeder.isSounding()) this.target.observe(this.sent - this.consumed, now)
    else this.target.restart()
    this.reportedMs = now
    this.feeder.step()
  }

  private lost(message: string): void {
    if (this.state === 'stopped' || this.state === 'lost') return
    this.state = 'lost'
    this.batchFrames = 0
    this.callbacks?.lost(message)
    this.feeder.step()
  }
}
