// GET /api/v1/live (6.1): hello, state, numbered changes, time, and its bounds.
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type WebSocket from 'ws'
import { LIVE } from '../../src/contract/live.js'
import { ms } from '../rig.js'
import { connected, liveRigs, until } from './live-rig.js'

const listening = liveRigs([{ buttons: [{}, { mediaMs: 300 }, { kind: 'image' }] }])

const REPORT = {
  name: 'left', pace: 'in_step', on: [], p50: 3, p95: 6, framesDropped: 0, seeks: 1, visible: true,
  offsetMs: 0, errors: [],
} as const

describe('a page that comes', () => {
  test('is greeted, then told everything', async () => {
    const h = await listening()
    const run = h.start(0)
    h.advance(ms(100))
    const page = await connected(h.url)
    expect(page.hello).toMatchObject({
      kind: 'hello', protocol: 'cartwall.live.1', version: 'test', show: '"1"',
    })
    expect(page.hello.boot).toMatch(/^[0-9a-f]{16}$/)
    expect(page.state).toMatchObject({
      kind: 'state', at: ms(100), missed: null, image: null, service: 'ready', stages: [],
      output: { state: 'ok', sink: 'virtual', latency: 0 },
      runs: [{ executionId: run, state: 'playing', anchor: { position: 0, moving: true } }],
    })
    expect(page.socket.protocol).toBe('cartwall.live.1')
    expect(page.socket.extensions).toBe('')
  })

  test('is told the tag that /show has now, however lately it was looked at', async () => {
    const h = await listening()
    await connected(h.url)
    h.world.show = '"2"'
    const { hello, state } = await connected(h.url)
    expect([hello.show, state.show]).toEqual(['"2"', '"2"'])
  })

  test('hears every change after it, numbered without a gap', async () => {
    const h = await listening()
    const page = await connected(h.url)
    h.start(0)
    h.advance(ms(10))
    h.start(1)
    for (let n = 0; n < 50; n += 1) h.advance(ms(10))
    await until(() => page.changes.some(({ runs }) => runs.some((run) => run.endReason !== null)))
    const numbers = page.changes.map(({ n }) => n)
    expect(numbers).toEqual(numbers.map((_, n) => page.state.n + 1 + n))
  })

  test('that saw the last number missed nothing; one that did not missed something', async () => {
    const h = await listening()
    const first = await connected(h.url)
    h.start(0)
    await until(() => first.changes.length > 0)
    const { boot } = first.hello
    const n = first.changes.at(-1)!.n
    const asked = async (query: string): Promise<boolean | null> =>
      (await connected(`${h.url}?${query}`)).state.missed
    expect(await asked(`boot=${boot}&n=${n}`)).toBe(false)
    expect(await asked(`boot=${boot}&n=${n - 1}`)).toBe(true)
    expect(await asked(`boot=${boot}&n=${n + 5}`)).toBe(true)
    expect(await asked(`boot=other&n=${n}`)).toBe(true)
    expect(await asked('n=1')).toBeNull()
  })
})

test('what it tells is what the events tell, in the same order', async () => {
  const h = await listening()
  const page = await connected(h.url)
  for (let n = 0; n < 40; n += 1) {
    const run = h.start(n % 2, {}, 'restart')
    h.advance(ms(7 * n))
    if (n % 3 === 0 && h.state(run) === 'playing') h.pause(n % 2, run)
    if (n % 5 === 0) h.code({ kind: 'panic', fadeOutMs: 20 })
  }
  h.advance(ms(1000))
  const expected = h.events.flatMap((event) =>
    event.kind === 'run' ? [`${event.executionId} ${event.state} ${event.positionMs}`] : [])
  const told = () => page.changes.flatMap(({ events }) => events.flatMap((event) =>
    event.name === 'run'
      ? [`${event.data.executionId} ${event.data.state} ${event.data.positionMs}`]
      : []))
  await until(() => told().length >= expected.length)
  expect(told()).toEqual(expected)
})

describe('time', () => {
  test('is answered with the frame and the latency, and the id that came', async () => {
    const h = await listening()
    h.advance(ms(1234))
    const page = await connected(h.url)
    page.say({ kind: 'time', id: 7 })
    page.say({ kind: 'time', id: 'x' })
    await until(() => page.times.length === 2)
    expect(page.times).toEqual([
      { kind: 'time', id: 7, frame: ms(1234), latency: 0 },
      { kind: 'time', id: 'x', frame: ms(1234), latency: 0 },
    ])
  })
})

test('stages report, walls hear of it, and of a stage that went', async () => {
  const h = await listening()
  const [wall, stage] = [await connected(h.url), await connected(h.url)]
  stage.say({ kind: 'stage', report: REPORT })
  await until(() => wall.changes.length === 1)
  expect(wall.changes[0]!.stages).toMatchObject([{ gone: false, report: REPORT }])
  stage.socket.terminate()
  await until(() => wall.changes.length === 2)
  expect(wall.changes[1]!.stages).toMatchObject([{ gone: true, report: { name: 'left' } }])
  const again = await connected(h.url)
  again.say({ kind: 'stage', report: REPORT })
  await until(() => wall.changes.length === 3)
  expect(wall.changes[2]!.stages?.map(({ gone }) => gone)).toEqual([false])
})

test('two stages of one name are two, as long as both are there', async () => {
  const h = await listening()
  const [wall, left, right] = [
    await connected(h.url), await connected(h.url), await connected(h.url),
  ]
  left.say({ kind: 'stage', report: REPORT })
  right.say({ kind: 'stage', report: REPORT })
  await until(() => wall.changes.at(-1)?.stages?.length === 2)
})

