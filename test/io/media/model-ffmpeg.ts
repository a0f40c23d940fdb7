// An ffmpeg as it behaves: writes the ranges that it is told to, each to its pipe, as far as that
// takes them, complains in its own words, and ends, hangs or is killed. A frame tells its number on
// the left, which file it is of on the right.
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Dice } from '../../../sim/scenario/random.js'

const RATE = 48_000
const FRAME_BYTES = 8

export interface ModelFile {
  readonly number: number
  /** Where its sound ends; of one that is mute, its pictures. */
  readonly frames: number
  /** So much more comes out of the decoder than is sound: MP4 fills its last packet. */
  readonly padding: number
  readonly kind: 'sound' | 'mute' | 'changing' | 'damaged'
  /** From where on its format is another one, or it is damaged. */
  readonly place: number
}

export const soundOf = ({ number, frames, padding }: ModelFile): Buffer => {
  const sound = new Float32Array(2 * (frames + padding))
  for (let n = 0; n < frames + padding; n += 1) sound.set([n, number], 2 * n)
  return Buffer.from(sound.buffer)
}

interface Output {
  readonly file: ModelFile
  readonly path: string
  readonly sound: Buffer
  readonly pipe: PassThrough
  /** In bytes of the file. */
  at: number
  readonly to: number
}

export interface Media {
  readonly files: ReadonlyMap<string, ModelFile>
  readonly sounds: ReadonlyMap<string, Buffer>
}

export class ModelFfmpeg extends EventEmitter {
  readonly stdio: (PassThrough | null)[]
  readonly stderr: PassThrough
  readonly stdout: PassThrough | null
  readonly paths: readonly string[]
  isHung = false
  isKilled = false
  /** It ended, and its owner may hear of that. */
  hasExited = false
  #isClosed = false
  #signal: string | null = null
  #code: number | null = null
  readonly #outputs: readonly Output[]
  readonly #goesOn: boolean

  constructor(args: readonly string[], media: Media, private readonly dice: Dice) {
    super()
    this.stderr = new PassThrough()
    const inputs = args.flatMap((arg, n) => arg === '-i' ? [n] : [])
    const single = args.at(-1) === 'pipe:1'
    const pipes = inputs.map(() => new PassThrough())
    this.stdout = single ? pipes[0]! : null
    this.stdio = [null, this.stdout, this.stderr, ...single ? [] : pipes]
    // It is told to begin its filters anew where the format changes.
    this.#goesOn = !args.includes('-reinit_filter')
    const filters = args.filter((_arg, n) => args[n - 1] === '-af')
    this.paths = inputs.map((n) => args[n + 1]!.slice('file:'.length))
    this.#outputs = inputs.map((n, input): Output => {
      const path = this.paths[input]!
      const file = media.files.get(path)!
      const seek = args.lastIndexOf('-ss', n)
      const base = seek > 0 && n - seek < 4 ? RATE * Number(args[seek + 1]) : 0
      const [, start = '0'] = /start_sample=(\d+)/.exec(filters[input]!) ?? []
      const [, end = 'Infinity'] = /end_sample=(\d+)/.exec(filters[input]!) ?? []
      const all = file.frames + file.padding
      return {
        path, file, sound: media.sounds.get(path)!, pipe: pipes[input]!,
        at: FRAME_BYTES * Math.min(all, base + Number(start)),
        to: FRAME_BYTES * Math.min(all, base + Number(end)),
      }
    })
  }

  kill(): void {
    this.isKilled = true
    this.strike()
  }

  /** It is ended by somebody. */
  strike(): void {
    this.#exit(null, 'SIGKILL', '')
  }

  goOn(): void {
    if (this.hasExited) {
      this.#close()
      return
    }
    if (this.isHung) return
    const mute = this.#outputs.findIndex(({ file }) => file.kind === 'mute')
    if (mute >= 0) {
      this.#exit(1, null, `Stream map '${mute}:a:0' matches no streams.\n`)
      return
    }
    for (const [n, output] of this.#outputs.entries()) if (this.#write(n, output)) return
    if (this.#outputs.every(({ at, to }) => at >= to)) this.#exit(0, null, '')
  }

  /** Whether it ended over that. */
  #write(n: number, output: Output): boolean {
    const { file: { kind, place }, path, pipe, sound } = output
    if (this.hasExited) return true
    // A full pipe stops it.
    if (pipe.writableNeedDrain || output.at >= output.to) return false
    const isTroubled = (kind === 'changing' && !this.#goesOn) || kind === 'damaged'
    const most = isTroubled ? Math.min(output.to, place * FRAME_BYTES) : output.to
    const end = Math.min(most, output.at + this.dice.pick([5, 1_000, 8_192, 100_000]))
    if (end > output.at) pipe.write(sound.subarray(output.at, end))
    output.at = Math.max(output.at, end)
    if (output.at < most || most === output.to) return false
    if (kind === 'changing') {
      this.#exit(1, null, `[graph_${n}_in_${n}_0 @ 0x55] Changing audio frame properties on the `
        + 'fly is not supported.\n')
    } else this.#exit(this.dice.pick([0, 1]), null, `file:${path}: Invalid data found\n`)
    return true
  }

  #exit(code: number | null, signal: string | null, complaint: string): void {
    // What it wrote last may have been what it was killed for.
    if (this.hasExited) return
    this.hasExited = true
    this.#code = code
    this.#signal = signal
    this.stderr.end(complaint)
    for (const { pipe } of this.#outputs) pipe.end()
    this.emit('exit', code, signal)
    // Node pulls what is left out of the pipes of a process that ended.
    for (const pipe of this.stdio) pipe?.resume()
  }

  /** Once all of its pipes were read to their ends. */
  #close(): void {
    const isRead = this.stdio.every((pipe) =>
      pipe === null || pipe.readableEnded || pipe.destroyed)
    if (this.#isClosed || !isRead) return
    this.#isClosed = true
    this.emit('close', this.#code, this.#signal)
  }
}
