// Pages' paths (4): their headers, who may read, and what the show tells of itself.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { buildServer } from '../../src/api/server.js'
import type { PagesSource } from '../../src/api/pages/source.js'
import type { PageFile } from '../../src/contract/page-file.js'
import { realTimers } from '../../src/clock/real.js'
import { FakePlayer } from '../api/fake-player.js'
import { errorOf } from '../api/served.js'

const AUTHORITY = '127.0.0.1:47831'
const tagged = (text: string) => ({ bytes: Buffer.from(text), etag: `"${text}"` })
const HTML: PageFile = {
  type: 'text/html; charset=utf-8', plain: tagged('<p>'), brotli: tagged('br'), gzip: tagged('gz'),
}
const SCRIPT: PageFile = {
  type: 'text/javascript; charset=utf-8', plain: tagged('1'), brotli: null, gzip: null,
}
const FILES = new Map([['/', HTML], ['/stage', HTML], ['/assets/wall-1a2b.js', SCRIPT]])

const WAVED = '00000000-0000-4000-8000-0000000000ab'

let app: FastifyInstance
let entitled = true
const serve = (pages: PagesSource | null): FastifyInstance =>
  buildServer({
    timers: realTimers(),
    player: new FakePlayer(), authority: AUTHORITY, entitled: () => entitled, logger: null,
    checksAnswers: true, shuttingDown: () => false, origins: 'any', live: null, pages,
  })
beforeEach(() => {
  entitled = true
  app = serve({
    file: (path) => Promise.resolve(FILES.get(path) ?? null), show: () => tagged('{"title":"x"}'),
    media: () => import.meta.filename,
    waves: () => tagged('small'),
    wave: (id) => Promise.resolve(id === WAVED ? tagged('whole') : null),
  })
})
afterEach(() => app.close())

const ask = (
  url: string, headers: Readonly<Record<string, string>> = {}, method: 'GET' | 'POST' = 'GET',
) => app.inject({ method, url, headers: { host: AUTHORITY, ...headers } })

