// The stages that are connected, as walls hear of them, and those that went away.
import type { LiveStage, StageReport } from '../../contract/live.js'

/** Stages that went are remembered so that a wall can say which one is missing. */
const GONE_MAX = 16

export class Stages {
  readonly #stages = new Map<string, LiveStage>()

  list(): readonly LiveStage[] {
    return [...this.#stages.values()]
  }

  /** A report makes a page a stage; one that went under its name has come back. */
  report(id: string, report: StageReport): void {
    for (const [other, stage] of this.#stages) {
      if (stage.gone && stage.report?.name === report.name) this.#stages.delete(other)
    }
    this.#stages.set(id, { id, gone: false, report })
  }

  gone(id: string): void {
    const stage = this.#stages.get(id)
    if (stage === undefined) return
    this.#stages.set(id, { ...stage, gone: true })
    const gone = [...this.#stages.values()].filter((one) => one.gone)
    for (const { id: oldest } of gone.slice(0, -GONE_MAX)) this.#stages.delete(oldest)
  }
}
