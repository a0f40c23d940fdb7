// Where the sound of a soak goes, and how it is heard: a WAV, or a sound server of its own.
import { join } from 'node:path'
import { delay, type Daemon } from '../daemon-rig.js'
import { PulseServer, Recorder } from '../pulse.js'
import { SoakEar } from './soak-ear.js'

export interface SoakOutput {
  readonly args: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly ear: SoakEar
  /** Before the daemon begins. */
  begin(): Promise<void>
  /** Once it serves. */
  listen(): void
  /** The server dies and comes back after so long; null: there is none. */
  restart: ((ms: number) => Promise<void>) | null
  /** How the server ended where no fault of ours ended it; null: it did not. */
  fault(): string | null
  end(): Promise<void>
}

export const wavOutput = (daemon: Daemon): SoakOutput => {
  const ear = new SoakEar()
  return {
    args: ['--sink', `wav:${daemon.wav}`], environment: {}, ear, restart: null, fault: () => null,
    begin: () => Promise.resolve(),
    listen: () => ear.open(daemon.wav),
    end: () => Promise.resolve(),
  }
}

/** A server with a null sink; its monitor is recorded, anew for each life of the server. */
export const serverOutput = (daemon: Daemon): SoakOutput => {
  const ear = new SoakEar()
  const server = new PulseServer()
  let lives = 0
  let recorder: Recorder
  const record = async (): Promise<void> => {
    await server.start()
    lives += 1
    const path = join(daemon.folder, `heard-${lives}.raw`)
    recorder = new Recorder(server.environment, path)
    await recorder.start()
    ear.open(path)
  }
  return {
    args: ['--sink', 'speaker'], environment: server.environment, ear,
    begin: record,
    listen: () => undefined,
    restart: async (ms) => {
      await server.crash()
      await recorder.stop()
      await delay(ms)
      await record()
    },
    fault: () => server.fault,
    end: async () => {
      await recorder.stop()
      ear.listen()
      await server.stop()
    },
  }
}
