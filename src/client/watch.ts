// What happens in the service, as it happens: all watches of a client share one connection.
import { safely } from './failure.js'
import { Link, type CartwallEvent, type WatchedRun, type WatchMode } from './link.js'
import type { Client } from './types.js'
import { LOOK_TIMEOUT_MS, POLL_MS, type Wait } from './wait.js'

export interface WatchOptions {
  /** Ends the watching, as the function that `watch` returns does. */
  readonly signal?: AbortSignal | undefined
  /**
   * Every change of a run, however it came to be known; while it polls, what a look shows: a run
   * that is shorter than the time between two is not heard of. Each run's last one is its end,
   * unless the service does not know the run any more, e.g. because it was killed: then a `reset`
   * is all that comes, and `execution` of that run rejects with `execution_not_found`.
   */
  readonly onRun?: ((run: WatchedRun) => void) | undefined
  /**
   * Every event; what was missed is told by a `reset`. While it polls there is none but the
   * `reset` of a service that began again (`restarted`).
   */
  readonly onEvent?: ((event: CartwallEvent) => void) | undefined
  readonly onMode?: ((mode: WatchMode) => void) | undefined
  /** False: where events cannot be had, nothing is heard. */
  readonly poll?: boolean | undefined
  /** True: goes on while the page is hidden, because more than its looks depends on it. */
  readonly whileHidden?: boolean | (() => boolean) | undefined
  /** Between two looks while it polls, 750 where nothing (0 or NaN neither) is said. */
  readonly pollMs?: number | undefined
  readonly timeoutMs?: number | undefined
  /** In place of the client's own time, e.g. `player.wait` of a test player. */
  readonly wait?: Wait | undefined
}

/** To be called when it is not wanted any more. */
export interface Watching {
  (): void
  /**
   * Where a run is at this moment, in milliseconds, to be drawn: what is heard, exact through
   * pauses and loops, while the mode is `live`; else reckoned from the last reading. Null: no
   * such run is known, or it is over.
   */
  positionMs(executionId: string): number | null
  /** To be called when `whileHidden` would answer otherwise than before. */
  changed(): void
}

/** The service tells no more runs anew: it keeps 4096 events, at least two of each. */
const ENDS_KEPT = 2_048

/** Watches until the signal aborts or the function that it returns is called. */
export const watch = (client: Client, options: WatchOptions): Watching => {
  const { whileHidden = false } = options
  const run = safely(options.onRun)
  const ended = new Set<string>()
  const follower = {
    // Events of a run may come after a look that told its end: they were on their way, or are those
    // of a connection that broke, which the next one begins with.
    run: (told: WatchedRun) => {
      const { executionId, endReason } = told
      if (ended.has(executionId)) return
      if (endReason !== null) ended.add(executionId)
      const [oldest = ''] = ended
      if (ended.size > ENDS_KEPT) ended.delete(oldest)
      run(told)
    },
    event: safely(options.onEvent),
    mode: safely(options.onMode),
    poll: options.poll ?? true,
    needed: () =>
      typeof whileHidden === 'function' ? safely(whileHidden)(null) ?? true : whileHidden,
    // Nor 0 or NaN: it would ask without end.
    pollMs: options.pollMs || POLL_MS,
    timeoutMs: options.timeoutMs ?? LOOK_TIMEOUT_MS,
    wait: options.wait,
  }
  let link: Link | null = null
  const stop = (): void => {
    link?.leave(follower)
    link = null
    options.signal?.removeEventListener('abort', stop)
  }
  if (options.signal?.aborted !== true) {
    link = Link.join(client, follower)
    options.signal?.addEventListener('abort', stop)
  }
  const positionMs = (executionId: string): number | null => link?.positionMs(executionId) ?? null
  return Object.assign(stop, { positionMs, changed: () => link?.poke() })
}
