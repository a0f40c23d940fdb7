// Waveforms of real files, made by a process of their own and kept for the next start.
import {
  readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { realTimers } from '../../src/clock/real.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { WAVE_COLUMNS } from '../../src/contract/waves.js'
import { WaveCache } from '../../src/io/waves/wave-cache.js'
import { WaveDecode } from '../../src/io/waves/wave-decode.js'
import { ForkedWaveLink } from '../../src/io/waves/wave-link.js'
import type { WaveAnswer, WaveRange } from '../../src/io/waves/wave-messages.js'
import { convert, mediaFolder, writePicture, writeVideo } from './media-files.js'
import { processesWith } from './media-processes.js'
import { WAV_HEAD_BYTES, wavHead, type WavFormat } from './wav-head.js'

const folder = mediaFolder()
const kept = join(folder, 'waves')
const file = (name: string): string => join(folder, name)
const SECOND = 48_000
const ALL: WaveRange = { from: 0, to: null }
let link: ForkedWaveLink

const SAMPLE_BYTES = 2
const MONO: WavFormat = {
  kind: 'integers', sampleBytes: SAMPLE_BYTES, channels: 1, rate: SECOND,
}

/** Ten seconds; in each the next tenth of full scale, so that its waveform is ten steps. */
const writeSteps = (path: string): void => {
  const samples = Buffer.alloc(10 * SECOND * SAMPLE_BYTES)
  for (let n = 0; n < 10 * SECOND; n += 1) {
    const size = ((Math.floor(n / SECOND) + 1) / 10) * 32_767
    samples.writeInt16LE(Math.round(Math.sin(n / 8) * size), n * SAMPLE_BYTES)
  }
  writeFileSync(path, Buffer.concat([wavHead(MONO, 10 * SECOND), samples]))
}

/** Hours of silence that take no room: its decoder is at work when it is looked for. */
const writeHours = (path: string): void => {
  const frames = 5 * 3_600 * SECOND
  writeFileSync(path, wavHead(MONO, frames))
  truncateSync(path, WAV_HEAD_BYTES + frames * SAMPLE_BYTES)
}

beforeAll(() => {
  writeSteps(file('steps.wav'))
  convert(file('steps.wav'), file('steps.mp3'), ['-b:a', '192k'])
  writeVideo(file('mute.mp4'), 1, null)
  writePicture(file('still.png'))
  writeFileSync(file('damaged.wav'), 'RIFF, it says')
  link = linkOf()
})

const linkOf = (): ForkedWaveLink =>
  new ForkedWaveLink({ timers: realTimers(), folder: kept, env: process.env })

afterEach(() => link.rest())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ask = (name: string, makes: boolean, ranges = [ALL]): Promise<WaveAnswer> =>
  link.ask({ path: file(name), makes, ranges, picturesEnd: 0 })

/** Asked for once more where nobody knows for now, as a daemon does: a busy machine is that. */
const known = async (name: string, ranges = [ALL]): Promise<WaveAnswer> => {
  const answer = await ask(name, true, ranges)
  return answer.kind === 'away' ? ask(name, true, ranges) : answer
}

const wave = async (
  name: string, ranges = [ALL],
): Promise<Extract<WaveAnswer, { kind: 'wave' }> & { readonly key: string }> => {
  const answer = await known(name, ranges)
  if (answer.kind !== 'wave') throw new Error(`${name}: ${answer.kind}`)
  const { key } = answer
  if (key === null) throw new Error(`${name} is not kept`)
  return { ...answer, key }
}

/** Of each second of the steps, from the middle of its columns. */
const steps = (peaks: Uint8Array | undefined, seconds: number): readonly number[] =>
  Array.from({ length: seconds }, (_each, n) => {
    const column = Math.floor(((n + 0.5) / seconds) * WAVE_COLUMNS)
    return Math.round((peaks?.[column] ?? 0) / 25.5)
  })

describe('a waveform', () => {
  it.each(['steps.wav', 'steps.mp3'])('%s is as loud as the file, part for part', async (name) => {
    const { key, peaks } = await wave(name, [ALL, { from: 3 * SECOND, to: 7 * SECOND }])
    expect(steps(peaks[0], 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(steps(peaks[1], 4)).toEqual([4, 5, 6, 7])
    const dat = await new WaveCache(kept).read(key)
    // Whole pixels: ten seconds are 1875 of 256 samples.
    expect(dat?.readUInt32LE(16)).toBeGreaterThanOrEqual(1_875)
    expect(dat?.readUInt32LE(16)).toBeLessThan(1_890)
  })

  it('of a file whose format changes on the way is as long as it is', async () => {
    const twice = ['-b:a', '192k', '-af', 'pan=stereo|c0=c0|c1=c0']
    convert(file('steps.wav'), file('stereo.mp3'), twice)
    const both = ['steps.mp3', 'stereo.mp3'].map((name) => readFileSync(file(name)))
    writeFileSync(file('changing.mp3'), Buffer.concat(both))
    const { peaks } = await wave('changing.mp3')
    const tenths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    expect(steps(peaks[0], 20)).toEqual([...tenths, ...tenths])
  })

  it('is kept for the next start, by what the file is', async () => {
    const { key, peaks } = await wave('steps.wav')
    await link.rest()
    const again = await ask('steps.wav', false)
    expect(again).toEqual({ kind: 'wave', key, peaks })
    const { mtimeMs } = statSync(file('steps.wav'))
    utimesSync(file('steps.wav'), mtimeMs / 1e3, mtimeMs / 1e3 + 5)
    expect(await ask('steps.wav', false)).toEqual({ kind: 'unmade' })
    expect((await wave('steps.wav')).key).not.toBe(key)
  })

  it('that is damaged where it is kept is made anew', async () => {
    const { key, peaks } = await wave('steps.wav')
    truncateSync(join(kept, `${key}.dat`), 100)
    expect(await ask('steps.wav', false)).toEqual({ kind: 'unmade' })
    expect((await wave('steps.wav')).peaks).toEqual(peaks)
    expect(readdirSync(kept).filter((name) => !name.endsWith('.dat'))).toEqual([])
  })

  it('that was held back for a minute is made all the same', async () => {
    const timers = new VirtualTimers(0)
    const decode = new WaveDecode(file('steps.wav'), 'exact', timers, true)
    for (let second = 0; second < 60; second += 1) timers.pass(1_000)
    decode.hold(false)
    const dat = await decode.dat
    expect(typeof dat === 'string' ? dat : dat.readUInt32LE(16)).toBe(1_875)
  })

  it.each(['gone.wav', 'damaged.wav', 'mute.mp4', 'still.png'])('of %s is none', async (name) => {
    expect(await known(name)).toEqual({ kind: 'none' })
  })
})

describe('its process', () => {
  it('has the lowest priority, and is gone after a rest, with its ffmpeg', async () => {
    writeHours(file('hours.wav'))
    const asked = ask('hours.wav', true)
    await expect.poll(() => processesWith('hours.wav', null).length, { timeout: 10_000 }).toBe(1)
    const [ffmpeg = 0] = processesWith('hours.wav', null)
    expect(niceOf(ffmpeg)).toBe(19)
    link.hold(true)
    await link.rest()
    expect(await asked).toEqual({ kind: 'away' })
    await expect.poll(() => processesWith('hours.wav', null), { timeout: 10_000 }).toEqual([])
    await expect.poll(() => processesWith('wave-host', process.pid)).toEqual([])
  })
})

const niceOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}
