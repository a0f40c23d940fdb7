// The output that records: what would be heard, in real time, as a 32-bit float WAV.
//
// The file begins with the first frame after `start`. What was recorded is never overwritten: where
// `name.wav` is there already it is kept, and `name.2.wav` made. When writing fails (disk full,
// folder gone) the output is lost; the file stays as it was, and once a second the output tries
// to begin a further one beside it.
import type { Cancel, Timers } from '../../clock/timers.js'
import { settledWithin } from '../../clock/waiting.js'
import type { StereoBlock } from '../../engine/ports.js'
import { Feeder, type FrameSink } from './feeder.js'
import type { Output, OutputCallbacks, OutputState, OutputStats, Renderer } from './output.js'
import { WavFile } from './wav-file.js'

const RETRY_MS = 1_000
/** Frames kept while the file is made, so that it begins with the first one: half a second. */
const EARLY_FRAMES = 24_000
/** A disk that hangs must not hold up the end. */
const CLOSE_MS = 1_000

export class WavOutput implements Output {
  private readonly feeder: Feeder
  private state: OutputState = 'opening'
  private callbacks: OutputCallbacks | null = null
  private file: WavFile | null = null
  private opening: Promise<void> = Promise.resolve()
  private retry: Cancel | null = null
  private early: { block: StereoBlock; count: number }[] = []
  private earlyFrames = 0
  /** The file of the moment. */
  private recording: string

  constructor(
    renderer: Renderer, private readonly path: string, private readonly timers: Timers,
  ) {
    this.recording = path
    const sink: FrameSink = {
      queued: () => null,
      target: () => 0,
      wantsSilence: true,
      take: (block, count) => { this.take(block, count) },
      flush: () => undefined,
    }
    this.feeder = new Feeder(renderer, sink, timers, (gapMs) => {
      this.callbacks?.notice(`time leapt by ${gapMs.toFixed(0)} ms; the recording goes on from now`)
    })
  }

  start(callbacks: OutputCallbacks): void {
    this.callbacks = callbacks
    this.feeder.start()
    this.open()
  }

  wake(): void {
    this.feeder.wake()
  }

  meet(act: () => void): void {
    act()
  }

  async stop(): Promise<void> {
    this.feeder.stop()
    this.retry?.()
    const closing = this.opening.then(() => this.file?.close())
    this.state = 'stopped'
    await settledWithin(this.timers, closing, CLOSE_MS)
  }

  stats(): OutputStats {
    const sinkName = `wav:${this.recording}`
    return { state: this.state, sinkName, latencyFrames: 0, underruns: 0 }
  }

  private take(block: StereoBlock, count: number): void {
    if (this.file !== null) this.file.append(block, count)
    else if (this.state === 'opening' && this.earlyFrames + count <= EARLY_FRAMES) {
      this.early.push({
        block: { left: block.left.slice(0, count), right: block.right.slice(0, count) }, count,
      })
      this.earlyFrames += count
    }
  }

  private open(): void {
    this.opening = WavFile.create(this.path, this.timers, (error) => { this.lose(error) }).then(
      (file) => { this.opened(file) },
      (error: unknown) => { this.lose(error) },
    )
  }

  private opened(file: WavFile): void {
    for (const { block, count } of this.early) file.append(block, count)
    this.early = []
    this.file = file
    this.recording = file.path
    if (this.state === 'stopped') return
    if (this.state === 'lost') this.callbacks?.notice(`the recording goes on in ${file.path}`)
    this.state = 'open'
    this.callbacks?.back()
  }

  private lose(error: unknown): void {
    const broken = this.file
    this.file = null
    this.early = []
    if (broken !== null) void broken.close()
    if (this.state === 'stopped') return
    if (this.state !== 'lost') {
      this.state = 'lost'
      const why = error instanceof Error ? error.message : String(error)
      this.callbacks?.lost(`cannot record to ${this.path}: ${why}`)
    }
    this.retry = this.timers.after(RETRY_MS, () => { this.open() })
  }
}
