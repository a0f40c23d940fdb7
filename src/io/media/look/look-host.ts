// The looking process: looks at media files for the decoding process, and can hang at no cost.
//
// Whoever looks at a file of a dead share waits in the kernel until the share is back, and a
// process with such a thread cannot even end by itself. So nothing else is done here.
import { leaveSignalsToOwner } from '../../programs.js'
import { lookAtFile } from './file-look.js'
import type { LookAnswer, LookQuestion } from './file-looks.js'

process.on('message', (raw) => {
  const { id, path } = raw as LookQuestion
  void lookAtFile(path).then((look) => {
    const answer: LookAnswer = { id, look }
    if (process.connected) process.send?.(answer, undefined, undefined, () => undefined)
  })
})

// An ordinary exit would wait for the threads that hang.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
leaveSignalsToOwner()
