// The shapes of every request and answer, written from the contract by scripts/wire-types.mjs.

export type RunState =
  | 'starting' | 'playing' | 'pausing' | 'paused' | 'fading_out' | 'completed' | 'stopped'
  | 'failed'

export type EndReason = 'natural_end' | 'explicit_stop' | 'replaced' | 'playback_error'

export type ButtonKind = 'audio' | 'video' | 'image' | 'dmx' | 'navigation'

export type StopResult = 'fading_out' | 'stopped' | 'already_stopped'

export type ServiceState = 'ready' | 'busy' | 'shutting_down'

export type SyncState = 'internal' | 'chasing' | 'freewheel'

export type RunCause =
  | 'command' | 'ready' | 'fade_done' | 'media_end' | 'replaced' | 'sequence' | 'decoder' | 'output'
  | 'shutdown'

export type DmxChange =
  | 'initializing' | 'started' | 'held' | 'released' | 'completed' | 'ended' | 'chasing'
  | 'freewheel' | 'corrected'

export type CatalogueChange = 'busy' | 'replaced' | 'kept'

export type ResetReason = 'restarted' | 'gap' | 'unknown_id'

/** 2.2: one audio or video run. positionMs is absolute in the source; durationMs 0 is unknown. */
export interface Execution {
  executionId: string
  buttonId: string
  state: RunState
  positionMs: number
  durationMs: number
  endReason: EndReason | null
  startMs: number
  endMs: number | null
  starvedMs: number
}

/**
 * An entry of the catalogue. From `startMs` on additions of cartwall's: the range that a start
 * would play (`endMs` null where there is none, or it is not known yet) and the saved fades. The
 * button's `x-` keys stand beside them as they are in the show.
 */
export interface Button {
  id: string
  title: string
  kind: ButtonKind
  playlistId: string
  playlistTitle: string
  isPlaying: boolean
  isPaused: boolean
  isLoopEnabled: boolean
  hasDmxTimeline: boolean
  durationMs: number
  executionId: string | null
  dmxExecutionId: string | null
  startMs: number
  endMs: number | null
  fadeInMs: number
  fadeOutMs: number
  [own: `x-${string}`]: unknown
}

export interface ButtonsAnswer {
  buttons: Button[]
}

export interface StatusItem {
  id: string
  title: string
  kind: ButtonKind
  executionId: string | null
  state: RunState | null
  positionMs: number | null
  durationMs: number | null
  dmxExecutionId: string | null
}

export interface AudioStatus {
  state: 'ok' | 'unavailable'
  sink: string
  latencyMs: number
  underruns: number
  starvations: number
  armedHeads: number
}

/** The sync state of one DMX run: an addition of cartwall's to the status. Drifts in ms, signed. */
export interface DmxRunStatus {
  dmxExecutionId: string
  buttonId: string
  sync: SyncState
  isPlaying: boolean
  positionMs: number
  durationMs: number
  lastDriftMs: number | null
  worstDriftMs: number | null
}

export interface DmxOutputStatus {
  state: 'off' | 'ok' | 'failing'
  message: string | null
}

export interface StatusAnswer {
  state: ServiceState
  version: string
  uptimeMs: number
  show: string
  showError: string | null
  audio: AudioStatus
  dmx: {
    enabled: boolean
    universes: number
    activeTimelines: number
  }
  lights: {
    output: DmxOutputStatus
    timelines: DmxRunStatus[]
  }
  log: {
    state: 'ok' | 'failing'
    message: string | null
    lost: number
  }
  active: StatusItem[]
  paused: StatusItem[]
}

/** 2.3: the run options of play and restart; null and omission mean the saved setting. */
export interface RunOptions {
  pauseWhenReplaced?: boolean | null | undefined
  allowOverlap?: boolean | null | undefined
  externalSequencing?: boolean | undefined
  loop?: boolean | null | undefined
  loopCrossfadeMs?: number | null | undefined
}

export interface PauseBody {
  executionId: string
  fadeOutMs?: number | undefined
}

export interface ResumeBody {
  executionId: string
  fadeInMs?: number | undefined
}

export interface StopBody {
  executionId?: string | undefined
  fadeOutMs?: number | undefined
}

/** Panic, an addition of cartwall's: stops everything. */
export interface PanicBody {
  fadeOutMs?: number | undefined
}

/** 2.8: one message of the external clock. */
export interface SyncBody {
  executionId: string
  sequence: number
  positionMs: number
  isPlaying: boolean
  forceSeek?: boolean | undefined
}

