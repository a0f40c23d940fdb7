// How long a run's file lasts, as far as the model can know it.
import type { RunsHost } from './runs-host.js'
import { isLive, wholeMs, type ModelRun } from './shapes.js'

/** Whole ms; what was told, where the order of events leaves that possible too. */
export const lengthMs = (host: RunsHost, run: ModelRun, told: unknown): number => {
  const { path } = run.tail.seen.request
  const frames = run.source ?? host.durationOf(path)
  const sure = frames === null ? 0 : wholeMs(frames)
  return typeof told === 'number' && host.mayLast(path, told) ? told : sure
}

/** The same as a reader is told: what has ended may learn once more at the frame of its end. */
export const readLengthMs = (host: RunsHost, run: ModelRun, told: unknown): number =>
  !isLive(run) && told === run.durationMs ? told : lengthMs(host, run, told)
