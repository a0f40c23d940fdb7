// The daemon at one address for the tests of the client, killed and begun again at will; and a
// proxy before it that eats requests or answers.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { wavHead } from './wav-head.js'

const CLI = resolve(import.meta.dirname, '../../dist/cli.js')
const READY_MS = 20_000

export const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const probe = createServer()
    probe.on('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => done(port))
    })
  })

/** A mono 16-bit WAV of a quiet tone; 8 kHz, so that a minute of it is small. */
export const tone = (ms: number): Buffer => {
  const frames = ms * 8
  const samples = Buffer.alloc(frames * 2)
  for (let n = 0; n < frames; n += 1) samples.writeInt16LE((n % 40) * 100, n * 2)
  const format = { kind: 'integers', sampleBytes: 2, channels: 1, rate: 8000 } as const
  return Buffer.concat([wavHead(format, frames), samples])
}

export const buttonOf = (n: number): string =>
  `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Waits until it holds, and says so where it does not in time. */
export const until = async (
  holds: () => boolean | Promise<boolean>, ms = 15_000,
): Promise<void> => {
  const deadline = performance.now() + ms
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not in time: ${holds.toString()}`)
    await sleep(20)
  }
}

export class ServedShow {
  readonly folder = mkdtempSync(join(tmpdir(), 'cartwall-client-'))
  port = 0
  log = ''
  #child: ChildProcess | null = null

  /** A manual list with a tone of each of these lengths; the buttons are numbered from 1. */
  constructor(lengthsMs: readonly number[]) {
    const buttons = lengthsMs.map((ms, n) => {
      writeFileSync(join(this.folder, `${n}.wav`), tone(ms))
      return { id: buttonOf(n + 1), title: `Tone ${n + 1}`, kind: 'audio', media: `${n}.wav` }
    })
    const playlists = [{ id: buttonOf(900), title: 'Tones', buttons }]
    writeFileSync(join(this.folder, 'show.json'), JSON.stringify({ title: 'Tones', playlists }))
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/api/v1`
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** Always at the same port, from the second time on. */
  async start(): Promise<void> {
    if (this.port === 0) this.port = await freePort()
    const show = join(this.folder, 'show.json')
    const args = [CLI, 'serve', '--show', show, '--port', String(this.port), '--sink', 'null']
    const child = spawn(process.execPath, args, {
      env: { ...process.env, XDG_CACHE_HOME: this.folder }, stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    child.stderr.on('data', (chunk: Buffer) => (this.log += chunk.toString()))
    await new Promise<void>((done, fail) => {
      const late = setTimeout(() => fail(new Error(`not ready: ${this.log}`)), READY_MS)
      let out = ''
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString()
        if (!out.includes('ready on')) return
        clearTimeout(late)
        done()
      })
      child.once('exit', () => fail(new Error(`ended: ${this.log}`)))
    })
  }

  /** Resolves when the process is gone. */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((done) => child.once('exit', done))
    child.kill(signal)
    await gone
  }

  async clean(): Promise<void> {
    await this.kill()
    // Who makes waveforms ends a moment after a daemon that was killed, and may write until then.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** What becomes of one request: passed on, or its way there or back is cut, or it takes long. */
export type Fate = 'pass' | 'eat request' | 'eat answer' | 'hold answer'

export interface Proxy {
  readonly baseUrl: string
  /** The commands that reached the service, as `POST path`. */
  readonly passed: string[]
  /** Decides about each command; reads always pass. */
  fate: (n: number) => Fate
  close(): Promise<void>
}

export const proxyTo = async (port: number): Promise<Proxy> => {
  let commands = 0
  const passed: string[] = []
  const proxy = { fate: (_n: number): Fate => 'pass' }
  const server = http.createServer((request, response) => {
    const isCommand = request.method === 'POST'
    const fate = isCommand ? proxy.fate((commands += 1)) : 'pass'
    if (fate === 'eat request') {
      request.socket.destroy()
      return
    }
    if (isCommand) passed.push(`POST ${request.url ?? ''}`)
    const headers = { ...request.headers, host: `127.0.0.1:${port}` }
    const { method, url: path } = request
    const onward = http.request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      if (fate === 'eat answer') {
        answer.resume()
        answer.once('end', () => request.socket.destroy())
        return
      }
      if (fate === 'hold answer') return
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => request.socket.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port: own } = server.address() as AddressInfo
  return Object.assign(proxy, {
    baseUrl: `http://127.0.0.1:${own}/api/v1`,
    passed,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  })
}
