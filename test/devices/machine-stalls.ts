// A witness of the machine itself: when its processors were held up, whoever wanted to run.
//
// On a virtual machine the host takes a processor away for 5 to 20 ms now and then, and no
// priority helps. A queue of 15 ms does not bridge that, so a test that listens asks here what it
// may expect.
import { spawn, type ChildProcess } from 'node:child_process'
import { cpus } from 'node:os'
import { reap } from './pulse.js'
import { mayHavePriority } from './thread-priorities.js'

const WATCH = `
  const cell = new Int32Array(new SharedArrayBuffer(4))
  let last = performance.now()
  process.stdout.write('0\\n')
  for (;;) {
    Atomics.wait(cell, 0, 0, 0.5)
    const now = performance.now()
    if (now - last > 2.5) process.stdout.write((now - last).toFixed(1) + '\\n')
    last = now
  }`
/** Stalls on one processor or several this close together make one hole. */
const TOGETHER_MS = 60

const mayBeUrgent = mayHavePriority(50)

export class MachineStalls {
  private readonly children: ChildProcess[] = []
  private readonly stalls: { readonly atMs: number; readonly ms: number }[] = []

  /** Resolves when a watch runs on each processor. */
  async start(): Promise<void> {
    const urgent = mayBeUrgent ? ['chrt', '-f', '50'] : []
    await Promise.all(cpus().map((_, cpu) => new Promise<void>((resolve) => {
      const watch = ['-c', String(cpu), ...urgent, process.execPath, '-e', WATCH]
      const child = spawn('taskset', watch, { stdio: ['ignore', 'pipe', 'ignore'] })
      this.children.push(child)
      child.stdout.on('data', (chunk: Buffer) => {
        resolve()
        for (const line of chunk.toString().trim().split('\n')) {
          if (Number(line) > 0) this.stalls.push({ atMs: performance.now(), ms: Number(line) })
        }
      })
    })))
  }

  /** How often since the start the machine stood still for so long, all in all, within a moment. */
  holes(ms: number): number {
    const sorted = this.stalls.toSorted((a, b) => a.atMs - b.atMs)
    let holes = 0
    let sum = 0
    let last = -Infinity
    for (const stall of sorted) {
      if (stall.atMs - last > TOGETHER_MS) sum = 0
      last = stall.atMs
      sum += stall.ms
      // A long row of stalls may make a hole each time that so much has come together.
      if (sum < ms) continue
      holes += 1
      sum = 0
    }
    return holes
  }

  /** For how long a processor was held up since the start, all in all. */
  heldMs(): number {
    return this.stalls.reduce((sum, { ms }) => sum + ms, 0)
  }

  async stop(): Promise<void> {
    await Promise.all(this.children.map((child) => reap(child, 'SIGKILL')))
  }
}
