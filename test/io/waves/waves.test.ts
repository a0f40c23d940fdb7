// The waveforms of a show are asked for in the background: what is kept first, and the others one
// at a time while sound needs nothing.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { readWaves, WAVE_COLUMNS } from '../../../src/contract/waves.js'
import type { WaveCache } from '../../../src/io/waves/wave-cache.js'
import type { WaveAnswer, WaveAsked, WaveLink } from '../../../src/io/waves/wave-messages.js'
import { Waves } from '../../../src/io/waves/waves.js'

const buttonOf = (n: number): string => `00000000-0000-4000-8000-${`${n}`.padStart(12, '0')}`

/** Answers when it is told to. */
class FakeLink implements WaveLink {
  readonly asked: string[] = []
  readonly kept = new Set<string>()
  readonly broken = new Set<string>()
  /** Their disk does not answer. */
  readonly away = new Set<string>()
  /** The folder of what is kept takes nothing. */
  isReadOnly = false
  isHeld = false
  rests = 0
  #answer: (() => void) | null = null

  ask(question: WaveAsked): Promise<WaveAnswer> {
    if (this.#answer !== null) throw new Error('one at a time')
    this.asked.push(`${question.makes ? 'make' : 'find'} ${question.path}`)
    return new Promise((settle) => {
      this.#answer = () => settle(this.#toldOf(question))
    })
  }

  hold(holds: boolean): void {
    this.isHeld = holds
  }

  rest(): void {
    this.rests += 1
  }

  answer(): void {
    const answer = this.#answer
    this.#answer = null
    answer?.()
  }

  #toldOf({ path, makes, ranges, picturesEnd }: WaveAsked): WaveAnswer {
    if (this.away.has(path)) return { kind: 'away' }
    if (this.broken.has(path)) return { kind: 'none' }
    if (!makes && !this.kept.has(path)) return { kind: 'unmade' }
    if (!this.isReadOnly) this.kept.add(path)
    const peaks = ranges.map(({ from, to }) =>
      new Uint8Array(WAVE_COLUMNS).fill((from + (to ?? 0) * 10 + picturesEnd) % 256))
    return { kind: 'wave', key: this.isReadOnly ? null : path, peaks }
  }
}

let timers: VirtualTimers
let link: FakeLink
let isBusy: boolean
let waves: Waves

beforeEach(() => {
  timers = new VirtualTimers(0)
  link = new FakeLink()
  isBusy = false
  const read = (key: string): Promise<Buffer | null> =>
    Promise.resolve(link.kept.has(key) ? Buffer.from(`key of ${key}`) : null)
  const cache = { read } as unknown as WaveCache
  waves = new Waves({ timers, link, cache, isBusy: () => isBusy })
  waves.setButtons([
    { id: buttonOf(1), path: '/a.wav', from: 0, to: null },
    { id: buttonOf(2), path: '/a.wav', from: 0, to: 9 },
    { id: buttonOf(3), path: '/b.wav', from: 7, to: null },
  ])
})
afterEach(() => { waves.close() })

/** What is asked is answered, until nothing is. */
const settle = async (): Promise<void> => {
  for (let n = 0; n < 20; n += 1) {
    link.answer()
    await new Promise(setImmediate)
  }
}

const told = (): Readonly<Record<string, number | undefined>> => {
  const { buffer, byteOffset, length } = waves.body().bytes
  const small = readWaves(buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer)
  return Object.fromEntries([...small].map(([id, peaks]) => [Number(id.slice(-4)), peaks[0]]))
}

