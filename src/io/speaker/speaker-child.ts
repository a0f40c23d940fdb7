// Starts the sound process: the program, its environment, its pipes.
import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { compiledProgram, startedProcess } from '../programs.js'
import type { SoundProcess, SoundProcessListener, SpeakerArguments } from './speaker-wire.js'

export const speakerProgram = (): string =>
  fileURLToPath(compiledProgram('io/speaker/speaker-process'))

/** libpulse tells it to the server, beside the name. */
const ID_AT_SERVER = 'PULSE_PROP_application.id'

/**
 * The environment without what would hang the device or change the program. A sound server keeps
 * volume and mute of a program by its id, else by its name: where one daemon of three was muted in
 * the desktop's mixer the others, each with its own output, were mute from their next start on.
 */
export const speakerEnvironment = (device: string | null): NodeJS.ProcessEnv => {
  const environment = { ...process.env }
  delete environment['PULSE_LATENCY_MSEC']
  delete environment['NODE_OPTIONS']
  if (device !== null) environment[ID_AT_SERVER] ??= `cartwall ${device}`
  return environment
}

export const startSpeakerProcess = (
  wanted: SpeakerArguments, listener: SoundProcessListener,
): SoundProcess => {
  const args = [speakerProgram(), JSON.stringify(wanted)]
  const child = startedProcess(() => spawn(process.execPath, args, {
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'], env: speakerEnvironment(wanted.device),
  }))
  // A process that goes away breaks its pipes; its exit tells all there is to tell.
  child.stdin?.on('error', () => undefined)
  child.stderr?.on('error', () => undefined)
  // A letter of several bytes may come in two pieces, e.g. in a path: `/home/jörg`.
  child.stderr?.setEncoding('utf8').on('data', (text: string) => listener.complained(text))
  const reports = child.stdio[3] as (Readable & Writable) | undefined
  reports?.on('error', () => undefined)
  reports?.setEncoding('utf8').on('data', (text: string) => listener.heard(text))
  // `close` also follows an `error` of the spawn.
  child.once('error', (error) => listener.complained(error.message))
  child.once('close', (code, signal) => listener.ended(signal ?? `code ${String(code)}`))
  return {
    pid: () => child.pid ?? null,
    send: (bytes) => {
      child.stdin?.write(bytes)
    },
    end: () => {
      child.stdin?.end()
    },
    kill: () => {
      child.kill('SIGKILL')
    },
  }
}
