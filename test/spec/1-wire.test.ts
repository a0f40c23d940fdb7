// Section 1 and 4 on the wire: hosts, paths, methods, bodies and CORS, as a client sees them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { InjectOptions } from 'fastify'
import type { StopAnswer } from '../../src/contract/schemas.js'
import { BUTTON, RUN, refusing } from '../api/fake-player.js'
import { API, errorOf, serve, type Served } from '../api/served.js'

let served: Served
beforeEach(() => {
  served = serve(null)
})
afterEach(async () => {
  await served.app.close()
})

const ask = (options: InjectOptions & { url: string }) =>
  served.app.inject({
    ...options,
    headers: { host: served.daemon.authority, ...options.headers },
  })
const get = (path: string) => ask({ method: 'GET', url: `${API}${path}` })
const post = (path: string, payload: string | Buffer, type = 'application/json') =>
  ask({ method: 'POST', url: `${API}${path}`, payload, headers: { 'content-type': type } })
const bodyless = (path: string) => ask({ method: 'POST', url: `${API}${path}` })
const play = `/buttons/${BUTTON}/play`

describe('host', () => {
  it.each([
    'localhost:47831', '127.0.0.1', '127.0.0.1:47832', 'evil.example',
    '127.0.0.1:47831.evil.example', '127.0.0.1:047831', '0.0.0.0:47831', '[::1]:47831', '',
    '127.1:47831',
  ])('refuses %j', async (host) => {
    const answer = await ask({ method: 'GET', url: `${API}/status`, headers: { host } })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ error: 'host_rejected' })
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  })

  it('comes before everything else', async () => {
    served.daemon.entitled = false
    served.daemon.shuttingDown = true
    for (const [method, url] of [
      ['GET', '/nowhere'], ['POST', `${API}/status`], ['OPTIONS', `${API}/status`],
      ['POST', `${API}${play}`], ['GET', '/%zz'],
    ] as const) {
      const answer = await ask({ method, url, headers: { host: 'evil.example' } })
      expect([url, errorOf(answer)]).toEqual([url, 'host_rejected'])
    }
  })
})

describe('paths and methods', () => {
  it.each([
    '/', '/api/v1', '/api/v1/', '/api/v2/status', '/status', '/api/v1/status/', '/api/v1//status',
    '/API/v1/status', '/api/v1/Status', '/api/v1/nothing', '/api/v1/buttons/', '/api/v1/executions',
    '/api/v1/executions/', '/api/v1/buttons//play', '/%zz', '/api/v1/%ff',
    ...['', '/play/', '/dmx', '/explode'].map((rest) => `/api/v1/buttons/${BUTTON}${rest}`),
  ])('knows no %s', async (url) => {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const answer = await ask({ method, url })
      expect([method, answer.statusCode, errorOf(answer)]).toEqual([method, 404, 'not_found'])
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(answer.body).toMatch(/those of the API begin with \/api\/v1, and none ends with a/)
    }
  })

  it.each([
    ['/buttons', 'GET, HEAD'], ['/status', 'GET, HEAD'], ['/events', 'GET, HEAD'],
    [`/executions/${RUN}`, 'GET, HEAD'],
    [play, 'POST'], [`/buttons/${BUTTON}/restart`, 'POST'], [`/buttons/${BUTTON}/pause`, 'POST'],
    [`/buttons/${BUTTON}/resume`, 'POST'], [`/buttons/${BUTTON}/stop`, 'POST'],
    [`/buttons/${BUTTON}/dmx/sync`, 'POST'], ['/stop', 'POST'],
  ])('answers other methods on %s with the right ones', async (path, allow) => {
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'] as const
    for (const method of others.filter((one) => !allow.split(', ').includes(one))) {
      const answer = await ask({ method: method as 'GET', url: `${API}${path}?q=1` })
      expect([method, answer.statusCode]).toEqual([method, 405])
      expect(answer.headers['allow']).toBe(allow)
      if (method !== 'HEAD') expect(errorOf(answer)).toBe('method_not_allowed')
    }
    expect(served.player.commands).toEqual([])
  })

  it('tells the method before the id: the id is for those who use it right', async () => {
    const answer = await get('/buttons/nonsense/play')
    expect([answer.statusCode, errorOf(answer)]).toEqual([405, 'method_not_allowed'])
  })

  it('answers HEAD like GET, without the body', async () => {
    const whole = await get('/status')
    const head = await ask({ method: 'HEAD', url: `${API}/status` })
    expect(head.statusCode).toBe(200)
    expect(head.body).toBe('')
    expect(head.headers['content-length']).toBe(String(whole.body.length))
    const gone = await ask({ method: 'HEAD', url: `${API}/executions/${BUTTON}` })
    expect([gone.statusCode, gone.body]).toEqual([404, ''])
  })

  it('ignores the body and its type on a GET', async () => {
    const answer = await ask({
      method: 'GET', url: `${API}/status`, payload: 'x'.repeat(5_000),
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer.statusCode).toBe(200)
  })

  it('takes a query as it comes', async () => {
    expect((await get('/status?a=1&a=%zz&__proto__=1')).statusCode).toBe(200)
  })
})

