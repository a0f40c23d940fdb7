// How Linux schedules the threads of a process, and what it lets this user ask for.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { DEVICE_PRIORITY } from '../../src/io/thread-priority.js'

/** Whether this user may have a real-time priority, from 1 to 99: root has all. */
export const mayHavePriority = (priority: number): boolean =>
  spawnSync('chrt', ['-r', String(priority), 'true']).status === 0

/** Whether the daemon raises threads that have no bound of their own too. */
export const mayAllBeUrgent = mayHavePriority(DEVICE_PRIORITY) && availableParallelism() > 1

/** A field of `stat`, counted behind the program's name, which may have spaces in it. */
const REALTIME_PRIORITY = 37

/** The real-time priority of each thread, of all by default; 0: scheduled as most are. */
export const realtimeOf = (
  pid: number, threads: readonly (number | string)[] = readdirSync(`/proc/${pid}/task`),
): number[] => threads.map((thread) => {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1')
  return Number(stat.split(') ').at(-1)?.split(' ')[REALTIME_PRIORITY])
})
