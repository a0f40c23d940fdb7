// How this stage does, counted over the time between two reports.
import { cutText } from '../../contract/cut-text.js'
import { LIVE, type PageStage, type StageReport } from '../../contract/live.js'
import type { Deck } from './deck/deck.js'
import type { DeckListener } from './deck/part.js'
import type { Renderer } from './renderer.js'
import type { StageTime } from './timing.js'

const ERRORS_KEPT = 1_000
const ON_MOST = 8
const TOLD_MOST = 4
const MESSAGE_CHARACTERS = 120
/** In step as the walls say it. */
const IN_STEP_MS = 25

interface Dropped {
  readonly element: HTMLVideoElement
  readonly source: string | null
  readonly count: number
}

export class Figures implements DeckListener {
  #errors: number[] = []
  #last: readonly number[] = []
  #seeks = 0
  /** Of each deck, as it was counted last. */
  readonly #dropped: Dropped[] = []
  #droppedBefore = 0

  frame(error: number): void {
    if (this.#errors.length < ERRORS_KEPT) this.#errors.push(Math.abs(error))
  }

  seek(): void {
    this.#seeks += 1
  }

  /** Of |e| over the last report's time. */
  percentile(share: number): number | null {
    const sorted = [...this.#last].sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length * share)] ?? null
  }

  report(name: string, renderer: Renderer, time: StageTime): StageReport {
    this.#last = this.#errors
    this.#errors = []
    const p95 = this.percentile(0.95)
    return fitted({
      name,
      pace: paceOf(renderer.decks, p95),
      on: renderer.on.slice(-ON_MOST).map(({ buttonId }) => buttonId),
      p50: rounded(this.percentile(0.5)),
      p95: rounded(p95),
      framesDropped: this.#framesDropped(renderer.decks),
      seeks: this.#seeks,
      visible: !document.hidden,
      offsetMs: time.offsetMs,
      errors: renderer.errors.slice(0, TOLD_MOST).map(({ buttonId, message }) => ({
        buttonId, message: cutText(message, MESSAGE_CHARACTERS),
      })),
    })
  }

  /** An element counts from its file's start; what it counted before is kept. */
  #framesDropped(decks: readonly Deck[]): number {
    let now = 0
    for (const [n, { element, source }] of decks.entries()) {
      const before = this.#dropped[n]
      const count = element.getVideoPlaybackQuality().droppedVideoFrames
      const isSame = before?.element === element && before.source === source
      if (before !== undefined && (!isSame || count < before.count)) {
        this.#droppedBefore += before.count
      }
      this.#dropped[n] = { element, source, count }
      now += count
    }
    return this.#droppedBefore + now
  }
}

const paceOf = (decks: readonly Deck[], p95: number | null): StageReport['pace'] => {
  if (decks.some(({ isLate }) => isLate)) return 'late'
  if (p95 === null) return 'idle'
  return p95 <= IN_STEP_MS ? 'in_step' : 'catching_up'
}

const rounded = (ms: number | null): number | null =>
  ms === null ? null : Math.round(ms * 10) / 10

/** A longer message would end the connection, each time anew: then fewer errors are told. */
const fitted = (report: StageReport): StageReport => {
  const message: PageStage = { kind: 'stage', report }
  const isTooLong = new TextEncoder().encode(JSON.stringify(message)).length > LIVE.messageBytes
  if (!isTooLong || report.errors.length === 0) return report
  return fitted({ ...report, errors: report.errors.slice(0, -1) })
}
