// Starts a looking process: its program, its threads, and how it ended.
import { forkProgram } from '../../programs.js'
import type { LookAnswer, StartLooking } from './file-looks.js'

/** Each look at a disk that hangs keeps one until that is back. */
const THREADS = 64

export const startLookHost: StartLooking = (answered, lost) => {
  const child = forkProgram('io/media/look/look-host', {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, UV_THREADPOOL_SIZE: String(THREADS) },
  })
  child.on('message', (answer) => {
    answered(answer as LookAnswer)
  })
  // Want of threads or memory ends it by a signal; what Node cannot load it complains of.
  child.on('exit', (code) => lost(code === null ? 'killed' : 'complained'))
  child.on('error', () => lost('killed'))
  return {
    ask: (question) => {
      child.send(question, () => undefined)
    },
    kill: () => {
      child.kill('SIGKILL')
      // Whoever ends now waits for its end, or nobody asks about it where the daemon is the first
      // process of a container: it would stay in the system's table for as long as that runs.
      child.ref()
    },
  }
}
