// One WebSocket of GET /live, from its opening to its end: what it tells, and the engine's time.
//
// The daemon's pages have their own, in pages/shared/live-socket.ts and clock.ts: they come with
// the daemon, read levels and lights too, and keep pictures in step by the median of many answers.
// This one is a part of apps: it reads of a message what they need, stays small, and runs anywhere.
import type { ClientSocket } from './types.js'
import { abortWith, nowOf, type Wait } from './wait.js'
import type { EventBody, EventName, Execution, RunState, EndReason } from './wire.js'

/** What is used of the messages of the service; all times are frames, 48 a millisecond. */
export interface LiveRunTold {
  readonly executionId: string
  readonly buttonId: string
  readonly state: RunState
  readonly endReason: EndReason | null
  readonly duration: number | null
  readonly anchor: {
    readonly at: number
    readonly position: number
    readonly moving: boolean
    readonly until: number | null
    readonly then: { readonly kind: 'on' | 'end' } | {
      readonly kind: 'wrap'
      readonly to: number
    } | null
  }
}

/** The contract's LiveEvent, by the name that apps have for it. */
export type CartwallEvent = {
  [Name in EventName]: { readonly name: Name; readonly data: EventBody[Name] }
}[EventName]

/** A run as events and status tell of it; there may be more in it than this. */
export type WatchedRun = Pick<
  Execution, 'executionId' | 'buttonId' | 'state' | 'positionMs' | 'durationMs' | 'endReason'
>

/**
 * How the service is followed. `away`: it does not answer. `hidden`: the page is not seen and
 * nothing depends on what happens, so that nothing is asked for.
 */
export type WatchMode = 'live' | 'events' | 'polling' | 'away' | 'hidden'

export interface Follower {
  run(run: WatchedRun): void
  event(event: CartwallEvent): void
  mode(mode: WatchMode): void
  /** Whether it wants to hear what polling finds. */
  readonly poll: boolean
  /** Whether something depends on it though the page is hidden. */
  needed(): boolean
  readonly pollMs: number
  readonly timeoutMs: number
  readonly wait: Wait | undefined
}

/** A run that is followed. */
export interface LinkRun {
  readonly run: WatchedRun
  /** When it was told, on the clock of the app. */
  readonly at: number
  /** Where it is exactly; null where that was not told. */
  readonly live: LiveRunTold | null
}

export interface LiveStateTold {
  readonly kind: 'state'
  readonly n: number
  readonly at: number
  readonly missed: boolean | null
  readonly runs: readonly LiveRunTold[]
}

export interface LiveChangeTold {
  readonly kind: 'change'
  readonly n: number
  readonly at: number
  readonly events: readonly CartwallEvent[]
  readonly runs: readonly LiveRunTold[]
}

export interface LiveTimeTold {
  readonly kind: 'time'
  readonly id: number | string
  readonly frame: number
  readonly latency: number
}

/** Held to src/contract/live.ts by test/types/wire.ts, as the rest is. */
export type LiveTold =
  | { readonly kind: 'hello'; readonly boot: string }
  | LiveStateTold | LiveChangeTold | LiveTimeTold

export interface LiveHearing {
  hello(boot: string): void
  state(state: LiveStateTold): void
  /** Each number once, in order. */
  change(change: LiveChangeTold): void
}

export interface LiveReading {
  readonly wait: Wait
  /** For how long the opening may take, and an answer to the question of the time. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly clock: LiveClock
}

const FRAMES_PER_MS = 48
/** A page behind a dead connection knows it after this and `timeoutMs`. */
const ASK_MS = 2_000
const SAMPLES = 8
/** The engine moves in steps; beyond this it has not moved on as time has. */
const JUMP_MS = 30

/** So far may the clocks of app and service come apart, at once and with time: 17 s in a day. */
const CLOCKS_APART_MS = 1_000
const CLOCKS_DRIFT = 2e-4

/**
 * Where no boot is known: whether an answer tells of another service than the one that was there.
 * @param upSince when that one was started, at the latest.
 */
export const isYounger = (uptimeMs: number, asked: number, upSince: number): boolean =>
  (asked - upSince) * (1 - CLOCKS_DRIFT) > uptimeMs + CLOCKS_APART_MS

/** The engine's frame at any moment, by the answer that came back quickest of the last few. */
export class LiveClock {
  #samples: { readonly tripMs: number; readonly offset: number; readonly latency: number }[] = []

