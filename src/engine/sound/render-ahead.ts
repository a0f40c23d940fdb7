// What will sound if nothing comes: rendered ahead of the engine's present, and thrown away where
// something does come.
//
// An output keeps frames in stock, so that a thread that comes late makes no gap. Were they
// rendered for good, a start would have to wait behind them. Gains and positions are closed forms
// of the frame, so the next frames can be had without moving the engine, down to the bit, as far as
// nothing is due by itself: a command that comes then sounds with the first frame that is still the
// engine's.
import { add, type Frame } from '../../clock/frame.js'
import type { Engine } from '../engine.js'
import type { StereoBlock } from '../ports.js'
import { Master } from './master.js'

export class RenderAhead {
  readonly #copy = new Master()
  #at: Frame

  /** @param master the stage behind the engine: what it holds back belongs to what comes. */
  constructor(private readonly engine: Engine, private readonly master: Master) {
    this.#at = engine.now
  }

  /**
   * Fills the next frames. @param isAnew from the engine's present on: something came, or was due.
   * @returns how many; 0 where something is due by itself first.
   */
  foresee(into: StereoBlock, count: number, isAnew: boolean): number {
    if (isAnew) {
      this.#at = this.engine.now
      this.#copy.copy(this.master)
    }
    const known = this.engine.foresee(into, this.#at, count)
    this.#copy.process(into, 0, known)
    this.#at = add(this.#at, known)
    return known
  }
}
