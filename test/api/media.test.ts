// A browser that seeks breaks its requests for a medium off: no file stays open for one of them.
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mediaHandler } from '../../src/api/media.js'

const DESCRIPTORS = '/proc/self/fd'
/** More than all the buffers on the way hold. */
const BYTES = 32 * 1_024 * 1_024

let folder = ''
let path = ''
let app: FastifyInstance
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-media-'))
  path = join(folder, 'clip.mp4')
  writeFileSync(path, Buffer.alloc(BYTES))
  app = Fastify()
  app.get('/media/:buttonId', mediaHandler(() => path))
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

it.runIf(process.platform === 'linux')('where a part of it was read', async () => {
  for (let n = 0; n < 20; n += 1) await begunToRead()
  for (let turn = 0; turn < 20_000 && openTimes() > 0; turn += 1) {
    await new Promise((next) => setImmediate(next))
  }
  expect(openTimes()).toBe(0)
})
