// The words of the API: states, end reasons, kinds. Plain values, no zod: the engine speaks them.

export const RUN_STATES = [
  'starting', 'playing', 'pausing', 'paused', 'fading_out', 'completed', 'stopped', 'failed',
] as const
export type RunState = (typeof RUN_STATES)[number]

export const TERMINAL_STATES = ['completed', 'stopped', 'failed'] as const
export type TerminalState = (typeof TERMINAL_STATES)[number]
export type LiveState = Exclude<RunState, TerminalState>

export const END_REASONS = ['natural_end', 'explicit_stop', 'replaced', 'playback_error'] as const
export type EndReason = (typeof END_REASONS)[number]

/** How a run ended decides its terminal state, so that the two can never disagree (3.1). */
export const TERMINAL = {
  natural_end: 'completed',
  explicit_stop: 'stopped',
  replaced: 'stopped',
  playback_error: 'failed',
} as const satisfies Record<EndReason, TerminalState>

export const isTerminal = (state: RunState): state is TerminalState =>
  (TERMINAL_STATES as readonly string[]).includes(state)

export const BUTTON_KINDS = ['audio', 'video', 'image', 'dmx', 'navigation'] as const
export type ButtonKind = (typeof BUTTON_KINDS)[number]

/** Audio and video make runs with an execution id; nothing else does (1). */
export const makesRuns = (kind: ButtonKind): kind is 'audio' | 'video' =>
  kind === 'audio' || kind === 'video'

export const PLAYLIST_MODES = ['manual', 'sequence', 'shuffle'] as const
export type PlaylistMode = (typeof PLAYLIST_MODES)[number]

export const CROSSFADE_CURVES = ['linear', 'equal-power'] as const
export type CrossfadeCurve = (typeof CROSSFADE_CURVES)[number]

export const STOP_RESULTS = ['fading_out', 'stopped', 'already_stopped'] as const
export type StopResult = (typeof STOP_RESULTS)[number]

export const SERVICE_STATES = ['ready', 'busy', 'shutting_down'] as const
export type ServiceState = (typeof SERVICE_STATES)[number]

/** A DMX run's source of time: its own clock, an external one, an external one gone quiet. */
export const SYNC_STATES = ['internal', 'chasing', 'freewheel'] as const
export type SyncState = (typeof SYNC_STATES)[number]

/** What made a run change, as events tell it. */
export const RUN_CAUSES = [
  'command', 'ready', 'fade_done', 'media_end', 'replaced', 'sequence', 'decoder', 'output',
  'shutdown',
] as const
export type RunCause = (typeof RUN_CAUSES)[number]

/** What became of a DMX run, as events tell it. */
export const DMX_CHANGES = [
  'initializing', 'started', 'held', 'released', 'completed', 'ended', 'chasing', 'freewheel',
  'corrected',
] as const
export type DmxChange = (typeof DMX_CHANGES)[number]

export const CATALOGUE_CHANGES = ['busy', 'replaced', 'kept'] as const
export type CatalogueChange = (typeof CATALOGUE_CHANGES)[number]

/** Why a reader of events cannot be told what it missed. */
export const RESET_REASONS = ['restarted', 'gap', 'unknown_id'] as const
