// A four-hour night as client apps see it: polls, sync messages and cues, by direct calls or
// through HTTP.
import { buildServer } from '../src/api/server.js'
import { ERRORS } from '../src/contract/errors.js'
import { NO_OPTIONS, type Command, type Reply } from '../src/engine/commands.js'
import { flagsOf } from './arguments.js'
import { Digest } from './digest.js'
import { Hall } from './hall.js'
import { PLAIN_BUTTON, PLAIN_LIST, type ListSpec } from './scenario.js'
import { buttonId, pathOf, PLAIN_NAMING } from './show.js'

const SECOND = 48_000
const HOURS = 4
const POLL = 0.75 * SECOND
const SYNC = 0.225 * SECOND
const STATUS = 5 * SECOND
const BEDS = 3
const VIDEO = BEDS
const AUTHORITY = '127.0.0.1:47831'
const PREFIX = '/api/v1'

export interface Request {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | null
}

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

type Door = (request: Request) => Promise<Answer> | Answer

const show = (): { lists: readonly ListSpec[]; lengths: Map<string, number> } => {
  const lengths = new Map<string, number>()
  const beds = Array.from({ length: BEDS }, (_, n) => {
    lengths.set(pathOf(n), (170 + n * 31) * SECOND)
    return { ...PLAIN_BUTTON, file: n, fadeInMs: 300, fadeOutMs: 800, pauseWhenReplaced: true }
  })
  lengths.set(pathOf(VIDEO), 45 * SECOND)
  const lights = { loop: true, durationMs: 20_000 }
  const video = { ...PLAIN_BUTTON, kind: 'video' as const, file: VIDEO, lights }
  const mixed = { ...PLAIN_LIST, mixOnTransition: true, crossfadeMs: 1_000 }
  return { lengths, lists: [{ ...mixed, buttons: beds }, { ...PLAIN_LIST, buttons: [video] }] }
}

const button = (n: number): string => buttonId(n, PLAIN_NAMING)
const commandPath = (n: number, word: string): string => `${PREFIX}/buttons/${button(n)}/${word}`

interface Task {
  at: number
  readonly every: number
  readonly expects: readonly number[]
  readonly ask: () => Request | null
  readonly heard: (answer: Answer) => void
}

/** What the quiz app knows: the bed and the video that it started, and what it was told of them. */
class App {
  readonly #digest = new Digest()
  #bed = 0
  #bedId: string | null = null
  #videoId: string | null = null
  #lightsId: string | null = null
  #videoSince = 0
  #sequence = 0
  requests = 0
  ends = 0
  wrong: string | null = null

  constructor(
    private readonly hall: Hall,
    private readonly door: Door,
  ) {}

  get hash(): string {
    return this.#digest.hex
  }

  async ask(request: Request, ...expected: readonly number[]): Promise<Answer> {
    this.requests += 1
    const given = this.door(request)
    const answer = given instanceof Promise ? await given : given
    this.#digest.add(`${answer.status} ${JSON.stringify(answer.body)}`)
    if (!expected.includes(answer.status)) {
      this.wrong ??= `${request.path} answers ${answer.status} ${JSON.stringify(answer.body)}`
    }
    return answer
  }

  /** The polls and messages of the whole night, and a question every minute and a half. */
  async night(frames: number): Promise<void> {
    const tasks = this.#tasks()
    await this.ask({ method: 'GET', path: `${PREFIX}/buttons`, body: null }, 200)
    await this.#startBed()
    for (;;) {
      const next = tasks.reduce((a, b) => (b.at < a.at ? b : a))
      if (next.at >= frames || this.wrong !== null) return
      this.hall.passTo(Math.max(this.hall.now, next.at))
      next.at += next.every
      const request = next.ask()
      if (request !== null) next.heard(await this.ask(request, ...next.expects))
      if (this.#todo !== null) {
        const todo = this.#todo
        this.#todo = null
        await todo()
      }
    }
  }

  #todo: (() => Promise<void>) | null = null

