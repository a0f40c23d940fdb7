// What the machine itself makes late: a process that does nothing but be woken every 5 ms, at the
// sound thread's priority where that may be had. Beside it a late wake of the sound thread can be
// told from one of all threads, as a host makes them that takes a processor away.
//
//   node --import tsx bench/bare-timer.ts      (other benchmarks start it)
import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ENGINE_PRIORITY } from '../src/io/thread-priority.js'
import { mayHavePriority } from '../test/devices/thread-priorities.js'

const TICK_MS = 5

export class BareTimer {
  readonly #child: ChildProcess

  constructor() {
    this.#child = fork(fileURLToPath(import.meta.url), ['wake'], { execArgv: ['--import', 'tsx'] })
    if (!mayHavePriority(ENGINE_PRIORITY)) return
    spawnSync('chrt', ['-a', '-r', '-p', String(ENGINE_PRIORITY), String(this.#child.pid)])
  }

  /** By how many milliseconds each wake came too late since the last look. */
  async late(): Promise<readonly number[]> {
    const told = once(this.#child, 'message')
    this.#child.send('tell')
    return ((await told) as [readonly number[]])[0]
  }

  close(): void {
    this.#child.disconnect()
  }
}

const wake = (): void => {
  let late: number[] = []
  let last = performance.now()
  setInterval(() => {
    const now = performance.now()
    late.push(Math.max(0, now - last - TICK_MS))
    last = now
  }, TICK_MS)
  process.on('message', () => {
    process.send?.(late)
    late = []
  })
  process.on('disconnect', () => process.exit(0))
}

if (process.argv[2] === 'wake') wake()