describe('waveforms', () => {
  it('that are kept come first, then the others are made; then the process may go', async () => {
    link.kept.add('/b.wav')
    const { etag } = waves.body()
    waves.learn('/a.wav')
    waves.learn('/b.wav')
    await settle()
    expect(link.asked).toEqual(['find /a.wav', 'find /b.wav', 'make /a.wav'])
    expect(told()).toEqual({ 1: 0, 2: 90, 3: 7 })
    expect(waves.body().etag).not.toBe(etag)
    expect(link.rests).toBe(1)
  })

  it('are asked for as long as the pictures last, also when they are asked for again', async () => {
    link.away.add('/a.wav')
    waves.learn('/a.wav', 100)
    await settle()
    link.away.clear()
    timers.pass(10_000)
    await settle()
    expect(told()).toEqual({ 1: 100, 2: 190 })
    waves.learn('/a.wav', 0)
    await settle()
    expect(told()).toEqual({ 1: 0, 2: 90 })
  })

  it('are made while sound needs nothing, and held where that changes', async () => {
    isBusy = true
    waves.learn('/a.wav')
    await settle()
    timers.pass(10_000)
    await settle()
    expect(link.asked).toEqual(['find /a.wav'])
    expect(link.isHeld).toBe(true)
    isBusy = false
    timers.pass(100)
    await new Promise(setImmediate)
    expect(link.asked).toEqual(['find /a.wav', 'make /a.wav'])
    expect(link.isHeld).toBe(false)
    isBusy = true
    timers.pass(100)
    expect(link.isHeld).toBe(true)
  })

  it('of a file that is missing or broken are none, and cost no other button its own', async () => {
    link.broken.add('/a.wav')
    waves.learn('/a.wav')
    waves.learn('/b.wav')
    await settle()
    expect(told()).toEqual({ 3: 7 })
    expect(await waves.whole(buttonOf(1))).toBeNull()
    expect((await waves.whole(buttonOf(3)))?.bytes.toString()).toBe('key of /b.wav')
    waves.miss('/b.wav')
    expect(told()).toEqual({})
  })

  it('of a file that is no sound any more are gone, and pages hear of it', async () => {
    waves.learn('/a.wav')
    waves.learn('/b.wav')
    await settle()
    const { etag } = waves.body()
    link.broken.add('/a.wav')
    waves.learn('/a.wav')
    await settle()
    expect(told()).toEqual({ 3: 7 })
    expect(waves.body().etag).not.toBe(etag)
    expect(await waves.whole(buttonOf(1))).toBeNull()
  })

  it('of a film without sound are none, though they were made of the one before', async () => {
    waves.learn('/b.wav')
    link.answer()
    await new Promise(setImmediate)
    expect(link.asked).toEqual(['find /b.wav', 'make /b.wav'])
    // What took its place has no sound.
    waves.miss('/b.wav')
    await settle()
    expect(told()).toEqual({})
    waves.learn('/b.wav')
    await settle()
    expect(told()).toEqual({ 3: 7 })
  })

  it('of a file that is replaced are of the new one, or none where that is broken', async () => {
    waves.learn('/a.wav')
    waves.learn('/b.wav')
    await settle()
    link.broken.add('/b.wav')
    waves.learn('/b.wav')
    await settle()
    expect(told()).toEqual({ 1: 0, 2: 90 })
    link.broken.delete('/b.wav')
    waves.learn('/b.wav')
    await settle()
    expect(told()).toEqual({ 1: 0, 2: 90, 3: 7 })
  })

  it('follow the show: a range that changed is asked for again, what is gone goes', async () => {
    waves.learn('/a.wav')
    waves.learn('/b.wav')
    await settle()
    waves.setButtons([{ id: buttonOf(4), path: '/a.wav', from: 11, to: null }])
    expect(told()).toEqual({})
    waves.learn('/a.wav')
    waves.learn('/b.wav')
    await settle()
    expect(told()).toEqual({ 4: 11 })
    expect(await waves.whole(buttonOf(3))).toBeNull()
  })

  it('whose whole is no longer kept are made again, once somebody asks for it', async () => {
    waves.learn('/a.wav')
    await settle()
    // The folder was cleared.
    link.kept.clear()
    expect(await waves.whole(buttonOf(1))).toBeNull()
    expect(told()).toEqual({ 1: 0, 2: 90 })
    await settle()
    expect((await waves.whole(buttonOf(1)))?.bytes.toString()).toBe('key of /a.wav')
    expect(link.asked).toEqual(['find /a.wav', 'make /a.wav', 'find /a.wav', 'make /a.wav'])
  })

  it('are made but once where nothing can be kept: none has a whole', async () => {
    link.isReadOnly = true
    waves.learn('/a.wav')
    await settle()
    expect(told()).toEqual({ 1: 0, 2: 90 })
    for (let n = 0; n < 3; n += 1) {
      expect(await waves.whole(buttonOf(1))).toBeNull()
      await settle()
    }
    expect(link.asked).toEqual(['find /a.wav', 'make /a.wav'])
  })

  it('of a disk that does not answer stay, and come by themselves once it does', async () => {
    waves.learn('/a.wav')
    await settle()
    for (const path of ['/a.wav', '/b.wav']) {
      link.away.add(path)
      waves.learn(path)
    }
    await settle()
    expect(told()).toEqual({ 1: 0, 2: 90 })
    expect((await waves.whole(buttonOf(1)))?.bytes.toString()).toBe('key of /a.wav')
    link.away.clear()
    timers.pass(9_900)
    await settle()
    expect(told()).toEqual({ 1: 0, 2: 90 })
    timers.pass(200)
    await settle()
    expect(told()).toEqual({ 1: 0, 2: 90, 3: 7 })
    expect(link.asked.slice(-3)).toEqual(['find /a.wav', 'find /b.wav', 'make /b.wav'])
  })

  it('of a disk that is away all evening are asked for ever more rarely', async () => {
    link.away.add('/a.wav')
    waves.learn('/a.wav')
    const perQuarter: number[] = []
    for (let second = 1; second <= 3_600; second += 1) {
      timers.pass(1_000)
      link.answer()
      await new Promise(setImmediate)
      if (second % 900 === 0) perQuarter.push(link.asked.splice(0).length)
    }
    expect(perQuarter[0]).toBeLessThanOrEqual(8)
    for (const asked of perQuarter.slice(1)) expect([2, 3, 4]).toContain(asked)
  })

  it('of a disk that was back, and goes once more, are asked for soon again', async () => {
    const pass = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        timers.pass(1_000)
        link.answer()
        await new Promise(setImmediate)
      }
    }
    link.away.add('/a.wav')
    waves.learn('/a.wav')
    await pass(1_800)
    link.away.clear()
    await pass(600)
    link.away.add('/a.wav')
    waves.learn('/a.wav')
    await pass(1)
    link.asked.length = 0
    await pass(15)
    expect(link.asked).toEqual(['find /a.wav'])
  })

  it('that are away are not asked for once their file is known to be gone', async () => {
    link.away.add('/a.wav')
    waves.learn('/a.wav')
    await settle()
    waves.miss('/a.wav')
    timers.pass(3_600_000)
    await settle()
    expect(link.asked).toEqual(['find /a.wav'])
  })

  it('are left as they are when the daemon ends', async () => {
    waves.learn('/a.wav')
    waves.close()
    waves.learn('/b.wav')
    await settle()
    expect(link.asked).toEqual(['find /a.wav'])
    expect(told()).toEqual({})
  })
})