describe('CORS', () => {
  it('answers preflights, also of pages here that ask for a private address', async () => {
    const answer = await ask({
      method: 'OPTIONS',
      url: `${API}${play}`,
      headers: {
        origin: 'http://localhost:3000',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
        'access-control-request-private-network': 'true',
      },
    })
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-allow-methods']).toBe('POST')
    expect(answer.headers['access-control-allow-headers']).toMatch(/content-type/i)
    expect(answer.headers['access-control-allow-private-network']).toBe('true')
  })

  it('answers them without a licence and while ending: what follows is refused', async () => {
    served.daemon.entitled = false
    served.daemon.shuttingDown = true
    expect((await ask({ method: 'OPTIONS', url: `${API}/status` })).statusCode).toBe(204)
  })

  it('says nothing of private networks unasked', async () => {
    const answer = await ask({ method: 'OPTIONS', url: `${API}/status` })
    expect(answer.headers['access-control-allow-private-network']).toBeUndefined()
    expect(answer.headers['allow']).toBe('GET, HEAD')
  })

  it('stands on answers of every kind', async () => {
    served.player.answer = () => Promise.reject(new Error('planted'))
    const answers = await Promise.all([
      get('/status'), get('/nowhere'), bodyless('/status'), bodyless('/buttons/x/play'),
      bodyless(play), post(play, '['), post(play, 'x', 'text/plain'), post(play, ' '.repeat(1025)),
    ])
    expect(answers.map((answer) => answer.statusCode)).toEqual([
      200, 404, 405, 400, 500, 400, 415, 413,
    ])
    for (const answer of answers) {
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    }
  })
})

describe('licence and shutdown', () => {
  it('withholds everything without a licence, but unknown paths stay unknown', async () => {
    served.daemon.entitled = false
    expect(errorOf(await get('/status'))).toBe('license_restricted')
    expect((await post(play, 'x', 'text/plain')).statusCode).toBe(403)
    expect((await get('/nowhere')).statusCode).toBe(404)
    expect((await bodyless('/status')).statusCode).toBe(405)
  })

  it('refuses commands once the shutdown began, before it looks at them; reads go on', async () => {
    served.daemon.shuttingDown = true
    for (const answer of [await bodyless(play), await post(play, 'x', 'text/plain')]) {
      expect([answer.statusCode, errorOf(answer)]).toEqual([503, 'shutting_down'])
    }
    expect((await get('/buttons')).statusCode).toBe(200)
    expect(served.player.commands).toEqual([])
  })
})

