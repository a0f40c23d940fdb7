// Listens to the null sink's monitor: when a GO is first heard, and whether a bed gapped.
//
// GOs sound on the right channel alone. A bed on the left is position-coded, frame by frame, so
// that a frame that was lost, doubled or left out shows as a step that is none.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { reap } from '../test/devices/pulse.js'
import { mayHavePriority } from '../test/devices/thread-priorities.js'
import { nowMs } from './daemon.js'

const LOUD = 0.1
const STARTED_MS = 5_000
/** A bed's frame n carries (n % STEPS + 1) / SCALE on the left. */
export const STEPS = 65_536
export const SCALE = 524_288

const mayBeUrgent = mayHavePriority(6)

export class Capture {
  #child: ChildProcess | null = null
  #carry: Buffer = Buffer.alloc(0)
  #onset: ((ms: number) => void) | null = null
  #last = 0
  frames = 0
  /** Frames of silence inside the bed, and places where it leapt. */
  silent = 0
  leaps = 0
  watching = false

  constructor(private readonly environment: NodeJS.ProcessEnv) {}

  async start(): Promise<void> {
    // What hears waits for no processor either; whatever it measures comes before it.
    if (mayBeUrgent) spawnSync('chrt', ['--reset-on-fork', '-r', '-p', '1', String(process.pid)])
    const args = [
      '-d', 'out.monitor', '--format=float32le', '--rate=48000', '--channels=2', '--raw',
      '--latency-msec=2', '--process-time-msec=1',
    ]
    const [file, all] = mayBeUrgent ? ['chrt', ['-r', '6', 'parec', ...args]] : ['parec', args]
    this.#child = spawn(file, all, {
      env: { ...process.env, ...this.environment }, stdio: ['ignore', 'pipe', 'ignore'],
    })
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#hear(chunk, nowMs())
    })
    const deadline = nowMs() + STARTED_MS
    while (this.frames === 0) {
      if (nowMs() > deadline) throw new Error('parec records nothing')
      await new Promise((done) => setTimeout(done, 10))
    }
  }

  /** When the next GO is heard, in the monotonic clock's milliseconds; NaN: not in time. */
  onset(withinMs: number): Promise<number> {
    return new Promise((done) => {
      const timer = setTimeout(() => {
        this.#onset = null
        done(NaN)
      }, withinMs)
      this.#onset = (ms) => {
        clearTimeout(timer)
        done(ms)
      }
    })
  }

  async stop(): Promise<void> {
    if (this.#child !== null) await reap(this.#child, 'SIGKILL')
  }

  #hear(chunk: Buffer, ms: number): void {
    const all = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk])
    const count = Math.floor(all.length / 8)
    for (let n = 0; n < count; n += 1) {
      if (this.#onset !== null && Math.abs(all.readFloatLE(n * 8 + 4)) > LOUD) {
        this.#onset(ms)
        this.#onset = null
      }
      if (this.watching) this.#follow(Math.round(all.readFloatLE(n * 8) * SCALE))
    }
    this.frames += count
    this.#carry = all.subarray(count * 8)
  }

  /** One frame of the bed; 0 is silence, and from STEPS it goes on at 1. */
  #follow(code: number): void {
    if (code === 0) this.silent += 1
    else if (this.#last !== 0 && code !== (this.#last % STEPS) + 1) this.leaps += 1
    if (code !== 0) this.#last = code
  }
}
