// The two connections of a night: plain calls of the player, and the real server by inject.
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildServer } from '../../src/api/server.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { answerOf } from '../play/records.js'
import type { PlayerUnderTest } from '../world/player-under-test.js'
import { AUTHORITY, commandOf, PREFIX, wired, type Answer, type Request } from './requests.js'
import { Wrong, type Told } from './judged-player.js'

const ok = (body: object): Answer => ({ status: 200, body: { ...body } })

/** The requests without HTTP: what the handlers would make of them. */
export const directConnection = (player: PlayerUnderTest, told: readonly Told[]) => ({
  ask: (request: Request): Answer => {
    if ('body' in request) {
      const answers: Answer[] = []
      player.submit(commandOf(request), (reply) => answers.push(answerOf(reply)))
      const [answer] = answers
      if (answer === undefined) throw new Error(`no answer to ${request.ask}`)
      return answer
    }
    const { ask } = request
    if (ask === 'events') return ok({ events: told.slice(request.after) })
    if (ask === 'wire') {
      const { status, error } = request
      return { status, body: error === null ? {} : { error } }
    }
    if (ask !== 'execution') return ok(player[ask]())
    const found = player.execution(request.id)
    return found === null ? { status: 404, body: { error: 'execution_not_found' } } : ok(found)
  },
  close: () => Promise.resolve(),
})

/** Nobody waits longer than this for events that have happened, however busy the machine. */
const EVENTS_WITHIN_MS = 20_000

export const httpConnection = (player: PlayerUnderTest, told: readonly Told[]) => {
  const app = buildServer({
    timers: new VirtualTimers(0), player, authority: AUTHORITY, entitled: () => true,
    logger: null, checksAnswers: true, shuttingDown: () => false, origins: 'any', live: null,
    pages: null,
  })
  let epoch: string | null = null
  /** A reader that comes back with the id of the last event it had, and leaves when it has all. */
  const eventsAfter = async (n: number): Promise<Answer> => {
    epoch ??= (await readEvents(app, null, 0)).id.split('-')[0] ?? ''
    const { events } = await readEvents(app, `${epoch}-${n}`, told.length - n)
    return ok({ events })
  }
  const ask = async (request: Request): Promise<Answer> => {
    if (request.ask === 'events') return eventsAfter(request.after)
    const { method, path: url, headers, payload: sent } = wired(request)
    const { payload, statusCode: status } = await app.inject({
      method, url, headers: { host: AUTHORITY, ...headers },
      ...(sent === null ? {} : { payload: sent }),
    })
    if (payload === '' || (request.ask === 'wire' && request.error === null)) {
      return { status, body: {} }
    }
    const body = JSON.parse(payload) as Record<string, unknown>
    // Plain calls have no words for people.
    if ('error' in body) delete body['message']
    return { status, body }
  }
  return { ask, close: () => app.close() }
}

const readEvents = async (app: FastifyInstance, lastEventId: string | null, count: number) => {
  const cursor = lastEventId === null ? {} : { 'last-event-id': lastEventId }
  const leave = new AbortController()
  const response = await app.inject({
    method: 'GET', url: `${PREFIX}/events`, headers: { host: AUTHORITY, ...cursor },
    payloadAsStream: true, signal: leave.signal,
  })
  let text = ''
  const stream = response.stream()
  stream.setEncoding('utf8')
  stream.on('data', (part: string) => (text += part))
  // Leaving is what makes it fail.
  stream.on('error', () => undefined)
  const until = performance.now() + EVENTS_WITHIN_MS
  while (!text.includes('\n\n') || eventsIn(text).length < count) {
    if (performance.now() > until) {
      throw new Wrong(`GET /events after ${String(lastEventId)} tells ` +
        `${eventsIn(text).length} events, should be ${count}`)
    }
    await (text === '' ? setImmediate() : setTimeout(1))
  }
  // One that comes twice would come now.
  await setImmediate()
  leave.abort()
  return { id: /^id: (.+)$/m.exec(text)?.[1] ?? '', events: eventsIn(text) }
}

const eventsIn = (text: string): readonly Told[] =>
  [...text.matchAll(/^id: [0-9a-f]+-(\d+)\nevent: (\w+)\ndata: (.+)\n\n/gm)].map(
    ([, n, name = '', data = '']) =>
      ({ n: Number(n), name, data: JSON.parse(data) as Told['data'] }))
