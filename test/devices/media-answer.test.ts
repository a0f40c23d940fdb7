// GET /media/{buttonId}: ranges as RFC 9110 has them, only the show's files, whatever befalls them.
import { execFileSync } from 'node:child_process'
import {
  closeSync, ftruncateSync, mkdtempSync, openSync, renameSync, rmSync, truncateSync, utimesSync,
  writeFileSync,
} from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mediaHandler } from '../../src/api/media/media.js'
import { createPrng } from '../../src/engine/prng.js'

const IDLE_MS = 300
const ID = '397e4b90-2975-4cc3-b733-b8c3fd0e9951'
const BYTES = Buffer.from(Array.from({ length: 100_000 }, (_, n) => n % 251))
const SECRET = 'what no page may read'

const folder = mkdtempSync(join(tmpdir(), 'cartwall-media-'))
const path = join(folder, 'clip.mp4')
const paths = new Map<string, string>([[ID, path]])
let app: FastifyInstance
let port: number

beforeAll(async () => {
  writeFileSync(join(folder, 'secret.txt'), SECRET)
  app = fastify({ connectionTimeout: IDLE_MS, routerOptions: { maxParamLength: 16_384 } })
  const handler = mediaHandler((id) => paths.get(id) ?? null)
  app.route({ method: ['GET', 'HEAD'], url: '/media/:buttonId', handler })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})

afterAll(async () => {
  app.server.closeAllConnections()
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url: `/media/${ID}`, headers })

const open = (id: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: `/media/${id}` }, resolve).on('error', reject)
  })

describe('ranges', () => {
  beforeAll(() => writeFileSync(path, BYTES))

  test.each([
    ['the first byte', 'bytes=0-0', 0, 0],
    ['some in the middle', 'bytes=1000-1999', 1000, 1999],
    ['an open end', 'bytes=99000-', 99_000, 99_999],
    ['the last ones', 'bytes=-10', 99_990, 99_999],
    ['more last ones than there are', 'bytes=-200000', 0, 99_999],
    ['an end beyond the end', 'bytes=99999-200000', 99_999, 99_999],
    ['a unit in capitals', 'Bytes=5-9', 5, 9],
  ])('%s', async (_what, range, first, last) => {
    const answer = await ask({ range })
    expect(answer.statusCode).toBe(206)
    expect(answer.headers['content-range']).toBe(`bytes ${first}-${last}/100000`)
    expect(answer.headers['content-length']).toBe(String(last - first + 1))
    expect(answer.rawPayload.equals(BYTES.subarray(first, last + 1))).toBe(true)
  })

  test.each(['bytes=100000-', 'bytes=100000-100001', 'bytes=-0'])('%s is beyond', async (range) => {
    const answer = await ask({ range })
    expect(answer.statusCode).toBe(416)
    expect(answer.headers['content-range']).toBe('bytes */100000')
    expect(answer.body).toBe('')
  })

  test.each(['bytes=9-5', 'bytes=a-b', 'bytes', 'lines=1-2', 'bytes=0-1,5-6', ''])(
    '%j is answered whole', async (range) => {
      const answer = await ask({ range })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['accept-ranges']).toBe('bytes')
      expect(answer.rawPayload.equals(BYTES)).toBe(true)
    },
  )

  test('of a button by its id in either case', async () => {
    const url = `/media/${ID.toUpperCase()}`
    expect((await app.inject({ method: 'GET', url })).statusCode).toBe(200)
  })

  test('a range is for GET alone: HEAD tells of the whole', async () => {
    for (const range of ['bytes=10-19', 'bytes=100000-']) {
      const answer = await ask({ range }, 'HEAD')
      expect([answer.statusCode, answer.body]).toEqual([200, ''])
      expect(answer.headers['content-length']).toBe('100000')
      expect(answer.headers).not.toHaveProperty('content-range')
    }
  })

  test('HEAD tells the length and sends nothing', async () => {
    const answer = await ask({}, 'HEAD')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-length']).toBe('100000')
    expect(answer.body).toBe('')
  })

  test('If-Range: a part of the same file, the whole of another', async () => {
    const { etag, 'last-modified': modified } = (await ask({})).headers
    const range = 'bytes=0-9'
    const tried = (ifRange: string) => ask({ range, 'if-range': ifRange })
    expect((await tried(String(etag))).statusCode).toBe(206)
    expect((await tried(String(modified))).statusCode).toBe(206)
    expect((await tried('"another"')).statusCode).toBe(200)
    expect((await tried(`W/${String(etag)}`)).statusCode).toBe(200)
    expect((await tried(new Date(0).toUTCString())).statusCode).toBe(200)
  })

  test('what is known is not sent again, and what changed is not taken for it', async () => {
    const { etag, 'last-modified': modified } = (await ask({})).headers
    expect((await ask({ 'if-none-match': `"x", ${String(etag)}` })).statusCode).toBe(304)
    expect((await ask({ 'if-none-match': '"x"' })).statusCode).toBe(200)
    // Two versions may have one date: the tag decides where there is one.
    const both = { 'if-none-match': '"x"', 'if-modified-since': String(modified) }
    expect((await ask(both)).statusCode).toBe(200)
    expect((await ask({ 'if-modified-since': String(modified) })).statusCode).toBe(304)
    expect((await ask({ 'if-match': '"x"' })).statusCode).toBe(412)
    expect((await ask({ 'if-match': '*' })).statusCode).toBe(200)
    expect((await ask({ 'if-unmodified-since': new Date(0).toUTCString() })).statusCode).toBe(412)
  })

  test('an empty file', async () => {
    writeFileSync(path, '')
    expect(await ask({})).toMatchObject({ statusCode: 200, body: '' })
    expect((await ask({ range: 'bytes=0-' })).statusCode).toBe(416)
    writeFileSync(path, BYTES)
  })
})

