// The end of the service: whoever listens is told how the last runs ended, for a moment.
import type { Timers } from '../clock/timers.js'
import { waited } from '../clock/waiting.js'
import type { Player } from '../engine/player.js'

/** How long the ends of the last runs are waited for. */
const FINAL_EVENTS_MS = 300
const LOOK_EVERY_MS = 10

/** Resolves when the engine has ended everything, or has not in time. */
export const finalEvents = async (player: Player, timers: Timers): Promise<void> => {
  const until = timers.nowMs() + FINAL_EVENTS_MS
  while (timers.nowMs() < until && player.status().state !== 'shutting_down') {
    await waited(timers, LOOK_EVERY_MS)
  }
}
