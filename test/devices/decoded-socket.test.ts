// Decoded sound on its way into the daemon: it makes no garbage that the sound thread has to
// collect, and it comes all the same where no socket can be made.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { realTimers } from '../../src/clock/real.js'
import { DecoderLink } from '../../src/io/media/decoder/decoder-link.js'
import { codedSample, mediaFolder, writeCodedWav } from './media-files.js'
import { processesWith } from './media-processes.js'

const FRAMES = 480_000
const BYTES = FRAMES * 8

const folder = mediaFolder()
const path = join(folder, 'coded.wav')
let link: DecoderLink

const linked = (env: NodeJS.ProcessEnv): void => {
  link = new DecoderLink({ timers: realTimers(), env })
}

const hosts = (): number[] => processesWith('decoder-host', process.pid)

interface Decoded {
  /** Frames that are what the file has there. */
  readonly right: number
  /** Bytes outside the heap that were counted as this thread's at a piece of it, at most. */
  readonly counted: number
}

/** As the heads of many buttons are. */
const kept: Float32Array[] = []

const decode = (background: boolean): Promise<Decoded> => new Promise((settle, reject) => {
  let at = 0
  let right = 0
  let counted = 0
  const request = { path, origin: 0, from: 0, to: FRAMES, until: FRAMES, background }
  link.decode(request, {
    pcm: (left, other) => {
      kept.push(left, other)
      left.forEach((sample, n) => { if (sample === codedSample(at + n)[0]) right += 1 })
      at += left.length
      counted = Math.max(counted, getHeapStatistics().external_memory)
    },
    silence: (count) => { at += count },
    done: () => settle({ right, counted }),
    died: reject,
    failed: reject,
  })
})

beforeAll(() => writeCodedWav(path, FRAMES))
afterEach(async () => {
  vi.unstubAllEnvs()
  await link.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('sound that is kept', () => {
  it('leaves no garbage, where it is an armed head', async () => {
    linked(process.env)
    await link.look(path)
    const before = getHeapStatistics().external_memory
    const { right, counted } = await decode(true)
    expect(right).toBe(FRAMES)
    // Nothing but what is kept, and something for all else.
    expect(counted - before).toBeLessThan(1.3 * BYTES)
  })

  it('leaves no folder behind, whenever the daemon goes or its process is killed', async () => {
    const temporary = join(folder, 'temporary')
    mkdirSync(temporary)
    vi.stubEnv('TMPDIR', temporary)
    for (const isKilled of [false, true]) {
      for (const waitMs of [0, 20, 40, 60, 80, 100, 120, 200, 300]) {
        linked(process.env)
        link.warm()
        await new Promise((wake) => setTimeout(wake, waitMs))
        if (isKilled) for (const pid of hosts()) process.kill(pid, 'SIGKILL')
        await link.close()
        expect([isKilled, waitMs, readdirSync(temporary)]).toEqual([isKilled, waitMs, []])
      }
    }
    linked(process.env)
    await link.look(path)
    await decode(true)
    expect(readdirSync(temporary)).toEqual([])
  })

  it('comes without a folder for temporary files, too', async () => {
    vi.stubEnv('TMPDIR', '/nowhere')
    linked(process.env)
    await link.look(path)
    expect((await decode(false)).right).toBe(FRAMES)
    expect((await decode(true)).right).toBe(FRAMES)
  })
})