/** 2.4: a start that was accepted (202); no proof of successful decoding. */
export interface StartAnswer {
  result: 'accepted'
  id: string
  executionId: string | null
  dmxAllowed: boolean
  dmxExecutionId: string | null
}

/** 2.6: play on a run that is live already (200). */
export interface AlreadyActiveAnswer {
  result: 'already_active'
  id: string
  executionId: string | null
  dmxExecutionId: string | null
}

/** 2.5. */
export interface StopAnswer {
  result: StopResult
  id: string
  executionId: string | null
}

/** How many buttons fade out now, also those that did before, and how many stopped at once. */
export interface PanicAnswer {
  result: StopResult
  fadingOut: number
  stopped: number
}

/** driftMs is timeline minus message before any correction; on a loop the shorter way round. */
export interface SyncAnswer {
  executionId: string
  sequence: number
  corrected: boolean
  positionMs: number
  driftMs: number
  isPlaying: boolean
}

/** Event `run`: a run changed; the run as it is from now on, and what made it so. */
export interface RunEvent {
  executionId: string
  buttonId: string
  state: RunState
  positionMs: number
  durationMs: number
  endReason: EndReason | null
  startMs: number
  endMs: number | null
  cause: RunCause
  message: string | null
}

/** Event `wrap`: a loop came round; `passes` counts how often it did, `positionMs` is after it. */
export interface WrapEvent {
  executionId: string
  buttonId: string
  positionMs: number
  passes: number
}

/** Event `duration`: the length of a run's source became known, or turned out to be another. */
export interface DurationEvent {
  executionId: string
  buttonId: string
  durationMs: number
  startMs: number
  endMs: number | null
}

/** Event `image`: a picture came on the screen, or left it. */
export interface ImageEvent {
  buttonId: string
  isShown: boolean
}

/** Event `dmx`: a lighting timeline changed; `chasing` and `freewheel` tell its sync state. */
export interface DmxEvent {
  dmxExecutionId: string
  buttonId: string
  change: DmxChange
  positionMs: number
}

/** Event `audio`: the sound output went away or came back. */
export interface AudioEvent {
  state: 'ok' | 'unavailable'
  message: string | null
}

/**
 * Event `catalogue`: a show is being read; it was replaced (read /buttons again), or kept, and
 * `message` says why the new one was refused.
 */
export interface CatalogueEvent {
  change: CatalogueChange
  message: string | null
}

/** Event `notice`: no state changed, but an operator wants to know. */
export interface NoticeEvent {
  buttonId: string | null
  executionId: string | null
  message: string
}

/** Event `service`: the last one before the service ends. */
export interface ServiceEvent {
  state: 'shutting_down'
}

/** Event `reset`: events were missed and cannot be told again; read /status and /buttons anew. */
export interface ResetEvent {
  reason: ResetReason
}

/** Every event of GET /events: its name, and what its data is. */
export interface EventBody {
  run: RunEvent
  wrap: WrapEvent
  duration: DurationEvent
  image: ImageEvent
  dmx: DmxEvent
  audio: AudioEvent
  catalogue: CatalogueEvent
  notice: NoticeEvent
  service: ServiceEvent
  reset: ResetEvent
}

export type EventName = keyof EventBody

/** Every error of the API: the codes that go with each HTTP status. */
export interface ErrorCodes {
  400:
    | 'bad_request' | 'execution_id_required' | 'invalid_execution_id' | 'invalid_button_id'
    | 'invalid_playback_request'
  403: 'host_rejected' | 'origin_rejected' | 'license_restricted'
  404: 'not_found' | 'execution_not_found' | 'button_not_found'
  405: 'method_not_allowed'
  408: 'request_timeout'
  409:
    | 'stale_execution' | 'execution_not_resumable' | 'app_busy' | 'command_in_progress'
    | 'dmx_not_active' | 'dmx_initializing' | 'dmx_stale_sequence' | 'idempotency_conflict'
  413: 'body_too_large'
  415: 'json_required'
  417: 'expectation_failed'
  422: 'media_file_missing'
  431: 'headers_too_large'
  500: 'command_failed'
  503:
    | 'shutting_down' | 'playback_unavailable' | 'too_many_readers' | 'idempotency_full'
}

export type ErrorStatus = keyof ErrorCodes

export type ErrorCode = ErrorCodes[ErrorStatus]