describe('a page', () => {
  it.each([
    '/', '/stage', '/assets/wall-1a2b.js', '/show', '/waves', `/waves/${WAVED}`, '/assets/none.js',
  ])(
    '%s has the headers of pages and none of the API', async (url) => {
      const { headers } = await ask(url)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin',
      })
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        + `media-src 'self' blob:; connect-src 'self' ws://${AUTHORITY}; base-uri 'none'; `
        + "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'")
      const names = Object.keys(headers).filter((name) => /^access-control-|powered/.test(name))
      expect(names).toEqual([])
      expect(headers['cache-control']).not.toBe('no-store')
    })

  it('is compressed as it was at the build, for whoever takes it', async () => {
    const coded = async (accepted: string): Promise<unknown[]> => {
      const { headers, body } = await ask('/', { 'accept-encoding': accepted })
      return [headers['content-encoding'], body, headers.vary]
    }
    expect(await coded('gzip, deflate, br')).toEqual(['br', 'br', 'Accept-Encoding'])
    expect(await coded('gzip')).toEqual(['gzip', 'gz', 'Accept-Encoding'])
    expect(await coded('br;q=0, gzip;q=0.5')).toEqual(['gzip', 'gz', 'Accept-Encoding'])
    expect(await coded('identity')).toEqual([undefined, '<p>', 'Accept-Encoding'])
    for (const none of ['0', '0.', '0.0', '0.00', '0.000']) {
      expect(await coded(`br ; q=${none}, GZIP`)).toEqual(['gzip', 'gz', 'Accept-Encoding'])
      expect(await coded(`gzip;q=${none}`)).toEqual([undefined, '<p>', 'Accept-Encoding'])
    }
    expect(await coded('gzip, br;q=0.001')).toEqual(['br', 'br', 'Accept-Encoding'])
    expect(await coded('xbr, notgzip')).toEqual([undefined, '<p>', 'Accept-Encoding'])
  })

  it('is asked for again by its tag', async () => {
    const first = await ask('/show')
    expect([first.statusCode, first.headers['cache-control']]).toEqual([200, 'no-cache'])
    const { etag = '' } = first.headers
    const again = await ask('/show', { 'if-none-match': `"old", W/${etag}` })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it('keeps its assets for ever, and no other answer', async () => {
    const asset = await ask('/assets/wall-1a2b.js')
    expect(asset.headers['cache-control']).toBe('max-age=31536000, immutable')
    const none = await ask('/assets/none.js')
    expect([none.statusCode, none.headers['cache-control']]).toEqual([404, 'no-cache'])
  })

  it.each([
    '/assets/..%2fpackage.json', '/assets/%2e%2e/x', '/assets/', '/stage/', '/show/x', '//',
  ])(
    'is nothing at %s', async (url) => {
      expect((await ask(url)).statusCode).toBe(404)
    })

  const read = ['/', '/show', '/waves', '/assets/wall-1a2b.js']
  it.each(read)('%s takes GET and HEAD alone', async (url) => {
    for (const method of ['POST', 'OPTIONS', 'DELETE'] as const) {
      const answer = await app.inject({ method, url, headers: { host: AUTHORITY } })
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
      expect(answer.headers['access-control-allow-methods']).toBeUndefined()
    }
    const head = await app.inject({ method: 'HEAD', url, headers: { host: AUTHORITY } })
    expect([head.statusCode, head.body]).toEqual([200, ''])
  })

  it('obeys the Host check and the licence', async () => {
    expect(errorOf(await ask('/', { host: 'evil.example' }))).toBe('host_rejected')
    entitled = false
    expect(errorOf(await ask('/'))).toBe('license_restricted')
    expect(errorOf(await ask('/show'))).toBe('license_restricted')
  })

  it.each(['/', '/stage'])('%s by another name tells a browser where it is', async (url) => {
    const headers = { host: 'localhost:47831', accept: 'text/html,application/xml;q=0.9' }
    const { statusCode, headers: told, body } = await app.inject({ url, headers })
    expect([statusCode, told['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
    expect(body).toContain(`<a href="http://${AUTHORITY}${url}">http://${AUTHORITY}${url}</a>`)
    expect(told['content-security-policy']).toMatch(/^default-src 'none'/)
    // A script, a form and what the pages read are told as ever.
    for (const [method, path, accept] of [
      ['GET', url, '*/*'], ['HEAD', url, 'text/html'], ['POST', url, 'text/html'],
      ['GET', '/show', 'text/html'], ['GET', '/api/v1/status', 'text/html'],
    ] as const) {
      const asked = { method, url: path, headers: { ...headers, accept } }
      const answer = await app.inject(asked)
      expect([answer.statusCode, answer.headers['content-type']])
        .toEqual([403, 'application/json; charset=utf-8'])
    }
  })

  it('a stage by another name keeps what its address asks for', async () => {
    const headers = { host: 'localhost:47831', accept: 'text/html' }
    const { body } = await app.inject({ url: '/stage?name=left&offsetMs=40', headers })
    expect(body).toContain(`<a href="http://${AUTHORITY}/stage?name=left&amp;offsetMs=40">`)
  })

  it.each(['/wall', '/stage/', '/index.html', '/apis'])(
    '%s in a browser leads to the pages; a script is told in JSON', async (url) => {
      const inBrowser = { host: AUTHORITY, accept: 'text/html,application/xml;q=0.9' }
      const { statusCode, headers: told, body } = await app.inject({ url, headers: inBrowser })
      expect([statusCode, told['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      for (const way of [`http://${AUTHORITY}/`, `http://${AUTHORITY}/stage`]) {
        expect(body).toContain(`<a href="${way}">${way}</a>`)
      }
      const byName = await app.inject({ url, headers: { ...inBrowser, host: 'localhost:47831' } })
      expect([byName.statusCode, byName.body]).toEqual([403, body])
      expect(body).not.toContain(url)
      expect(told['content-security-policy']).toMatch(/^default-src 'none'/)
      for (const [method, path, accept] of [
        ['GET', url, '*/*'], ['HEAD', url, 'text/html'], ['POST', url, 'text/html'],
        ['GET', '/api', 'text/html'], ['GET', '/api/v1/stat', 'text/html'],
      ] as const) {
        const answer = await app.inject({ method, url: path, headers: { ...inBrowser, accept } })
        expect([answer.statusCode, answer.headers['content-type']])
          .toEqual([404, 'application/json; charset=utf-8'])
      }
    })

  it('is not there where the configuration has none', async () => {
    await app.close()
    app = serve(null)
    for (const url of ['/', '/stage', '/show', '/waves', '/assets/wall-1a2b.js']) {
      expect(errorOf(await ask(url, { accept: 'text/html' }))).toBe('not_found')
    }
  })
})

describe.each(['/show', '/waves', `/waves/${WAVED}`])('%s', (url) => {
  it.each([
    [{ 'sec-fetch-site': 'cross-site' }], [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'http://192.168.0.5' }], [{ origin: 'null' }],
    [{ origin: `http://${AUTHORITY}`, 'sec-fetch-site': 'cross-site' }],
  ])('is not read by %j', async (headers) => {
    const answer = await ask(url, headers)
    expect([answer.statusCode, errorOf(answer)]).toEqual([403, 'origin_rejected'])
  })

  it.each([
    [{}], [{ 'sec-fetch-site': 'none' }], [{ 'sec-fetch-site': 'same-origin' }],
    [{ origin: `http://${AUTHORITY}` }],
  ])('is read by %j', async (headers) => {
    expect((await ask(url, headers)).statusCode).toBe(200)
  })
})

// Browsers send a path as it is written, and the router decodes it.
describe.each([
  '/%73how', '/sho%77?x', '/w%61ves', `/%77aves/${WAVED}`, `/waves/%30${WAVED.slice(1)}`,
  `/%6dedia/${WAVED}`, `/%6D%65dia/${WAVED}#x`,
])('%s, a path in another spelling', (url) => {
  it('is kept from pages of elsewhere', async () => {
    const answer = await ask(url, { origin: 'https://evil.example' })
    expect([answer.statusCode, errorOf(answer)]).toEqual([403, 'origin_rejected'])
  })

  it('has the headers of pages and none of the API', async () => {
    const { statusCode, headers } = await ask(url)
    expect([statusCode, headers['cross-origin-opener-policy']]).toEqual([200, 'same-origin'])
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})

it('a stage in another spelling is shown in no frame of others', async () => {
  const { headers } = await ask('/st%61ge')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
})

describe('a waveform', () => {
  it('is found by its button, in whatever case, and asked for again by its tag', async () => {
    const { body, headers } = await ask(`/waves/${WAVED.toUpperCase()}`)
    expect([body, headers['content-type']]).toEqual(['whole', 'application/octet-stream'])
    const { etag = '' } = headers
    expect((await ask(`/waves/${WAVED}`, { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await ask('/waves', { 'if-none-match': '"small"' })).statusCode).toBe(304)
  })

  it('is 404 where there is none, or no such button', async () => {
    const none = '/waves/00000000-0000-4000-8000-000000000001'
    for (const url of [none, '/waves/x', '/waves/']) {
      expect((await ask(url)).statusCode).toBe(404)
    }
  })
})

describe('media', () => {
  const url = '/media/00000000-0000-4000-8000-000000000001'

  it('is for our own pages: no CORS, a sandbox, and 403 to pages of elsewhere', async () => {
    const { headers, statusCode } = await ask(url, { range: 'bytes=0-1' })
    expect(statusCode).toBe(206)
    expect(headers).toMatchObject({
      'content-security-policy': 'sandbox', 'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-cache',
    })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    for (const from of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const refused = await ask(url, from)
      expect([refused.statusCode, errorOf(refused)]).toEqual([403, 'origin_rejected'])
    }
  })

  it('is read, and nothing else', async () => {
    const { statusCode, headers } = await ask(url, {}, 'POST')
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD'])
  })
})
