// What `audio.device` may name: the PCMs that ALSA knows, asked of the addon in its own process.
import { execFile } from 'node:child_process'
import { speakerEnvironment, speakerProgram } from './speaker-child.js'

export interface SoundDevice {
  readonly name: string
  readonly description: string
}

const DEADLINE_MS = 10_000
const ANSWER_BYTES = 1 << 20

/** Empty where there is no addon, no ALSA, or nothing to play on. Never throws. */
export const listDevices = (): Promise<SoundDevice[]> =>
  new Promise((resolve) => {
    const options = {
      timeout: DEADLINE_MS, maxBuffer: ANSWER_BYTES, env: speakerEnvironment(),
      killSignal: 'SIGKILL' as const,
    }
    execFile(process.execPath, [speakerProgram(), '--devices'], options, (error, stdout) => {
      resolve(error === null ? parse(stdout) : [])
    })
  })

/** ALSA's descriptions run over several lines; one is enough for a list. */
const parse = (answer: string): SoundDevice[] => {
  try {
    const devices = JSON.parse(answer) as SoundDevice[]
    return devices.map(({ name, description }) => ({
      name, description: description.split('\n').join(', '),
    }))
  } catch {
    return []
  }
}
