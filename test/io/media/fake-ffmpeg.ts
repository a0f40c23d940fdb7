// An ffmpeg that does what a test wants, in place of the one that would be started.
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'

export const turns = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await new Promise((turn) => setImmediate(turn))
}

/** Its pipes, and how it was called. */
export class Ffmpeg extends EventEmitter {
  readonly stdio = []
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  isKilled = false

  constructor(readonly args: readonly string[]) {
    super()
  }

  kill(): void {
    this.isKilled = true
  }

  /** Writes so many frames, each of its number. */
  write(from: number, count: number): void {
    const bytes = Buffer.alloc(8 * count)
    for (let n = 0; n < count; n += 1) {
      bytes.writeFloatLE(from + n, 8 * n)
      bytes.writeFloatLE(-(from + n), 8 * n + 4)
    }
    this.stdout.write(bytes)
  }

  async end(code: number | null, complaint = '', signal: string | null = null): Promise<void> {
    this.stderr.end(complaint)
    this.emit('exit', code, signal)
    this.stdout.end()
    await turns()
    this.emit('close', code, signal)
    await turns()
  }
}

/** All that were started since the test began. */
export const running: Ffmpeg[] = []

/** Stands for ffmpeg-process. */
export const ffmpegProcess = {
  ffmpegMajor: (): number | null => null,
  startFfmpeg: (args: readonly string[]): Ffmpeg => {
    const ffmpeg = new Ffmpeg(args)
    running.push(ffmpeg)
    return ffmpeg
  },
}
