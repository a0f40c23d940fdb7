// Says on stderr how far something is that takes longer than a second.
import type { Timers } from '../clock/timers.js'

const EVERY_MS = 1_000

export interface Progress {
  step(): void
  end(): void
}

export const startProgress = (what: string, total: number, timers: Timers): Progress => {
  let done = 0
  let said = false
  const show = (): void => {
    said = true
    process.stderr.write(`cartwall: ${what}: ${String(done)} of ${String(total)}\n`)
  }
  const cancel = timers.every(EVERY_MS, show)
  return {
    step: () => {
      done += 1
    },
    end: () => {
      cancel()
      if (said) show()
    },
  }
}
