// A button that vanished from the show under its run, which is paused and stopped all the same.
import type { LiveRun } from '../../../contract/live.js'
import type { ShowButton } from '../../../contract/show-page.js'

/** As much of it as its run tells. */
export const goneButton = ({ buttonId, title, kind, loops }: LiveRun): ShowButton => ({
  id: buttonId, title, kind, isLoopEnabled: loops, startMs: 0, endMs: null, fadeInMs: 0,
  fadeOutMs: 0, fadeOutAtEnd: false, pauseWhenReplaced: false, allowOverlap: false, gainDb: 0,
  color: null, hotkey: null, pressAgain: 'pause', fit: 'contain', dissolveMs: 0, target: null,
  dmx: null, durationMs: 0, media: null,
})