  #tasks(): readonly Task[] {
    const ignore = (): void => undefined
    return [
      {
        at: POLL, every: POLL, expects: [200], heard: (answer) => this.#bedTold(answer),
        ask: () => this.#poll(this.#bedId),
      },
      {
        at: POLL + 1, every: POLL, expects: [200], heard: (answer) => this.#videoTold(answer),
        ask: () => this.#poll(this.#videoId),
      },
      {
        // 4.1 dmx/sync 3: once the timeline is not active any more, the client stops sending.
        at: SYNC, every: SYNC, expects: [200, 409], ask: () => this.#sync(),
        heard: ({ status, body }) => {
          if (status !== 409) return
          this.#lightsId = null
          if (body['error'] !== 'dmx_not_active') this.wrong ??= `sync: ${String(body['error'])}`
        },
      },
      {
        at: STATUS, every: STATUS, expects: [200], heard: ignore,
        ask: () => ({ method: 'GET', path: `${PREFIX}/status`, body: null }),
      },
      {
        at: 60 * SECOND, every: 90 * SECOND, expects: [], heard: ignore,
        ask: () => {
          this.#todo = () => this.#question()
          return null
        },
      },
    ]
  }

  #poll(id: string | null): Request | null {
    return id === null ? null : { method: 'GET', path: `${PREFIX}/executions/${id}`, body: null }
  }

  #sync(): Request | null {
    if (this.#lightsId === null) return null
    this.#sequence += 1
    const positionMs = (this.hall.now - this.#videoSince) / 48
    const body = {
      executionId: this.#lightsId, sequence: this.#sequence, positionMs, isPlaying: true,
    }
    return { method: 'POST', path: commandPath(VIDEO, 'dmx/sync'), body }
  }

  async #startBed(): Promise<void> {
    const body = { externalSequencing: true }
    const answer = await this.ask(
      { method: 'POST', path: commandPath(this.#bed, 'play'), body }, 202)
    this.#bedId = String(answer.body['executionId'])
  }

  /** 4.2: the list is moved on by a natural end and by nothing else. */
  #bedTold({ body }: Answer): void {
    if (body['state'] !== 'completed' || body['endReason'] !== 'natural_end') return
    this.ends += 1
    this.#bedId = null
    this.#bed = (this.#bed + 1) % BEDS
    this.#todo = () => this.#startBed()
  }

  #videoTold({ body }: Answer): void {
    if (!['completed', 'stopped', 'failed'].includes(String(body['state']))) return
    this.#videoId = null
    this.#lightsId = null
    if (this.#bedId !== null) this.#todo = () => this.#goOn()
  }

  async #question(): Promise<void> {
    if (this.#bedId === null || this.#videoId !== null) return
    await this.ask({
      method: 'POST', path: commandPath(this.#bed, 'pause'),
      body: { executionId: this.#bedId, fadeOutMs: 400 },
    }, 200)
    const answer = await this.ask(
      { method: 'POST', path: commandPath(VIDEO, 'play'), body: null }, 202)
    this.#videoId = String(answer.body['executionId'])
    this.#videoSince = this.hall.now + 240
    this.#sequence = 0
    // The timeline is ready as soon as the video sounds.
    this.hall.passTo(this.#videoSince)
    this.#lightsId = String(answer.body['dmxExecutionId'])
  }

  async #goOn(): Promise<void> {
    await this.ask({
      method: 'POST', path: commandPath(this.#bed, 'resume'),
      body: { executionId: this.#bedId },
    }, 200)
  }
}

/** The same requests without HTTP: what the handlers would make of them. */
const directDoor = (hall: Hall): Door => ({ method, path, body }) => {
  const [, , , room, id = '', ...words] = path.split('/')
  if (method === 'GET') {
    const found = room === 'buttons' ? hall.buttons()
      : room === 'status' ? hall.status() : hall.execution(id)
    if (found === null) return { status: 404, body: { error: 'execution_not_found' } }
    return { status: 200, body: found as unknown as Answer['body'] }
  }
  return answerOf(hall.ask(commandOf(words.join('/'), id, body ?? {})))
}

const answerOf = (reply: Reply): Answer => reply.ok
  ? { status: reply.status, body: reply.body }
  : { status: ERRORS[reply.refusal.code], body: { error: reply.refusal.code } }

const commandOf = (word: string, buttonId: string, body: Answer['body']): Command => {
  const executionId = String(body['executionId'])
  switch (word) {
    case 'pause':
      return {
        kind: 'pause', buttonId, executionId, fadeOutMs: (body['fadeOutMs'] ?? null) as number,
      }
    case 'resume':
      return { kind: 'resume', buttonId, executionId, fadeInMs: null }
    case 'dmx/sync': {
      const { sequence, positionMs, isPlaying } = body as {
        sequence: number; positionMs: number; isPlaying: boolean
      }
      return {
        kind: 'sync', buttonId, executionId, sequence, positionMs, isPlaying, forceSeek: false,
      }
    }
    default:
      return {
        kind: 'play', buttonId,
        options: { ...NO_OPTIONS, externalSequencing: body['externalSequencing'] === true },
      }
  }
}

const httpDoor = (hall: Hall): { door: Door; close: () => Promise<unknown> } => {
  const app = buildServer({
    player: hall, authority: AUTHORITY, entitled: () => true, logger: null,
    shuttingDown: () => false,
  })
  const headers = { host: AUTHORITY, 'content-type': 'application/json' }
  const door: Door = async ({ method, path, body }) => {
    const given = body === null
      ? { method, url: path, headers: { host: AUTHORITY } }
      : { method, url: path, headers, payload: JSON.stringify(body) }
    const response = await app.inject(given)
    const told = JSON.parse(response.payload) as Record<string, unknown>
    // Direct calls have no words for people.
    delete told['message']
    return { status: response.statusCode, body: told }
  }
  return { door, close: () => app.close() }
}

export interface NightResult {
  readonly requests: number
  readonly ends: number
  readonly hash: string
  readonly wrong: string | null
}

export const spendNight = async (hours: number, http: boolean): Promise<NightResult> => {
  const { lists, lengths } = show()
  const hall = new Hall(lists, lengths, () => undefined)
  const { door, close } = http
    ? httpDoor(hall)
    : { door: directDoor(hall), close: () => Promise.resolve() }
  const app = new App(hall, door)
  await app.night(hours * 3600 * SECOND)
  await close()
  return { requests: app.requests, ends: app.ends, hash: app.hash, wrong: app.wrong }
}

export const night = async (argv: readonly string[]): Promise<number> => {
  const flags = flagsOf(argv, ['hours'], ['http', 'json'])
  const hours = flags.number('hours', HOURS)
  const begin = process.hrtime.bigint()
  const result = await spendNight(hours, flags.has('http'))
  const wallSeconds = Number(process.hrtime.bigint() - begin) / 1e9
  if (flags.has('json')) process.stdout.write(`${JSON.stringify({ ...result, wallSeconds })}\n`)
  else {
    process.stdout.write(
      `${hours} hours, ${result.requests} requests, ${result.ends} natural ends in ` +
      `${wallSeconds.toFixed(2)} s, hash ${result.hash}: ${result.wrong ?? 'as it should be'}\n`,
    )
  }
  return result.wrong === null ? 0 : 1
}
