// The waveform of a file over an ffmpeg that does what a test wants: whole, or none.
import { EventEmitter } from 'node:events'
import type * as childProcess from 'node:child_process'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import type { Seeking } from '../../../src/io/media/look/seeking.js'
import { WaveDecode, type NoWave } from '../../../src/io/waves/wave-decode.js'
import { SAMPLES_PER_PIXEL } from '../../../src/io/waves/wave-peaks.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

class Ffmpeg extends EventEmitter {
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly stdio = [null, this.stdout, this.stderr]
  /** It waits in the kernel for a disk that does not answer. */
  isStuck = false

  constructor(readonly file: string, readonly args: readonly string[]) {
    super()
  }

  /** It is gone at once, as by SIGKILL. */
  kill(): void {
    if (!this.isStuck) this.emit('close', null)
  }

  async end(code: number | null, complaint = ''): Promise<void> {
    this.stderr.end(complaint)
    await turns()
    this.emit('close', code)
    await turns()
  }
}

const running: Ffmpeg[] = []
vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof childProcess>()),
  spawn: (file: string, args: readonly string[]) => {
    const ffmpeg = new Ffmpeg(file, args)
    running.push(ffmpeg)
    return ffmpeg
  },
}))

vi.mock('prism-media', () => ({
  default: { FFmpeg: { getInfo: () => ({ command: '/app/ffmpeg-static', version: '6.1.1' }) } },
}))

const turns = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await new Promise((turn) => setImmediate(turn))
}

let timers: VirtualTimers
let decode: WaveDecode
const begin = (holds = false, seeking: Seeking = 'exact'): void => {
  decode = new WaveDecode('/media/bed.flac', seeking, timers, holds)
}
beforeEach(() => {
  running.length = 0
  timers = new VirtualTimers(0)
})

/** So many pixels, each as loud as a number says, of 127. */
const sound = (...sizes: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(sizes.length * SAMPLES_PER_PIXEL * 8)
  sizes.forEach((size, pixel) => {
    for (let n = 0; n < 2 * SAMPLES_PER_PIXEL; n += 1) {
      bytes.writeFloatLE(size / 127, 4 * (2 * SAMPLES_PER_PIXEL * pixel + n))
    }
  })
  return bytes
}

/** The loudest of each pixel; or why there is no waveform. */
const told = async (): Promise<readonly number[] | NoWave> => {
  const dat = await decode.dat
  return typeof dat === 'string' ? dat
    : Array.from({ length: dat.readUInt32LE(16) }, (_, n) => dat.readInt8(24 + 4 * n + 1))
}

describe('a waveform', () => {
  it('is of the whole file, however its bytes are cut', async () => {
    begin()
    const bytes = sound(1, 20, 127)
    for (const [from, to] of [[0, 3], [3, 2_049], [2_049, 2_050], [2_050, 6_144]]) {
      running[0]!.stdout.write(bytes.subarray(from, to))
      await turns()
    }
    await running[0]!.end(0)
    expect(await told()).toEqual([1, 20, 127])
    // The one that plays it: an app may have brought its own.
    expect(running[0]!.file).toBe('/app/ffmpeg-static')
    expect(running[0]!.args.join(' ')).toMatch(/-i file:\/media\/bed\.flac .*pipe:1$/)
  })

  it('is where a listener has it: sound that is later than its pictures is drawn later', () => {
    begin(false, 'with-pictures')
    const args = running[0]!.args.join(' ')
    expect(args).toContain('-discard:v none -i file:')
    expect(args).toContain('-map 0:v? -c copy -f null -')
  })

  it.each([
    ['none', 'ffmpeg complains and ends', (one: Ffmpeg) => one.end(1, 'Invalid data\n')],
    ['away', 'ffmpeg was killed', (one: Ffmpeg) => one.end(null)],
    ['away', 'it could not be started', (one: Ffmpeg) => one.emit('error', new Error('EAGAIN'))],
    ['away', 'it is not wanted any more', () => decode.cancel()],
  ])('is %s where %s', async (without, _what, end) => {
    begin()
    running[0]!.stdout.write(sound(1, 2, 3))
    await turns()
    await end(running[0]!)
    expect(await told()).toBe(without)
  })

  it('of a file whose format changes begins anew, once, with all of it', async () => {
    begin()
    running[0]!.stdout.write(Buffer.concat([sound(1, 2), Buffer.alloc(3, 1)]))
    await turns()
    await running[0]!.end(1, 'Changing audio frame properties on the fly is not supported\n')
    expect(running).toHaveLength(2)
    expect(running[1]!.args.join(' ')).not.toContain('reinit_filter')
    running[1]!.stdout.write(sound(5, 6, 7))
    await turns()
    await running[1]!.end(0)
    expect(await told()).toEqual([5, 6, 7])
  })
})

describe('a decoder that gives nothing', () => {
  it('for ten seconds is ended; one that gives something is waited for', async () => {
    begin()
    for (let n = 0; n < 5; n += 1) {
      timers.pass(9_000)
      running[0]!.stdout.write(sound(n))
      await turns()
    }
    timers.pass(9_999)
    let isOver = false
    void decode.dat.then(() => (isOver = true))
    await turns()
    expect(isOver).toBe(false)
    timers.pass(1)
    expect(await told()).toBe('away')
  })

  it('and does not even die is given up', async () => {
    begin()
    running[0]!.isStuck = true
    timers.pass(10_000)
    expect(await told()).toBe('away')
  })

  it('since it is held is left alone, for as long as that is', async () => {
    begin(true)
    running[0]!.stdout.write(sound(3))
    timers.pass(600_000)
    await turns()
    expect(running[0]!.stdout.readableLength).toBeGreaterThan(0)
    decode.hold(false)
    await turns()
    expect(running[0]!.stdout.readableLength).toBe(0)
    // From here on it has ten seconds again.
    timers.pass(9_999)
    decode.hold(true)
    timers.pass(60_000)
    decode.hold(false)
    timers.pass(9_000)
    running[0]!.stdout.write(sound(4))
    await turns()
    await running[0]!.end(0)
    expect(await told()).toEqual([3, 4])
  })

  it('is held from the first also where it was started anew', async () => {
    begin()
    running[0]!.stdout.write(sound(1))
    await turns()
    decode.hold(true)
    await running[0]!.end(1, 'Changing audio frame properties on the fly is not supported\n')
    running[1]!.stdout.write(sound(8))
    await turns()
    expect(running[1]!.stdout.readableLength).toBeGreaterThan(0)
    decode.hold(false)
    await turns()
    await running[1]!.end(0)
    expect(await told()).toEqual([8])
  })
})