  note(sentAt: number, receivedAt: number, { frame, latency }: LiveTimeTold): void {
    const tripMs = receivedAt - sentAt
    const offset = frame - ((sentAt + receivedAt) / 2) * FRAMES_PER_MS
    // An answer is wrong by half of its trip at most. Further off, the engine itself stood still,
    // e.g. while its device was waited for: nothing of before holds.
    const kept = this.#samples.slice(1 - SAMPLES).filter((it) =>
      Math.abs(offset - latency - it.offset + it.latency)
        <= (JUMP_MS + (tripMs + it.tripMs) / 2) * FRAMES_PER_MS)
    this.#samples = [...kept, { tripMs, offset, latency }]
  }

  /** What is heard at this moment; null: not known. */
  heardAt(now: number): number | null {
    const [best] = [...this.#samples].sort((a, b) => a.tripMs - b.tripMs)
    return best === undefined ? null : now * FRAMES_PER_MS + best.offset - best.latency
  }

  reset(): void {
    this.#samples = []
  }
}

/** Reads until it ends; true where it stood, false where nothing was ever told on it. */
export const readLive = async (
  socket: ClientSocket, hearing: LiveHearing, { wait, timeoutMs, signal, clock }: LiveReading,
): Promise<boolean> => {
  const closed = new AbortController()
  /** Aborts when what is waited for was told. */
  let told = new AbortController()
  // No change follows it: the state comes first.
  let n = NaN
  let askedAt = 0
  let id = 0
  const end = (): void => closed.abort()
  // Once: Node 22 tells of an error from within the `close` of one that is being opened.
  closed.signal.addEventListener('abort', () => {
    // What waits for `told` is woken by the end too.
    told.abort()
    socket.close()
  })
  const hear = (message: LiveTold): void => {
    if (message.kind === 'hello') hearing.hello(message.boot)
    else if (message.kind === 'state') {
      hearing.state(message)
      n = message.n
      told.abort()
    } else if (message.kind === 'change') {
      if (message.n !== n + 1) throw new Error('a change is missing')
      n = message.n
      hearing.change(message)
    // Kinds of a later protocol are passed over.
    } else if ('frame' in message && message.id === id) {
      clock.note(askedAt, nowOf(wait), message)
      told.abort()
    }
  }
  socket.addEventListener('close', end)
  socket.addEventListener('error', end)
  socket.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string' || closed.signal.aborted) return
    try {
      hear(JSON.parse(data) as LiveTold)
    } catch {
      // Whatever answers in the service's place: thrown here, it would end an app in Node.
      end()
    }
  })
  const letGo = abortWith(closed, signal)
  await wait(timeoutMs, told.signal)
  while (n >= 0 && !closed.signal.aborted) {
    told = new AbortController()
    askedAt = nowOf(wait)
    socket.send(JSON.stringify({ kind: 'time', id: (id += 1) }))
    await wait(timeoutMs, told.signal)
    if (told.signal.aborted) await wait(ASK_MS, closed.signal)
    else break
  }
  letGo()
  end()
  clock.reset()
  return n >= 0
}

/** As src/contract/live.ts has it; past a wrap it goes on from where that leads. */
export const liveMs = ({ anchor }: LiveRunTold, frame: number): number => {
  const { at, position, moving, until, then } = anchor
  if (!moving) return position / FRAMES_PER_MS
  const reached = position + Math.max(0, frame - at)
  if (until === null || reached <= until) return reached / FRAMES_PER_MS
  const to = then?.kind === 'wrap' ? then.to + reached - until : until
  return to / FRAMES_PER_MS
}

const MOVING: readonly string[] = ['playing', 'pausing', 'fading_out']

/** Where it is: exactly where that is told, else by the last reading, which knows of no wrap. */
export const placeMs = ({ run, at, live }: LinkRun, clock: LiveClock, now: number): number => {
  const heard = clock.heardAt(now)
  if (live !== null && heard !== null) return liveMs(live, heard)
  const { state, positionMs, durationMs } = run
  const moved = MOVING.includes(state) ? now - at : 0
  return Math.min(positionMs + moved, durationMs > 0 ? durationMs : Infinity)
}

/** A run as events and status tell of it, at a moment of the engine's. */
export const watched = (
  run: LiveRunTold, frame: number,
): LiveRunTold & { readonly positionMs: number; readonly durationMs: number } => ({
  ...run,
  positionMs: Math.floor(liveMs(run, frame)),
  durationMs: Math.floor((run.duration ?? 0) / FRAMES_PER_MS),
})