describe('bodies', () => {
  it('takes a command without a body, whatever the type says', async () => {
    for (const type of [undefined, 'application/json', 'text/plain', '', 'garbage; ;;=']) {
      const headers: Record<string, string> = { 'content-length': '0' }
      if (type !== undefined) headers['content-type'] = type
      const answer = await ask({ method: 'POST', url: `${API}${play}`, headers })
      expect([type, answer.statusCode]).toEqual([type, 202])
    }
  })

  it.each([
    'application/json', 'application/json;charset=utf-8', 'application/json ; charset=UTF-8',
    'Application/JSON', 'application/json; x',
  ])('takes %s', async (type) => {
    expect((await post(play, '{}', type)).statusCode).toBe(202)
  })

  it.each([
    'text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'application/ json',
    'application/json, text/plain', 'application/vnd.api+json', '', 'json', 'application/json x',
    'multipart/form-data; boundary=application/json',
  ])('asks for JSON instead of %j', async (type) => {
    const answer = await post(play, '{}', type)
    expect([answer.statusCode, errorOf(answer)]).toEqual([415, 'json_required'])
    expect(served.player.commands).toEqual([])
  })

  it('asks for JSON where no type is told, and before it counts', async () => {
    const url = `${API}${play}`
    const answer = await ask({
      method: 'POST', url, payload: Buffer.from('{}'), headers: { 'content-type': undefined },
    })
    expect(answer.statusCode).toBe(415)
    expect((await post(play, 'x'.repeat(2_000), 'text/plain')).statusCode).toBe(415)
  })

  it('takes 1024 bytes and not one more, counted as bytes', async () => {
    const sized = (bytes: number, filler: string) => {
      const head = '{"x":"'
      const room = bytes - head.length - 2
      return `${head}${filler.repeat(Math.floor(room / Buffer.byteLength(filler)))}"}`
    }
    expect((await post(play, sized(1024, 'x'))).statusCode).toBe(202)
    const over = await post(play, sized(1025, 'x'))
    expect([over.statusCode, errorOf(over)]).toEqual([413, 'body_too_large'])
    const wide = sized(1026, 'ü')
    expect(wide.length).toBeLessThan(600)
    expect((await post(play, wide)).statusCode).toBe(413)
    expect((await post('/buttons/nonsense/play', ' '.repeat(1025))).statusCode).toBe(413)
  })

  it.each([
    ['not JSON', '{'], ['not JSON', 'undefined'], ['not JSON', "{'a':1}"], ['not JSON', ' '],
    ['not JSON', '{}{}'], ['not JSON', '{"a":NaN}'], ['not JSON', '\0'], ['null', 'null'],
    ['an array', '[]'], ['an array', '[{}]'], ['a string', '"{}"'], ['a number', '5'],
    ['a boolean', 'true'], ['__proto__', '{"__proto__":{}}'], ['__proto__', '{"__proto__":null}'],
    ['escaped', '{"\\u005f_proto__":1}'], ['escaped', '{"__pr\\u006Fto__" : 1}'],
    ['deep', '{"a":[{"__proto__":{"loop":true}}]}'], ['hidden by its double',
      '{"a":{"__proto__":1},"a":2}'],
  ])('refuses a body that is %s: %s', async (_what, body) => {
    const answer = await post(play, body)
    expect([answer.statusCode, errorOf(answer)]).toEqual([400, 'invalid_playback_request'])
    expect(served.player.commands).toEqual([])
  })

  it('refuses bytes that are not UTF-8', async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
      const body = Buffer.concat([Buffer.from('{"x":"'), Buffer.from(bytes), Buffer.from('"}')])
      const answer = await post(play, body)
      expect(answer.json()).toEqual({
        error: 'invalid_playback_request', message: 'the body is not UTF-8',
      })
    }
  })

  it('ignores fields it does not know, even those that look like the forbidden one', async () => {
    const body = {
      speed: 2, constructor: { prototype: { loop: true } }, __Proto__: 1, 'x"__proto__': 1,
      note: '"__proto__":', toString: 1, loop: true,
    }
    expect((await post(play, JSON.stringify(body))).statusCode).toBe(202)
    expect(served.player.commands).toEqual([
      {
        kind: 'play', buttonId: BUTTON,
        options: {
          pauseWhenReplaced: null, allowOverlap: null, externalSequencing: false, loop: true,
          loopCrossfadeMs: null,
        },
      },
    ])
  })

  it('takes 5.0 and 5e0 for an integer', async () => {
    for (const number of ['5', '5.0', '5e0', '0.5e1', '50e-1']) {
      expect((await post(play, `{"loopCrossfadeMs":${number}}`)).statusCode).toBe(202)
    }
    const told = served.player.commands.map((one) =>
      one.kind === 'play' ? one.options.loopCrossfadeMs : null,
    )
    expect(told).toEqual([5, 5, 5, 5, 5])
  })
})

