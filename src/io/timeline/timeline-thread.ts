// Compiles one large timeline file on a thread of its own, so that requests do not wait for it.
import { workerData } from 'node:worker_threads'
import { answerFromThread } from '../programs.js'
import { compileTimelineFile } from './timeline-file.js'

answerFromThread(await compileTimelineFile(workerData as string))
