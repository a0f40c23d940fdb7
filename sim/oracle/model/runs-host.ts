// What the reference model of runs asks of the rest of the model.
import type { Judge } from '../judge.js'
import type { EngineObserver } from '../../world/engine-observer.js'
import type { ModelLights } from './lights.js'
import type { ModelRun, ModelShow, ModelStream, Tried } from './shapes.js'

export interface RunsHost {
  readonly judge: Judge
  readonly observer: EngineObserver
  readonly lights: ModelLights
  readonly headBytes: number
  show(): ModelShow
  /** The frame since which the show is as it is. */
  showSince(): number
  /** Since when somebody knows how long this file lasts; null while nobody does. */
  knownSince(path: string): number | null
  /** A decode that nobody claimed yet, opened for this button. */
  claimPass(button: string): ModelStream | null
  durationOf(path: string): number | null
  /**
   * At some frame two orders of events were possible, and by one of them the file lasts so long.
   */
  mayLast(path: string, ms: number): boolean
  /** The run ended, and its list may go on. */
  onward(run: ModelRun, tried: Tried): void
  born(run: ModelRun): void
  ended(run: ModelRun): void
  /** A list that looks for its next item was accepted earlier: what begins to sound replaces it. */
  dropOlder(order: number): void
}
