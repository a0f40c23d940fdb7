// The file of a button as it goes out: byte for byte, whatever its size and its disk.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mediaHandler } from '../../../src/api/media/media.js'

let folder = ''
let app: FastifyInstance
/** How many files are open, and which part of a file a read gives at most. */
let openFiles = 0
let partBytes = Infinity
/** From this place on the file has become shorter. */
let endsAt = Infinity

const opening = (async (path: string, flags: number) => {
  const file = await open(path, flags)
  openFiles += 1
  const [read, close] = [file.read.bind(file), file.close.bind(file)]
  file.read = ((buffer: Buffer, to: number, length: number, at: number) =>
    read(buffer, to, Math.max(0, Math.min(length, partBytes, endsAt - at)), at)) as never
  file.close = async () => {
    openFiles -= 1
    await close()
  }
  return file
}) as typeof open

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-media-'))
  openFiles = 0
  partBytes = endsAt = Infinity
  app = Fastify()
  const handler = mediaHandler((id) => id === 'none' ? null : join(folder, id), opening)
  app.route({ method: ['GET', 'HEAD'], url: '/:buttonId', handler })
})
afterEach(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const put = (name: string, size: number): Buffer => {
  const bytes = Buffer.from(Array.from({ length: size }, (_each, n) => (n * 7 + (n >> 8)) & 0xff))
  writeFileSync(join(folder, name), bytes)
  return bytes
}
const get = (name: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url: `/${name}`, headers })

const CHUNK = 64 * 1024

it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5])('%i bytes are those', async (size) => {
  const bytes = put('a', size)
  // The second time as from a share that gives less than was asked for.
  for (const most of [Infinity, 10_000]) {
    partBytes = most
    const whole = await get('a')
    expect([whole.statusCode, whole.headers['content-length']]).toEqual([200, String(size)])
    expect(bytes.equals(whole.rawPayload)).toBe(true)
    const head = await get('a', {}, 'HEAD')
    expect([head.headers['content-length'], head.rawPayload.length]).toEqual([String(size), 0])
    if (size > 1) {
      const part = await get('a', { range: `bytes=1-${size - 2}` })
      expect(part.headers['content-range']).toBe(`bytes 1-${size - 2}/${size}`)
      expect(bytes.subarray(1, -1).equals(part.rawPayload)).toBe(true)
    }
  }
  await expect.poll(() => openFiles, { interval: 1 }).toBe(0)
})

it('an id is the same in whatever case, and what is no file is not there', async () => {
  put('abc', 5)
  mkdirSync(join(folder, 'folder'))
  // Opened to be waited for, it would hold a thread for ever.
  execFileSync('mkfifo', [join(folder, 'pipe')])
  expect((await get('aBC')).statusCode).toBe(200)
  for (const name of ['folder', 'pipe', 'gone', 'none']) {
    expect([name, (await get(name)).statusCode]).toEqual([name, 404])
  }
  expect(openFiles).toBe(0)
})

it('another content of the same length within the same second has another tag', async () => {
  const tags = new Set<unknown>()
  for (const ms of [100, 101, 500]) {
    put('a', 10)
    utimesSync(join(folder, 'a'), 1_000, 1_000 + ms / 1_000)
    const { headers } = await get('a')
    tags.add(headers.etag)
    expect(headers['last-modified']).toBe('Thu, 01 Jan 1970 00:16:40 GMT')
    expect((await get('a', { 'if-none-match': String(headers.etag) })).statusCode).toBe(304)
  }
  expect(tags.size).toBe(3)
})

it('one that becomes shorter while it goes out is no whole one', async () => {
  put('a', 5 * CHUNK)
  endsAt = 2 * CHUNK
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/a`)
  await expect(answer.arrayBuffer()).rejects.toThrow()
  await expect.poll(() => openFiles, { interval: 1 }).toBe(0)
})
