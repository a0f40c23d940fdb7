// The port of sound outputs: who pulls frames from the engine, when, and what is told back.
//
// An output pulls. It calls `render` on the thread it was started on, in blocks of at most 128
// frames, and the frames it asked for are the engine's time: none is asked for twice or passed
// over. `render` fills the whole count and never blocks. After `stop` it is not called again.
//
// Pace. While a device is open and something sounds, the engine moves as the device consumes. While
// all is quiet, or no device is there, the monotonic clock moves it (what is rendered then is
// silence, or is heard by nobody). Handing over neither steps back nor leaps: the position heard
// goes on from where it was. A stall of more than a second (a halted machine) is not caught up:
// the output goes on from the present, and says so by a `notice`.
//
// Quiet. `quiet()` says that nothing sounds now and that only a command or a fact could change
// that. The output then keeps nothing queued, so whoever posts a command or a fact calls `wake()`
// after it: what it started is rendered at once, not at the next tick. `wake` is cheap and may come
// often.
//
// Loss. An output begins unavailable. Exactly one of `back`, `lost` and `absent` follows `start`,
// within 5 s; from then on `back` and `lost` alternate: `lost` once when the device went, `back`
// once when sound flows again. Before the first `back`, `lost` says that a device takes long to
// open, and `absent` may follow it: there is none. An output reopens by itself, for ever. It never
// throws after construction and never ends the process. `notice` is for the log: something a person
// may want to know and nobody must act on.
//
// Underruns. The device ran dry while something sounded: counted, heard as a gap, never skipped
// over.
import type { StereoBlock } from '../../engine/ports.js'

/** What the engine looks like from an output. */
export interface Renderer {
  /** Fills frames [0, count) of `into`, the next ones in the engine's time. */
  render(into: StereoBlock, count: number): void
  quiet(): boolean
  /** Frames of silence with which a sound out of silence begins: what the master holds back. */
  readonly lookAhead?: number
  /**
   * Fills what follows as it sounds if nothing comes (render-ahead), where it can.
   * @param isAnew from the last rendered frame on; else from the last foreseen one.
   * @returns how many of `count`: fewer up to where something is due by itself.
   */
  foresee?(into: StereoBlock, count: number, isAnew: boolean): number
}

export interface OutputCallbacks {
  back(): void
  lost(message: string): void
  /** Once, and only before the first `back`: no device is there, or none that opens. */
  absent(message: string): void
  notice(message: string): void
}

export type OutputState = 'opening' | 'open' | 'lost' | 'stopped'

export interface OutputStats {
  readonly state: OutputState
  readonly sinkName: string
  /** Frames between rendering for good and hearing while something sounds. */
  readonly latencyFrames: number
  readonly underruns: number
}

export interface Output {
  /** Once. Callbacks come later, never from within. */
  start(callbacks: OutputCallbacks): void
  wake(): void
  /**
   * Calls `act` as soon as the renderer stands at the first frame that was not handed over: at
   * once, or when what the device says is read. Whatever changes the sound comes by it, in order.
   */
  meet(act: () => void): void
  /** Bounded (1 s); all that belongs to the output is gone or closed when it resolves. */
  stop(): Promise<void>
  stats(): OutputStats
}
