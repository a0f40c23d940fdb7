// Reads one large show file on a thread of its own, so that requests do not wait for it.
//
// It ends a while after its answer. As it gives its memory back no other thread of the process gets
// any; and it has no processor to be done with that while the daemon's urgent threads work on what
// it read: the sound thread waited for it for 8 to 14 ms, in one of three reloads.
import { parentPort, workerData } from 'node:worker_threads'
import { realTimers } from '../../clock/real.js'
import { readShowHere } from './show-read.js'

/** All threads have taken the show by then. */
const STAYS_MS = 2_000

const read = await readShowHere(workerData as string)
parentPort?.postMessage(read)
realTimers().after(STAYS_MS, () => undefined)
