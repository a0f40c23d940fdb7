// The judge's own clock: where a run is heard, again and again while it plays, from the API alone.
//
// One look at each end of a minute does not do: every underrun puts off what is heard from then on,
// and a device's crystal is not the system's. With PulseAudio's null sink that was 10 to 20 ms in a
// minute, which were taken for errors of the picture.
import { setTimeout as sleep } from 'node:timers/promises'

/** One answer of the API, stamped in this process. */
export interface Answered {
  readonly positionMs: number
  readonly beforeMs: number
  readonly afterMs: number
}

/** Where the run was heard, minus the time, at a moment; in ms. */
interface Look {
  readonly at: number
  readonly offset: number
}

const LOOK_EVERY_MS = 400
/** As many as four blocks of the output take; it hands on 2.7 ms at a time. */
const ANSWERS = 12
/** An answer that was slow on one of its ways looks further ahead than it was. */
const ALMOST_FURTHEST = 0.94
/** The middle of so many looks is believed: one of them may fall into a stall. */
const MIDDLE = 3

/**
 * A position is what the output took, told between two writes: of those answers that came quickly
 * the one that is furthest ahead was asked for just after a write.
 */
export const aheadBy = (answers: readonly Answered[]): number => {
  const trip = ({ beforeMs, afterMs }: Answered): number => afterMs - beforeMs
  const quick = answers.toSorted((a, b) => trip(a) - trip(b))
    .slice(0, Math.ceil(answers.length * 0.6))
  // A position is told in whole milliseconds.
  const offsets = quick.map(({ positionMs, beforeMs, afterMs }) =>
    positionMs + 0.5 - (beforeMs + afterMs) / 2).toSorted((a, b) => a - b)
  return offsets[Math.floor(offsets.length * ALMOST_FURTHEST)] ?? Number.NaN
}

/** Milliseconds since 1970, with their fraction, as the page's own moments are told. */
export const epochMs = (): number => performance.timeOrigin + performance.now()

/** What a judge asks the API. */
export interface Asked {
  readonly run: () => Promise<Answered>
  readonly latencyMs: () => Promise<number>
}

export class Judge {
  readonly #asked: Asked
  readonly #looks: Look[] = []
  #isOver = false
  #work: Promise<void>

  constructor(asked: Asked) {
    this.#asked = asked
    this.#work = this.#look()
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#work
  }

  /** Position minus time where it was heard at a moment: between the looks before and after it. */
  offsetAt(at: number): number {
    const looks = this.#settled()
    const next = looks.findIndex((look) => look.at > at)
    const after = looks[next] ?? looks.at(-1)
    const before = looks[next - 1] ?? after
    if (before === undefined || after === undefined) throw new Error('the judge saw nothing')
    const share = after.at > before.at ? (at - before.at) / (after.at - before.at) : 0
    return before.offset + (after.offset - before.offset) * Math.min(Math.max(share, 0), 1)
  }

  /** By how much what is heard wandered against the system's clock. */
  get wanderedMs(): number {
    const offsets = this.#settled().map(({ offset }) => offset)
    return Math.max(...offsets) - Math.min(...offsets)
  }

  #settled(): readonly Look[] {
    const half = (MIDDLE - 1) / 2
    return this.#looks.map(({ at }, n) => {
      const near = this.#looks.slice(Math.max(0, n - half), n + half + 1)
        .map(({ offset }) => offset).toSorted((a, b) => a - b)
      return { at, offset: near[near.length >> 1] ?? Number.NaN }
    })
  }

  async #look(): Promise<void> {
    while (!this.#isOver) {
      const began = epochMs()
      const answers: Answered[] = []
      for (let n = 0; n < ANSWERS; n += 1) answers.push(await this.#asked.run())
      const at = (began + epochMs()) / 2
      this.#looks.push({ at, offset: aheadBy(answers) - await this.#asked.latencyMs() })
      await sleep(LOOK_EVERY_MS)
    }
  }
}
