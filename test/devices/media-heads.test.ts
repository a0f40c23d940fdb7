// Armed heads sound at once and go over into the decoder without a seam; loop passes are alike.
import { realTimers } from '../../src/clock/real.js'
import { copyFileSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fact } from '../../src/engine/ports.js'
import {
  FfmpegMedia, type FfmpegMediaOptions, MEDIA_DEFAULTS,
} from '../../src/io/media/media-port.js'
import {
  codedSample,
  convert,
  mediaFolder,
  writeCodedWav,
  writeSweep,
  writeVideo,
} from './media-files.js'
import { firstDifference, type Heard, MediaListener, part } from './media-listener.js'
import { processesWith } from './media-processes.js'

/** What the daemon runs with. */
const AS_DAEMON = { ...MEDIA_DEFAULTS, timers: realTimers() }

const folder = mediaFolder()
const file = (name: string): string => join(folder, name)
const listener = new MediaListener()
const ports: FfmpegMedia[] = []

/** Heads of one length, unless a test says otherwise. */
const newPort = (changes: Partial<FfmpegMediaOptions>): FfmpegMedia => {
  const bounds = { growFrames: [], mostBytes: changes.budgetBytes ?? AS_DAEMON.budgetBytes }
  const options = { ...AS_DAEMON, post: listener.post, env: process.env, ...bounds, ...changes }
  const port = new FfmpegMedia(options)
  ports.push(port)
  return port
}

const LOSSLESS = ['coded.wav', 's44.wav', 't44.flac']
const NAMES = [...LOSSLESS, 't44.mp3', 't48.opus', 't44.m4a', 't44.ogg', 't44.mp4']

beforeAll(() => {
  writeCodedWav(file('coded.wav'), 320_000)
  writeCodedWav(file('sting.wav'), 9_600)
  writeSweep(file('s48.wav'), 48_000, 8.3)
  writeSweep(file('s44.wav'), 44_100, 8.3)
  convert(file('s44.wav'), file('t44.flac'), [])
  convert(file('s44.wav'), file('t44.mp3'), ['-b:a', '160k'])
  convert(file('s48.wav'), file('t48.opus'), ['-c:a', 'libopus'])
  convert(file('s44.wav'), file('t44.m4a'), ['-c:a', 'aac'])
  convert(file('s44.wav'), file('t44.ogg'), ['-c:a', 'libvorbis'])
  writeVideo(file('t44.mp4'), 8.3, file('s44.wav'))
})

afterAll(async () => {
  await Promise.all(ports.map((port) => port.closeAll()))
  rmSync(folder, { recursive: true })
})

const play = async (
  port: FfmpegMedia,
  name: string,
  from: number,
  to: number | null,
): Promise<Heard> => {
  const heard = await listener.play(port, listener.request(file(name), from, to), 480)
  heard.stream.close()
  return heard
}

const armed = async (port: FfmpegMedia, count: number): Promise<void> => {
  const deadline = performance.now() + 90_000
  while (port.armedHeads !== count) {
    if (performance.now() > deadline) {
      throw new Error(`${String(port.armedHeads)} heads, not ${String(count)}`)
    }
    await pause(5)
  }
}

const pause = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms))

const button = (name: string, from: number, to: number | null) => ({
  ...{ buttonId: `${name}:${String(from)}`, path: file(name), from, to },
})

