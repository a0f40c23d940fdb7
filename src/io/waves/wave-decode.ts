// Decodes a file from its beginning to its end, as the engine counts its frames, into its peaks.
import type { ChildProcess } from 'node:child_process'
import type { Timers } from '../../clock/timers.js'
import { Watchdog } from '../../clock/waiting.js'
import { STEREO_FRAME_BYTES } from '../../engine/ports.js'
import {
  changingArgs, decodeArgs, FORMAT_CHANGED, type Range,
} from '../media/decoder/decoder-args.js'
import { startFfmpeg } from '../media/decoder/ffmpeg-process.js'
import { samplesOf } from '../media/decoder/pcm.js'
import { wantsProcessor } from '../programs.js'
import { PeakFold, SAMPLES_PER_PIXEL } from './wave-peaks.js'

/** Six hours; what is longer has no waveform. */
const PIXELS_MAX = Math.floor((6 * 3_600 * 48_000) / SAMPLES_PER_PIXEL)
/** A decoder that gives nothing for so long hangs, unless it is held. */
const PATIENCE_MS = 10_000

export class WaveDecode {
  /** The whole .dat; null where there is no sound, or not all of it could be decoded. */
  readonly dat: Promise<Buffer | null>
  readonly #range: Range
  #child: ChildProcess
  #tell: (isWhole: boolean) => void = () => undefined
  #fold = new PeakFold(PIXELS_MAX)
  #watchdog: Watchdog
  /** The sound changes its format on the way; known once ffmpeg ended there. */
  #isChanging = false
  #rest: Buffer = Buffer.alloc(0)
  #holds: boolean

  constructor(path: string, private readonly timers: Timers, holds: boolean) {
    this.#holds = holds
    this.#range = { path, origin: 0, from: 0, to: null, seeking: 'exact' }
    this.#child = this.#start(decodeArgs(this.#range))
    this.#watchdog = this.#watch()
    this.dat = new Promise((settle) => {
      this.#tell = (isWhole) => {
        this.#watchdog.stop()
        settle(isWhole ? this.#fold.end() : null)
      }
    })
    this.#whenOver()
  }

  /** A full pipe stops ffmpeg, too. */
  hold(holds: boolean): void {
    this.#holds = holds
    this.#watchdog.feed()
    if (holds) this.#child.stdout?.pause()
    else this.#child.stdout?.resume()
  }

  cancel(): void {
    this.#child.kill('SIGKILL')
  }

  #start(args: readonly string[]): ChildProcess {
    const child = startFfmpeg(args)
    child.stdout?.on('data', (bytes: Buffer) => this.#take(bytes))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#isChanging ||= FORMAT_CHANGED.test(text)
    })
    if (this.#holds) child.stdout?.pause()
    return child
  }

  /** Where the format changed it is decoded once more, from its beginning, as for a listener. */
  #whenOver(): void {
    const wasChanging = this.#isChanging
    this.#child.on('error', () => this.#tell(false))
    this.#child.on('close', (code) => {
      if (wasChanging || !this.#isChanging || code === null) {
        this.#tell(code === 0)
        return
      }
      this.#fold = new PeakFold(PIXELS_MAX)
      this.#rest = Buffer.alloc(0)
      this.#child = this.#start(changingArgs(this.#range))
      this.#whenOver()
    })
  }

  #watch(): Watchdog {
    return new Watchdog(this.timers, PATIENCE_MS, () => {
      if (this.#holds) this.#watchdog = this.#watch()
      else {
        this.cancel()
        // One that waits for a disk does not die before that answers.
        this.#tell(false)
      }
    }, () => wantsProcessor(this.#child))
  }

  #take(bytes: Buffer): void {
    this.#watchdog.feed()
    const whole = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const used = whole.length - (whole.length % STEREO_FRAME_BYTES)
    this.#rest = whole.subarray(used)
    if (!this.#fold.add(samplesOf(whole.subarray(0, used)))) this.cancel()
  }
}
