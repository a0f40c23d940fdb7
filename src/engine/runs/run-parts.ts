// What the rules of runs have at hand: the parts of the engine that each of them works on.
import type { Agenda } from '../agenda.js'
import type { Button } from '../catalogue.js'
import type { RunOptions } from '../commands/commands.js'
import type { Context } from '../context.js'
import type { DmxRuns } from '../dmx/dmx-runs.js'
import type { Sequencer } from '../playlists/sequencer.js'
import type { Pass } from '../sound/voice.js'
import type { Run } from './run.js'

export interface RangeLimits {
  /**
   * The bound of a decoded head, in bytes of stereo f32; a parameter so that tests can make it
   * small.
   */
  readonly loopHeadBytes: number
}

/** The next frame at which something may have to be decided about a run (next-boundary). */
export interface Boundaries {
  /** Does whatever the run's place in its media asks for now, then plans the next boundary. */
  settle(run: Run): void
  /** As `settle`, but when all that is told at this frame was heard. */
  settleSoon(run: Run): void
  /** Puts the run's next boundary and the end of its fade on the agenda. */
  plan(run: Run): void
  /** An ended run has nothing due. */
  leave(run: Run): void
}

export interface RunParts {
  readonly context: Context
  readonly agenda: Agenda
  readonly dmx: DmxRuns
  readonly sequencer: Sequencer
  readonly boundaries: Boundaries
  readonly limits: RangeLimits
  /** An accepted start: the run exists from here on, and sounds when its first audio is ready. */
  start(button: Button, options: RunOptions): Run
  /** The next number in the order of acceptance: a start's or a resume's. */
  accepted(): number
  /** The next pass of a loop over the range that was captured at the start. */
  openAgain(run: Run): Pass
}