test('it is told by its bytes what it is, not by its name', async () => {
  const typeOf = async (bytes: string): Promise<unknown> => {
    writeFileSync(path, Buffer.from(bytes, 'latin1'))
    return (await ask({})).headers['content-type']
  }
  expect(await typeOf('\x00\x00\x00\x20ftypisom')).toBe('video/mp4')
  expect(await typeOf('\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm')).toBe('video/webm')
  expect(await typeOf('\x89PNG\r\n\x1a\n')).toBe('image/png')
  expect(await typeOf('<?xml version="1.0"?><svg >')).toBe('image/svg+xml')
  expect(await typeOf('<html><script>')).toBe('application/octet-stream')
  const { headers } = await ask({})
  expect(headers).toMatchObject({
    'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin', 'cache-control': 'no-cache',
  })
  // No other site's page may read it.
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('ten thousand hostile ids: no byte of another file', async () => {
  const prng = createPrng(9)
  const pieces = [
    '..', '.', '/', '%2f', '%2e%2e', '%5c', '\\', '%00', 'secret.txt', folder, encodeURI(folder),
    encodeURIComponent(`${folder}/secret.txt`), ID, ID.toUpperCase(), 'file:', '//', '%', '%c0%af',
    '~', '?', '#', '*', 'proc/self/environ', 'etc/passwd', '..;', '%252e%252e%252f', '\u0130',
  ]
  writeFileSync(path, BYTES)
  for (let n = 0; n < 10_000; n += 1) {
    const count = 1 + Math.floor(prng.next() * 6)
    const piece = () => pieces[Math.floor(prng.next() * pieces.length)]
    const parts = Array.from({ length: count }, piece)
    const url = `/media/${parts.join('')}`
    const { statusCode, rawPayload } = await app.inject({ method: 'GET', url })
    expect(rawPayload.includes(SECRET), url).toBe(false)
    if (statusCode === 200) expect(rawPayload.equals(BYTES), url).toBe(true)
    else expect(rawPayload.length, url).toBeLessThan(1_000)
  }
})

describe('files that misbehave', () => {
  test('a pipe in place of the file does not hang', async () => {
    rmSync(path, { force: true })
    execFileSync('mkfifo', [path])
    const began = performance.now()
    expect((await ask({})).statusCode).toBe(404)
    expect(performance.now() - began).toBeLessThan(2_000)
    rmSync(path)
  })

  test('a folder, and nothing at all, are not there', async () => {
    paths.set(ID, folder)
    expect((await ask({})).statusCode).toBe(404)
    paths.set(ID, path)
    expect((await ask({})).statusCode).toBe(404)
  })

  test('one that is replaced in mid-answer: its bytes to the end, then another ETag', async () => {
    const size = 8_000_000
    writeFileSync(path, Buffer.alloc(size, 'a'))
    const before = (await ask({}, 'HEAD')).headers.etag
    const answer = await open(ID)
    const other = join(folder, 'other.mp4')
    writeFileSync(other, Buffer.alloc(size, 'b'))
    utimesSync(other, 1_000, 1_000)
    renameSync(other, path)
    let count = 0
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      expect(chunk.includes('b')).toBe(false)
      count += chunk.length
    }
    expect(count).toBe(size)
    expect((await ask({}, 'HEAD')).headers.etag).not.toBe(before)
  })

  test('one that becomes shorter during the answer cuts the connection', async () => {
    writeFileSync(path, Buffer.alloc(32_000_000, 'a'))
    const answer = await open(ID)
    truncateSync(path, 1_000)
    const read = async (): Promise<number> => {
      let count = 0
      for await (const chunk of answer as AsyncIterable<Buffer>) count += chunk.length
      return count
    }
    await expect(read()).rejects.toThrow()
  })

  test('ten gigabytes in constant memory', async () => {
    const size = 10 * 1024 ** 3
    const handle = openSync(path, 'w')
    ftruncateSync(handle, size)
    closeSync(handle)
    const last = await ask({ range: 'bytes=-1' })
    expect(last.headers['content-range']).toBe(`bytes ${size - 1}-${size - 1}/${size}`)
    const answer = await open(ID)
    expect(answer.headers['content-length']).toBe(String(size))
    const before = process.memoryUsage().rss
    let count = 0
    let worst = 0
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      count += chunk.length
      worst = Math.max(worst, process.memoryUsage.rss() - before)
      if (count > 300_000_000) break
    }
    expect(worst).toBeLessThan(120_000_000)
  })
})

test('who stops reading for long is not cut, nor read ahead for, and goes on', async () => {
  const size = 256_000_000
  const handle = openSync(path, 'w')
  ftruncateSync(handle, size)
  closeSync(handle)
  const answer = await open(ID)
  answer.pause()
  const before = process.memoryUsage().arrayBuffers
  await sleep(5 * IDLE_MS)
  // What the kernel took for the connection is not ours: of the file we hold a few pieces.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16_000_000)
  let count = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) count += chunk.length
  expect(count).toBe(size)
})
