// Section 5: whose web pages may call. Forms never, others as api.origins says, programs always.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BUTTON } from '../api/fake-player.js'
import { API, errorOf, serve, type Served } from '../api/served.js'

let served: Served
beforeEach(() => {
  served = serve(null)
})
afterEach(async () => {
  await served.app.close()
})

const OWN = 'http://127.0.0.1:47831'
const PLAY = `${API}/buttons/${BUTTON}/play`
const SITE = 'https://evil.example'
type Headers = Readonly<Record<string, string>>

const send = (method: 'GET' | 'POST' | 'OPTIONS', url: string, headers: Headers) =>
  served.app.inject({ method, url, headers: { host: served.daemon.authority, ...headers } })
const press = (headers: Headers) => send('POST', PLAY, headers)
const status = (headers: Headers) => send('GET', `${API}/status`, headers)
const JSON_TYPE = { 'content-type': 'application/json' }

describe('a form', () => {
  it.each<[string, Headers]>([
    ['that navigates', { 'sec-fetch-mode': 'navigate' }],
    ['that navigates from our own page', { origin: OWN, 'sec-fetch-mode': 'navigate' }],
    ['of fields', { origin: SITE, 'content-type': 'application/x-www-form-urlencoded' }],
    ['of parts', { origin: SITE, 'content-type': 'multipart/form-data; boundary=x' }],
    ['of text', { origin: SITE, 'content-type': 'text/plain' }],
    ['of text, in capitals', { origin: SITE, 'content-type': 'Text/Plain;charset=utf-8' }],
    ['without a name', { origin: 'null', 'content-type': 'text/plain' }],
  ])('%s presses nothing, by default too', async (_name, headers) => {
    const answer = await press(headers)
    expect([answer.statusCode, errorOf(answer)]).toEqual([403, 'origin_rejected'])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(served.player.commands).toEqual([])
  })

  it.each<[string, Headers, string]>([
    ['one that navigates', { 'sec-fetch-mode': 'navigate' }, 'send a fetch'],
    // What `fetch(url, { method: 'POST', body: '{}' })` sends.
    [
      'a fetch of a text', { origin: 'null', 'content-type': 'text/plain;charset=UTF-8' },
      'text/plain, as a form sends it: send its body with Content-Type: application/json',
    ],
    [
      'a fetch of fields',
      { origin: SITE, 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      'urlencoded, as a form sends it: send its body with Content-Type: application/json',
    ],
  ])('is refused in words that help its author: %s', async (_name, headers, words) => {
    expect((await press(headers)).json<{ message: string }>().message).toContain(words)
  })

  it('is not what a program sends', async () => {
    expect((await press({ 'content-type': 'text/plain' })).statusCode).toBe(202)
    expect((await press({})).statusCode).toBe(202)
    expect((await press({ origin: SITE })).statusCode).toBe(202)
    expect((await press({ origin: SITE, ...JSON_TYPE })).statusCode).toBe(202)
  })
})

describe('api.origins "local"', () => {
  beforeEach(() => {
    served.daemon.origins = 'local'
  })

  it.each([
    OWN, 'http://localhost', 'http://localhost:3000', 'https://localhost:8443',
    'http://127.0.0.1:5173', 'http://127.8.9.1', 'http://10.0.0.4', 'http://192.168.1.20:8080',
    'http://172.16.0.1', 'http://172.31.255.1', 'http://169.254.3.4', 'http://[::1]:3000',
    'http://[fd12:3456::1]', 'http://[fe80::1]', 'http://[fc00::1]', 'http://[febf::9:1]',
    'http://127.255.255.254', 'http://10.255.0.1', 'http://172.20.9.9', 'http://192.168.255.9',
  ])('lets %s call', async (origin) => {
    expect((await press({ origin, ...JSON_TYPE })).statusCode).toBe(202)
    expect((await status({ origin })).statusCode).toBe(200)
  })

  it.each([
    SITE, 'null', 'http://172.15.0.1', 'http://172.32.0.1', 'http://11.0.0.1',
    'http://192.168.1.20.evil.example', 'http://localhost.evil.example', 'http://0x7f.1',
    'http://127.1', 'http://10.0.0.4/', 'http://10.0.0.4, http://evil.example', 'file://localhost',
    'http://user@localhost', 'http://[2001:db8::1]', '', 'http://[fec0::1]', 'http://[fb00::1]',
    'http://[fe7f::1]', 'http://[::2]', 'http://126.0.0.1', 'http://128.0.0.1', 'http://9.0.0.1',
    'http://192.167.0.1', 'http://192.169.0.1', 'http://169.253.0.1', 'http://169.255.0.1',
    'http://110.0.0.1', 'http://172.16.0.1.evil.example', 'http://evil.example:127',
    'ftp://127.0.0.1', 'ws://localhost',
  ])('keeps %j out, and says why to it', async (origin) => {
    for (const answer of [await press({ origin, ...JSON_TYPE }), await status({ origin })]) {
      expect([answer.statusCode, errorOf(answer)]).toEqual([403, 'origin_rejected'])
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(answer.json<{ message: string }>().message).toMatch(/api\.origins/)
    }
    expect(served.player.commands).toEqual([])
  })

  it.each(['null', 'file://'])('tells a page that was opened as a file (%s) so', async (origin) => {
    const { message } = (await status({ origin })).json<{ message: string }>()
    expect(message).toMatch(/opened as a file, .* from a web server .* or see api\.origins$/)
  })

  it('lets whatever is no browser call', async () => {
    expect((await press({})).statusCode).toBe(202)
    expect((await status({})).statusCode).toBe(200)
  })

  it('holds for the stream of events', async () => {
    expect(errorOf(await send('GET', `${API}/events`, { origin: SITE }))).toBe('origin_rejected')
  })

  it('answers a preflight, so that what follows may be read', async () => {
    const answer = await send('OPTIONS', PLAY, {
      origin: SITE, 'access-control-request-method': 'POST',
      'access-control-request-private-network': 'true',
    })
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['access-control-allow-private-network']).toBeUndefined()
  })
})

