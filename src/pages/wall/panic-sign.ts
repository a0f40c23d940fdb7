// What the wall tells of a panic, and for how long.
import { signal, type Signal } from '@preact/signals'
import type { PanicState } from './panic.js'

const TOLD_MS = 8_000

export type After = (ms: number, call: () => void) => () => void

export class PanicSign {
  readonly state: Signal<PanicState> = signal({ kind: 'calm' })
  readonly #after: After
  #forget: (() => void) | null = null

  constructor(after: After) {
    this.#after = after
  }

  /** What was done goes by itself, one that was not sent stays until something is done about it. */
  tell(state: PanicState): void {
    this.#forget?.()
    this.#forget = null
    this.state.value = state
    if (state.kind !== 'done' && state.kind !== 'missed') return
    this.#forget = this.#after(TOLD_MS, () => this.tell({ kind: 'calm' }))
  }

  /** One that was not sent covers the wall: it is pressed away. @returns whether it did. */
  close(): boolean {
    if (this.state.value.kind !== 'not_sent') return false
    this.tell({ kind: 'calm' })
    return true
  }

  /** There is a connection again: what could not be sent covers the wall no longer. */
  connected(): void {
    const state = this.state.value
    if (state.kind !== 'not_sent' || state.message !== null) return
    this.tell({ kind: 'missed', mayHaveArrived: state.mayHaveArrived })
  }
}
