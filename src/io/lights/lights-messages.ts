// What the daemon and its lights thread say to each other.
import type { DmxView } from '../../engine/dmx/dmx-run.js'
import type { CompiledTimeline } from '../../engine/lighting/timeline.js'

export interface LightsSetup {
  readonly host: string
  readonly port: number
  readonly onStop: 'blackout' | 'hold'
  readonly offsetFrames: number
  /** The engine's time (`SharedEngineTime` reads it). */
  readonly time: SharedArrayBuffer
}

export type ToLights =
  | { readonly kind: 'timelines'; readonly timelines: ReadonlyMap<string, CompiledTimeline> }
  | { readonly kind: 'update'; readonly views: readonly DmxView[]; readonly latencyFrames: number }
  /** Whether it lives: answered by a `pong` at once. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'close' }

export type FromLights =
  | { readonly kind: 'state'; readonly state: 'ok' | 'failing'; readonly message: string | null }
  | { readonly kind: 'pong' }
  | { readonly kind: 'closed' }
