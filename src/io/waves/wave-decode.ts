// Decodes a file from its beginning to its end, as the engine counts its frames, into its peaks.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Timers } from '../../clock/timers.js'
import { Watchdog } from '../../clock/waiting.js'
import { STEREO_FRAME_BYTES } from '../../engine/ports.js'
import { decodeArgs } from '../media/decoder/decoder-args.js'
import { samplesOf } from '../media/decoder/pcm.js'
import { PeakFold, SAMPLES_PER_PIXEL } from './wave-peaks.js'

/** Six hours; what is longer has no waveform. */
const PIXELS_MAX = Math.floor((6 * 3_600 * 48_000) / SAMPLES_PER_PIXEL)
/** A decoder that gives nothing for so long hangs, unless it is held. */
const PATIENCE_MS = 10_000

export class WaveDecode {
  /** The whole .dat; null where there is no sound, or not all of it could be decoded. */
  readonly dat: Promise<Buffer | null>
  readonly #child: ChildProcessByStdio<null, Readable, null>
  readonly #fold = new PeakFold(PIXELS_MAX)
  #watchdog: Watchdog
  #rest: Buffer = Buffer.alloc(0)
  #holds: boolean

  constructor(path: string, private readonly timers: Timers, holds: boolean) {
    this.#holds = holds
    const args = [...decodeArgs({ path, origin: 0, from: 0, to: null, seeking: 'exact' }), 'pipe:1']
    const child = spawn('ffmpeg', args, { stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true })
    this.#child = child
    this.#watchdog = this.#watch()
    this.dat = new Promise((settle) => {
      const end = (dat: Buffer | null): void => {
        this.#watchdog.stop()
        settle(dat)
      }
      child.on('error', () => end(null))
      child.on('close', (code) => end(code === 0 ? this.#fold.end() : null))
    })
    child.stdout.on('data', (bytes: Buffer) => this.#take(bytes))
    if (holds) child.stdout.pause()
  }

  /** A full pipe stops ffmpeg, too. */
  hold(holds: boolean): void {
    this.#holds = holds
    this.#watchdog.feed()
    if (holds) this.#child.stdout.pause()
    else this.#child.stdout.resume()
  }

  cancel(): void {
    this.#child.kill('SIGKILL')
  }

  #watch(): Watchdog {
    return new Watchdog(this.timers, PATIENCE_MS, () => {
      if (this.#holds) this.#watchdog = this.#watch()
      else this.cancel()
    })
  }

  #take(bytes: Buffer): void {
    this.#watchdog.feed()
    const whole = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const used = whole.length - (whole.length % STEREO_FRAME_BYTES)
    this.#rest = whole.subarray(used)
    if (!this.#fold.add(samplesOf(whole.subarray(0, used)))) this.cancel()
  }
}