test('another show is told by its tag', async () => {
  const h = await listening()
  const page = await connected(h.url)
  h.world.show = '"2"'
  await until(() => page.changes.some(({ show }) => show === '"2"'))
})

describe('what a page may not send', () => {
  const closes = async (send: (socket: WebSocket) => void): Promise<number | undefined> => {
    const h = await listening()
    const page = await connected(h.url)
    send(page.socket)
    await until(() => page.closed !== null)
    return page.closed?.code
  }
  const raw = (...bytes: number[]) => (socket: WebSocket): void => {
    const inner = socket as unknown as { _socket: { write(b: Buffer): void } }
    inner._socket.write(Buffer.from(bytes))
  }

  test.each<[string, number, (socket: WebSocket) => void]>([
    ['a binary message', 1003, (socket) => socket.send(Buffer.from('{}'))],
    ['text that is no JSON', 1007, (socket) => socket.send('hello')],
    ['JSON that is no object', 1007, (socket) => socket.send('[]')],
    ['bytes that are no UTF-8', 1007, raw(0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28)],
    ['a message of over 1 KiB', 1009, (socket) => socket.send(`{"x":"${'x'.repeat(1100)}"}`)],
    ['a frame that claims 2^40 bytes', 1009, raw(0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)],
    ['a frame that is not masked', 1002, raw(0x81, 0x02, 0x7b, 0x7d)],
    ['a reserved bit', 1002, raw(0xc1, 0x80, 0, 0, 0, 0)],
    ['time without an id', 1008, (socket) => socket.send('{"kind":"time"}')],
    ['an id as long as a book', 1008, (socket) =>
      socket.send(JSON.stringify({ kind: 'time', id: 'x'.repeat(65) }))],
    ['a report of another shape', 1008, (socket) =>
      socket.send(JSON.stringify({ kind: 'stage', report: { ...REPORT, p50: 'fast' } }))],
    ['a flood of messages', 1008, (socket) => {
      for (let n = 0; n < 200; n += 1) socket.send('{"kind":"time","id":1}')
    }],
    ['a flood of pings', 1008, (socket) => {
      for (let n = 0; n < 200; n += 1) socket.ping()
    }],
    ['a message of many pieces', 1008, (socket) => {
      for (let n = 0; n < 40; n += 1) socket.send('', { fin: false })
    }],
  ])('%s closes with %i', async (_name, code, send) => {
    expect(await closes(send)).toBe(code)
  })

  test('but a kind that is not known is passed over', async () => {
    const h = await listening()
    const page = await connected(h.url)
    page.socket.send('{"kind":"of tomorrow"}')
    page.say({ kind: 'time', id: 1 })
    await until(() => page.times.length === 1)
    expect(page.closed).toBeNull()
  })

  test('and 50 a second are taken', async () => {
    const h = await listening()
    const page = await connected(h.url)
    for (let n = 0; n < LIVE.messagesPerSecond; n += 1) page.say({ kind: 'time', id: n })
    await until(() => page.times.length === LIVE.messagesPerSecond)
    expect(page.closed).toBeNull()
  })
})

test('a reader that does not read is closed with 1013, and nobody else hears of it', async () => {
  const h = await listening()
  const [slow, quick] = [await connected(h.url), await connected(h.url)]
  slow.socket.pause()
  const message = 'x'.repeat(900)
  // The system's own buffers take megabytes before a reader is behind.
  for (let n = 0; n < 12_000; n += 1) {
    h.player.post({ kind: 'output_lost', message })
    h.player.post({ kind: 'output_back' })
    if (n % 200 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  slow.socket.resume()
  await until(() => slow.closed !== null)
  expect(slow.closed?.code).toBe(1013)
  expect(quick.closed).toBeNull()
}, 60_000)

test('an upgrade that is none of ours is passed over, its body too', async () => {
  const h = await listening()
  const body = JSON.stringify({ fadeOutMs: 0 })
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(h.port, '127.0.0.1')
    let text = ''
    socket.on('data', (piece) => {
      text += piece.toString()
      if (text.includes('already_stopped')) socket.end()
    })
    socket.on('close', () => resolve(text))
    // As Java's client begins; the body comes later, in two pieces.
    socket.write(
      `POST /api/v1/stop HTTP/1.1\r\nHost: 127.0.0.1:${h.port}\r\n`
      + 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
      + 'Content-Type: application/json\r\n'
      + `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
    setTimeout(() => socket.write(body.slice(5)), 30)
  })
  expect(answer).toMatch(/^HTTP\/1.1 200 /)
})

test('the end of the service is told, then every page is let go with 1001', async () => {
  const h = await listening()
  const page = await connected(h.url)
  await h.app.close()
  await until(() => page.closed !== null)
  expect(page.closed?.code).toBe(1001)
  expect(page.changes.at(-1)?.events).toEqual([
    { name: 'service', data: { state: 'shutting_down' } },
  ])
})

test('how the last runs end is told before the end of the service', async () => {
  const h = await listening()
  const run = h.start(0)
  const page = await connected(h.url)
  h.world.shuttingDown = true
  const closed = h.app.close()
  // The engine is a thread of its own: its last runs end a moment later.
  await new Promise((turn) => setTimeout(turn, 20))
  h.player.post({ kind: 'shutdown' })
  await closed
  await until(() => page.closed !== null)
  const events = page.changes.flatMap((change) => change.events)
  expect(events.map(({ name, data }) => [name, data])).toEqual([
    ['run', expect.objectContaining({ executionId: run, endReason: 'explicit_stop' })],
    ['service', { state: 'shutting_down' }],
  ])
})
