// What changed for readers since they were told last; it becomes the read model's news.
import type { Context } from './context.js'
import type { DmxRuns } from './dmx/dmx-runs.js'
import type { Change } from './read-model.js'

export class Changes {
  readonly #noted: Change[] = []
  #dmxTaken = 0
  #starvationsTaken = 0

  constructor(private readonly context: Context, private readonly dmx: DmxRuns) {}

  note(change: Change): void {
    this.#noted.push(change)
  }

  /**
   * The runs that were touched, as they are now: before anything that must be told after them. One
   * that ended is told as it was then: it learns no length that came later in the same step.
   */
  noteTouched(): void {
    const { touched, runs } = this.context
    for (const run of touched) {
      this.note({ kind: 'run', view: runs.ended(run.executionId) ?? this.context.view(run) })
    }
    touched.clear()
  }

  take(): readonly Change[] {
    this.noteTouched()
    const { starvations: count } = this.context
    if (count !== this.#starvationsTaken) this.note({ kind: 'starvations', count })
    this.#starvationsTaken = count
    if (this.dmx.revision !== this.#dmxTaken) {
      this.#dmxTaken = this.dmx.revision
      this.note({ kind: 'dmx', views: this.dmx.views(), lamps: this.dmx.lamps() })
    }
    return this.#noted.splice(0)
  }
}
