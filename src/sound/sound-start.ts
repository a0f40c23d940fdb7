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

export const startSound = (opening: Opening): StartedSound => {
  const worker = new Worker(new URL('./sound-thread.js', import.meta.url), THREAD)
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
