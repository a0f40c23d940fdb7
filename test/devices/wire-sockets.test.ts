// Section 1 below the routes: what raw bytes on a socket are answered, and what they cannot do.
import net from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/contract/limits.js'
import { BUTTON, RUN, successFor } from '../api/fake-player.js'
import { API, listen, serve, type Served } from '../api/served.js'
import { answersIn, talk, type RawAnswer } from './raw-socket.js'

let served: Served
let port: number
beforeEach(async () => {
  served = serve(null)
  port = await listen(served)
})
afterEach(async () => {
  served.app.server.closeAllConnections()
  await served.app.close()
})

const host = () => `Host: 127.0.0.1:${port}\r\n`
const get = (path: string, headers = '') =>
  `GET ${API}${path} HTTP/1.1\r\n${host()}${headers}\r\n`
const post = (path: string, headers: string, body: string) =>
  `POST ${API}${path} HTTP/1.1\r\n${host()}${headers}\r\n${body}`
const play = `/buttons/${BUTTON}/play`
const JSON_TYPE = 'Content-Type: application/json\r\n'
const chunked = (...parts: string[]) =>
  [...parts, ''].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')

const ask = async (bytes: string | Buffer): Promise<RawAnswer> => {
  const heard = await talk(port, [bytes], 3_000, 1)
  const answers = answersIn(heard.text)
  expect(answers).toHaveLength(1)
  return answers[0]!
}
const told = (answer: RawAnswer): string => {
  const { error, message } = JSON.parse(answer.body) as { error: string; message?: unknown }
  expect(['string', 'undefined']).toContain(typeof message)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  return `${answer.status} ${error}`
}
const isAlive = async () => (await ask(get('/status'))).status === 200

