// Media that were not there are looked for again, for as long as they are not there.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { Probing, type ProbingParts } from '../../src/daemon/probing.js'
import type { ProbeListener } from '../../src/io/media/probe.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

/** In place of the process that looks into files: those that are there. */
const there = new Set<string>()
const asked: (readonly string[])[] = []
/** The files of a disk that does not answer. */
const silent = new Set<string>()
/** Of these no more is asked than that they are there. */
const images: (readonly string[])[] = []
/** A look that takes its time: until this has resolved. */
let held: Promise<void> | null = null
vi.mock('../../src/io/media/probe.js', () => ({
  Prober: class {
    probe(
      paths: readonly string[], still: ReadonlySet<string>, listener: ProbeListener,
    ): Promise<void> {
      asked.push(paths)
      images.push(paths.filter((path) => still.has(path)))
      for (const path of paths) {
        if (there.has(path)) listener.facts(path, { duration: 48_000 } as never)
        else if (!silent.has(path)) listener.fault(path, 'the file is missing', null)
        else listener.fault(path, 'its disk does not answer', null, true)
      }
      return held ?? Promise.resolve()
    }
  },
}))

/** A daemon of nothing but what hears of files, on a clock that is moved by hand. */
const probingOf = (timers: VirtualTimers, warned: string[]): Probing => {
  const missed = new Set<string>()
  return new Probing({
    timers, player: { tell: () => undefined },
    pages: {
      looked: () => undefined, learn: () => undefined,
      miss: (path: string) => missed.size < missed.add(path).size,
    },
    log: { warn: (_about: unknown, message: string) => warned.push(message) },
  } as unknown as ProbingParts)
}

const mediaOf = (...paths: readonly string[]) =>
  paths.map((path) => ({
    path, button: { kind: path.endsWith('.svg') ? 'image' : 'audio' },
  })) as never

/** What was asked has its answer. */
const answered = async (): Promise<void> => {
  await Promise.resolve()
  await Promise.resolve()
}

beforeEach(() => {
  there.clear()
  asked.length = 0
  images.length = 0
  held = null
})

it('every ten seconds, and said once', async () => {
  const timers = new VirtualTimers(0)
  const warned: string[] = []
  there.add('here.wav')
  probingOf(timers, warned).begin(mediaOf('here.wav', 'late.wav'))
  for (let n = 0; n < 4; n += 1) {
    await answered()
    if (n === 2) there.add('late.wav')
    timers.pass(10_000)
  }
  expect(asked).toEqual([['here.wav', 'late.wav'], ['late.wav'], ['late.wav'], ['late.wav']])
  expect(warned).toEqual(['the file is missing'])
  await answered()
  timers.pass(60_000)
  expect(asked.length).toBe(4)
})

it('every minute after one in vain; as before once anything came back', async () => {
  const timers = new VirtualTimers(0)
  const probing = probingOf(timers, [])
  probing.begin(mediaOf('gone.wav', 'out.wav'))
  const looksIn = async (seconds: number): Promise<number> => {
    const before = asked.length
    for (let n = 0; n < seconds; n += 1) {
      await answered()
      timers.pass(1_000)
    }
    return asked.length - before
  }
  expect(await looksIn(60)).toBe(6)
  // Weeks like this.
  expect(await looksIn(3_600)).toBe(60)
  there.add('out.wav')
  probing.again('out.wav')
  expect(await looksIn(1)).toBe(1)
  expect(asked.at(-1)).toEqual(['out.wav', 'gone.wav'])
  expect(await looksIn(30)).toBe(3)
  expect(asked.at(-1)).toEqual(['gone.wav'])
  probing.begin(mediaOf('gone.wav'))
  expect(await looksIn(30)).toBe(3)
})

it('every ten seconds for as long as the disk of one does not answer', async () => {
  const timers = new VirtualTimers(0)
  const probing = probingOf(timers, [])
  silent.add('slow.wav')
  probing.begin(mediaOf('gone.wav', 'slow.wav'))
  for (let n = 0; n < 360; n += 1) {
    await answered()
    timers.pass(10_000)
  }
  expect(asked.length).toBe(361)
  await answered()
  silent.clear()
  there.add('slow.wav')
  timers.pass(10_000)
  expect(asked.at(-1)).toEqual(['gone.wav', 'slow.wav'])
})

it('those of the show before are not: they would take the place of the new ones', async () => {
  const timers = new VirtualTimers(0)
  const probing = probingOf(timers, [])
  probing.begin(mediaOf('gone.wav'))
  await answered()
  timers.pass(9_000)
  probing.begin(mediaOf('new.wav'))
  await answered()
  timers.pass(9_999)
  expect(asked).toEqual([['gone.wav'], ['new.wav']])
  timers.pass(1)
  expect(asked.slice(2)).toEqual([['new.wav']])
})

it('nor where the show before was still being looked into: the new one is to its end', async () => {
  const timers = new VirtualTimers(0)
  const probing = probingOf(timers, [])
  let givenUp = (): void => undefined
  held = new Promise((resolve) => (givenUp = resolve))
  probing.begin(mediaOf('gone.wav'))
  // A large show: it takes more than ten seconds.
  held = new Promise(() => undefined)
  probing.begin(mediaOf('new.wav', 'others.wav'))
  givenUp()
  await answered()
  timers.pass(60_000)
  expect(asked).toEqual([['gone.wav'], ['new.wav', 'others.wav']])
})

it('an image that was not there is still one when it is looked for again', async () => {
  const timers = new VirtualTimers(0)
  probingOf(timers, []).begin(mediaOf('late.wav', 'late.svg'))
  for (let n = 0; n < 2; n += 1) {
    await answered()
    timers.pass(10_000)
  }
  // Looked into as sound, one that ffprobe does not read would stay missing.
  expect(asked).toEqual(Array.from({ length: 3 }, () => ['late.wav', 'late.svg']))
  expect(images).toEqual(Array.from({ length: 3 }, () => ['late.svg']))
})

describe('a file in whose place another one stands', () => {
  it('is looked into a second later, with those that are missing', async () => {
    const timers = new VirtualTimers(0)
    there.add('a.wav').add('b.wav')
    const probing = probingOf(timers, [])
    probing.begin(mediaOf('a.wav', 'b.wav', 'gone.wav'))
    await answered()
    probing.again('a.wav')
    timers.pass(900)
    // One that changes all the time puts nothing off.
    probing.again('b.wav')
    probing.again('a.wav')
    timers.pass(100)
    expect(asked.slice(1)).toEqual([['a.wav', 'b.wav', 'gone.wav']])
    await answered()
    timers.pass(9_999)
    expect(asked.length).toBe(2)
    timers.pass(1)
    expect(asked.slice(2)).toEqual([['gone.wav']])
  })

  it('waits for the look that goes on, and is forgotten with its show', async () => {
    const timers = new VirtualTimers(0)
    there.add('a.wav').add('b.wav')
    const probing = probingOf(timers, [])
    let looked = (): void => undefined
    held = new Promise((resolve) => (looked = resolve))
    probing.begin(mediaOf('a.wav', 'b.wav'))
    probing.again('a.wav')
    timers.pass(60_000)
    expect(asked.length).toBe(1)
    looked()
    await answered()
    timers.pass(1_000)
    expect(asked.slice(1)).toEqual([['a.wav']])
    held = null
    probing.again('a.wav')
    probing.begin(mediaOf('b.wav'))
    await answered()
    timers.pass(60_000)
    expect(asked.slice(2)).toEqual([['b.wav']])
  })
})
