// Starts the sound thread, and its device, ahead of the daemon's other parts, which take longer.
import { Worker } from 'node:worker_threads'
import { wavPath } from '../io/output/sink.js'
import { THREAD } from '../io/programs.js'
import type { Opening, ToSound } from './sound-messages.js'

export interface StartedSound {
  readonly worker: Worker
  /** Why the thread ended before anyone held it; null while it lives. */
  failure(): Error | null
}

/**
 * Of each megabyte that a new show brings most stays, and is copied at the next collection of what
 * is young: 6 MB at once, of ten thousand buttons, held the thread for 4 to 8 ms, one for 1. What
 * V8 takes is a third of this.
 */
const YOUNG_MB = 3

export const startSound = (opening: Opening): StartedSound => {
  const worker = new Worker(new URL('./sound-thread.js', import.meta.url), {
    ...THREAD, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })
  let failure: Error | null = null
  worker.on('error', (error) => {
    failure ??= error
  })
  worker.on('exit', () => {
    failure ??= new Error('the sound thread ended')
  })
  const open: ToSound = { kind: 'open', opening }
  // A file is made only once it is known that there is a show and a port.
  if (wavPath(opening.sink) === null) worker.postMessage(open)
  return { worker, failure: () => failure }
}
