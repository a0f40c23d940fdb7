// The real daemon in a process of its own, with a show of its own, driven over HTTP.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readFileSync } from 'node:fs'
import type { ButtonsAnswer, Execution, StatusAnswer } from '../../src/contract/schemas.js'
import type { Sound } from './media-files.js'

export const CLI = resolve(import.meta.dirname, '../../dist/cli.js')
const READY_MS = 20_000
/** Files are looked into after all other work, and the daemon itself waits 15 s for each answer. */
export const LOOKED_INTO_MS = 60_000

export const delay = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms)
  })

/** A port that nobody has at the moment, above the range that outgoing connections are given. */
export const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const probe = createServer()
    probe.on('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (address !== null && typeof address === 'object') done(address.port)
      })
    })
  })

/** The GUID of the nth button of a test show. */
export const button = (n: number): string =>
  `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

export interface ButtonJson {
  readonly kind?: string
  readonly media?: string
  readonly [setting: string]: unknown
}

export interface ListJson {
  readonly buttons: readonly ButtonJson[]
  readonly [setting: string]: unknown
}

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

export class Daemon {
  readonly folder = mkdtempSync(join(tmpdir(), 'cartwall-daemon-'))
  readonly wav = join(this.folder, 'heard.wav')
  readonly show = join(this.folder, 'show.json')
  /** Where it is started; it is told each of its files by the whole path. */
  workingFolder = process.cwd()
  nodeArguments: readonly string[] = []
  child: ChildProcess | null = null
  log = ''
  #base = ''

  /** Buttons are numbered from 1 through all lists, in order. */
  writeShow(lists: readonly ListJson[]): void {
    let n = 0
    const playlists = lists.map((list, index) => ({
      id: `10000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      title: `list ${String(index)}`,
      ...list,
      buttons: list.buttons.map((settings) => {
        n += 1
        return { id: button(n), title: `b${String(n)}`, kind: 'audio', ...settings }
      }),
    }))
    writeFileSync(this.show, JSON.stringify({ version: 1, title: 'test', playlists }))
  }

  /** @param stderr where its log goes: read here, or a descriptor. */
  async start(
    args: readonly string[], environment: NodeJS.ProcessEnv, stderr: number | 'pipe' = 'pipe',
  ): Promise<void> {
    const port = await freePort()
    const all = ['serve', '--show', this.show, '--port', String(port), ...args]
    this.child = spawn(process.execPath, [...this.nodeArguments, CLI, ...all], {
      cwd: this.workingFolder,
      env: { ...process.env, XDG_CACHE_HOME: this.folder, ...environment },
      stdio: ['ignore', 'pipe', stderr],
    })
    let out = ''
    this.child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
    this.child.stderr?.on('data', (chunk: Buffer) => (this.log += chunk.toString()))
    const deadline = performance.now() + READY_MS
    while (!out.includes('ready on')) {
      if (performance.now() > deadline || this.child.exitCode !== null) {
        throw new Error(`not ready: ${out}${this.log}`)
      }
      await delay(10)
    }
    this.#base = /http:\S+/.exec(out)?.[0] ?? ''
  }

  /** One that was started in another way, e.g. by a shell with limits. */
  adopt(child: ChildProcess, base: string): void {
    this.child = child
    this.#base = base
    child.stderr?.on('data', (chunk: Buffer) => (this.log += chunk.toString()))
  }

  /** The base address, `/api/v1` included. */
  get base(): string {
    return this.#base
  }

  get pid(): number {
    return this.child?.pid ?? 0
  }

  /** Every button that can sound has its first moments decoded; decoders run after all others. */
  armed(count: number): Promise<void> {
    return this.until(async () => (await this.status()).audio.armedHeads >= count, 60_000)
  }

  async post(path: string, body: unknown = null): Promise<Answer> {
    const answer = await fetch(`${this.#base}${path}`, {
      method: 'POST',
      ...(body === null
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  /** Starts a button and answers its run. */
  async play(n: number, options: unknown = null): Promise<string> {
    const { status, body } = await this.post(`/buttons/${button(n)}/play`, options)
    if (status !== 202) throw new Error(`${String(status)} ${JSON.stringify(body)}`)
    return body['executionId'] as string
  }

  async run(executionId: string): Promise<Execution> {
    return (await this.#get(`/executions/${executionId}`)) as Execution
  }

  async status(): Promise<StatusAnswer> {
    return (await this.#get('/status')) as StatusAnswer
  }

  async buttons(): Promise<ButtonsAnswer> {
    return (await this.#get('/buttons')) as ButtonsAnswer
  }

  /** Polls until a run is in one of these states. */
  async state(executionId: string, states: readonly string[], ms = 20_000): Promise<Execution> {
    let last = await this.run(executionId)
    await this.until(async () => {
      last = await this.run(executionId)
      return states.includes(last.state)
    }, ms)
    return last
  }

  async until(holds: () => Promise<boolean>, ms: number): Promise<void> {
    const begun = performance.now()
    while (!(await holds())) {
      const waited = performance.now() - begun
      if (waited > ms) throw new Error(`not within ${String(ms)} ms:\n${this.log}`)
      // Who asks all the time has the processor that others wait for.
      await delay(Math.min(10 + waited / 20, 50))
    }
  }

  /** Sends a signal and answers the exit code and the milliseconds it took. */
  async end(signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }> {
    const { child } = this
    if (child === null) throw new Error('not started')
    const begun = performance.now()
    if (child.exitCode === null && child.signalCode === null) {
      const gone = new Promise<void>((done) => {
        child.once('exit', () => {
          done()
        })
      })
      child.kill(signal)
      await gone
    }
    return { code: child.exitCode, ms: performance.now() - begun }
  }

  /** What the WAV sink recorded. */
  heard(): Sound {
    const bytes = readFileSync(this.wav)
    const data = bytes.indexOf('data', 12, 'latin1')
    const size = bytes.readUInt32LE(data + 4)
    const frames = Math.floor(Math.min(size, bytes.length - data - 8) / 8)
    const left = new Float32Array(frames)
    const right = new Float32Array(frames)
    for (let n = 0; n < frames; n += 1) {
      left[n] = bytes.readFloatLE(data + 8 + n * 8)
      right[n] = bytes.readFloatLE(data + 12 + n * 8)
    }
    return { left, right }
  }

  async clean(): Promise<void> {
    if (this.child !== null) await this.end('SIGKILL')
    // Who makes waveforms ends a moment after a daemon that was killed, and may write until then.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 })
  }

  async #get(path: string): Promise<unknown> {
    return (await fetch(`${this.#base}${path}`)).json()
  }
}
