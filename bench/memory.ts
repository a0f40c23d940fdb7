// The memory of a process and of those it started, as the system tells it.
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

export interface Memory {
  readonly name: string
  readonly rssMb: number
  /** Pages that several processes share are divided among them. */
  readonly ownMb: number
}

/**
 * Of one process, without holding it up: `memoryOf` goes through all its pages, and a thread that
 * asks for memory meanwhile waits, 20 ms of a process of a gigabyte.
 */
export const rssMbOf = (pid: number): number => {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) / 1024
}

/** A process first, then all below it; those that end while they are looked at are left out. */
export const memoryOf = (pid: number): readonly Memory[] => {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const child = Number(name)
    if (!Number.isInteger(child)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(child, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      continue
    }
  }
  const family = [pid]
  // Bounded: each turn adds processes that are not in the family yet.
  for (let n = 0; n < family.length; n += 1) {
    for (const [child, parent] of parents) if (parent === family[n]) family.push(child)
  }
  return family.flatMap((member) => {
    try {
      return [one(member)]
    } catch {
      return []
    }
  })
}

const one = (pid: number): Memory => {
  const rollup = readFileSync(`/proc/${String(pid)}/smaps_rollup`, 'utf8')
  const figure = (key: string): number =>
    Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) / 1024
  const words = readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').split('\0')
  const program = words.find((word, n) => n > 0 && word.endsWith('.js')) ?? words[0] ?? ''
  return { name: basename(program), rssMb: figure('Rss'), ownMb: figure('Pss') }
}
