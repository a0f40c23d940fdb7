// What the decoding process has decoded it gives back, and does not keep until it decodes again.
import { join } from 'node:path'
import { rmSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { rssMbOf } from '../../bench/memory.js'
import { realTimers } from '../../src/clock/real.js'
import { DecoderLink } from '../../src/io/media/decoder/decoder-link.js'
import { delay } from './daemon-rig.js'
import { mediaFolder, writeCodedWav } from './media-files.js'
import { processesWith } from './media-processes.js'

const folder = mediaFolder()
const link = new DecoderLink({ timers: realTimers(), env: process.env })
afterAll(async () => {
  await link.close()
  rmSync(folder, { recursive: true })
})

/** 29 MB, twice over as it comes and as it goes: V8 would let all of it lie. */
const FRAMES = 48_000 * 80
const KEPT_MB = 24
const WITHIN_MS = 5_000

it('more than a minute that was decoded at once leaves next to nothing behind', async () => {
  const path = join(folder, 'long.wav')
  writeCodedWav(path, FRAMES)
  const others = new Set(processesWith('decoder-host', process.pid))
  await link.look(path)
  const [host] = processesWith('decoder-host', process.pid).filter((pid) => !others.has(pid))
  // It has looked for its ffmpeg by then.
  await link.probe(path)
  const before = rssMbOf(host ?? NaN)
  let frames = 0
  await new Promise<void>((done, fail) => {
    link.decode(
      { path, origin: 0, from: 0, to: null, until: FRAMES, background: false },
      {
        pcm: (left) => (frames += left.length), silence: (count) => (frames += count),
        done: () => { done() }, died: fail, failed: fail,
      },
    )
  })
  expect(frames).toBe(FRAMES)
  const deadline = performance.now() + WITHIN_MS
  const kept = (): number => rssMbOf(host ?? NaN) - before
  while (kept() > KEPT_MB && performance.now() < deadline) await delay(100)
  expect(kept()).toBeLessThan(KEPT_MB)
}, 60_000)
