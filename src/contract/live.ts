// What is said on GET /api/v1/live, the WebSocket of pages and apps, in both directions: types.
//
// Subprotocol `cartwall.live.1`. Text frames are one JSON object each, told apart by `kind`; binary
// frames (levels, lights) stand in live-frames.ts. On connect the service sends `hello`, then
// `state`; from then on `change`, numbered without a gap, and what was asked for. Kinds and fields
// that are not known are to be ignored. All times are frames: 48 000 a second.
import type { ButtonKind, EndReason, RunState, ServiceState, SyncState } from './vocabulary.js'
import type { DmxOutputStatus, EventBody, EventName } from './schemas.js'

export const LIVE = {
  path: '/api/v1/live',
  subprotocol: 'cartwall.live.1',
  framesPerSecond: 48_000,
  /** A larger message closes the connection with 1009. */
  messageBytes: 1_024,
  /** A page that sends more is closed with 1008. */
  messagesPerSecond: 50,
  sockets: 256,
  /** A reader that is so far behind is closed with 1013, and may come back. */
  bytesBehind: 256 * 1_024,
  pingMs: 10_000,
  /** A page that let nothing be heard for so long is cut. */
  deadMs: 25_000,
  levelsPerSecond: 25,
  lightsPerSecond: 10,
  /** How often a stage reports. */
  stageReportMs: 2_000,
} as const

/** Why the service closed; 1001 (it ends), 1002, 1003 (binary), 1007, 1009 are as in RFC 6455. */
export const LIVE_CLOSE = {
  goingAway: 1001,
  /** A binary message: pages send text. */
  unsupported: 1003,
  /** Not UTF-8, or not one JSON object. */
  notJson: 1007,
  /** Too many messages, or a message whose kind is known and whose fields are not as here. */
  refused: 1008,
  tooBig: 1009,
  /** Too far behind, or one page of its address too many. */
  tryAgainLater: 1013,
} as const

// From the service

export type LiveMessage = LiveHello | LiveState | LiveChange | LiveTime

/** The first message. */
export interface LiveHello {
  readonly kind: 'hello'
  readonly protocol: 'cartwall.live.1'
  /** Of cartwall. */
  readonly version: string
  /** New at each start of the service: what was known of another boot is void. */
  readonly boot: string
  /** The ETag of GET /show; also null where pages are off. */
  readonly show: string | null
}

/** The second message: everything, as it is at number `n`. */
export interface LiveState extends LiveParts {
  readonly kind: 'state'
  /** The number of the last change that is in it; the next one is `n + 1`. */
  readonly n: number
  /** The engine's frame. */
  readonly at: number
  /**
   * Whether changes were missed since the number that the address named (`?boot=BOOT&n=17`): null
   * where it named none, true for a number of another boot too.
   */
  readonly missed: boolean | null
}

/**
 * What changed, all at one moment: apply it whole. `runs` holds each run that changed, whole; one
 * whose `endReason` is not null is over and leaves the state. Other parts are there only where they
 * changed, and then replace what was known.
 */
export interface LiveChange extends Partial<Omit<LiveParts, 'runs'>> {
  readonly kind: 'change'
  readonly n: number
  readonly at: number
  /** What GET /events tells, in the same order and with the same names and data (api.md 6). */
  readonly events: readonly LiveEvent[]
  readonly runs: readonly LiveRun[]
}

/** The answer to a page's `time`. What a person hears at this moment is `frame - latency`. */
export interface LiveTime {
  readonly kind: 'time'
  readonly id: LiveTimeId
  /** The engine's frame at the moment of answering, read on between its writes. */
  readonly frame: number
  /** Of the output, in frames. */
  readonly latency: number
}

export interface LiveParts {
  /** Every run that is not over, in order of creation. */
  readonly runs: readonly LiveRun[]
  /** The image that is shown. */
  readonly image: LiveImage | null
  readonly timelines: readonly LiveTimeline[]
  readonly output: LiveOutput
  /** Of the lights; `message` says what is wrong. */
  readonly lights: DmxOutputStatus
  readonly service: ServiceState
  readonly stages: readonly LiveStage[]
  /** The ETag of GET /show: another one means that /show is to be read again. */
  readonly show: string | null
  /** The ETag of GET /waves, likewise. */
  readonly waves: string | null
  /**
   * Which buttons of GET /show, as `show` names it, would sound at once, since their beginning is
   * decoded: see armed-bits.ts. Null where there is no /show.
   */
  readonly armed: string | null
}

export type LiveEvent = {
  readonly [Name in EventName]: { readonly name: Name; readonly data: EventBody[Name] }
}[EventName]