describe('a list of origins', () => {
  beforeEach(() => {
    served.daemon.origins = ['https://quiz.example']
  })

  it('lets those in it call, our own pages, and programs', async () => {
    for (const origin of ['https://quiz.example', OWN]) {
      expect((await press({ origin, ...JSON_TYPE })).statusCode).toBe(202)
    }
    expect((await press({})).statusCode).toBe(202)
  })

  it.each(['https://quiz.example:444', 'http://quiz.example', 'http://localhost:3000', SITE])(
    'keeps %s out', async (origin) => {
      expect(errorOf(await press({ origin }))).toBe('origin_rejected')
    })
})

describe('a browser that asks whether a page may reach a private address', () => {
  const LISTED = 'https://quiz.example'
  it.each([
    ['any', 'http://localhost:3000', true], ['any', 'http://192.168.1.7', true],
    ['any', SITE, false], ['any', LISTED, false], ['any', 'null', false],
    ['local', 'http://[::1]:3000', true], ['local', SITE, false],
    [[LISTED], LISTED, true], [[LISTED], 'http://10.0.0.4', true], [[LISTED], SITE, false],
  ] as const)('with api.origins %j is told of %s: %j', async (origins, origin, isTold) => {
    served.daemon.origins = origins
    const preflight = { origin, 'access-control-request-method': 'POST' }
    const asked = 'access-control-request-private-network'
    const told = async (headers: Headers): Promise<unknown> => {
      const answer = await send('OPTIONS', PLAY, headers)
      expect(answer.statusCode).toBe(204)
      return answer.headers['access-control-allow-private-network']
    }
    expect(await told({ ...preflight, [asked]: 'true' })).toBe(isTold ? 'true' : undefined)
    expect(await told({ ...preflight, [asked]: 'false' })).toBeUndefined()
    expect(await told(preflight)).toBeUndefined()
  })
})

describe('the order of checks', () => {
  beforeEach(() => {
    served.daemon.origins = 'local'
    served.daemon.entitled = false
  })

  it('has the host before the origin, the origin before path, method and licence', async () => {
    const elsewhere = await send('GET', `${API}/status`, { host: 'evil.example', origin: SITE })
    expect(errorOf(elsewhere)).toBe('host_rejected')
    expect(errorOf(await send('GET', `${API}/nothing`, { origin: SITE }))).toBe('origin_rejected')
    expect(errorOf(await send('GET', PLAY, { origin: SITE }))).toBe('origin_rejected')
    expect(errorOf(await status({ origin: SITE }))).toBe('origin_rejected')
    expect(errorOf(await status({ origin: OWN }))).toBe('license_restricted')
  })
})
