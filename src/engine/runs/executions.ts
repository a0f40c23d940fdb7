// Every run that is known: the live ones, and the snapshots of those that ended not long ago.
import type { Frame } from '../../clock/frame.js'
import { isTerminal } from '../../contract/vocabulary.js'
import { Retention } from '../retention.js'
import type { Run } from './run.js'
import type { RunView } from './run-view.js'

export class Executions {
  /** In order of creation. */
  readonly #live = new Map<string, Run>()
  readonly #byButton = new Map<string, Run>()
  readonly #ended: Retention<RunView>

  constructor(retention: Frame) {
    this.#ended = new Retention(retention)
  }

  add(run: Run): void {
    if (this.#byButton.has(run.button.id)) throw new Error('bug: a button with two live runs')
    this.#live.set(run.executionId, run)
    this.#byButton.set(run.button.id, run)
  }

  /** Keeps the terminal snapshot for the retention time (3.2). */
  retire(view: RunView, now: Frame): void {
    if (!isTerminal(view.state)) throw new Error('bug: a live run cannot retire')
    this.#live.delete(view.executionId)
    this.#byButton.delete(view.buttonId)
    this.#ended.keep(view.executionId, view, now)
  }

  /** Forgets what is past its time, however many those are, and tells which ids. */
  forget(now: Frame): readonly string[] {
    return this.#ended.forget(now)
  }

  get nextForget(): Frame | null {
    return this.#ended.nextForget
  }

  live(): IterableIterator<Run> {
    return this.#live.values()
  }

  run(executionId: string): Run | null {
    return this.#live.get(executionId) ?? null
  }

  ofButton(buttonId: string): Run | null {
    return this.#byButton.get(buttonId) ?? null
  }

  ended(executionId: string): RunView | null {
    return this.#ended.get(executionId)
  }
}