/** An execution (2.2), with where it is, exactly. */
export interface LiveRun {
  readonly executionId: string
  readonly buttonId: string
  /** As it was when it was last in the show: a button may vanish from under its run. */
  readonly title: string
  readonly kind: ButtonKind
  readonly state: RunState
  readonly endReason: EndReason | null
  /** Rises with each creation of a run. */
  readonly serial: number
  /**
   * Order of acceptance: a later start or resume has a higher one (`serial` decides where two are
   * equal, as in a list). Of the videos that move, the highest is on top.
   */
  readonly order: number
  /** In the source; `end` null while it is not known. `end` is the End that takes effect. */
  readonly range: { readonly start: number; readonly end: number | null }
  /** Length of the source; null while it is not known. */
  readonly duration: number | null
  /** Its sound is late: the position holds though the state is `playing`. */
  readonly starving: boolean
  readonly anchor: LiveAnchor
  /** The ramp that runs or ran last, for `pausing` and `fading_out`, a fade-in, a crossfade. */
  readonly fade: LiveFade
  /** Whether it repeats, as things stand. */
  readonly loops: boolean
  /** The button that a list plays next, once that is chosen: a few seconds ahead. */
  readonly next: string | null
}

/**
 * At engine frame `f` the output has taken the run up to `position` while it does not move, else to
 * `position + clamp(f - at, 0, until - position)`, without an upper bound where `until` is null.
 */
export interface LiveAnchor {
  readonly at: number
  readonly position: number
  readonly moving: boolean
  /** The position of the next thing that happens; null: none is known yet. */
  readonly until: number | null
  /** What happens there; null exactly where `until` is. */
  readonly then: LiveThen | null
}

export type LiveThen =
  /** It goes on, by another anchor: a crossfade begins, or it pauses there. */
  | { readonly kind: 'on' }
  | { readonly kind: 'end' }
  /** The position is `to` from there on. */
  | { readonly kind: 'wrap'; readonly to: number }

/** The gain goes from `from` (at frame `begin`) to `to` (`end`); 0..1, the button's own aside. */
export interface LiveFade {
  readonly begin: number
  readonly end: number
  readonly from: number
  readonly to: number
}

export interface LiveImage {
  readonly buttonId: string
  readonly title: string
  /** Since when it is shown. */
  readonly at: number
}

export interface LiveTimeline {
  readonly dmxExecutionId: string
  readonly buttonId: string
  /** The button's, as it was when the lights came on. */
  readonly title: string
  readonly sync: SyncState
  /** Position at engine frame `at`; it goes on while `moving`, modulo `duration` if it loops. */
  readonly at: number
  readonly position: number
  readonly moving: boolean
  readonly duration: number
  readonly loop: boolean
  readonly lastDriftMs: number | null
  readonly worstDriftMs: number | null
}

export interface LiveOutput {
  readonly state: 'ok' | 'unavailable'
  readonly sink: string
  /** Between the engine's frame and what is heard, in frames. */
  readonly latency: number
  readonly underruns: number
  readonly armedHeads: number
}

/**
 * A stage, from its first report on. One that is `gone` stays listed until its name comes back; so
 * is called one that is seen and has not reported for 10 s, until it does.
 */
export interface LiveStage {
  /** New for each connection. */
  readonly id: string
  readonly gone: boolean
  /** Its last one; null: it has not reported yet. */
  readonly report: StageReport | null
}

// From pages

export type PageMessage = PageTime | PageWant | PageStage

/** Comes back as it was sent: a finite number, or a text of at most 64 characters. */
export type LiveTimeId = number | string

export interface PageTime {
  readonly kind: 'time'
  readonly id: LiveTimeId
}

/** What this page wants from now on; what it does not name stays as it is. Both begin as false. */
export interface PageWant {
  readonly kind: 'want'
  readonly levels?: boolean
  readonly lights?: boolean
}

/** How a stage does, every 2 s; the first one makes the page a stage. At most 1 KiB as JSON. */
export interface PageStage {
  readonly kind: 'stage'
  readonly report: StageReport
}

export interface StageReport {
  /** For the walls, as in `/stage?name=left`; at most 64 characters. */
  readonly name: string
  /** `late`: it cannot keep up, and tries less often. */
  readonly pace: 'idle' | 'in_step' | 'catching_up' | 'late'
  /** The buttons that are on, from below; at most 8. */
  readonly on: readonly string[]
  /** Of |e|, in ms, over the last report's time; null where no video moved. */
  readonly p50: number | null
  readonly p95: number | null
  /** Since the page was loaded. */
  readonly framesDropped: number
  readonly seeks: number
  readonly visible: boolean
  readonly offsetMs: number
  /** What it could not show, and why; at most 4, at most 120 characters each. */
  readonly errors: readonly { readonly buttonId: string | null; readonly message: string }[]
}
