// Watches how long a run still has as the wall shows it, and where it is as the API tells it, both
// on the page's own clock; and how far the one is from the other.
import type { Page } from 'playwright-core'
import type { StatusAnswer } from '../../src/contract/schemas.js'

/** An answer of the API. */
export interface Sample {
  /** The middle of its request. */
  readonly at: number
  readonly tripMs: number
  /** Of what is heard. */
  readonly positionMs: number
  readonly state: string
}

/** A text that came up. */
export interface Shown {
  readonly at: number
  readonly text: string
}

export interface Watched {
  readonly samples: readonly Sample[]
  readonly shown: readonly Shown[]
}

/** For so long, or until the run has ended. */
export const watchTime = (page: Page, executionId: string, ms: number): Promise<Watched> =>
  page.evaluate(async ([id, forMs]) => {
    const place = `.row[data-run="${id}"] .row-time`
    while (document.querySelector(place) === null) await new Promise(requestAnimationFrame)
    const shown: Shown[] = []
    const note = (): void => {
      const text = document.querySelector(place)?.textContent ?? ''
      if (text !== '') shown.push({ at: performance.now(), text })
    }
    const observer = new MutationObserver(note)
    const element = document.querySelector(place)
    const all = { childList: true, characterData: true, subtree: true }
    if (element !== null) observer.observe(element, all)
    note()
    const samples: Sample[] = []
    const until = performance.now() + forMs
    while (performance.now() < until && document.querySelector(place) !== null) {
      const begun = performance.now()
      const answer = await fetch('/api/v1/status')
      const ended = performance.now()
      const { active, paused, audio } = (await answer.json()) as StatusAnswer
      const run = [...active, ...paused].find(({ executionId }) => executionId === id)
      if (run === undefined) break
      const { positionMs, state } = run
      samples.push({
        at: (begun + ended) / 2, tripMs: ended - begun, state: state ?? '',
        positionMs: (positionMs ?? 0) - audio.latencyMs,
      })
      await new Promise((done) => setTimeout(done, 20))
    }
    observer.disconnect()
    return { samples, shown }
  }, [executionId, ms] as const)

/** A slow answer says too little of when it was true. */
const TRIP_MOST_MS = 30

/**
 * How far each text is from the truth at the moment when it comes up, in milliseconds, where two
 * answers around it tell the truth: not over a change of state. In a loop the end of a pass and the
 * beginning of the next one are the same moment.
 */
export const wrongBy = (
  { samples, shown }: Watched, endMs: number, loopMs: number | null,
): readonly number[] => {
  const good = samples.filter(({ tripMs }) => tripMs <= TRIP_MOST_MS)
  return shown.flatMap(({ at, text }) => {
    const after = good.findIndex((sample) => sample.at >= at)
    const [a, b] = [good[after - 1], good[after]]
    if (a === undefined || b === undefined || a.state !== b.state) return []
    if (b.positionMs < a.positionMs || b.at - a.at > 200) return []
    const share = (at - a.at) / (b.at - a.at)
    const heard = a.positionMs + share * (b.positionMs - a.positionMs)
    const wrong = Math.abs(msOf(text) - (endMs - heard))
    return [loopMs === null ? wrong : Math.min(wrong, Math.abs(loopMs - wrong))]
  })
}

/** 9.4, 0:10, 1:07. */
export const msOf = (text: string): number => {
  const [minutes, seconds] = text.includes(':') ? text.split(':') : ['0', text]
  return 60_000 * Number(minutes) + 1_000 * Number(seconds)
}