describe('ids', () => {
  it('takes either case and any version, and answers in lower case', async () => {
    const id = BUTTON.toUpperCase()
    const run = 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'
    const answer = await post(`/buttons/${id}/stop`, JSON.stringify({ executionId: run }))
    expect(answer.json()).toEqual({
      result: 'stopped', id: BUTTON, executionId: run.toLowerCase(),
    })
    const clock = { sequence: 1, positionMs: 0, isPlaying: true }
    for (const move of ['pause', 'resume', 'stop', 'dmx/sync']) {
      const message = JSON.stringify({ executionId: RUN.toUpperCase(), ...clock })
      await post(`/buttons/${id}/${move}`, message)
      expect(served.player.commands.at(-1)).toMatchObject({ buttonId: BUTTON, executionId: RUN })
    }
    expect((await get(`/executions/${RUN.toUpperCase()}`)).json()).toMatchObject({
      executionId: RUN,
    })
  })

  it.each([
    ['an id in capitals', { id: BUTTON.toUpperCase() }], ['a field too many', { more: 1 }],
    ['a field of another type', { executionId: 5 }],
  ])('are held against their schemas in all tests: %s is a bug', async (_what, wrong) => {
    const body = { result: 'stopped', id: BUTTON, executionId: null, ...wrong } as StopAnswer
    served.player.answer = () => Promise.resolve({ ok: true, status: 200, body })
    const answer = await bodyless(`/buttons/${BUTTON}/stop`)
    expect([answer.statusCode, errorOf(answer)]).toEqual([500, 'command_failed'])
  })

  it.each([
    'x', '%zz', '%00', 'a'.repeat(900), `{${BUTTON}}`, BUTTON.replaceAll('-', ''),
    `${BUTTON}0`, BUTTON.replace('0', 'g'), `${BUTTON}%0a`, `urn:uuid:${BUTTON}`, '%F0%9F%8E%B5',
  ])('calls %s no id', async (id) => {
    const answer = await bodyless(`/buttons/${id}/play`)
    expect([answer.statusCode, errorOf(answer)]).toEqual([400, 'invalid_button_id'])
    const read = await get(`/executions/${id}`)
    expect([read.statusCode, errorOf(read)]).toEqual([400, 'invalid_execution_id'])
  })
})

describe('what the client gets to see of a refusal', () => {
  it('is a code and a sentence', async () => {
    served.player.answer = refusing('stale_execution')
    const answer = await bodyless(`/buttons/${BUTTON}/stop`)
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toEqual({
      error: 'stale_execution', message: 'said the player: stale_execution',
    })
  })

  it('names the place and what was expected', async () => {
    const message = async (body: object) =>
      (await post(play, JSON.stringify(body))).json<{ message: string }>().message
    expect(await message({ loopCrossfadeMs: 1e20 })).toBe('loopCrossfadeMs must be at most 60000')
    expect(await message({ loopCrossfadeMs: -1e20 })).toBe('loopCrossfadeMs must be at least 0')
    expect(await message({ loopCrossfadeMs: 1.5 })).toBe('loopCrossfadeMs must be a whole number')
    expect(await message({ loop: 'yes' })).toBe('loop must be true or false')
  })

  it.each([
    ['{"executionId":5}', 'executionId must be a GUID'],
    ['{"executionId":"x"}', 'executionId must be a GUID'],
    ['{}', 'executionId is required in the JSON body'],
    ['[]', 'the body must be a JSON object'],
    ['{"__proto__":1}', 'the body has a __proto__ key'],
    [`{"executionId":"${RUN}","fadeOutMs":"5"}`, 'fadeOutMs must be a number'],
  ])('says of %s: %s', async (body, message) => {
    expect((await post(`/buttons/${BUTTON}/pause`, body)).json()).toMatchObject({ message })
  })
})
