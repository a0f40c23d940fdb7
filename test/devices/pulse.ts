// A sound device without a sound card: PulseAudio with a null sink, and a recording of it.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mayHavePriority } from './thread-priorities.js'

const READY_MS = 5_000

const delay = (ms: number): Promise<void> => new Promise((resolve) => { setTimeout(resolve, ms) })

const ended = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** Hardware waits for no scheduler, so what stands in for it runs before all else where it may. */
const mayBeUrgent = mayHavePriority(6)

const urgent = (
  command: string, args: string[], environment: NodeJS.ProcessEnv,
  stdout: 'ignore' | 'pipe' | number, stderr: 'ignore' | number = 'ignore',
): ChildProcess => {
  const [file, ...rest] = mayBeUrgent ? ['chrt', '-r', '6', command, ...args] : [command, ...args]
  return spawn(file, rest, {
    env: { ...process.env, ...environment }, stdio: ['ignore', stdout, stderr],
  })
}

/** Kills a process we started and waits until it is gone. */
export const reap = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (ended(child)) return
  const gone = new Promise<void>((resolve) => { child.once('exit', () => { resolve() }) })
  child.kill(signal)
  await gone
}

/** Waits until something holds; false when it did not within the time. */
export const until = async (holds: () => boolean, ms: number): Promise<boolean> => {
  const end = performance.now() + ms
  while (performance.now() < end) {
    if (holds()) return true
    await delay(5)
  }
  return holds()
}

export class PulseServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'cartwall-pulse-'))
  private readonly socket = join(this.folder, 'native')
  private readonly log = join(this.folder, 'log')
  private server: ChildProcess | null = null

  /** What a process needs in its environment to find this server and no other. */
  readonly environment: NodeJS.ProcessEnv = {
    PULSE_SERVER: `unix:${this.socket}`,
    PULSE_RUNTIME_PATH: this.folder,
    PULSE_COOKIE: join(this.folder, 'cookie'),
    PULSE_CONFIG: join(this.folder, 'daemon.conf'),
    ALSA_CONFIG_PATH: join(this.folder, 'asound.conf'),
    HOME: this.folder,
  }

  constructor() {
    chmodSync(this.folder, 0o700)
    mkdirSync(join(this.folder, 'state'))
    writeFileSync(join(this.folder, 'asound.conf'), [
      '</usr/share/alsa/alsa.conf>',
      // As Debian has it (99-pulse.conf): the server is the default while it runs, and only then.
      'hook_func.pulse_load_if_running {',
      '  lib "libasound_module_conf_pulse.so"',
      '  func "conf_pulse_hook_load_if_running"',
      '}',
      `@hooks [ { func pulse_load_if_running files [ "${join(this.folder, 'default.conf')}" ]`,
      '  errors false } ]',
      // The same server through ALSA alone, which appends and takes nothing back.
      'pcm.appends { type hooks slave.pcm pulse hooks { } }',
      '',
    ].join('\n'))
    // Its own bound on real-time threads (200 ms without a pause) ends it on a machine that stalls.
    // PulseAudio 16 may abort where a client that shared memory with it is killed, as tests do.
    writeFileSync(join(this.folder, 'daemon.conf'), 'rlimit-rttime = -1\nenable-shm = no\n')
    const ours = 'pcm.!default { type pulse }\nctl.!default { type pulse }\n'
    writeFileSync(join(this.folder, 'default.conf'), ours)
    writeFileSync(join(this.folder, 'default.pa'), [
      `load-module module-native-protocol-unix auth-anonymous=1 socket=${this.socket}`,
      'load-module module-null-sink sink_name=out format=float32le rate=48000 channels=2 '
        + 'channel_map=front-left,front-right norewinds=1',
      'set-default-sink out',
      'set-default-source out.monitor',
      '',
    ].join('\n'))
  }

  async start(): Promise<void> {
    const script = join(this.folder, 'default.pa')
    const log = openSync(this.log, 'a')
    this.server = urgent('pulseaudio', [
      '-n', '-F', script, '--daemonize=no', '--exit-idle-time=-1', '--disallow-exit=yes',
      '--use-pid-file=no', '--log-level=error',
    ], this.environment, 'ignore', log)
    closeSync(log)
    const deadline = performance.now() + READY_MS
    while (!await this.answers()) {
      if (performance.now() > deadline) throw new Error('pulseaudio does not answer')
      await delay(20)
    }
    // The server gives its main thread, which hands on what clients send, a scheduling of its own.
    spawnSync('chrt', ['-r', '-p', '6', String(this.server.pid)])
  }

  /** Ends the server as a crash would. */
  async crash(): Promise<void> {
    const { server } = this
    this.server = null
    if (server !== null) await reap(server, 'SIGKILL')
    rmSync(this.socket, { force: true })
  }

  /** How it ended where nobody asked it to, and its last words; null while it runs. */
  get fault(): string | null {
    const { server } = this
    if (server === null || !ended(server)) return null
    const words = readFileSync(this.log, 'utf8').trim().split('\n').slice(-5).join(' | ')
    return `pulseaudio ended by itself: ${String(server.signalCode ?? server.exitCode)}: ${words}`
  }

  signal(signal: NodeJS.Signals): void {
    this.server?.kill(signal)
  }

  async stop(): Promise<void> {
    await this.crash()
    rmSync(this.folder, { recursive: true, force: true })
  }

  private answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.socket)
      socket.once('connect', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => { resolve(false) })
    })
  }
}

/** Records the null sink's monitor from `start` to `stop`, bit for bit. */
export class Recorder {
  private child: ChildProcess | null = null
  private readonly chunks: Buffer[] = []
  private bytes = 0
  private readonly arrivals: { readonly byte: number; readonly ms: number }[] = []

  /**
   * @param file where to record past this process, so that a long recording does not cost the
   * thread that feeds the output; null: to memory, each arrival with its time.
   */
  constructor(
    private readonly environment: NodeJS.ProcessEnv,
    private readonly file: string | null,
  ) {}

  /** Resolves when the first frames (of silence) arrived. */
  async start(): Promise<void> {
    this.child = urgent('parec', [
      '-d', 'out.monitor', '--format=float32le', '--rate=48000', '--channels=2', '--raw',
      '--latency-msec=2', '--process-time-msec=1',
    ], this.environment, this.file === null ? 'pipe' : openSync(this.file, 'w'))
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.arrivals.push({ byte: this.bytes, ms: performance.now() })
      this.chunks.push(chunk)
      this.bytes += chunk.length
    })
    if (!await until(() => this.frames() > 0, READY_MS)) throw new Error('parec records nothing')
  }

  frames(): number {
    return Math.floor((this.file === null ? this.bytes : statSync(this.file).size) / 8)
  }

  /** All that was recorded so far. */
  sound(): { left: Float32Array; right: Float32Array } {
    const all = this.file === null ? Buffer.concat(this.chunks) : readFileSync(this.file)
    const frames = Math.floor(all.length / 8)
    const left = new Float32Array(frames)
    const right = new Float32Array(frames)
    for (let n = 0; n < frames; n += 1) {
      left[n] = all.readFloatLE(n * 8)
      right[n] = all.readFloatLE(n * 8 + 4)
    }
    return { left, right }
  }

  /** When a frame of the recording arrived here. */
  arrivedMs(frame: number): number {
    let ms = NaN
    for (const arrival of this.arrivals) {
      if (arrival.byte > frame * 8) break
      ms = arrival.ms
    }
    return ms
  }

  async stop(): Promise<void> {
    if (this.child !== null) await reap(this.child, 'SIGKILL')
  }
}
