// Says on stderr how far something is that takes longer than a second.

const FIRST_MS = 1_000
const EVERY_MS = 1_000

export interface Progress {
  step(): void
  end(): void
}

export const startProgress = (what: string, total: number): Progress => {
  let done = 0
  let said = false
  const show = (): void => {
    said = true
    process.stderr.write(`cartwall: ${what}: ${String(done)} of ${String(total)}\n`)
  }
  let timer = setTimeout(function tell() {
    show()
    timer = setTimeout(tell, EVERY_MS)
  }, FIRST_MS)
  return {
    step: () => {
      done += 1
    },
    end: () => {
      clearTimeout(timer)
      if (said) show()
    },
  }
}
