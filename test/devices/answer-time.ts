// What a machine with much else to do costs an answer is no fault of who answers; nor is what the
// test does itself meanwhile, e.g. write a large file.
import { readFileSync } from 'node:fs'

interface Spent {
  readonly ranMs: number
  /** It could have run, and had no processor. */
  readonly waitedMs: number
}

/** Of a thread since it began; nothing where the system does not tell. */
const spentBy = (thread: string): Spent => {
  try {
    const [ran, waited] = readFileSync(`/proc/${thread}/schedstat`, 'latin1').split(' ')
    return { ranMs: Number(ran) / 1e6, waitedMs: Number(waited) / 1e6 }
  } catch {
    return { ranMs: 0, waitedMs: 0 }
  }
}

/**
 * How long a process takes to answer what this thread asks, less what its first thread waited for
 * a processor, and less what this one did. One that computes, or waits for a disk, is not excused.
 */
export const answerMs = async (pid: number, ask: () => Promise<unknown>): Promise<number> => {
  const excusedMs = (): number => {
    const own = spentBy('thread-self')
    return spentBy(`${String(pid)}/task/${String(pid)}`).waitedMs + own.ranMs + own.waitedMs
  }
  const [begun, excused] = [performance.now(), excusedMs()]
  await ask()
  return performance.now() - begun - (excusedMs() - excused)
}
