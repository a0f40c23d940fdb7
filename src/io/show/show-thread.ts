// Reads one large show file on a thread of its own, so that requests do not wait for it.
import { workerData } from 'node:worker_threads'
import { answerFromThread } from '../programs.js'
import { readShowHere } from './show-read.js'

answerFromThread(await readShowHere(workerData as string))
