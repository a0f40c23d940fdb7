// What `audio.device` may name: the PCMs that ALSA knows, asked of the addon in its own process.
import { execFile, type ExecFileException } from 'node:child_process'
import { speakerEnvironment, speakerProgram } from './speaker-child.js'

export interface SoundDevice {
  readonly name: string
  readonly description: string
}

const DEADLINE_MS = 10_000
const ANSWER_BYTES = 1 << 20

export type DevicesAnswer =
  /** None where there is no ALSA, or nothing to play on. */
  | { readonly ok: true; readonly devices: readonly SoundDevice[] }
  | { readonly ok: false; readonly message: string }

/** Never throws: without the addon it says so, and what to do. */
export const listDevices = (): Promise<DevicesAnswer> =>
  new Promise((resolve) => {
    const options = {
      timeout: DEADLINE_MS, maxBuffer: ANSWER_BYTES, env: speakerEnvironment(null),
      killSignal: 'SIGKILL' as const,
    }
    const args = [speakerProgram(), '--devices']
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (error === null) resolve({ ok: true, devices: parse(stdout) })
      else resolve({ ok: false, message: messageOf(error, stderr) })
    })
  })

/** `killed`: its time was up. */
const messageOf = (error: ExecFileException, stderr: string): string =>
  error.killed === true
    ? `no answer within ${String(DEADLINE_MS / 1000)} s: the sound server hangs; start it anew`
    : stderr.trim() || error.message

/** ALSA's descriptions run over several lines; one is enough for a list. */
const parse = (answer: string): SoundDevice[] => {
  try {
    const devices = JSON.parse(answer) as SoundDevice[]
    return devices.toSorted((a, b) => rank(a) - rank(b)).map(({ name, description }) => ({
      name, description: description.split('\n').join(', '),
    }))
  } catch {
    return []
  }
}

/** What people look for comes first: a server's outputs, cards; converters and plugins last. */
const rank = ({ name }: SoundDevice): number => {
  if (name === 'default') return 0
  if (name.startsWith('pulse:')) return 1
  return name.includes('CARD=') ? 2 : 3
}
