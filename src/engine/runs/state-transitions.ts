// The state transitions of 3.2: what each command does to a run in each live state. Decisions only,
// no effects.
import type { LiveState } from '../../contract/vocabulary.js'

export type Trigger = 'play' | 'pause' | 'resume' | 'stop'

/** What is to be done; a fade of zero frames turns `fade…` into its immediate form. */
export type Move =
  | 'none' // harmless, answered with the state as it is
  | 'refuse' // 409 execution_not_resumable
  | 'pause_when_ready' // remembered while starting
  | 'forget_pause' // takes a remembered pause back
  | 'fade_to_pause'
  | 'rise' // to playing, from the gain of the moment
  | 'fade_to_stop'
  | 'cut' // stopped at once

export const STATE_TRANSITIONS: Readonly<Record<LiveState, Readonly<Record<Trigger, Move>>>> = {
  starting: { play: 'none', pause: 'pause_when_ready', resume: 'forget_pause', stop: 'cut' },
  playing: { play: 'none', pause: 'fade_to_pause', resume: 'none', stop: 'fade_to_stop' },
  pausing: { play: 'none', pause: 'none', resume: 'rise', stop: 'fade_to_stop' },
  paused: { play: 'rise', pause: 'none', resume: 'rise', stop: 'cut' },
  fading_out: { play: 'refuse', pause: 'none', resume: 'refuse', stop: 'none' },
}
