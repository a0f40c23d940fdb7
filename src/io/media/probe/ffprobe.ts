// Runs one ffprobe over a file: bounded in time and in what it says, ended when the daemon ends.
import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Timers } from '../../../clock/timers.js'
import { Watchdog } from '../../../clock/waiting.js'
import { lowerPriority, startedProcess, wantsProcessor } from '../../programs.js'
import { complaint, INPUT_GUARD, MISSING_FFMPEG } from '../decoder/decoder-args.js'

export type FfprobeAnswer =
  | { readonly ok: true; readonly output: string; readonly errors: string }
  | { readonly ok: false; readonly message: string }

const TIMEOUT_MS = 20_000
const COMPLAINT_BYTES = 4_096

const running = new Set<ChildProcess>()

/** Ends every ffprobe that still runs. */
export const endProbes = (): void => {
  for (const child of running) child.kill('SIGKILL')
}

/** What becomes of its output: so many bytes of it are kept, or it is handed on as it comes. */
export type FfprobeOutput = number | ((text: string) => void)

/**
 * Never rejects, and settles at the deadline though the process stays: one that waits for a disk
 * does not die before that answers.
 */
export const askFfprobe = (
  path: string, args: readonly string[], takes: FfprobeOutput, background: boolean, timers: Timers,
): Promise<FfprobeAnswer> =>
  new Promise((settle) => {
    const file = resolve(path)
    const all = [...INPUT_GUARD, ...args, `file:${file}`]
    const child = startedProcess(() => spawn('ffprobe', all, {
      stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true,
    }))
    running.add(child)
    let output = ''
    let errors = ''
    const end = (answer: FfprobeAnswer): void => {
      deadline.stop()
      running.delete(child)
      settle(answer)
    }
    const deadline = new Watchdog(timers, TIMEOUT_MS, () => {
      errors ||= `file:${file}: not read to its end in ${String(TIMEOUT_MS / 1_000)} s`
      child.kill('SIGKILL')
      // A program behind a wrapper may hold them for ever.
      for (const pipe of child.stdio) pipe?.destroy()
      end({ ok: false, message: complaint(errors, file) })
    }, () => background && wantsProcessor(child))
    if (background) lowerPriority(child)
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (typeof takes === 'function') takes(text)
      else if (output.length < takes) output += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (errors.length < COMPLAINT_BYTES) errors += text
    })
    child.on('error', (error: NodeJS.ErrnoException) => {
      const message = error.code === 'ENOENT' ? MISSING_FFMPEG : `ffprobe: ${error.message}`
      end({ ok: false, message })
    })
    child.on('close', (code) => {
      if (code === 0) end({ ok: true, output, errors })
      else end({ ok: false, message: complaint(errors, file) })
    })
  })
