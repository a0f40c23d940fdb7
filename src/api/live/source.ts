// What the live connection is served from: the engine's port, and what the daemon knows beside it.
import type { LevelsFrame, UniverseLook } from '../../contract/live-frames.js'
import type { LivePort } from '../../engine/live-port.js'

export interface LiveSource {
  readonly version: string
  readonly engine: LivePort
  /** The ETags of /show and /waves as they are now, and who is armed; null where there are none. */
  tags(): LiveTags
  /** Peaks from now on, 25 a second, to this listener alone; null: nothing is measured any more. */
  meter(listener: ((levels: Omit<LevelsFrame, 'kind'>) => void) | null): void
  /** What the lamps show at this moment; worked out now, so asked for only while wanted. */
  look(): { readonly frame: number; readonly universes: readonly UniverseLook[] }
}

export interface LiveTags {
  readonly show: string | null
  readonly waves: string | null
  readonly armed: string | null
}
