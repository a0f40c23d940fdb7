// One ffmpeg that decodes to its stdout, and what comes of it, in order: bytes, then how it ended.
import type { ChildProcess } from 'node:child_process'
import { lowerPriority, wantsProcessor } from '../../programs.js'
import { FORMAT_CHANGED, MISSING_FFMPEG } from './decoder-args.js'
import { startFfmpeg } from './ffmpeg-process.js'

const COMPLAINT_BYTES = 4_096

/** Who takes the output of one ffmpeg; nothing is told before it was opened, nor once killed. */
export interface OutputListener {
  took(bytes: Buffer): void
  /** It ended, and all its output was taken. @param code null where it was killed */
  closed(code: number | null, signal: NodeJS.Signals | null): void
  /** It could not be started, told at once. */
  failed(message: string): void
}

export class FfmpegOutput {
  readonly #child: ChildProcess
  readonly #listener: OutputListener
  #complaints = ''
  #hasFormatChanged = false
  #isOpen = false
  #isKilled = false
  /** What it left in the pipe is little: taken at once, it tells the end as soon as can be. */
  #hasExited = false
  /** What came, and how it ended, before it was opened. */
  #early: Buffer[] = []
  #closedEarly: (() => void) | null = null

  constructor(args: readonly string[], listener: OutputListener) {
    this.#listener = listener
    this.#child = startFfmpeg(args)
    this.#child.stdout?.pause()
    this.#hear()
  }

  /** What it complained of so far, in its own words. */
  get complaints(): string {
    return this.#complaints
  }

  /** The sound changed its format on the way, e.g. from stereo to mono: ffmpeg ends there. */
  get hasFormatChanged(): boolean {
    return this.#hasFormatChanged
  }

  /** It is late by no fault of its own: it could work, if it had a processor. */
  get wantsProcessor(): boolean {
    return wantsProcessor(this.#child)
  }

  lowerPriority(): void {
    lowerPriority(this.#child)
  }

  /** From here on its output is taken. */
  open(): void {
    this.#isOpen = true
    this.resume()
    for (const bytes of this.#early.splice(0)) this.#listener.took(bytes)
    this.#closedEarly?.()
  }

  /** A full pipe stops ffmpeg, too. */
  hold(): void {
    if (!this.#hasExited) this.#child.stdout?.pause()
  }

  resume(): void {
    if (this.#isOpen) this.#child.stdout?.resume()
  }

  kill(): void {
    this.#isKilled = true
    this.#early = []
    this.#closedEarly = null
    this.#child.kill('SIGKILL')
    this.#child.stdout?.destroy()
  }

  #hear(): void {
    const child = this.#child
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (this.#complaints.length < COMPLAINT_BYTES) this.#complaints += text
      this.#hasFormatChanged ||= FORMAT_CHANGED.test(text)
    })
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (this.#isKilled) return
      const isMissing = error.code === 'ENOENT'
      this.#listener.failed(isMissing ? MISSING_FFMPEG : `ffmpeg: ${error.message}`)
    })
    // Node pulls what is left out of the pipe of a process that ended, opened or not: a short sound
    // may all come that way, before its container has said where it ends.
    child.stdout?.on('data', (bytes: Buffer) => {
      if (this.#isKilled) return
      if (this.#isOpen) this.#listener.took(bytes)
      else this.#early.push(bytes)
    })
    child.on('exit', () => {
      this.#hasExited = true
      this.resume()
    })
    child.on('close', (code, signal) => {
      const tell = (): void => {
        if (!this.#isKilled) this.#listener.closed(code, signal)
      }
      if (this.#isOpen) tell()
      else this.#closedEarly = tell
    })
  }
}
