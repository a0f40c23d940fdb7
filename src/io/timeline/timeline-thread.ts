// Compiles one large timeline file on a thread of its own, so that requests do not wait for it.
import { parentPort, workerData } from 'node:worker_threads'
import { compileTimelineFile } from './timeline-file.js'

const compiled = await compileTimelineFile(workerData as string)
parentPort?.postMessage(compiled)
