// Decodes a file from its beginning to its end, as the engine counts its frames, into its peaks.
import type { Timers } from '../../clock/timers.js'
import { Watchdog } from '../../clock/waiting.js'
import { changingArgs, decodeArgs, type Range } from '../media/decoder/decoder-args.js'
import { FfmpegOutput } from '../media/decoder/ffmpeg-output.js'
import { ffmpegMajor } from '../media/decoder/ffmpeg-process.js'
import { samplesOf, WholeFrames } from '../media/decoder/pcm.js'
import type { Seeking } from '../media/look/seeking.js'
import { PeakFold, SAMPLES_PER_PIXEL } from './wave-peaks.js'

/** Six hours; what is longer has no waveform. */
const PIXELS_MAX = Math.floor((6 * 3_600 * 48_000) / SAMPLES_PER_PIXEL)
/** A decoder that gives nothing for so long hangs, unless it is held. */
const PATIENCE_MS = 10_000

/**
 * Why a file has no waveform: it has no sound, is damaged or too long (`none`); or its decoder was
 * killed, hung or could not be started, e.g. for want of memory: another time it has one (`away`).
 */
export type NoWave = 'none' | 'away'

export class WaveDecode {
  /** The whole .dat. */
  readonly dat: Promise<Buffer | NoWave>
  readonly #range: Range
  #output: FfmpegOutput
  #tell: (without: NoWave | null) => void = () => undefined
  #fold = new PeakFold(PIXELS_MAX)
  #frames = new WholeFrames()
  #watchdog: Watchdog
  #isAnew = false
  #holds: boolean

  constructor(path: string, seeking: Seeking, private readonly timers: Timers, holds: boolean) {
    this.#holds = holds
    this.#range = { path, origin: 0, from: 0, to: null, seeking }
    this.dat = new Promise((settle) => {
      this.#tell = (without) => {
        this.#watchdog.stop()
        settle(without ?? this.#fold.end() ?? 'none')
      }
    })
    this.#watchdog = this.#watch()
    this.#output = this.#start(decodeArgs(this.#range, ffmpegMajor()))
  }

  /** A full pipe stops ffmpeg, too. */
  hold(holds: boolean): void {
    this.#holds = holds
    this.#watchdog.feed()
    if (holds) this.#output.hold()
    else this.#output.resume()
  }

  cancel(without: NoWave = 'away'): void {
    this.#tell(without)
    this.#output.kill()
  }

  #start(args: readonly string[]): FfmpegOutput {
    const output = new FfmpegOutput(args, {
      took: (bytes) => this.#take(bytes),
      closed: (code) => this.#closed(code),
      failed: () => this.#tell('away'),
    })
    output.open()
    if (this.#holds) output.hold()
    return output
  }

  /** Where the format changed it is decoded once more, from its beginning, as for a listener. */
  #closed(code: number | null): void {
    if (code === null) return this.#tell('away')
    if (this.#isAnew || !this.#output.hasFormatChanged) {
      return this.#tell(code === 0 ? null : 'none')
    }
    this.#isAnew = true
    this.#fold = new PeakFold(PIXELS_MAX)
    this.#frames = new WholeFrames()
    this.#output = this.#start(changingArgs(this.#range, ffmpegMajor()))
  }

  #watch(): Watchdog {
    return new Watchdog(this.timers, PATIENCE_MS, () => {
      if (this.#holds) this.#watchdog = this.#watch()
      // One that waits for a disk does not die before that answers.
      else this.cancel()
    }, () => this.#output.wantsProcessor)
  }

  #take(bytes: Buffer): void {
    this.#watchdog.feed()
    if (!this.#fold.add(samplesOf(this.#frames.add(bytes)))) this.cancel('none')
  }
}
