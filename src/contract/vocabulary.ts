// The words of the API: states, end reasons, kinds. Plain data, no zod, so that the engine may speak it.

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
export const isMultimedia = (kind: ButtonKind): kind is 'audio' | 'video' =>
  kind === 'audio' || kind === 'video'

export const PLAYLIST_MODES = ['manual', 'sequence', 'shuffle'] as const
export type PlaylistMode = (typeof PLAYLIST_MODES)[number]

export const CROSSFADE_CURVES = ['linear', 'equal-power'] as const
export type CrossfadeCurve = (typeof CROSSFADE_CURVES)[number]

export const STOP_RESULTS = ['fading_out', 'stopped', 'already_stopped'] as const
export type StopResult = (typeof STOP_RESULTS)[number]

export const SERVICE_STATES = ['ready', 'busy', 'shutting_down'] as const
export type ServiceState = (typeof SERVICE_STATES)[number]

/** Where a DMX run takes its time from: its own clock, an external one, an external one gone quiet. */
export const SYNC_STATES = ['internal', 'chasing', 'freewheel'] as const
export type SyncState = (typeof SYNC_STATES)[number]
