// Reads one large show file on a thread of its own, so that requests do not wait for it.
import { parentPort, workerData } from 'node:worker_threads'
import { readShowHere } from './show-read.js'

const read = await readShowHere(workerData as string)
parentPort?.postMessage(read)
