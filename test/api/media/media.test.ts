// A browser that seeks breaks its requests for a medium off: no file stays open for one of them.
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { get } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mediaHandler } from '../../../src/api/media/media.js'

const DESCRIPTORS = '/proc/self/fd'
/** More than all the buffers on the way hold. */
const BYTES = 32 * 1_024 * 1_024

/** What was opened of a share that hangs; any other file is opened as ever. */
const asked: string[] = []
const opened: typeof open = (path, flags) => {
  if (!String(path).startsWith('/share/')) return open(path, flags)
  asked.push(String(path))
  return new Promise(() => undefined)
}

let folder = ''
let path = ''
let app: FastifyInstance
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-media-'))
  path = join(folder, 'clip.mp4')
  writeFileSync(path, Buffer.alloc(BYTES))
  app = Fastify()
  app.get('/media/:buttonId', mediaHandler(() => path))
  app.get('/dying/:buttonId', mediaHandler(() => path, openedOfDead))
  app.get('/any/:buttonId', mediaHandler((id) => id === 'own' ? path : `/share/${id}`, opened))
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** How often this process has the file open. */
const openTimes = (): number => readdirSync(DESCRIPTORS).filter((fd) => {
  try {
    return readlinkSync(join(DESCRIPTORS, fd)) === path
  } catch {
    return false
  }
}).length

/** Asks for all of it, and hangs up once the first of it is there. */
const begunToRead = (): Promise<void> => new Promise((done, fail) => {
  const { port } = app.server.address() as AddressInfo
  const request = get({ host: '127.0.0.1', port, path: '/media/x', agent: false }, (answer) => {
    answer.once('data', () => {
      request.destroy()
      done()
    })
    answer.on('error', () => undefined)
  })
  request.on('error', fail)
})

/** Asks for it, and hangs up before anything came, at once or a moment later. */
const hungUp = async (n: number): Promise<void> => {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /media/x HTTP/1.1\r\nHost: x\r\n\r\n')
  if (n % 2 === 1) await new Promise((next) => setImmediate(next))
  socket.destroy()
}

it.runIf(process.platform === 'linux').each([
  ['a part of it was read', begunToRead], ['nothing of it came', hungUp],
])('where %s', async (_where, ask) => {
  for (let n = 0; n < 40; n += 1) await ask(n)
  // The last one may be opened when all before it are closed: they stay closed for a while.
  let closedTurns = 0
  for (let turn = 0; turn < 20_000 && closedTurns < 50; turn += 1) {
    await new Promise((next) => setImmediate(next))
    closedTurns = openTimes() === 0 ? closedTurns + 1 : 0
  }
  expect(closedTurns).toBe(50)
})

it.runIf(process.platform === 'linux').each([
  ['a part that it has not', 416, { range: 'bytes=99999999999-' }], ['nothing new', 304, {}],
  ['no body', 200, {}],
])('where %s is asked for (%i)', async (what, status, given) => {
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/media/x`
  const first = await fetch(url, { method: 'HEAD' })
  const method = what === 'no body' ? 'HEAD' : 'GET'
  const known = status === 304 ? { 'if-none-match': first.headers.get('etag') ?? '' } : {}
  const answer = await fetch(url, { method, headers: { ...given, ...known } })
  expect(answer.status).toBe(status)
  expect(openTimes()).toBe(0)
})

/** As of a share that died after the file was read: even its closing fails. */
const openedOfDead: typeof open = async (...args) => {
  const file = await open(...args)
  const close = file.close.bind(file)
  file.close = async () => {
    await close()
    throw new Error('ENOTCONN: socket is not connected, close')
  }
  return file
}

// An error that nobody takes ends the process, and is told as a fault by the runner.
it.each([
  ['all of it', 200, BYTES, {}],
  ['a part that it has not', 416, 0, { range: 'bytes=99999999999-' }],
])('a share that dies while it is read ends nothing: %s', async (_what, status, bytes, headers) => {
  const { port } = app.server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/dying/x`, { headers })
  expect(answer.status).toBe(status)
  expect((await answer.arrayBuffer()).byteLength).toBe(bytes)
})

// Four threads read and write all files of the process: a recording, the show that is saved.
it('a share that hangs is asked one thing at a time, and holds up no other folder', async () => {
  const { port } = app.server.address() as AddressInfo
  const leave = new AbortController()
  const ask = (name: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/any/${name}`, { signal: leave.signal })
  const hanging = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name).catch(() => null))
  await expect.poll(() => asked.length).toBe(1)
  expect((await (await ask('own')).arrayBuffer()).byteLength).toBe(BYTES)
  expect(asked).toEqual(['/share/a'])
  leave.abort()
  expect(await Promise.all(hanging)).toEqual([null, null, null, null, null])
})
