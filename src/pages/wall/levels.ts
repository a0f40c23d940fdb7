// Levels as they are drawn: with the texts that count, so that both are in one frame.
import type { LevelsFrame, Peaks, RunPeaks } from '../../contract/live-frames.js'

/**
 * Told 25 times in the second beside texts that are looked at 20 times, they made up to 45 frames,
 * and a press that comes while one of them is made waits for it. Of what came since the last look
 * the loudest is drawn: a drum that was hit between two looks is seen.
 */
export class Levels {
  #since: LevelsFrame | null = null

  note(frame: LevelsFrame): void {
    const before = this.#since
    if (before === null) {
      this.#since = frame
      return
    }
    const runs = new Map(before.runs.map((run) => [run.executionId, run]))
    this.#since = {
      ...frame,
      master: louder(before.master, frame.master),
      runs: frame.runs.map((run): RunPeaks => {
        const { executionId } = run
        return { executionId, ...louder(runs.get(executionId) ?? run, run) }
      }),
    }
  }

  /** What is to be drawn; null: nothing came. */
  take(): LevelsFrame | null {
    const frame = this.#since
    this.#since = null
    return frame
  }
}

const louder = (a: Peaks, b: Peaks): Peaks =>
  ({ left: Math.max(a.left, b.left), right: Math.max(a.right, b.right) })
