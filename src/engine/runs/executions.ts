// Every run that is known: the live ones, and the snapshots of those that ended not long ago.
import { add, type Frame } from '../../clock/frame.js'
import { isTerminal } from '../../contract/vocabulary.js'
import type { Run, RunView } from './run.js'

export class Executions {
  /** In order of creation. */
  readonly #live = new Map<string, Run>()
  readonly #byButton = new Map<string, Run>()
  readonly #ended = new Map<string, RunView>()
  /** Ended ids in order of their ends, with the frame at which each may be forgotten. */
  readonly #retiring: { readonly at: Frame; readonly executionId: string }[] = []
  #retired = 0

  constructor(private readonly retention: Frame) {}

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
    this.#ended.set(view.executionId, view)
    this.#retiring.push({ at: add(now, this.retention), executionId: view.executionId })
  }

  /** Forgets what is past its time and tells which ids those were. */
  forget(now: Frame): readonly string[] {
    const gone: string[] = []
    for (;;) {
      const first = this.#retiring[this.#retired]
      if (first === undefined || first.at > now) break
      this.#retired += 1
      this.#ended.delete(first.executionId)
      gone.push(first.executionId)
    }
    if (this.#retired > 1024 && this.#retired * 2 > this.#retiring.length) {
      this.#retiring.splice(0, this.#retired)
      this.#retired = 0
    }
    return gone
  }

  get nextForget(): Frame | null {
    return this.#retiring[this.#retired]?.at ?? null
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
    return this.#ended.get(executionId) ?? null
  }
}
