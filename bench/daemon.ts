// The built daemon for benchmarks: started, asked over one connection that stays, probed, ended.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StartAnswer, StatusAnswer } from '../src/contract/schemas.js'
import { reap } from '../test/devices/pulse.js'

const CLI = resolve(import.meta.dirname, '../dist/cli.js')
const PROBE = new URL('./sound-probe.mjs', import.meta.url).href
const READY_MS = 30_000
const PROBED_MS = 10_000
export const HOST = '127.0.0.1'

export interface Serving {
  /** Where the show is, and what the daemon writes. */
  readonly folder: string
  readonly show: string
  readonly sink: string
  readonly port: number
  readonly environment: NodeJS.ProcessEnv
}

/** One rendered block; times in milliseconds of the monotonic clock. */
export interface Block {
  readonly begunMs: number
  readonly endedMs: number
  readonly frames: number
  readonly peak: number
  /** Frames queued before it; -1 where nothing consumes. */
  readonly queued: number
  readonly target: number
}

export interface Steps {
  /** A request came to the main thread. */
  readonly requests: readonly number[]
  /** A command or a fact came to the sound thread. */
  readonly met: readonly number[]
  readonly blocks: readonly Block[]
}

const numbersIn = (file: string): Float64Array => {
  const bytes = readFileSync(file)
  return new Float64Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 8))
}

export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6

export class BenchDaemon {
  readonly #child: ChildProcess
  readonly #serving: Serving
  #socket: Socket | null = null
  #answered: (body: string) => void = () => undefined
  #received = ''

  private constructor(serving: Serving) {
    const { folder, show, sink, port, environment } = serving
    this.#serving = serving
    const args = [CLI, 'serve', '--show', show, '--sink', sink, '--port', String(port)]
    this.#child = spawn(process.execPath, [...args, '--log-level', 'error'], {
      env: {
        ...process.env, XDG_CACHE_HOME: folder, ...environment,
        NODE_OPTIONS: `--import=${PROBE}`, CARTWALL_PROBE: join(folder, 'probe'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    // A benchmark that fails leaves none behind.
    const kill = (): void => { this.#child.kill('SIGKILL') }
    process.once('exit', kill)
    this.#child.once('exit', () => { process.off('exit', kill) })
  }

  static async start(serving: Serving): Promise<BenchDaemon> {
    const daemon = new BenchDaemon(serving)
    await new Promise<void>((done, fail) => {
      const timer = setTimeout(() => fail(new Error('the daemon is not ready')), READY_MS)
      daemon.#child.once('exit', () => fail(new Error('the daemon ended')))
      daemon.#child.stdout?.on('data', (chunk: Buffer) => {
        if (!chunk.toString().includes('ready on')) return
        clearTimeout(timer)
        done()
      })
    })
    const socket = connect(serving.port, HOST)
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => daemon.#hear(chunk.toString()))
    await new Promise<void>((done, fail) => {
      socket.once('connect', done)
      socket.once('error', fail)
    })
    daemon.#socket = socket
    return daemon
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Sends one request and answers its body; one at a time. */
  ask(method: 'GET' | 'POST', path: string, body = ''): Promise<string> {
    return new Promise((done) => {
      this.#answered = done
      this.#socket?.write(requestBytes(method, path, this.#serving.port, body))
    })
  }

  /** Starts a button; its run. */
  async play(id: string): Promise<string> {
    const answer = JSON.parse(await this.ask('POST', `/buttons/${id}/play`)) as StartAnswer
    return answer.executionId ?? ''
  }

  async status(): Promise<StatusAnswer> {
    return JSON.parse(await this.ask('GET', '/status')) as StatusAnswer
  }

  async armed(count: number): Promise<void> {
    for (let turn = 0; turn < 3_000; turn += 1) {
      if ((await this.status()).audio.armedHeads >= count) return
      await sleep(20)
    }
    throw new Error(`${count} heads were not armed within a minute`)
  }

  /**
   * The blocks rendered since the start or the last look; those of no frames are a timer's, those
   * of -1 frames a command or a fact that was met.
   */
  async #rows(): Promise<readonly Block[]> {
    const file = join(this.#serving.folder, 'probe')
    rmSync(file, { force: true })
    this.#child.kill('SIGUSR2')
    const deadline = nowMs() + PROBED_MS
    while (!existsSync(file)) {
      if (nowMs() > deadline) throw new Error('the probe does not answer')
      await sleep(20)
    }
    await sleep(200)
    const rows = numbersIn(file)
    return Array.from({ length: rows.length / 6 }, (_, n) => {
      const at = (field: number): number => rows[n * 6 + field] ?? NaN
      return {
        begunMs: at(0), endedMs: at(1), frames: at(2), peak: at(3), queued: at(4), target: at(5),
      }
    })
  }

  async blocks(): Promise<readonly Block[]> {
    return (await this.#rows()).filter(({ frames }) => frames > 0)
  }

  /** What the sound thread did since the last look: its blocks, and how late its timer woke it. */
  async watched(): Promise<{ blocks: readonly Block[]; late: readonly number[] }> {
    const rows = await this.#rows()
    const ticks = rows.filter(({ frames }) => frames === 0)
    return {
      blocks: rows.filter(({ frames }) => frames > 0),
      late: ticks.map(({ begunMs, endedMs }) => Math.max(0, endedMs - begunMs)),
    }
  }

  /** When what led to sound happened since the last look, in milliseconds of the same clock. */
  async steps(): Promise<Steps> {
    const rows = await this.#rows()
    return {
      requests: [...numbersIn(join(this.#serving.folder, 'probe.requests'))],
      met: rows.filter(({ frames }) => frames < 0).map(({ begunMs }) => begunMs),
      blocks: rows.filter(({ frames }) => frames > 0),
    }
  }

  async stop(): Promise<void> {
    this.#socket?.destroy()
    await reap(this.#child, 'SIGTERM')
  }

  #hear(text: string): void {
    this.#received += text
    const head = this.#received.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = Number(/content-length: (\d+)/i.exec(this.#received)?.[1] ?? 0)
    // Titles are plain ASCII here, so that characters are bytes.
    if (this.#received.length < head + 4 + length) return
    const body = this.#received.slice(head + 4, head + 4 + length)
    if (!/^HTTP\/1\.1 20/.test(this.#received)) throw new Error(this.#received)
    this.#received = ''
    this.#answered(body)
  }
}

export const requestBytes = (
  method: 'GET' | 'POST', path: string, port: number, body = '',
): string => {
  const length = method === 'POST' ? `Content-Length: ${body.length}\r\n` : ''
  const type = body === '' ? '' : 'Content-Type: application/json\r\n'
  return `${method} /api/v1${path} HTTP/1.1\r\nHost: ${HOST}:${port}\r\n${length}${type}\r\n${body}`
}
