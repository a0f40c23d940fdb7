// The stages that are connected, as walls hear of them, and those that went away.
import type { Timers } from '../../clock/timers.js'
import { LIVE, type LiveStage, type StageReport } from '../../contract/live.js'

/** Stages that went are remembered so that a wall can say which one is missing. */
const GONE_MAX = 16
/** One that was closed on purpose is no news for longer. */
const GONE_KEPT_MS = 10 * 60_000
/** Of a page that hangs the browser keeps the connection, and answers the pings. */
const SILENT_MS = 5 * LIVE.stageReportMs

/** One page on the wire; what came back under its name goes on as it, and has come when it did. */
interface Known {
  readonly stage: LiveStage
  readonly cameAt: number
  readonly heardAt: number
  /** In milliseconds of the clock. */
  readonly reportedAtMs: number
  /** Null while it is there. */
  readonly goneAtMs: number | null
}

export class Stages {
  readonly #stages = new Map<string, Known>()
  /** Of reports, whose order is all that counts. */
  #reports = 0

  constructor(private readonly timers: Pick<Timers, 'nowMs'>) {}

  list(): readonly LiveStage[] {
    const now = this.timers.nowMs()
    for (const [id, { goneAtMs }] of this.#stages) {
      if (goneAtMs !== null && now - goneAtMs >= GONE_KEPT_MS) this.#stages.delete(id)
    }
    return [...this.#stages.values()].map((known) =>
      isSilent(known, now) ? { ...known.stage, gone: true } : known.stage)
  }

  /**
   * A report makes a page a stage; one that went under its name has come back with it. Several may
   * have one name: another one that was there all the time brings nobody back.
   */
  report(id: string, report: StageReport): void {
    this.#reports += 1
    const heardAt = this.#reports
    const before = this.#stages.get(id) ?? this.#takeGone(report.name)
    const cameAt = before?.cameAt ?? heardAt
    this.#stages.set(id, {
      stage: { id, gone: false, report }, cameAt, heardAt,
      reportedAtMs: this.timers.nowMs(), goneAtMs: null,
    })
  }

  gone(id: string): void {
    const known = this.#stages.get(id)
    if (known === undefined) return
    this.#stages.delete(id)
    if (this.#isBack(known)) return
    // At the end: those that went stand in the order in which they did.
    const stage = { ...known.stage, gone: true }
    this.#stages.set(id, { ...known, stage, goneAtMs: this.timers.nowMs() })
    const gone = [...this.#stages.values()].filter((each) => each.stage.gone)
    for (const oldest of gone.slice(0, -GONE_MAX)) this.#stages.delete(oldest.stage.id)
  }

  #takeGone(name: string): Known | null {
    for (const [id, known] of this.#stages) {
      if (!known.stage.gone || known.stage.report?.name !== name) continue
      this.#stages.delete(id)
      return known
    }
    return null
  }

  /** A connection that broke in silence is cut long after its page has come by another one. */
  #isBack({ stage, cameAt, heardAt }: Known): boolean {
    for (const [id, other] of this.#stages) {
      const isOfName = !other.stage.gone && other.stage.report?.name === stage.report?.name
      if (!isOfName || other.cameAt <= heardAt) continue
      this.#stages.set(id, { ...other, cameAt })
      return true
    }
    return false
  }
}

/** Browsers keep the timers of a page that nobody sees: it may report once a minute, or never. */
const isSilent = ({ stage: { report }, reportedAtMs }: Known, now: number): boolean =>
  report?.visible === true && now - reportedAtMs >= SILENT_MS
