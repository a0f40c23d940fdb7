// The faults of one timeline file, found one by one and bounded.
import type { Fault } from '../files/fault.js'

/** Nobody mends more than this in one go, and a file of a million faults must not fill memory. */
const FAULTS_MAX = 1_000
const NOTES_MAX = 20

/** Above these a timeline is refused whole: beyond any show, and within any memory. */
export const TIMELINE_LIMITS = { keyframes: 1_000_000, bytes: 32 * 1024 * 1024 } as const

export class Faults {
  readonly list: Fault[] = []
  /** What is read all the same, and is likely a mistake: a key that nothing knows. */
  readonly notes: Fault[] = []

  add(place: string, message: string): void {
    if (this.list.length < FAULTS_MAX) this.list.push({ place, message })
  }

  note(place: string, message: string): void {
    if (this.notes.length < NOTES_MAX) this.notes.push({ place, message })
  }

  get any(): boolean {
    return this.list.length > 0
  }
}
