// The output without a device: paced in real time by the monotonic clock, heard by nobody.
import type { Timers } from '../../clock/timers.js'
import { Feeder, type FrameSink } from './feeder.js'
import type { Output, OutputCallbacks, OutputState, OutputStats, Renderer } from './output.js'

const NOWHERE: FrameSink = {
  queued: () => null,
  target: () => 0,
  wantsSilence: false,
  take: () => undefined,
  flush: () => undefined,
}

export class NullOutput implements Output {
  private readonly feeder: Feeder
  private state: OutputState = 'opening'
  private callbacks: OutputCallbacks | null = null

  constructor(renderer: Renderer, private readonly timers: Timers) {
    this.feeder = new Feeder(renderer, NOWHERE, timers, (gapMs) => {
      this.callbacks?.notice(`time leapt by ${gapMs.toFixed(0)} ms; the output goes on from now`)
    })
  }

  start(callbacks: OutputCallbacks): void {
    this.callbacks = callbacks
    this.feeder.start()
    this.timers.after(0, () => {
      if (this.state !== 'opening') return
      this.state = 'open'
      callbacks.back()
    })
  }

  wake(): void {
    this.feeder.wake()
  }

  meet(act: () => void): void {
    act()
  }

  stop(): Promise<void> {
    this.state = 'stopped'
    this.feeder.stop()
    return Promise.resolve()
  }

  stats(): OutputStats {
    return { state: this.state, sinkName: 'null', latencyFrames: 0, underruns: 0 }
  }
}
