// Where the daemon listens: on several addresses, each for itself, and on a port that may be taken.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const HERE = '127.0.0.1'
const TABLET = '127.0.0.2'

const folder = mkdtempSync(join(tmpdir(), 'cartwall-listen-'))
const started: ChildProcess[] = []
const held: (Server | Socket)[] = []
afterEach(() => {
  for (const daemon of started.splice(0)) daemon.kill('SIGKILL')
  for (const one of held.splice(0)) {
    if ('destroy' in one) one.destroy()
    else one.close()
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const listenOn = (port: number): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((socket) => held.push(socket)).listen(port, HERE, () => {
      resolve(server)
    })
    held.push(server)
  })

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const freePort = async (): Promise<number> => {
  const server = await listenOn(0)
  const port = portOf(server)
  await new Promise((closed) => server.close(closed))
  return port
}

const serve = (
  host: string | readonly string[], port: number, ...options: readonly string[]
) => {
  const config = join(folder, `${String(port)}.json`)
  writeFileSync(config, JSON.stringify({ api: { host, port } }))
  const args = [CLI, 'serve', '--sink', 'null', '--config', config, ...options]
  const daemon = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(daemon)
  const said = { out: '', err: '' }
  daemon.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  daemon.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  const ended = new Promise<number | null>((end) => daemon.once('exit', end))
  const ready = async (): Promise<void> => {
    while (!said.out.includes('ready on')) await Promise.race([sleep(20), ended])
  }
  return { daemon, said, ended, ready }
}

const ask = (
  address: string, port: number, path: string, host: string,
): Promise<{ status: number | undefined; policy: string }> =>
  new Promise((resolve, reject) => {
    const headers = { host: `${host}:${String(port)}` }
    request({ host: address, port, path, headers }, (answer) => {
      answer.resume()
      const policy = String(answer.headers['content-security-policy'] ?? '')
      resolve({ status: answer.statusCode, policy })
    }).once('error', reject).end()
  })

describe('several addresses', () => {
  it('are all served, each by its own name alone, and end together', async () => {
    const port = await freePort()
    const { daemon, said, ended, ready } = serve([HERE, TABLET], port)
    await ready()
    const readyLines = [HERE, TABLET].map((host) =>
      `cartwall: ready on http://${host}:${String(port)}/api/v1`)
    await expect.poll(() => said.out.trim().split('\n'), { timeout: 5_000 }).toEqual(readyLines)
    for (const [address, other] of [[HERE, TABLET], [TABLET, HERE]] as const) {
      expect(await ask(address, port, '/api/v1/status', address)).toMatchObject({ status: 200 })
      expect(await ask(address, port, '/api/v1/status', other)).toMatchObject({ status: 403 })
      expect(await ask(address, port, '/', other)).toMatchObject({ status: 403 })
      const page = await ask(address, port, '/', address)
      expect(page.policy).toContain(`ws://${address}:${String(port)};`)
    }
    const live = new WebSocket(`ws://${TABLET}:${String(port)}/api/v1/live`, 'cartwall.live.1')
    const hello = await new Promise<string>((told) => live.once('message', (data: Buffer) =>
      told(data.toString())))
    expect(JSON.parse(hello)).toMatchObject({ kind: 'hello' })
    const before = performance.now()
    daemon.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(performance.now() - before).toBeLessThan(2_000)
    await expect(ask(TABLET, port, '/', TABLET)).rejects.toThrow('ECONNREFUSED')
  }, 15_000)
})

describe('a port that is taken', () => {
  it('is had where it becomes free within three seconds', async () => {
    const other = await listenOn(0)
    const { said, ready } = serve(HERE, portOf(other))
    await sleep(1_000)
    expect(said.out).toBe('')
    other.close()
    await ready()
    expect(said.out).toContain('ready on')
  }, 15_000)

  it('a show that is saved meanwhile is the one that plays', async () => {
    const show = join(folder, 'show.json')
    const save = (title: string): void => {
      writeFileSync(show, JSON.stringify({ version: 1, title, playlists: [] }))
    }
    save('as it was loaded')
    const other = await listenOn(0)
    const port = portOf(other)
    const { ready } = serve(HERE, port, '--show', show)
    await sleep(1_500)
    save('as it was saved')
    other.close()
    await ready()
    const status = `http://${HERE}:${String(port)}/api/v1/status`
    await vi.waitFor(async () => {
      const told = await (await fetch(status)).json() as { show: string; state: string }
      expect(told).toMatchObject({ show: 'as it was saved', state: 'ready' })
    }, { timeout: 5_000, interval: 50 })
  }, 15_000)

  it('is told of in one line: somebody listens', async () => {
    const { said, ended } = serve(HERE, portOf(await listenOn(0)))
    expect(await ended).toBe(1)
    expect(said.err).toMatch(/^cartwall: [\d.:]+ is taken: another program listens there.*\n$/)
  }, 15_000)

  it('is told of in one line: a connection holds it', async () => {
    const far = await listenOn(0)
    const socket = connect(portOf(far), HERE)
    held.push(socket)
    await new Promise((connected) => socket.once('connect', connected))
    const { said, ended } = serve(HERE, socket.localPort ?? 0)
    expect(await ended).toBe(1)
    expect(said.err).toMatch(/^cartwall: [\d.:]+ is taken, though nobody listens there.*\n$/)
  }, 15_000)
})
