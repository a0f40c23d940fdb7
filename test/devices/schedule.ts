// How Linux schedules the threads of a process.
import { readdirSync, readFileSync } from 'node:fs'

/** A field of `stat`, counted behind the program's name, which may have spaces in it. */
const REALTIME_PRIORITY = 37

/** The real-time priority of each thread, of all by default; 0: scheduled as most are. */
export const realtimeOf = (
  pid: number, threads: readonly (number | string)[] = readdirSync(`/proc/${pid}/task`),
): number[] => threads.map((thread) => {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1')
  return Number(stat.split(') ').at(-1)?.split(' ')[REALTIME_PRIORITY])
})
