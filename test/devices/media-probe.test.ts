// The prober tells each file's facts once, remembers them, and survives a damaged memory.
import { realTimers } from '../../src/clock/real.js'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DecoderLink } from '../../src/io/media/decoder/decoder-link.js'
import { type LookedAt, Prober } from '../../src/io/media/probe/prober.js'
import { defaultCacheFile } from '../../src/io/media/probe/probe-cache.js'
import { type MediaFacts, probeFile } from '../../src/io/media/probe/probe-file.js'
import { convert, mediaFolder, writePicture, writeSweep, writeVideo } from './media-files.js'
import { processesWith } from './media-processes.js'

const folder = mediaFolder()
const file = (name: string): string => join(folder, name)
const cacheFile = join(folder, 'cache', 'facts.json')

beforeAll(() => {
  writeSweep(file('s44.wav'), 44_100, 2.5)
  convert(file('s44.wav'), file('t.mp3'), ['-b:a', '128k'])
  convert(file('s44.wav'), file('t.m4a'), ['-c:a', 'aac'])
  convert(file('s44.wav'), file('t.flac'), ['-ac', '1'])
  writeVideo(file('silent.mp4'), 2, null)
  writeVideo(file('loud.mp4'), 2.5, file('s44.wav'))
  writePicture(file('picture.png'))
  writeFileSync(file('text.mp3'), 'no music')
})

afterAll(() => {
  rmSync(folder, { recursive: true })
})

const PATH = process.env['PATH'] ?? ''

/** Probes with a PATH of its own; `path` empty shows that nothing needs ffprobe. */
const probeAll = async (names: readonly string[], path: string) => {
  const facts = new Map<string, MediaFacts>()
  const faults = new Map<string, string>()
  const steps: string[] = []
  const looks = new Map<string, LookedAt>()
  const timers = realTimers()
  const link = new DecoderLink({ timers, env: { PATH: path } })
  const prober = new Prober({ timers, files: link, cacheFile, concurrency: 2 })
  await prober.probe(names.map(file), new Set([file('picture.png')]), {
    looked: (at, look) => looks.set(at.slice(folder.length + 1), look),
    facts: (at, found) => facts.set(at.slice(folder.length + 1), found),
    fault: (at, message) => faults.set(at.slice(folder.length + 1), message),
    progress: (done, total) => steps.push(`${String(done)}/${String(total)}`),
  })
  await prober.close()
  await link.close()
  return { facts, faults, steps, looks }
}

const ALL = ['s44.wav', 't.mp3', 't.m4a', 't.flac', 'silent.mp4', 'loud.mp4']

describe('Prober', () => {
  it('tells lengths, channels and kinds; then knows them without ffprobe', async () => {
    const first = await probeAll([...ALL, 'text.mp3', 'nothing.mp3', 't.flac'], PATH)
    expect(first.steps.at(-1)).toBe('8/8')
    expect(first.facts.get('s44.wav')).toMatchObject({ duration: 120_000, audio: { channels: 2 } })
    expect(first.facts.get('t.flac')).toMatchObject({ duration: 120_000, audio: { channels: 1 } })
    expect(first.facts.get('t.m4a')).toMatchObject({ duration: 120_000, soundEnd: 120_000 })
    expect(first.facts.get('silent.mp4')).toMatchObject({ audio: null, duration: 96_000 })
    expect(first.facts.get('loud.mp4')).toMatchObject({ audio: {}, video: {} })
    expect(first.facts.get('t.mp3')).toMatchObject({ duration: 120_000, soundEnd: 120_000 })
    expect(first.faults.get('text.mp3')).toMatch(/^text\.mp3: /)
    expect(first.faults.get('nothing.mp3')).toBe('the file is missing')
    expect(processesWith(folder, null)).toEqual([])

    const second = await probeAll(ALL, '')
    expect(second.facts).toEqual(first.facts)
    const changed = readFileSync(file('t.flac'))
    writeFileSync(file('t.flac'), changed)
    const third = await probeAll(['t.flac', 's44.wav'], '')
    expect([...third.facts.keys()]).toEqual(['s44.wav'])
    expect(third.faults.get('t.flac')).toMatch(/ffmpeg was not found on the PATH/)
  })

  it.each(['', '{"version":1,"entries":[[1,2],["x",{"duration":-1}]]}', '[]', '\u0000\u0001'])(
    'a damaged memory %j is ignored and written anew',
    async (damage) => {
      writeFileSync(cacheFile, damage)
      const { facts } = await probeAll(['s44.wav'], PATH)
      expect(facts.get('s44.wav')?.duration).toBe(120_000)
      const { facts: again } = await probeAll(['s44.wav'], '')
      expect(again).toEqual(facts)
    },
  )

  it('tells what each file is now, and of an image no more than that', async () => {
    const { facts, faults, looks } = await probeAll(['loud.mp4', 'picture.png', 'gone.png'], PATH)
    expect(looks.get('loud.mp4')).toMatchObject({ type: 'video/mp4' })
    expect(looks.get('picture.png')).toMatchObject({ type: 'image/png' })
    expect(facts.has('picture.png')).toBe(false)
    expect([...faults.keys()]).toEqual(['gone.png'])
    // Made without a word about keyframes: one at the beginning, and two and a half seconds of it.
    expect(facts.get('loud.mp4')?.video?.keyframesMs).toBeGreaterThan(2_000)
    writePicture(file('picture.png'))
    const again = await probeAll(['picture.png'], PATH)
    expect(again.looks.get('picture.png')?.version).not.toBe(looks.get('picture.png')?.version)
  })

  it('closing gives up the rest and leaves no process', async () => {
    rmSync(cacheFile, { force: true })
    const timers = realTimers()
    const link = new DecoderLink({ timers, env: process.env })
    const prober = new Prober({ timers, files: link, cacheFile: null, concurrency: 2 })
    let told = 0
    const listener = {
      looked: () => undefined,
      facts: () => (told += 1),
      fault: () => (told += 1),
      progress: () => undefined,
    }
    const done = prober.probe(ALL.map(file), new Set(), listener)
    await prober.close()
    await link.close()
    await done
    const atClose = told
    await new Promise((wake) => setTimeout(wake, 300))
    expect(told).toBe(atClose)
    expect(processesWith(folder, null)).toEqual([])
  })
})

describe('probeFile', () => {
  it('answers for one file, with a reason where it is none', async () => {
    const good = await probeFile(file('t.flac'), false, realTimers())
    expect(good.ok && good.facts.duration).toBe(120_000)
    const bad = await probeFile(file('text.mp3'), false, realTimers())
    expect(!bad.ok && bad.message).toMatch(/^text\.mp3: /)
    const picture = await probeFile(file('picture.png'), false, realTimers())
    expect(picture.ok && picture.facts).toMatchObject({ audio: null, video: null })
  })
})

describe('defaultCacheFile', () => {
  it('obeys XDG_CACHE_HOME where it is absolute', () => {
    expect(defaultCacheFile({ XDG_CACHE_HOME: '/c' })).toBe('/c/cartwall/media-facts.json')
    const relative = defaultCacheFile({ XDG_CACHE_HOME: 'c' })
    expect(relative).toMatch(/\.cache\/cartwall\/media-facts\.json$/)
  })

  it('is in no folder that can be made where there is no home', () => {
    vi.stubEnv('HOME', '')
    expect(defaultCacheFile({})).toMatch(/^\/dev\/null\//)
    vi.unstubAllEnvs()
  })
})
