// PipeWire with its PulseAudio server and its session manager, apart from what the machine runs.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { delay } from './daemon-rig.js'
import { reap } from './pulse.js'

const READY_MS = 10_000

/** Null where it is all there, else what is missing. */
export const missingPipeWire = (): string | null => {
  const needed = ['pipewire', 'pipewire-pulse', 'wireplumber', 'dbus-run-session', 'pactl', 'parec']
  const missing = needed.filter((name) => spawnSync('which', [name]).status !== 0)
  return missing.length === 0 ? null : `${missing.join(', ')} not installed`
}

export class PipeWireServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'cartwall-pipewire-'))
  private session: ChildProcess | null = null

  /** What a process needs in its environment to find this server and no other. */
  readonly environment: NodeJS.ProcessEnv = {
    HOME: this.folder,
    XDG_RUNTIME_DIR: this.folder,
    XDG_CONFIG_HOME: join(this.folder, 'config'),
    XDG_STATE_HOME: join(this.folder, 'state'),
    PIPEWIRE_RUNTIME_DIR: this.folder,
    PULSE_RUNTIME_PATH: join(this.folder, 'pulse'),
    PULSE_SERVER: `unix:${join(this.folder, 'pulse/native')}`,
    ALSA_CONFIG_PATH: join(this.folder, 'asound.conf'),
  }

  /** @param quantum frames that it reads in one go at least, whatever a client asks for. */
  constructor(quantum: number) {
    const settings = join(this.folder, 'config/pipewire/pipewire.conf.d')
    mkdirSync(settings, { recursive: true })
    mkdirSync(join(this.folder, 'pulse'))
    writeFileSync(join(settings, 'quantum.conf'), [
      'context.properties = {', `  default.clock.min-quantum = ${String(quantum)}`,
      '  default.clock.allowed-rates = [ 48000 ]', '}', '',
    ].join('\n'))
    // As PipeWire's package for ALSA has it; its plugin need not be there.
    writeFileSync(join(this.folder, 'asound.conf'), [
      'pcm.default {', '  type pipewire', '  playback_node "-1"', '}', '',
    ].join('\n'))
  }

  async start(): Promise<void> {
    const all = 'pipewire & sleep 0.3; wireplumber & exec pipewire-pulse'
    this.session = spawn('dbus-run-session', ['--', 'sh', '-c', all], {
      env: { ...process.env, ...this.environment }, stdio: 'ignore', detached: true,
    })
    const sink = ['sink_name=out', 'format=float32le', 'rate=48000', 'channels=2']
    const deadline = performance.now() + READY_MS
    while (this.pactl('load-module', 'module-null-sink', ...sink) === '') {
      if (performance.now() > deadline) throw new Error('pipewire does not answer')
      await delay(50)
    }
    this.pactl('set-default-sink', 'out')
  }

  pactl(...args: readonly string[]): string {
    const env = { ...process.env, ...this.environment }
    return spawnSync('pactl', args, { encoding: 'utf8', env }).stdout.trim()
  }

  async stop(): Promise<void> {
    const { session } = this
    this.session = null
    if (session?.pid !== undefined) {
      process.kill(-session.pid, 'SIGKILL')
      await reap(session, 'SIGKILL')
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
