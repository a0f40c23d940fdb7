// A daemon whose bed loops all through a fault, and the judge of what was heard of it.
//
// The bed tells its own frame numbers, and whatever else plays is silence: so each frame that is
// heard must be the one after the one before it, and there is no more silence between them than the
// daemon told of (`audio.starvations`).
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { button, Daemon, delay, type ButtonJson } from '../daemon-rig.js'
import { positionOf, writeCodedWav, writeFloatWav } from '../media-files.js'
import { processesWith } from '../media-processes.js'
import { answerMs } from '../answer-time.js'

const BED_FRAMES = 480_000
/**
 * A request beside a fault: the largest show takes 150 ms to change places with another one, and
 * 550 were seen on a machine that others have too.
 */
const PATIENCE_MS = 1_500
const ORPHANS_MS = 60_000

export const writeSilence = (path: string, frames: number): void => {
  writeFloatWav(path, frames, () => [0, 0])
}

export class FaultRig {
  readonly daemon = new Daemon()
  bed = ''
  /** The slowest answer while a fault went on, in milliseconds. */
  slowestMs = 0

  /** The bed is button 1, `mute.wav` of 2 s button 2, and what is given comes behind them. */
  show(buttons: readonly ButtonJson[]): void {
    const all = [{ media: 'bed.wav' }, { media: 'mute.wav' }, ...buttons]
    this.daemon.writeShow([{ buttons: all.map((one) => ({ allowOverlap: true, ...one })) }])
  }

  async begin(buttons: readonly ButtonJson[], args: readonly string[]): Promise<void> {
    const { daemon } = this
    writeCodedWav(this.file('bed.wav'), BED_FRAMES)
    writeSilence(this.file('mute.wav'), 96_000)
    this.show(buttons)
    await daemon.start(['--sink', `wav:${daemon.wav}`, '--log-level', 'info', ...args], {})
    await daemon.armed(2)
    this.bed = await daemon.play(1, { loop: true, loopCrossfadeMs: 0 })
    await daemon.until(async () => (await daemon.run(this.bed)).positionMs > 1_500, 10_000)
    // All of it is decoded, and held for its loop: a fault that strikes later costs it nothing.
    await daemon.until(() => Promise.resolve(this.#isDecoded()), 60_000)
  }

  file(name: string): string {
    return join(this.daemon.folder, name)
  }

  #isDecoded(): boolean {
    return this.processes('decoder-host')
      .every((host) => processesWith('bed.wav', host).length === 0)
  }

  /** Does something while the state is asked for again and again. */
  async beside<T>(fault: () => Promise<T>): Promise<T> {
    const { daemon } = this
    const over = new AbortController()
    const asking = (async () => {
      while (!over.signal.aborted) {
        const ms = await answerMs(daemon.pid, () => daemon.status())
        this.slowestMs = Math.max(this.slowestMs, ms)
        await delay(20)
      }
    })()
    try {
      return await fault()
    } finally {
      over.abort()
      await asking
    }
  }

  /** A start is accepted, sounds, and is stopped. */
  async plays(n: number, ms: number): Promise<void> {
    const { daemon } = this
    let run = ''
    await daemon.until(async () => {
      run = await daemon.play(n).catch(() => '')
      return run !== ''
    }, ms)
    await daemon.state(run, ['playing', 'completed'], ms)
    await daemon.post(`/buttons/${button(n)}/stop`)
  }

  async stillLoops(): Promise<void> {
    expect((await this.daemon.run(this.bed)).state).toBe('playing')
  }

  /** Its processes of this name, e.g. `decoder-host`. */
  processes(name: string): number[] {
    return processesWith(name, this.daemon.pid)
  }

  descriptors(): number {
    return readdirSync(`/proc/${String(this.daemon.pid)}/fd`).length
  }

  /** The end: 0 in time, no process left, and the bed was heard without a break. */
  async judge(): Promise<void> {
    const { daemon } = this
    await this.stillLoops()
    const { audio } = await daemon.status()
    expect(this.slowestMs).toBeLessThan(PATIENCE_MS)
    // A decoding process that was killed by a test leaves its ffmpegs behind. Each ends by itself
    // at what it writes next; one that arms has the lowest priority, and writes late.
    const isAlone = (): boolean => processesWith(daemon.folder, 1).length === 0
    await daemon.until(() => Promise.resolve(isAlone()), ORPHANS_MS)
    const { code, ms } = await daemon.end('SIGTERM')
    expect({ code, inTime: ms < 2_000 }).toEqual({ code: 0, inTime: true })
    // What makes waveforms has the lowest priority too, and dies when it is given a processor.
    const isGone = (): boolean => processesWith(daemon.folder, null).length === 0
    await daemon.until(() => Promise.resolve(isGone()), ORPHANS_MS)
    const { breaks, gaps } = heardOf(daemon)
    expect(breaks).toEqual([])
    expect(gaps).toBeLessThanOrEqual(audio.starvations)
  }
}

/** Where the bed was not followed by its own next frame, and how often it was silent between. */
const heardOf = (daemon: Daemon): { breaks: readonly string[]; gaps: number } => {
  const { left, right } = daemon.heard()
  const first = left.findIndex((sample) => sample !== 0)
  const last = left.findLastIndex((sample) => sample !== 0)
  expect(last - first).toBeGreaterThan(48_000)
  const breaks: string[] = []
  let gaps = 0
  let before = -1
  for (let n = first; n <= last && breaks.length < 5; n += 1) {
    if (left[n] === 0) {
      if (left[n - 1] !== 0) gaps += 1
      continue
    }
    const at = Math.round(positionOf(left[n]!, right[n]!))
    if (n > first && at !== (before + 1) % BED_FRAMES) breaks.push(`frame ${n}: ${before}, ${at}`)
    before = at
  }
  return { breaks, gaps }
}
