// docs/controllers.md: its functions for Node-RED, as the nodes of that run them, on the virtual
// clock. What a microcontroller and a script send is sent in test/devices/controllers.test.ts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test } from 'vitest'
import { createTestPlayer, type TestPlayer } from '../../src/testing/test-player.js'

const DOCS = readFileSync(join(import.meta.dirname, '../../docs/controllers.md'), 'utf8')
const [PRESS = '', LAMPS = ''] = DOCS.split('```js\n').slice(1)
  .map((rest) => rest.split('\n```')[0])

const id = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`
const [BED, STING, CLUE, ONE, TWO, DARK] = [id(1), id(2), id(3), id(4), id(5), id(6)] as const

const room = (): TestPlayer => createTestPlayer({
  title: 'Room 1',
  playlists: [
    {
      id: id(7), title: 'Ambience', mixOnTransition: true, crossfadeMs: 1000,
      buttons: [{ id: BED, title: 'Bed', kind: 'audio', media: 'bed.wav', isLoopEnabled: true }],
    },
    {
      id: id(8), title: 'Effects', buttons: [
        {
          id: STING, title: 'Sting', kind: 'audio', media: 'bed.wav', allowOverlap: true,
          startMs: 1000, endMs: 5000,
        },
        { id: CLUE, title: 'Clue', kind: 'image', media: 'clue.png' },
        { id: DARK, title: 'Dark', kind: 'dmx', dmx: { timeline: 'dark.json', loop: true } },
      ],
    },
    {
      id: id(9), title: 'Story', mode: 'sequence', buttons: [
        { id: ONE, title: 'One', kind: 'audio', media: 'one.wav' },
        { id: TWO, title: 'Two', kind: 'audio', media: 'one.wav' },
      ],
    },
  ],
}, {
  media: {
    'bed.wav': { durationMs: 9000 }, 'one.wav': { durationMs: 2000 }, 'clue.png': { durationMs: 0 },
  },
  timelines: { 'dark.json': { durationMs: 60_000 } },
})

type Message = Record<string, unknown>

/** A function node: what it keeps is its own. */
const node = (code: string, player: TestPlayer) => {
  const kept = new Map<string, unknown>()
  return (msg: Message): Message => {
    const about = {
      msg, Date: { now: () => player.now() },
      context: { get: (key: string) => kept.get(key), set: kept.set.bind(kept) },
    }
    return runInNewContext(`(() => { ${code} })()`, about) as Message
  }
}

/** What the node `http request` does: a payload is the body, as JSON; no payload is none. */
const request = async (player: TestPlayer, msg: Message): Promise<Message> => {
  const body = msg['payload'] === undefined ? {} : {
    body: JSON.stringify(msg['payload']), headers: { 'content-type': 'application/json' },
  }
  const url = (msg['url'] as string).replace(/^.*\/api\/v1/, player.baseUrl)
  const answer = await player.fetch(url, { method: msg['method'] as string, ...body })
  return { ...msg, statusCode: answer.status, payload: await answer.json() }
}

const keyOf = (player: TestPlayer) => async (topic: string): Promise<Message> => {
  const status = await request(player, { topic, method: 'GET', url: '/api/v1/status' })
  return request(player, node(PRESS, player)(status))
}
/** The answer's word: the state of a run, or what became of a start or a stop. */
const said = ({ payload }: Message): unknown => {
  const { state, result } = payload as { readonly state?: string; readonly result?: string }
  return state ?? result
}

const open: TestPlayer[] = []
afterEach(() => {
  for (const player of open.splice(0)) player.cutConnections()
})

/** The lamps, as the last message of the node told them. */
const lampsOf = async (player: TestPlayer) => {
  open.push(player)
  const lamps = node(LAMPS, player)
  let last: Message = {}
  const connect = async (): Promise<void> => {
    const Socket = player.webSocket
    const socket = new Socket(`${player.baseUrl.replace(/^http/, 'ws')}/live`, 'cartwall.live.1')
    socket.addEventListener('message', ({ data }) => { last = lamps({ payload: data }) })
    socket.addEventListener('close', () => {
      last = lamps({ payload: 1, status: { fill: 'red' } })
    })
    await player.settled()
    await player.advance(0)
  }
  await connect()
  const lit = (): unknown => JSON.parse(JSON.stringify(last['payload']))
  const tick = (): unknown => {
    last = lamps({ payload: 1_795_785_902_518 })
    return lit()
  }
  return { tick, lit, connect }
}

test('a key plays, pauses, goes on in a fade too, and starts what fades out anew', async () => {
  const player = room()
  const press = keyOf(player)
  expect(said(await press(BED))).toBe('accepted')
  await player.advance(1000)
  expect(said(await press(BED))).toBe('pausing')
  await player.advance(500)
  expect(said(await press(BED))).toBe('playing')
  await player.advance(500)
  await press(BED)
  await player.advance(1500)
  expect(said(await press(BED))).toBe('playing')
  await player.advance(1000)
  await request(player, { method: 'POST', url: '/api/v1/stop' })
  expect(said(await press(BED))).toBe('accepted')
})

test('a key plays a picture or lights, and stops them; what is no id is told so', async () => {
  const press = keyOf(room())
  for (const one of [CLUE, DARK]) {
    expect([said(await press(one)), said(await press(one))]).toEqual(['accepted', 'stopped'])
  }
  expect(await press('Clue')).toMatchObject({
    statusCode: 400, payload: { error: 'invalid_button_id' },
  })
})

test('a key whose question is not answered presses nothing', () => {
  const lost = { topic: BED, statusCode: 'ECONNREFUSED', payload: 'refused' }
  expect(() => node(PRESS, room())(lost)).toThrow('no status: ECONNREFUSED refused')
})

test('lamps tell what is on, and how long it still is', async () => {
  const player = room()
  const press = keyOf(player)
  const { tick, lit } = await lampsOf(player)
  expect(tick()).toEqual({})
  for (const one of [BED, STING, CLUE, DARK]) await press(one)
  await player.advance(1000)
  const playing = { state: 'playing', leftMs: null }
  expect(tick()).toEqual({
    [BED]: playing, [STING]: { state: 'playing', leftMs: 3000 }, [CLUE]: playing, [DARK]: playing,
  })
  await press(STING)
  await player.advance(700)
  expect(tick()).toMatchObject({ [STING]: { state: 'paused', leftMs: 3000 } })
  await request(player, { method: 'POST', url: '/api/v1/stop', payload: { fadeOutMs: 0 } })
  await player.advance(100)
  expect(lit()).toEqual({})
})

test('a list that goes on is another lamp', async () => {
  const player = room()
  const { tick } = await lampsOf(player)
  await keyOf(player)(ONE)
  await player.advance(2500)
  expect(tick()).toEqual({ [TWO]: { state: 'playing', leftMs: 1500 } })
})

test('lamps go out with the connection, and are lit as things are by the next one', async () => {
  const player = room()
  const { tick, lit, connect } = await lampsOf(player)
  await keyOf(player)(STING)
  await player.advance(500)
  player.cutConnections()
  await player.advance(500)
  expect([lit(), tick()]).toEqual([{}, {}])
  await connect()
  expect(tick()).toEqual({ [STING]: { state: 'playing', leftMs: 3000 } })
})
