// The outputs without a device: paced in real time, woken at once, and a WAV that is whole.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NullOutput } from '../../src/io/output/null-output.js'
import { wavHeader } from '../../src/io/output/wav-header.js'
import { WavOutput } from '../../src/io/output/wav-output.js'
import { coded, CountingRenderer, delay, Journal } from './output-sound.js'
import { until } from './pulse.js'

let folder = ''

beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'cartwall-wav-')) })
afterEach(() => { rmSync(folder, { recursive: true, force: true }) })

const samples = (wav: Buffer): number[] =>
  Array.from({ length: (wav.length - 92) / 8 }, (_, n) => wav.readFloatLE(92 + 8 * n))

describe('the null output', () => {
  it('moves the engine in real time, in small blocks', async () => {
    const renderer = new CountingRenderer()
    const journal = new Journal()
    const output = new NullOutput(renderer)
    const began = performance.now()
    output.start(journal)
    expect(journal.kinds()).toEqual([])
    await delay(1_000)
    await output.stop()
    const expected = (performance.now() - began) * 48
    expect(Math.abs(renderer.rendered - expected)).toBeLessThan(48 * 40)
    expect(renderer.largest).toBeLessThanOrEqual(128)
    expect(journal.kinds()).toEqual(['back'])
    const frames = renderer.rendered
    await delay(50)
    expect(renderer.rendered).toBe(frames)
  })

  it('meets a wake at once and is not driven ahead by many of them', async () => {
    const renderer = new CountingRenderer()
    const output = new NullOutput(renderer)
    output.start(new Journal())
    const began = performance.now()
    output.wake()
    expect(renderer.rendered).toBeGreaterThan(0)
    while (performance.now() - began < 200) output.wake()
    expect(renderer.rendered).toBeLessThanOrEqual((performance.now() - began) * 48 + 100)
    await output.stop()
  })

  it('goes on from now after a long stall instead of catching up', async () => {
    const renderer = new CountingRenderer()
    const journal = new Journal()
    const output = new NullOutput(renderer)
    output.start(journal)
    await delay(50)
    const end = performance.now() + 1_300
    while (performance.now() < end);
    await delay(50)
    await output.stop()
    expect(renderer.rendered).toBeLessThan(48 * 500)
    expect(output.stats().rebases).toBe(1)
    expect(journal.notices).toHaveLength(1)
  })
})

describe('the WAV output', () => {
  it('records every frame from the first one on, silence included', async () => {
    const renderer = new CountingRenderer()
    const path = join(folder, 'take.wav')
    const output = new WavOutput(renderer, path)
    renderer.on = true
    output.start(new Journal())
    await delay(500)
    renderer.on = false
    await delay(200)
    await output.stop()
    const wav = readFileSync(path)
    const heard = samples(wav)
    expect(heard.length).toBe(renderer.rendered)
    expect(wav.subarray(0, 92)).toEqual(wavHeader(renderer.rendered))
    for (let n = 0; n < heard.length; n += 1) {
      const expected = n < renderer.sounded ? coded(n + 1) : 0
      if (heard[n] !== expected) throw new Error(`frame ${String(n)}`)
    }
    expect(Math.abs(heard.length - 48 * 700)).toBeLessThan(48 * 60)
  })

  it('is a valid file while it grows', async () => {
    const path = join(folder, 'growing.wav')
    const output = new WavOutput(new CountingRenderer(), path)
    output.start(new Journal())
    await delay(2_600)
    const wav = readFileSync(path)
    expect(wav.readUInt32LE(88)).toBeGreaterThan(8 * 48_000)
    expect(wav.readUInt32LE(88)).toBeLessThanOrEqual(wav.length - 92)
    await output.stop()
  })

  it('is lost where it cannot write, and begins when it can', async () => {
    const journal = new Journal()
    const path = join(folder, 'later', 'take.wav')
    const output = new WavOutput(new CountingRenderer(), path)
    output.start(journal)
    expect(await until(() => journal.events.length === 1, 1_000)).toBe(true)
    expect(journal.kinds()).toEqual(['lost'])
    mkdirSync(join(folder, 'later'))
    expect(await until(() => journal.events.length === 2, 2_000)).toBe(true)
    await delay(100)
    await output.stop()
    expect(samples(readFileSync(path)).length).toBeGreaterThan(1_000)
  })

  it('becomes RF64 beyond 4 GB', () => {
    const small = wavHeader(48_000)
    expect(small.toString('latin1', 0, 4)).toBe('RIFF')
    expect(small.readUInt32LE(88)).toBe(384_000)
    const frames = 2 ** 30
    const large = wavHeader(frames)
    expect(large.toString('latin1', 0, 16)).toBe('RF64\xff\xff\xff\xffWAVEds64')
    expect(large.readBigUInt64LE(28)).toBe(BigInt(frames) * 8n)
    expect(large.readBigUInt64LE(36)).toBe(BigInt(frames))
  })
})
