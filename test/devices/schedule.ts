// How Linux schedules the threads of a process.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Whether the user may have real-time scheduling, e.g. root. */
export const mayBeUrgent = spawnSync('chrt', ['-f', '50', 'true']).status === 0

/** Whether work that has no bound of its own has it too. */
export const mayAllBeUrgent = mayBeUrgent && availableParallelism() > 1

/** A field of `stat`, counted behind the program's name, which may have spaces in it. */
const REALTIME_PRIORITY = 37

/** The real-time priority of each thread, of all by default; 0: scheduled as most are. */
export const realtimeOf = (
  pid: number, threads: readonly (number | string)[] = readdirSync(`/proc/${pid}/task`),
): number[] => threads.map((thread) => {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1')
  return Number(stat.split(') ').at(-1)?.split(' ')[REALTIME_PRIORITY])
})
