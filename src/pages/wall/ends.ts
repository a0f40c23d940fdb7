// The last ends in words: what ended, how, and for a replaced run by what.
import type { LiveChange, LiveRun } from '../../contract/live.js'

export const ENDS_KEPT = 8

export type End =
  | { readonly kind: 'completed' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'replaced'; readonly by: string | null }
  | { readonly kind: 'failed'; readonly message: string | null }

export interface EndedRun {
  readonly executionId: string
  readonly buttonId: string
  readonly title: string
  readonly end: End
}

/** Who replaced whom is told by no field: it is the newest run when such a fade begins. */
export class Ends {
  #last: readonly EndedRun[] = []
  readonly #replacedBy = new Map<string, string>()

  get last(): readonly EndedRun[] {
    return this.#last
  }

  /** Takes a change in; `runs` is what lives after it. True: there is a new end. */
  note(change: LiveChange, runs: readonly LiveRun[]): boolean {
    const messages = new Map<string, string>()
    for (const { name, data } of change.events) {
      if (name !== 'run') continue
      if (data.message !== null) messages.set(data.executionId, data.message)
      // What is kept in pause comes back, and may be replaced by another one then.
      const isFading = data.state === 'fading_out' && data.cause === 'replaced'
      const isLeaving = isFading || data.endReason === 'replaced'
      if (isLeaving && !this.#replacedBy.has(data.executionId)) {
        const by = newest(runs, data.executionId)
        if (by !== null) this.#replacedBy.set(data.executionId, by.title)
      }
    }
    const ended = change.runs.filter((run) => run.endReason !== null)
    for (const run of ended) {
      const message = messages.get(run.executionId) ?? null
      const entry = {
        executionId: run.executionId, buttonId: run.buttonId, title: run.title,
        end: endOf(run, message, this.#replacedBy.get(run.executionId) ?? null),
      }
      this.#replacedBy.delete(run.executionId)
      this.#last = [entry, ...this.#last].slice(0, ENDS_KEPT)
    }
    return ended.length > 0
  }
}

const newest = (runs: readonly LiveRun[], besides: string): LiveRun | null =>
  runs
    .filter((run) => run.executionId !== besides && run.state !== 'fading_out')
    // They stand in the order of their creation.
    .reduce<LiveRun | null>((best, run) => (run.order >= (best?.order ?? 0) ? run : best), null)

const endOf = (run: LiveRun, message: string | null, by: string | null): End => {
  switch (run.endReason) {
    case 'natural_end':
      return { kind: 'completed' }
    case 'replaced':
      return { kind: 'replaced', by }
    case 'playback_error':
      return { kind: 'failed', message }
    case 'explicit_stop':
    case null:
      return { kind: 'stopped' }
  }
}
