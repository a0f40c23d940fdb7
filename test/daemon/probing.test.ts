// What is found of a show's files is told on; those that are not there are looked for again.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { Probing, type ProbingParts } from '../../src/daemon/probing.js'
import type { ProbeListener } from '../../src/io/media/probe/prober.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

/** In place of the process that looks into files: those that are there. */
const there = new Set<string>()
const asked: (readonly string[])[] = []
/** The files of a disk that does not answer. */
const silent = new Set<string>()
/** Of these no more is asked than that they are there. */
const images: (readonly string[])[] = []
/** A look that takes its time: until this has resolved, or fails. */
let held: Promise<void> | null = null
/** It ends before it was through. */
let isGivenUp = false
/** Where it is another than a second. */
const durations = new Map<string, number>()
vi.mock('../../src/io/media/probe/prober.js', () => ({
  Prober: class {
    probe(
      paths: readonly string[], still: ReadonlySet<string>, listener: ProbeListener,
    ): Promise<void> {
      asked.push(paths)
      images.push(paths.filter((path) => still.has(path)))
      for (const [n, path] of paths.entries()) {
        if (there.has(path)) listener.looked(path, { version: '1', type: 'audio/wav' })
        const duration = durations.get(path) ?? 48_000
        if (there.has(path)) listener.facts(path, { duration } as never)
        else if (!silent.has(path)) listener.fault(path, 'the file is missing', null)
        else listener.fault(path, 'its disk does not answer', null, true)
        if (!isGivenUp) listener.progress(n + 1, paths.length)
      }
      return held ?? Promise.resolve()
    }

    close(): Promise<void> {
      return Promise.resolve()
    }
  },
}))

/** What went to the sound thread, message by message, and what pages learnt. */
const told: (readonly { readonly path: string; readonly duration: number }[])[] = []
const learnt: string[] = []

/** A daemon of nothing but what hears of files, on a clock that is moved by hand. */
const probingOf = (timers: VirtualTimers, warned: string[]): Probing => {
  const missed = new Set<string>()
  return new Probing({
    timers, player: { tell: (...facts: (typeof told)[number]) => told.push(facts) },
    pages: {
      looked: (path: string) => learnt.push(`at ${path}`),
      learn: (path: string) => learnt.push(path),
      miss: (path: string) => missed.size < missed.add(path).size,
    },
    log: {
      warn: (_about: unknown, message: string) => warned.push(message),
      info: (message: string) => warned.push(`info: ${message}`),
      error: (_about: unknown, message: string) => warned.push(`error: ${message}`),
    },
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
  told.length = 0
  learnt.length = 0
  durations.clear()
  held = null
  isGivenUp = false
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

it('one that changed before anybody watched it is looked into again, and no other', async () => {
  const timers = new VirtualTimers(0)
  there.add('same.wav').add('other.wav').add('gone.wav')
  const probing = probingOf(timers, [])
  probing.begin(mediaOf('same.wav', 'other.wav', 'gone.wav', 'late.wav'))
  await answered()
  probing.compare([
    ['same.wav', '1'], ['other.wav', '2'], ['gone.wav', null], ['late.wav', null], ['new.wav', '1'],
  ])
  timers.pass(1_000)
  expect(asked.slice(1)).toEqual([['other.wav', 'gone.wav', 'late.wav']])
})

it('one that came since is looked into at once, and none that the show no longer has', async () => {
  const timers = new VirtualTimers(0)
  there.add('old.wav')
  const probing = probingOf(timers, [])
  probing.begin(mediaOf('old.wav'))
  await answered()
  probing.begin(mediaOf('late.wav'))
  await answered()
  probing.compare([['old.wav', '2']])
  timers.pass(1_000)
  expect(asked).toEqual([['old.wav'], ['late.wav']])
  probing.compare([['late.wav', '1']])
  timers.pass(1_000)
  expect(asked.slice(2)).toEqual([['late.wav']])
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
  // None of those looks was in vain.
  for (let n = 0; n < 6; n += 1) {
    await answered()
    timers.pass(10_000)
  }
  expect(asked.length).toBe(368)
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

describe('what is found', () => {
  it('of a large show is told in small messages, each length once', async () => {
    const warned: string[] = []
    const paths = Array.from({ length: 1_030 }, (_each, n) => `${n}.wav`)
    for (const [n, path] of paths.entries()) {
      there.add(path)
      durations.set(path, n)
    }
    probingOf(new VirtualTimers(0), warned).begin(mediaOf(...paths))
    await answered()
    expect(learnt).toEqual(paths.flatMap((path) => [`at ${path}`, path]))
    // One of which no length is known has none to tell.
    expect(told.flat()).toEqual(paths.slice(1).map((path, n) =>
      ({ kind: 'probed', path, duration: n + 1 })))
    expect(Math.max(...told.map((facts) => facts.length))).toBe(20)
    expect(told).toHaveLength(52)
    expect(warned).toEqual(
      [500, 1_000].map((count) => `info: looked into ${count} of 1030 files`))
  })

  it('is told before the look is over, which may wait for a disk that keeps it', () => {
    held = new Promise(() => undefined)
    there.add('a.wav')
    probingOf(new VirtualTimers(0), []).begin(mediaOf('a.wav'))
    expect(told).toEqual([[{ kind: 'probed', path: 'a.wav', duration: 48_000 }]])
  })

  it('by a look that is given up for another show is told all the same', async () => {
    isGivenUp = true
    for (const path of ['a.wav', 'b.wav']) there.add(path)
    probingOf(new VirtualTimers(0), []).begin(mediaOf('a.wav', 'b.wav'))
    await answered()
    expect(told.flat().map(({ path }) => path)).toEqual(['a.wav', 'b.wav'])
  })
})

it('a look that breaks off is said, and what was missing by then is looked for again', async () => {
  const timers = new VirtualTimers(0)
  const warned: string[] = []
  held = Promise.reject(new Error('EAGAIN: no more processes'))
  probingOf(timers, warned).begin(mediaOf('gone.wav'))
  await answered()
  held = null
  timers.pass(10_000)
  await answered()
  timers.pass(10_000)
  expect(asked).toEqual([['gone.wav'], ['gone.wav'], ['gone.wav']])
  expect(warned).toEqual(['the file is missing', 'error: durations could not be read'])
})

it('nothing is looked for any more at the end, also where a look still goes on', async () => {
  for (const isLooking of [false, true]) {
    const timers = new VirtualTimers(0)
    const probing = probingOf(timers, [])
    let looked = (): void => undefined
    held = isLooking ? new Promise((resolve) => (looked = resolve)) : null
    probing.begin(mediaOf('gone.wav'))
    await answered()
    void probing.close()
    probing.again('gone.wav')
    looked()
    await answered()
    expect(timers.size).toBe(0)
  }
})
