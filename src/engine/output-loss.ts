// Output loss (decisions 3): the device is gone. What sounds fails, starts and resumes are refused,
// and paused runs wait until it is back.
import type { Frame } from '../clock/frame.js'
import { refuse } from '../contract/errors.js'
import type { Reply } from './commands/commands.js'
import type { EngineEvent } from './events.js'
import { endRun } from './runs/terminal-outcome.js'
import type { RunParts } from './runs/run-parts.js'

type OutputEvent = Extract<EngineEvent, { kind: 'output' }>

export class OutputLoss {
  #up = true

  constructor(
    private readonly parts: RunParts,
    /** Told of each change, when it was carried out. */
    private readonly changed: (event: OutputEvent) => void,
  ) {}

  /** What a start or a resume is answered while there is no output. */
  refusal(): Reply | null {
    if (this.#up) return null
    const message = 'there is no sound output at the moment'
    return { ok: false, refusal: refuse('playback_unavailable', message) }
  }

  /** Starting and sounding runs fail, paused ones stay; a list does not move on. */
  lost(message: string): void {
    if (!this.#up) return
    this.#up = false
    this.parts.sequencer.dropDue()
    for (const run of [...this.parts.context.runs.live()]) {
      if (run.phase.state !== 'paused') endRun(this.parts, run, 'playback_error', 'output', message)
    }
    this.#tell(message)
  }

  back(): void {
    if (this.#up) return
    this.#up = true
    this.#tell(null)
  }

  #tell(message: string | null): void {
    const at: Frame = this.parts.context.now
    this.changed({ kind: 'output', at, available: this.#up, message })
  }
}
