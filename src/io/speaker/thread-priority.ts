// Which thread this is to the system, so that it can be asked to run it before others.
import { readlinkSync } from 'node:fs'

/** The system's id of the calling thread; null where a system has none to tell. */
export const thisThread = (): number | null => {
  if (process.platform !== 'linux') return null
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').pop())
    return Number.isSafeInteger(thread) && thread > 0 ? thread : null
  } catch {
    return null
  }
}
