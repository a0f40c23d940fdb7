// Starts the sound thread, and its device, ahead of the daemon's other parts, which take longer.
import { Worker } from 'node:worker_threads'
import type { Opening, ToSound } from './sound-messages.js'

export interface StartedSound {
  readonly worker: Worker
  /** Why the thread ended before anyone held it; null while it lives. */
  failure(): Error | null
}

export const startSound = ({ sink, device }: Opening): StartedSound => {
  const worker = new Worker(new URL('./sound-thread.js', import.meta.url))
  let failure: Error | null = null
  worker.on('error', (error) => {
    failure ??= error
  })
  worker.on('exit', () => {
    failure ??= new Error('the sound thread ended')
  })
  // A file waits until it is known that there is a show and a port: it may hold last night's.
  const isFile = sink?.startsWith('wav:') === true
  const open: ToSound = { kind: 'open', opening: { sink, device } }
  if (!isFile) worker.postMessage(open)
  return { worker, failure: () => failure }
}