describe('warm starts', () => {
  it.each(NAMES)('%s goes from its head into the decoder as one decode would', async (name) => {
    const port = newPort({ headFrames: 14_411 })
    const ranges = [
      [0, null],
      // The head ends in another second than it began: a preroll from there would be another one.
      [140_000, 300_003],
    ] as const
    const cold = []
    for (const [from, to] of ranges) cold.push(await play(port, name, from, to))
    port.setArmed(ranges.map(([from, to]) => button(name, from, to)))
    await armed(port, 2)
    for (const [i, [from, to]] of ranges.entries()) {
      const warm = await play(port, name, from, to)
      const reference = cold[i] as Heard
      expect(warm.broken).toBeNull()
      expect(reference.sound.left.length).toBeGreaterThan(100_000)
      expect(firstDifference(warm.sound, reference.sound)).toBeNull()
      expect(warm.ended?.end).toBe(reference.ended?.end)
      expect(warm.ended?.source).toBe(reference.ended?.source)
    }
    await port.closeAll()
  })

  it('decoded many at once, with bad ones among them, each is as if it were alone', async () => {
    writeFileSync(file('text.mp3'), 'this is a text, not music\n'.repeat(3))
    writeVideo(file('silent.mp4'), 3, null)
    // Stereo that goes on in mono, in the middle of what a head grows to.
    convert(file('s44.wav'), file('mono.mp3'), ['-ac', '1', '-t', '1'])
    const parts = ['t44.mp3', 'mono.mp3'].map((name) => readFileSync(file(name)))
    writeFileSync(file('changed.mp3'), Buffer.concat(parts))
    // The last begins a moment before its end, and ends by itself.
    const ranges = [...NAMES, 'changed.mp3'].flatMap((name) =>
      [0, 140_000, 398_000].map((from) => ({ name, from, to: null })))
    ranges.push({ name: 'silent.mp4', from: 0, to: null }, { name: 't44.m4a', from: 9, to: null })
    const cold = newPort({})
    const references: Heard[] = []
    for (const { name, from, to } of ranges) references.push(await play(cold, name, from, to))
    await cold.closeAll()
    const port = newPort({ headFrames: 14_411, growFrames: [96_000, 500_000] })
    port.setArmed([
      button('text.mp3', 0, null), button('missing.mp3', 0, null),
      ...ranges.map(({ name, from, to }) => button(name, from, to)),
    ])
    await armed(port, ranges.length)
    // Room for all of it: every head grows until it is whole, and no decoder is needed.
    const wholeAtOnce = (name: string, from: number): boolean => {
      const before = listener.unclaimed.length
      port.open(listener.request(file(name), from, null)).close()
      return listener.unclaimed.slice(before).some(({ kind }) => kind === 'ended')
    }
    const isAllWhole = (): boolean => ranges.every(({ name, from }) => wholeAtOnce(name, from))
    // Rarely: each look at one that still grows starts a decoder, which keeps the others waiting.
    for (let tries = 0; tries < 90 && !isAllWhole(); tries += 1) await pause(1_000)
    for (const [i, { name, from, to }] of ranges.entries()) {
      const what = `${name} from ${String(from)}`
      expect(wholeAtOnce(name, from), what).toBe(true)
      const warm = await play(port, name, from, to)
      const reference = references[i] as Heard
      expect(firstDifference(warm.sound, reference.sound), what).toBeNull()
      expect(warm.ended, what).toMatchObject({
        end: reference.ended?.end, source: reference.ended?.source,
      })
    }
    await port.closeAll()
  })

  it.each(['t44.m4a', 't44.mp4'])('%s: a range ends where it is to, and not with its file',
    async (name) => {
      const port = newPort({})
      // The file goes on for a quarter of a second: so near to its end it is padded.
      const [from, to] = [376_000, 386_400]
      port.setArmed([button(name, from, to)])
      await armed(port, 1)
      const { ended, sound } = await play(port, name, from, to)
      expect([ended?.end, ended?.source, sound.left.length]).toEqual([to, null, to - from])
      await port.closeAll()
    })

  it('tells the head and a short range’s end before open returns; no decoder runs', async () => {
    const facts: Fact[] = []
    const quiet = new FfmpegMedia({
      ...{ ...AS_DAEMON, env: process.env },
      post: (fact) => facts.push(fact),
    })
    ports.push(quiet)
    quiet.setArmed([button('sting.wav', 0, null), button('coded.wav', 100, 4_900)])
    await armed(quiet, 2)
    const request = { ...listener.request(file('sting.wav'), 0, null), hold: true }
    quiet.open(request)
    expect(facts).toEqual([
      { kind: 'supplied', stream: request.stream, until: 9_600 },
      { kind: 'ended', stream: request.stream, end: 9_600, source: 9_600, held: true },
    ])
    facts.length = 0
    const inside = listener.request(file('coded.wav'), 100, 4_900)
    quiet.open(inside)
    expect(facts).toEqual([
      { kind: 'supplied', stream: inside.stream, until: 4_900 },
      { kind: 'ended', stream: inside.stream, end: 4_900, source: null, held: false },
    ])
    await pause(50)
    expect(processesWith(folder, null)).toEqual([])
  })

  it('a changed file is heard anew, found by a start’s check and by looking around', async () => {
    const port = newPort({ recheckMs: 3_000 })
    copyFileSync(file('t44.flac'), file('changing.flac'))
    port.setArmed([button('changing.flac', 0, null)])
    await armed(port, 1)
    copyFileSync(file('sting.wav'), file('changing.flac'))
    // Within two seconds after a look no other one is made.
    await pause(2_100)
    expect(await listener.check(port, file('changing.flac'))).toBe(true)
    const heard = await play(port, 'changing.flac', 0, null)
    expect(heard.sound.left.length).toBe(9_600)
    await armed(port, 1)
    utimesSync(file('changing.flac'), 1, 1)
    const before = await play(port, 'changing.flac', 0, null)
    copyFileSync(file('t44.flac'), file('changing.flac'))
    // Without a check, it is the looking around that must find it.
    const isLonger = async (): Promise<boolean> => {
      const { sound } = await play(port, 'changing.flac', 0, null)
      return sound.left.length > before.sound.left.length
    }
    let tries = 0
    while (!(await isLonger()) && tries < 100) {
      tries += 1
      await pause(100)
    }
    expect(tries).toBeLessThan(100)
    rmSync(file('changing.flac'))
    await armed(port, 0)
    await port.closeAll()
  })

  it('the store is bounded: the least recently used head goes for one that is used', async () => {
    const headFrames = 4_800
    const budgetBytes = 3 * headFrames * 8
    const port = newPort({ headFrames, leastHeadFrames: headFrames, budgetBytes })
    const froms = [0, 1_000, 2_000, 3_000, 4_000]
    port.setArmed(froms.map((from) => button('coded.wav', from, null)))
    await armed(port, 3)
    await pause(200)
    expect(port.armedHeads).toBe(3)
    await play(port, 'coded.wav', 0, null)
    await play(port, 'coded.wav', 2_000, null)
    // Used while cold: it takes the place of the one that nobody used.
    await play(port, 'coded.wav', 4_000, null)
    // A warm one is told while it is opened, before any decoder could answer.
    const isWarm = (from: number): boolean => {
      const before = listener.unclaimed.length
      port.open(listener.request(file('coded.wav'), from, null)).close()
      return listener.unclaimed.length > before
    }
    for (let tries = 0; tries < 200 && !isWarm(4_000); tries += 1) await pause(100)
    expect(port.armedHeads).toBe(3)
    expect(froms.map(isWarm)).toEqual([true, false, true, false, true])
    await port.closeAll()
  })

  it('many buttons share the store by shorter heads, which go over as well', async () => {
    const port = newPort({ leastHeadFrames: 2_400, budgetBytes: 4 * 5_000 * 8 })
    const froms = [0, 1_000, 2_000, 3_000]
    port.setArmed(froms.map((from) => button('coded.wav', from, null)))
    await armed(port, 4)
    const before = listener.unclaimed.length
    port.open(listener.request(file('coded.wav'), 3_000, null)).close()
    expect(listener.unclaimed.slice(before)).toMatchObject([{ kind: 'supplied', until: 8_000 }])
    const heard = await play(port, 'coded.wav', 3_000, null)
    expect(heard.sound.left.length).toBe(317_000)
    heard.sound.left.forEach((left, n) => {
      if (left !== codedSample(n + 3_000)[0]) throw new Error(`frame ${String(n)} is another`)
    })
    await port.closeAll()
  })

  it('a broken file is not armed, and the others are', async () => {
    const port = newPort({})
    port.setArmed([button('nothing.wav', 0, null), button('sting.wav', 0, null)])
    await armed(port, 1)
    copyFileSync(file('sting.wav'), file('nothing.wav'))
    expect(await listener.check(port, file('nothing.wav'))).toBe(true)
    await armed(port, 2)
    port.setArmed([])
    expect(port.armedHeads).toBe(0)
    await port.closeAll()
  })
})

