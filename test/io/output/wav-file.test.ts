// The file of a recording whose disk is too slow: whole up to where it broke off, and no further.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { STEREO_FRAME_BYTES } from '../../../src/engine/ports.js'
import { WavFile } from '../../../src/io/output/wav-file.js'
import { WAV_HEADER_BYTES } from '../../../src/io/output/wav-header.js'

const BLOCK = 100

it('what came behind the gap is no part of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-wav-'))
  const closings: Promise<void>[] = []
  const file: WavFile = await WavFile.create(join(folder, 'take.wav'), new VirtualTimers(0), () => {
    closings.push(file.close())
  })
  // Faster than any disk: nothing else has its turn meanwhile.
  for (let n = 0; closings.length === 0; n += BLOCK) {
    const left = Float32Array.from({ length: BLOCK }, (_, i) => n + i)
    file.append({ left, right: left }, BLOCK)
  }
  await Promise.all(closings)
  const bytes = readFileSync(join(folder, 'take.wav')).subarray(WAV_HEADER_BYTES)
  const frames = bytes.length / STEREO_FRAME_BYTES
  expect(frames).toBeGreaterThan(0)
  const told = Array.from({ length: frames }, (_, n) => bytes.readFloatLE(n * STEREO_FRAME_BYTES))
  expect(told).toEqual(told.map((_, n) => n))
  rmSync(folder, { recursive: true })
})
