// The output that records: every frame, in a WAV that is whole at any time.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { realTimers } from '../../src/clock/real.js'
import { wavHeader } from '../../src/io/output/wav-header.js'
import { WavOutput } from '../../src/io/output/wav-output.js'
import { coded, CountingRenderer, delay, Journal } from './output-sound.js'
import { until } from './pulse.js'

let folder = ''

beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'cartwall-wav-')) })
afterEach(() => { rmSync(folder, { recursive: true, force: true }) })

const samples = (wav: Buffer): number[] =>
  Array.from({ length: (wav.length - 92) / 8 }, (_, n) => wav.readFloatLE(92 + 8 * n))

describe('the WAV output', () => {
  it('records every frame from the first one on, silence included', async () => {
    const renderer = new CountingRenderer()
    const path = join(folder, 'take.wav')
    const output = new WavOutput(renderer, path, realTimers())
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
    const output = new WavOutput(new CountingRenderer(), path, realTimers())
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
    const output = new WavOutput(new CountingRenderer(), path, realTimers())
    output.start(journal)
    expect(await until(() => journal.events.length === 1, 3_000)).toBe(true)
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
