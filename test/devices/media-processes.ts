// Looks at the system's processes, so that tests can tell that none is left, or kill one of theirs.
import { readdirSync, readFileSync } from 'node:fs'

/** The ids of processes whose command line holds `text`, of one parent where it is given. */
export const processesWith = (text: string, parent: number | null): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
        const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        if (state === 'Z' || (parent !== null && Number(ppid) !== parent)) return false
        return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').includes(text)
      } catch {
        return false
      }
    })
