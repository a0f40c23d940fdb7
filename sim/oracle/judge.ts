// The judge: counts how often each rule was put to the test, and stops at the first that is broken.
import type { DeviceRule } from '../devices/device-rules.js'
import type { RuleName } from './rules.js'
import type { ThreadsRule } from '../threads/threads-rules.js'
import type { Coincidence } from './sometimes.js'

/** What broke, at which frame of the scenario, and what was told of it. */
export type Failure = Pick<Violation, 'at' | 'told'> & { readonly rule: string }

export class Violation extends Error {
  constructor(
    readonly rule: RuleName | DeviceRule | ThreadsRule, readonly at: number, readonly told: string,
  ) {
    super(`${rule} at frame ${at}: ${told}`)
  }
}

/** The first rule that is broken meanwhile; null where none is. */
export const violationIn = (act: () => void): Violation | null => {
  try {
    act()
    return null
  } catch (error) {
    if (error instanceof Violation) return error
    throw error
  }
}

export class Judge {
  /** How often each rule was tested; a rule that never is judges nothing. */
  readonly tested = new Map<RuleName, number>()
  readonly met = new Map<Coincidence, number>()
  /** The frame as the scenario counts it. */
  now = 0

  hold(rule: RuleName, holds: boolean, told: () => string): void {
    this.tested.set(rule, (this.tested.get(rule) ?? 0) + 1)
    if (!holds) throw new Violation(rule, this.now, told())
  }

  sometimes(what: Coincidence, isSo = true): void {
    if (isSo) this.met.set(what, (this.met.get(what) ?? 0) + 1)
  }
}