describe('whom the request is for', () => {
  it('answers the numeric address and port', async () => {
    expect((await ask(get('/status'))).status).toBe(200)
    expect((await ask(`GET ${API}/status HTTP/1.1\r\nhOsT:  127.0.0.1:${port} \r\n\r\n`)).status)
      .toBe(200)
  })

  it.each([
    ['none', () => `GET ${API}/status HTTP/1.1\r\n\r\n`],
    ['none in 1.0', () => `GET ${API}/status HTTP/1.0\r\n\r\n`],
    ['two', () => `GET ${API}/status HTTP/1.1\r\n${host()}${host()}\r\n`],
    ['a second, bad one', () => `GET ${API}/status HTTP/1.1\r\n${host()}Host: evil\r\n\r\n`],
    ['a first, bad one', () => `GET ${API}/status HTTP/1.1\r\nHost: evil\r\n${host()}\r\n`],
    ['a name', () => `GET ${API}/status HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`],
    ['another in the target', () => `GET http://evil${API}/status HTTP/1.1\r\n${host()}\r\n`],
    ['a user in the target', () =>
      `GET http://a@127.0.0.1:${port}${API}/status HTTP/1.1\r\n${host()}\r\n`],
    ['another in a POST', () => `POST http://evil${API}${play} HTTP/1.1\r\n${host()}\r\n`],
  ])('refuses %s', async (_what, bytes) => {
    expect(told(await ask(bytes()))).toBe('403 host_rejected')
    expect(served.player.commands).toEqual([])
  })

  it('answers OPTIONS * and knows no other path of that name', async () => {
    expect((await ask(`OPTIONS * HTTP/1.1\r\n${host()}\r\n`)).status).toBe(204)
    expect((await ask('OPTIONS * HTTP/1.1\r\n\r\n')).status).toBe(403)
  })

  it('does not tunnel', async () => {
    const own = await ask(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${host()}\r\n`)
    expect(told(own)).toBe('405 method_not_allowed')
    expect(own.headers.get('allow')).toBe('GET, HEAD, POST')
    expect(told(await ask(`CONNECT evil:443 HTTP/1.1\r\n${host()}\r\n`))).toBe('403 host_rejected')
    expect(told(await ask('CONNECT evil:443 HTTP/1.1\r\nHost: evil:443\r\n\r\n'))).toBe(
      '403 host_rejected',
    )
  })

  it('takes an upgrade for the request that it also is', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
    expect((await ask(get('/status', upgrade))).status).toBe(200)
    expect((await ask(get('/nothing', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'))).status).toBe(404)
  })
})

describe('what is not HTTP', () => {
  it.each([
    ['words', 'hello\r\n\r\n'], ['a bad version', 'GET / HTTP/9.9\r\n\r\n'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n'], ['zeros', '\0\0\0\0'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], ['TLS', '\x16\x03\x01\x02\x00\x01\x00'],
    ['a bare LF header', 'GET / HTTP/1.1\r\n a\n\n'],
    ['a bad header', 'GET / HTTP/1.1\r\nHo st: x\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a length and chunks',
      'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a negative length', 'POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n'],
  ])('gets a JSON 400 and a closed socket: %s', async (_what, bytes) => {
    const heard = await talk(port, [Buffer.from(bytes, 'latin1')], 2_000, null)
    expect(heard.closed).toBe(true)
    const [answer, ...more] = answersIn(heard.text)
    expect(more).toEqual([])
    expect(told(answer!)).toBe('400 bad_request')
    expect(answer!.headers.get('connection')).toBe('close')
    expect(await isAlive()).toBe(true)
  })

  it.each([
    ['post / HTTP/1.1\r\n\r\n', /method/], ['POST / HTTP/1.1\n\n', /CRLF/],
    ['POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na', /Content-Length/],
  ])('is told what is wrong with it: %j', async (bytes, what) => {
    const { message } = JSON.parse((await ask(bytes)).body) as { message: string }
    expect(message).toMatch(/^this is not a valid HTTP request: ./)
    expect(message).toMatch(what)
  })

  it('gets one answer, however much of it comes', async () => {
    const parts = Array.from({ length: 10 }, () => 'nonsense\r\n\r\n')
    const heard = await talk(port, parts, 2_000, null)
    expect(heard.closed).toBe(true)
    expect(answersIn(heard.text)).toHaveLength(1)
  })

  it('may be headers that are too large', async () => {
    const heard = await talk(port, [get('/status', `X: ${'a'.repeat(100_000)}\r\n`)], 2_000, null)
    expect(heard.closed).toBe(true)
    expect(told(answersIn(heard.text)[0]!)).toBe('431 headers_too_large')
  })

  it('waits for the answer of the good request before it', async () => {
    served.player.answer = (command) =>
      new Promise((resolve) => setTimeout(() => resolve(successFor(command)), 100))
    const heard = await talk(port, [`${post(play, '', '')}nonsense\r\n\r\n`], 2_000, null)
    expect(heard.closed).toBe(true)
    const answers = answersIn(heard.text)
    expect(answers.map((one) => one.status)).toEqual([202, 400])
    expect(told(answers[1]!)).toBe('400 bad_request')
  })

  it('may begin in the middle of a body, behind a request that still runs', async () => {
    served.player.answer = (command) =>
      new Promise((resolve) => setTimeout(() => resolve(successFor(command)), 100))
    const broken = post(play, `${JSON_TYPE}Transfer-Encoding: chunked\r\n`, 'zz\r\n')
    const heard = await talk(port, [`${post(play, '', '')}${broken}`], 2_000, null)
    expect(heard.closed).toBe(true)
    expect(answersIn(heard.text).map((one) => one.status)).toEqual([202, 400])
    expect(served.player.commands).toHaveLength(1)
  })
})

describe('bodies in chunks', () => {
  const TE = 'Transfer-Encoding: chunked\r\n'

  it('are counted as received: 1024 bytes pass, 1025 do not', async () => {
    const sized = (bytes: number) => `{"x":"${'x'.repeat(bytes - 8)}"}`
    const half = (text: string) => [text.slice(0, 500), text.slice(500)]
    const good = sized(1024)
    expect(good).toHaveLength(1024)
    expect((await ask(post(play, JSON_TYPE + TE, chunked(...half(good))))).status).toBe(202)
    const bad = await ask(post(play, JSON_TYPE + TE, chunked(...half(sized(1025)))))
    expect(told(bad)).toBe('413 body_too_large')
    expect(served.player.commands).toHaveLength(1)
  })

  it('may be no body at all, whatever their type', async () => {
    for (const type of ['', JSON_TYPE, 'Content-Type: text/plain\r\n']) {
      expect((await ask(post(play, type + TE, chunked()))).status).toBe(202)
    }
  })

  it('must be JSON by their type, from the first byte', async () => {
    expect(told(await ask(post(play, TE, chunked('{}'))))).toBe('415 json_required')
    const big = chunked('x'.repeat(3_000))
    expect(told(await ask(post(play, `Content-Type: text/plain\r\n${TE}`, big)))).toBe(
      '415 json_required',
    )
  })

  it('may cut a character in two', async () => {
    const body = Buffer.from('{"x":"ü"}')
    const parts = [body.subarray(0, 7), body.subarray(7)].map((part) =>
      Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
    )
    const heard = await talk(
      port, [post(play, JSON_TYPE + TE, ''), ...parts, Buffer.from('0\r\n\r\n')], 3_000, 1,
    )
    expect(answersIn(heard.text).map((one) => one.status)).toEqual([202])
  })
})

describe('one connection', () => {
  it('gets its answers in the order it asked', async () => {
    let delay = 60
    served.player.answer = (command) => {
      delay -= 20
      return new Promise((resolve) => setTimeout(() => resolve(successFor(command)), delay))
    }
    const sync = (sequence: number) => {
      const body = JSON.stringify({ executionId: RUN, sequence, positionMs: 0, isPlaying: true })
      const headers = `${JSON_TYPE}Content-Length: ${body.length}\r\n`
      return post(`/buttons/${BUTTON}/dmx/sync`, headers, body)
    }
    const bytes = sync(1) + get('/status') + sync(2) + get('/no') + sync(3)
    const heard = await talk(port, [bytes], 3_000, 5)
    const answers = answersIn(heard.text)
    expect(answers.map((one) => one.status)).toEqual([200, 200, 200, 404, 200])
    expect([0, 2, 4].map((i) => (JSON.parse(answers[i]!.body) as { sequence: number }).sequence))
      .toEqual([1, 2, 3])
  })

  it('has few of its requests looked at before their turn, and loses none', async () => {
    let answerFirst = (): void => undefined
    served.player.answer = (command) => {
      const answer = successFor(command)
      if (command.kind !== 'play') return Promise.resolve(answer)
      return new Promise((resolve) => { answerFirst = () => resolve(answer) })
    }
    const stop = post(`/buttons/${BUTTON}/stop`, '', '')
    const heard = talk(port, [post(play, '', '') + stop.repeat(3_000)], 5_000, null)
    while (served.player.commands.length <= LIMITS.requestsUnanswered) await isAlive()
    for (let n = 0; n < 20; n += 1) await isAlive()
    // The first one waits for its player; those behind it wait for the first.
    expect(served.player.commands).toHaveLength(1 + LIMITS.requestsUnanswered)
    answerFirst()
    const answers = answersIn((await heard).text)
    expect(answers).toHaveLength(3_001)
    expect(answers[0]?.status).toBe(202)
    expect(answers.slice(1).every(({ status }) => status === 200)).toBe(true)
  })

  it('goes on after every refusal whose end can be told', async () => {
    const heard = await talk(
      port,
      [
        get('/nothing') +
          post(play, 'Content-Type: text/plain\r\nContent-Length: 5\r\n', 'GET /') +
          post(play, `${JSON_TYPE}Content-Length: 5000\r\n`, 'x'.repeat(5_000)) +
          get('/status', 'Content-Length: 5\r\n') + 'GET /' +
          post(play, `${JSON_TYPE}Content-Length: 1\r\n`, '[') +
          get('/buttons'),
      ],
      3_000,
      6,
    )
    expect(answersIn(heard.text).map((one) => one.status)).toEqual([404, 415, 413, 200, 400, 200])
    expect(served.player.commands).toEqual([])
  })

  it('that reads a refused upload to its end', async () => {
    // The client sends all before it reads; the refusal must still be there.
    const bytes = 2_000_000
    const head = post(play, `${JSON_TYPE}Content-Length: ${bytes}\r\n`, '')
    const heard = await talk(port, [head, Buffer.alloc(bytes, 0x20), get('/status')], 5_000, 2)
    expect(answersIn(heard.text).map((one) => one.status)).toEqual([413, 200])
  })
})

describe('Expect', () => {
  it('100-continue is met', async () => {
    const headers = `${JSON_TYPE}Content-Length: 2\r\nExpect: 100-continue\r\n`
    const heard = await talk(port, [post(play, headers, ''), '{}'], 3_000, 2)
    expect(answersIn(heard.text).map((one) => one.status)).toEqual([100, 202])
  })

  it('anything else is refused in JSON', async () => {
    expect(told(await ask(get('/status', 'Expect: miracles\r\n')))).toBe('417 expectation_failed')
    const evil = `GET ${API}/status HTTP/1.1\r\nHost: evil\r\nExpect: miracles\r\n\r\n`
    expect(told(await ask(evil))).toBe('403 host_rejected')
  })
})

describe('paths, as bytes', () => {
  it.each([
    ['/buttons/%2e%2e/play', 'invalid_button_id'], ['/buttons/../play', 'invalid_button_id'],
    [`/buttons/${'a'.repeat(8_000)}/play`, 'invalid_button_id'],
    [`/buttons/${BUTTON}%00/play`, 'invalid_button_id'],
    ['/buttons/%c0%af/play', 'invalid_button_id'],
    ['/buttons/%zz/play', 'invalid_button_id'], [`/buttons/${BUTTON}/../play`, 'not_found'],
    ['/./status', 'not_found'], ['//status', 'not_found'],
  ])('case %#', async (path, error) => {
    const answer = await ask(`POST ${API}${path} HTTP/1.1\r\n${host()}\r\n`)
    expect((JSON.parse(answer.body) as { error: string }).error).toBe(error)
  })
})

describe('clients that stop, or leave', () => {
  it('are told and let go, wherever they stop, and nothing starts', async () => {
    const heard = await Promise.all(
      [
        [], ['GET /api/v1/status HTTP/1.1\r\nHo'],
        [post(play, `${JSON_TYPE}Content-Length: 10\r\n`, '{"loo')],
        [post(play, `${JSON_TYPE}Transfer-Encoding: chunked\r\n`, '5\r\n{"l')],
      ].map((parts) => talk(port, parts, 14_000, null)),
    )
    expect(heard.map((one) => one.closed)).toEqual([true, true, true, true])
    for (const one of heard) expect(told(answersIn(one.text)[0]!)).toBe('408 request_timeout')
    expect(served.player.commands).toEqual([])
  })

  it('give way to others when they say nothing; one that waits for its answer stays', async () => {
    let answerFirst = (): void => undefined
    served.player.answer = (command) =>
      new Promise((resolve) => { answerFirst = () => resolve(successFor(command)) })
    const waits = talk(port, [post(play, '', '')], 10_000, 1)
    while (served.player.commands.length === 0) await isAlive()
    let gone = 0
    const silent = Array.from({ length: LIMITS.connections + 20 }, () =>
      net.connect(port, '127.0.0.1').on('close', () => (gone += 1)).on('error', () => undefined))
    await expect.poll(() => gone, { timeout: 4_000 }).toBeGreaterThanOrEqual(20)
    expect(await isAlive()).toBe(true)
    answerFirst()
    expect(answersIn((await waits).text).map(({ status }) => status)).toEqual([202])
    for (const socket of silent) socket.destroy()
  })

  it('one that leaves at any point leaves nothing behind', async () => {
    const whole = post(play, `${JSON_TYPE}Content-Length: 11\r\n`, '{"loop":0.')
    for (let cut = 0; cut <= whole.length; cut += 7) {
      await new Promise<void>((resolve) => {
        const socket = net.connect({ host: '127.0.0.1', port }, () => {
          socket.write(whole.slice(0, cut), () => {
            socket.resetAndDestroy()
            resolve()
          })
        })
        socket.on('error', () => undefined)
      })
    }
    expect(await isAlive()).toBe(true)
    expect(served.player.commands).toEqual([])
    const open = () =>
      new Promise<number>((resolve) =>
        served.app.server.getConnections((_error, count) => resolve(count)),
      )
    await expect.poll(open).toBe(0)
  })
})
