// The faults of one timeline file, found one by one and bounded.
import type { Fault } from '../files/fault.js'

/** Nobody mends more than this in one go, and a file of a million faults must not fill memory. */
const FAULTS_MAX = 1_000

/** Above these a timeline is refused whole: beyond any show, and within any memory. */
export const TIMELINE_LIMITS = { keyframes: 1_000_000, bytes: 32 * 1024 * 1024 } as const

export class Faults {
  readonly list: Fault[] = []

  add(place: string, message: string): void {
    if (this.list.length < FAULTS_MAX) this.list.push({ place, message })
  }

  get any(): boolean {
    return this.list.length > 0
  }
}
