// Which threads of the daemon the system is asked to run before others; see docs/adr/0008.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'

/** Of 99: above all that is no sound, below the sound servers' own threads. */
export const DEVICE_PRIORITY = 4
/** The sound thread's. */
export const ENGINE_PRIORITY = 3
const REQUESTS_PRIORITY = 2
const LIGHTS_PRIORITY = 1
const HELPER_PRIORITY = 1

/** Where real-time scheduling is not to be had: it counts among the threads of one session. */
const LIGHTS_NICENESS = -10

/** V8 has so many made before anything runs: they follow a process's first thread. */
const HELPERS = 5

/** A thread by the system's id, and the real-time priority that it is to have (1 to 99). */
export interface UrgentThread {
  readonly thread: number
  readonly priority: number
}

/** The system's id of the calling thread; null where a system has none to tell. */
const thisThread = (): number | null => {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').pop())
    return Number.isSafeInteger(thread) && thread > 0 ? thread : null
  } catch {
    return null
  }
}

/**
 * Whether the system ends a process whose real-time threads do not pause, e.g. for 200 ms; true
 * where it does not tell, as any but Linux.
 */
const mustPause = (): boolean => {
  try {
    return !/^Max realtime timeout\s+unlimited\s+unlimited\s/m
      .test(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return true
  }
}

/**
 * What has no bound of its own may be urgent too: a client without a pause would keep everything
 * else, the sound server too, from the only processor, and a system that ends what does not pause
 * would end the daemon.
 */
const maySpread = (): boolean => availableParallelism() > 1 && !mustPause()

/**
 * Those that collect garbage and compile for this process. Its threads wait for them, at whatever
 * priority: at the usual one such a helper was seen to keep the engine for 37 ms.
 */
export const helperThreads = (): readonly UrgentThread[] => {
  if (!maySpread()) return []
  try {
    return readdirSync('/proc/self/task').slice(1, 1 + HELPERS)
      .map((thread) => ({ thread: Number(thread), priority: HELPER_PRIORITY }))
  } catch {
    return []
  }
}

/** The calling thread, which is the engine's, the one that takes requests, and their helpers. */
export const urgentThreads = (): readonly UrgentThread[] => {
  const engine = thisThread()
  if (engine === null) return []
  const urgent = [...helperThreads(), { thread: engine, priority: ENGINE_PRIORITY }]
  // A process's first thread, which takes requests, has the process's id.
  const requests = process.pid
  if (requests === engine || !maySpread()) return urgent
  return [...urgent, { thread: requests, priority: REQUESTS_PRIORITY }]
}

/**
 * The calling thread, which is the lights': a frame costs next to nothing, but beside a browser
 * that opened pages 1 in 20 to 35 came a whole frame late. There may be no sound process to ask.
 */
export const hurryLights = (): void => {
  // On Linux niceness is the thread's own; elsewhere it would be the whole process's.
  if (process.platform !== 'linux') return
  try {
    setPriority(LIGHTS_NICENESS)
  } catch {
    // Not for this user: the system's own fairness serves well enough.
  }
  const lights = thisThread()
  if (lights === null || !maySpread()) return
  const asked = ['-R', '-r', '-p', String(LIGHTS_PRIORITY), String(lights)]
  execFile('chrt', asked, () => undefined)
}
