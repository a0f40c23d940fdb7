// Ends the process, whatever its threads wait for.
import { closeSync, fstatSync } from 'node:fs'
import { isatty } from 'node:tty'
import { realTimers } from '../clock/real.js'
import { waited } from '../clock/waiting.js'

/** A file that is being closed is a matter of moments; a disk that hangs does not answer. */
const DISK_MS = 400
const LOOK_MS = 10

/**
 * An ordinary exit waits for each thread, also for one that asks a disk which hangs: a daemon whose
 * show lies on a share that is away would never end. Then it ends by a signal. Service managers
 * take SIGTERM for an end in order, and SIGKILL for one after which it is started again.
 * @param hangs known to be so; else it is found out, as far as this thread knows.
 */
export const exitProcess = async (code: number, hangs = false): Promise<never> => {
  const timers = realTimers()
  for (let left = DISK_MS; left > 0 && asksDisk(); left -= LOOK_MS) await waited(timers, LOOK_MS)
  if (hangs || asksDisk()) {
    const signal = code === 0 ? 'SIGTERM' : 'SIGKILL'
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
  leaveTerminal()
  process.exit(code)
}

/**
 * Node puts a terminal back in order as it ends, and crashes (SIGSEGV) where that was closed
 * meanwhile, e.g. with its window or its ssh. What is closed here it leaves alone.
 */
const leaveTerminal = (): void => {
  for (const fd of [0, 1, 2]) {
    try {
      if (fstatSync(fd).isCharacterDevice() && !isatty(fd)) closeSync(fd)
    } catch {
      // It was closed before.
    }
  }
}

const asksDisk = (): boolean =>
  process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))