describe('a stream that is not read', () => {
  it('stays `ahead` and a bounded reserve decoded; goes on as it is read', async () => {
    const supplied: number[] = []
    const port = new FfmpegMedia({
      ...{ ...AS_DAEMON, env: process.env },
      post: (fact) => {
        if (fact.kind === 'supplied') supplied.push(fact.until)
      },
    })
    ports.push(port)
    const request = listener.request(file('coded.wav'), 0, null)
    const stream = port.open(request)
    const settled = async (): Promise<number> => {
      const begun = supplied.length
      while (supplied.length === begun) await pause(20)
      let before = -1
      while (before !== supplied.at(-1)) {
        before = supplied.at(-1) ?? 0
        await pause(500)
      }
      return before
    }
    const first = await settled()
    expect(first).toBeGreaterThan(request.ahead)
    // At most one message more than asked for: the reserve is two seconds.
    expect(first).toBeLessThan(request.ahead + 96_000 + 16_384)
    const into = { left: new Float32Array(first), right: new Float32Array(first) }
    stream.read(request.from, into, 0, first)
    stream.passed((first - 1) as typeof request.from)
    const second = await settled()
    expect(second).toBeGreaterThan(first + request.ahead)
    expect(second).toBeLessThan(first + request.ahead + 96_000 + 16_384)
    expect(() => {
      stream.read(request.from, into, 0, 1)
    }).toThrow(RangeError)
    await port.closeAll()
  })
})

describe('loops', () => {
  it.each(['t44.mp3', 't48.opus', 't44.m4a'])(
    '%s: ten passes opened anew are the first pass, sample for sample',
    async (name) => {
      const port = newPort({ headFrames: 9_600 })
      const [from, to] = [30_011, 120_007]
      const first = await play(port, name, from, to)
      expect(first.sound.left.length).toBe(to - from)
      port.setArmed([button(name, from, to)])
      for (let pass = 1; pass < 10; pass += 1) {
        const heard = await play(port, name, from, to)
        expect(firstDifference(heard.sound, first.sound), `pass ${String(pass)}`).toBeNull()
      }
      await port.closeAll()
    },
  )

  it.each([
    ['t44.mp3', true],
    ['coded.wav', false],
  ] as const)('%s held: %s, by the bound of what may be kept', async (name, held) => {
    const bytes = held ? 4_000_000 : 800_000
    const port = newPort({ holdBytes: bytes })
    const request = { ...listener.request(file(name), 0, null), hold: true }
    const heard = await listener.play(port, request, 480)
    expect(heard.ended?.held).toBe(held)
    if (held) {
      const into = { left: new Float32Array(5_000), right: new Float32Array(5_000) }
      for (const at of [0, 300_000, 77]) {
        heard.stream.read(at as never, into, 0, 5_000)
        expect(firstDifference(into, part(heard.sound, at, at + 5_000))).toBeNull()
      }
    }
    await port.closeAll()
  })
})
