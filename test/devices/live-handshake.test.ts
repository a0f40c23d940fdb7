// The handshake of GET /api/v1/live (6.1): which are answered by a WebSocket, and which not.
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { LIMITS } from '../../src/contract/limits.js'
import { LIVE } from '../../src/contract/live.js'
import { connected, Listener, liveRigs, until, type LiveRig } from './live-rig.js'
import { talk } from './raw-socket.js'

const listening = liveRigs([{ buttons: [{}] }])

/** Status and code of a handshake that is refused. */
const knock = (
  h: LiveRig, headers: Record<string, string>, path = '/api/v1/live',
): Promise<{ status: number; error: string; cors: unknown }> =>
  new Promise((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1', port: h.port, path, headers: {
        connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', ...headers,
      },
    })
    asked.on('upgrade', () => resolve({ status: 101, error: '', cors: null }))
    asked.on('response', (answer) => {
      let text = ''
      answer.on('data', (piece: Buffer) => (text += piece.toString()))
      answer.on('end', () => resolve({
        status: answer.statusCode ?? 0, error: (JSON.parse(text) as { error: string }).error,
        cors: answer.headers['access-control-allow-origin'],
      }))
    })
    asked.on('error', reject)
    asked.end()
  })

test('refuses another Host, as everywhere', async () => {
  const h = await listening()
  expect(await knock(h, { host: `evil.example:${h.port}` }))
    .toEqual({ status: 403, error: 'host_rejected', cors: '*' })
})

test('says in the log, at debug, why it refuses, and why something is no HTTP', async () => {
  const lines: { readonly level: number; readonly refused: string; readonly reason: string }[] = []
  const write = (line: string): unknown => lines.push(JSON.parse(line) as (typeof lines)[number])
  const h = await listening('any', pino({ level: 'debug' }, { write }))
  await knock(h, { 'sec-websocket-protocol': 'arduino' })
  await talk(h.port, ['play\r\n\r\n'], 3000, 1)
  // As pino numbers them: a log as it usually is does not fill with what strangers send.
  const { debug } = pino.levels.values
  expect(lines.map(({ level, refused, reason }) => [level, refused, reason])).toEqual([
    [debug, 'bad_request', 'the subprotocol must be cartwall.live.1'],
    [debug, 'bad_request', expect.stringContaining('not a valid HTTP')],
  ])
})

test('refuses pages that the configuration keeps out', async () => {
  const h = await listening('local')
  expect(await knock(h, { origin: 'https://evil.example' }))
    .toEqual({ status: 403, error: 'origin_rejected', cors: '*' })
  expect((await knock(h, { origin: 'http://192.168.1.7:8080' })).status).toBe(101)
})

test('refuses pages that come while the service ends: nobody would close them', async () => {
  const h = await listening()
  h.world.shuttingDown = true
  expect(await knock(h, {})).toMatchObject({ status: 503, error: 'shutting_down' })
})

test('refuses everybody where the API is withheld', async () => {
  const h = await listening()
  h.world.entitled = false
  expect((await knock(h, {})).error).toBe('license_restricted')
})

test.each([
  ['another version', { 'sec-websocket-version': '8' }],
  ['a key that is none', { 'sec-websocket-key': 'short' }],
  ['another subprotocol', { 'sec-websocket-protocol': 'graphql-ws' }],
])('refuses %s', async (_name, headers) => {
  const answer = await knock(await listening(), headers)
  expect(answer).toMatchObject({ status: 400, error: 'bad_request' })
})

test.each([
  ['in any case', { upgrade: 'WebSocket' }], ['among other upgrades of the connection', {
    connection: 'keep-alive, Upgrade' }],
  ['without a subprotocol', {}], ['by ours', { 'sec-websocket-protocol': LIVE.subprotocol }],
  ['by ours among others', { 'sec-websocket-protocol': `graphql-ws, ${LIVE.subprotocol}` }],
  ['by a page of any site', { origin: 'https://evil.example' }],
])('opens %s', async (_how, headers) => {
  const told = await knock(await listening(), headers)
  expect(told).toEqual({ status: 101, error: '', cors: null })
})

test('tells the first of several faults, as everywhere', async () => {
  const h = await listening('local')
  h.world.entitled = false
  const unfit = { 'sec-websocket-version': '8', origin: 'https://evil.example' }
  const told = async (headers: Record<string, string>) => (await knock(h, headers)).error
  expect(await told({ ...unfit, host: 'evil' })).toBe('host_rejected')
  expect(await told(unfit)).toBe('origin_rejected')
  expect(await told({ 'sec-websocket-version': '8' })).toBe('license_restricted')
  h.world.entitled = true
  expect(await told({ 'sec-websocket-version': '8' })).toBe('bad_request')
})

test('knows no WebSocket elsewhere', async () => {
  const h = await listening()
  expect((await knock(h, {}, '/api/v1/other')).error).toBe('not_found')
  expect((await knock(h, {}, '/api/v1/live/')).error).toBe('not_found')
  expect((await knock(h, {}, '//x/api/v1/live')).error).toBe('not_found')
})

test('tells who comes without a WebSocket that it is one', async () => {
  const h = await listening()
  const answer = await fetch(`http://127.0.0.1:${h.port}/api/v1/live`)
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'bad_request' }])
})

test('takes 256 pages and no more', async () => {
  const h = await listening()
  const pages = Array.from({ length: LIVE.sockets }, () => new Listener(h.url))
  await until(() => pages.every((page) => page.messages.length >= 2))
  expect(await knock(h, {})).toMatchObject({ status: 503, error: 'too_many_readers' })
  pages[0]!.socket.terminate()
  await until(() => pages[0]!.closed !== null)
  await connected(h.url)
  for (const page of pages) page.socket.terminate()
})

test('a page takes no place among the 512 connections, and gives way to none', async () => {
  const h = await listening()
  const page = await connected(h.url)
  let gone = 0
  const silent: Socket[] = []
  for (let n = 0; n < LIMITS.connections + 20; n += 1) {
    const socket = connect(h.port, '127.0.0.1').on('close', () => (gone += 1))
    silent.push(socket.on('error', () => undefined))
  }
  await until(() => gone >= 20)
  page.say({ kind: 'time', id: 1 })
  await until(() => page.times.length === 1)
  expect(page.closed).toBeNull()
  for (const socket of silent) socket.destroy()
})
