// The prober over files that are as a test wants; and what it remembers between starts.
import {
  existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import {
  Prober, type ProbeListener, type ProberOptions,
} from '../../../src/io/media/probe/prober.js'
import { ProbeCache } from '../../../src/io/media/probe/probe-cache.js'
import type { MediaFacts } from '../../../src/io/media/probe/probe-file.js'

const FACTS: MediaFacts = {
  duration: frame(48_000), isEstimate: false, soundEnd: null, picturesEnd: null,
  isInterlaced: false, container: 'wav', video: null, audio: null,
}

/** What was asked about the files; an answer waits for its `let go`. */
const asked: string[] = []
const stamps = new Map<string, string>()
/** What a file becomes while it is probed for the first time, the second and so on. */
const changes = new Map<string, string[]>()
let hold: Promise<void> | null = null
const files: ProberOptions['files'] = {
  look(path) {
    asked.push(`look ${path}`)
    const stamp = stamps.get(path)
    return Promise.resolve(stamp === undefined
      ? { kind: 'missing', message: 'the file is missing' }
      : {
        kind: 'file', stamp, disk: 1, own: null, isMp4: false, seeking: 'exact',
        type: 'audio/wav',
      })
  },

  async probe(path) {
    asked.push(`probe ${path}`)
    await hold
    const next = changes.get(path)?.shift()
    if (next !== undefined) stamps.set(path, next)
    if (path.startsWith('broken')) return { ok: false, message: `${path}: no sound` }
    return { ok: true, facts: { ...FACTS, duration: frame(path.length * 1_000) } }
  },
}

let folder = ''
let cacheFile = ''
let prober: Prober
const made = (concurrency = 1): Prober =>
  new Prober({ timers: new VirtualTimers(0), files, cacheFile, concurrency })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-probe-'))
  cacheFile = join(folder, 'facts.json')
  asked.length = 0
  stamps.clear()
  changes.clear()
  for (const name of ['a', 'bb', 'ccc', 'broken', 'i']) stamps.set(name, `${name} 1`)
  hold = null
  prober = made()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const listening = () => {
  const told: string[] = []
  const listener: ProbeListener = {
    looked: (path, { version, type }) => told.push(`${path} is ${version}, ${type}`),
    facts: (path, { duration }) => told.push(`${path} has ${duration}`),
    fault: (path, message, version) => told.push(`${path}: ${message} (${version})`),
    progress: (done, total) => told.push(`${done}/${total}`),
  }
  return { told, listener }
}

describe('the prober', () => {
  it('tells of each file once, in order: that it is there, then what it is', async () => {
    const { told, listener } = listening()
    await prober.probe(['a', 'gone', 'i', 'broken', 'a'], new Set(['i']), listener)
    expect(told).toEqual([
      'a is a 1, audio/wav', 'a has 1000', '1/4', 'gone: the file is missing (null)', '2/4',
      'i is i 1, audio/wav', '3/4', 'broken is broken 1, audio/wav',
      'broken: broken: no sound (broken 1)', '4/4',
    ])
  })

  it('remembers what a file is as long as it is the same, also for the next start', async () => {
    await prober.probe(['a', 'bb', 'broken'], new Set(), listening().listener)
    stamps.set('bb', 'bb 2')
    asked.length = 0
    const { told, listener } = listening()
    await made().probe(['a', 'bb', 'broken'], new Set(), listener)
    expect(asked.filter((each) => each.startsWith('probe'))).toEqual(['probe bb', 'probe broken'])
    expect(told.filter((each) => each.includes('has'))).toEqual(['a has 1000', 'bb has 2000'])
  })

  it('a file that becomes another one while it is probed is looked at again', async () => {
    changes.set('a', ['a 2'])
    const { told, listener } = listening()
    await prober.probe(['a'], new Set(), listener)
    expect(told).toEqual(['a is a 1, audio/wav', 'a is a 2, audio/wav', 'a has 1000', '1/1'])
    // Back in its place later, the first one is not taken for the second.
    stamps.set('a', 'a 1')
    asked.length = 0
    await made().probe(['a'], new Set(), listener)
    expect(asked).toContain('probe a')
  })

  it('one that is written all the while is told as it was last, and not remembered', async () => {
    changes.set('a', ['a 2', 'a 3', 'a 4', 'a 5'])
    const { told, listener } = listening()
    await prober.probe(['a'], new Set(), listener)
    expect(told.at(-3)).toBe('a is a 3, audio/wav')
    expect(told.slice(-2)).toEqual(['a has 1000', '1/1'])
    stamps.set('a', 'a 3')
    changes.clear()
    asked.length = 0
    await made().probe(['a'], new Set(), listener)
    expect(asked).toContain('probe a')
  })

  it('a later call takes the place of one that runs: its listener hears no more', async () => {
    let letGo = (): void => undefined
    hold = new Promise((done) => (letGo = done))
    const [first, second] = [listening(), listening()]
    const older = prober.probe(['a', 'bb', 'ccc'], new Set(), first.listener)
    while (!asked.includes('probe a')) await new Promise((turn) => setImmediate(turn))
    const newer = prober.probe(['ccc'], new Set(), second.listener)
    letGo()
    await Promise.all([older, newer])
    expect(first.told).toEqual(['a is a 1, audio/wav'])
    expect(second.told).toEqual(['ccc is ccc 1, audio/wav', 'ccc has 3000', '1/1'])
    // What was learnt on the way is kept.
    await prober.probe(['a'], new Set(), second.listener)
    expect(asked.filter((each) => each === 'probe a')).toHaveLength(1)
  })

  it('at the end what is left is given up, and what was learnt is kept', async () => {
    let letGo = (): void => undefined
    hold = new Promise((done) => (letGo = done))
    const { told, listener } = listening()
    const running = prober.probe(['a', 'bb'], new Set(), listener)
    while (!asked.includes('probe a')) await new Promise((turn) => setImmediate(turn))
    const end = prober.close()
    letGo()
    await Promise.all([running, end])
    expect(told).toEqual(['a is a 1, audio/wav'])
    expect(asked).toEqual(['look a', 'probe a'])
  })

  it('as many are looked into at a time as it was said', async () => {
    let letGo = (): void => undefined
    hold = new Promise((done) => (letGo = done))
    const done = made(2).probe(['a', 'bb', 'ccc'], new Set(), listening().listener)
    while (!asked.includes('probe bb')) await new Promise((turn) => setImmediate(turn))
    for (let n = 0; n < 20; n += 1) await new Promise((turn) => setImmediate(turn))
    expect(asked.filter((each) => each.startsWith('probe'))).toEqual(['probe a', 'probe bb'])
    letGo()
    await done
    expect(asked.filter((each) => each.startsWith('probe'))).toHaveLength(3)
  })
})

describe('what is remembered', () => {
  it('is of one content of one file, and of twenty thousand: what was used last', async () => {
    const cache = await ProbeCache.open(cacheFile)
    for (let n = 0; n < 20_000; n += 1) cache.set(`${n}`, 's', { ...FACTS, duration: frame(n) })
    expect(cache.get('0', 's')?.duration).toBe(0)
    expect([cache.get('0', 't'), cache.get('x', 's')]).toEqual([null, null])
    cache.set('new', 's', FACTS)
    expect([cache.get('1', 's'), cache.get('0', 's')?.duration]).toEqual([null, 0])
    await cache.save()
    const again = await ProbeCache.open(cacheFile)
    expect([again.get('0', 's')?.duration, again.get('2', 's')?.duration, again.get('1', 's')])
      .toEqual([0, 2, null])
  })

  it('is that of all daemons that share it, whoever wrote last', async () => {
    const rooms = [await ProbeCache.open(cacheFile), await ProbeCache.open(cacheFile)]
    for (const [n, cache] of rooms.entries()) {
      cache.set(`room ${n}`, 's', FACTS)
      await cache.save()
    }
    const third = await ProbeCache.open(cacheFile)
    expect([third.get('room 0', 's'), third.get('room 1', 's')]).toEqual([FACTS, FACTS])
    // Where they are too many those of others go first.
    for (let n = 0; n < 20_000; n += 1) rooms[0]!.set(`${n}`, 's', FACTS)
    await rooms[0]!.save()
    const again = await ProbeCache.open(cacheFile)
    expect([again.get('room 1', 's'), again.get('0', 's')]).toEqual([null, FACTS])
  })

  it('is written at the next time where its disk was full at first', async () => {
    mkdirSync(cacheFile)
    const cache = await ProbeCache.open(cacheFile)
    cache.set('a', 's', FACTS)
    await cache.save()
    rmSync(cacheFile, { recursive: true })
    await cache.save()
    expect((await ProbeCache.open(cacheFile)).get('a', 's')).toEqual(FACTS)
  })

  it('takes with it what processes left beside it that died, and no draft of now', async () => {
    const [left, now] = [`${cacheFile}.1.new`, `${cacheFile}.2.new`]
    const others = [join(folder, 'notes.json.1.new'), `${cacheFile}.old`]
    for (const file of [left, now, ...others]) writeFileSync(file, '')
    for (const file of [left, ...others]) utimesSync(file, 1_000, 1_000)
    const cache = await ProbeCache.open(cacheFile)
    cache.set('a', 's', FACTS)
    await cache.save()
    expect([left, now, ...others].filter((file) => existsSync(file))).toEqual([now, ...others])
  })

  it('is written where it is new, and read as far as it is well formed', async () => {
    const cache = await ProbeCache.open(cacheFile)
    cache.set('a', 's', FACTS)
    cache.set('b', 's', FACTS)
    await cache.save()
    const text = readFileSync(cacheFile, 'utf8')
    writeFileSync(cacheFile, 'somebody else’s')
    await cache.save()
    expect(readFileSync(cacheFile, 'utf8')).toBe('somebody else’s')
    for (const [good, bad] of [['48000', '-1'], ['"wav"', '7'], ['false', '"yes"']] as const) {
      writeFileSync(cacheFile, text.replace(good, bad))
      const read = await ProbeCache.open(cacheFile)
      expect([bad, read.get('a', 's'), read.get('b', 's')]).toEqual([bad, null, FACTS])
    }
    writeFileSync(cacheFile, text.replace(/"version":\d+/, '"version":1'))
    expect((await ProbeCache.open(cacheFile)).get('a', 's')).toBeNull()
  })
})
