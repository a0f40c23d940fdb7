// The OpenAPI document: a linter is content, its examples fit, and the engine behind the server
// answers nothing that is not in it.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { openApiDocument } from '../../src/api/openapi.js'
import { buildServer } from '../../src/api/server.js'
import { realTimers } from '../../src/clock/real.js'
import { ERRORS, type ErrorCode } from '../../src/contract/errors.js'
import { DEFAULTS } from '../../src/contract/limits.js'
import { contract } from '../../src/contract/routes.js'
import { EVENTS } from '../../src/contract/schemas.js'
import type { Reply } from '../../src/engine/commands/commands.js'
import { rig } from '../rig.js'
import { BUTTON, RUN } from './fake-player.js'
import { anyAsk } from './hostile.js'
import { API, serve } from './served.js'

const document = openApiDocument()
const text = JSON.stringify(document)

interface Content {
  readonly schema: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, Content>> }>
  >
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(), path, operation: operation as unknown as Operation,
  })),
)

const ajv = new Ajv2020({ strict: false, allErrors: false })
// The package is CommonJS: what TypeScript calls its default is the module itself.
;(formats as unknown as (on: Ajv2020) => void)(ajv)
ajv.addSchema({ ...document, $id: 'api' }, 'api')

const escaped = (key: string): string =>
  encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

const complaint = (keys: readonly string[], value: unknown): string | null => {
  const check = ajv.getSchema(`api#/${keys.map(escaped).join('/')}`)
  if (check === undefined) throw new Error(`no schema at ${keys.join(' ')}`)
  return check(value) === true ? null : ajv.errorsText(check.errors)
}

describe('the document', () => {
  it('passes the strict rules of a linter', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
    expect(problems.map((one) => `${one.ruleId}: ${one.message}`)).toEqual([])
    const broken = text.replace('"operationId":"play"', '"operationId":"restart"')
    const found = await lintFromString({ source: broken, absoluteRef: 'openapi.json', config })
    expect(found.length).toBeGreaterThan(0)
  })

  it('has every route of the contract and no other', () => {
    const told = operations.map(({ method, path }) => `${method} ${DEFAULTS.apiPrefix}${path}`)
    const routes = Object.values(contract).map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    expect(told.toSorted()).toEqual(routes.toSorted())
  })

  it('is what the service answers with, for anyone who may read', async () => {
    const { app, daemon } = serve(null)
    const headers = { host: daemon.authority }
    const answer = await app.inject({ url: `${API}/openapi.json`, headers })
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    expect(answer.json()).toEqual(JSON.parse(text))
    await app.close()
  })

  it('has examples of every body, and each is what its schema says', () => {
    let seen = 0
    const judge = (keys: readonly string[], content: Content): void => {
      const given = Object.values(content.examples ?? {}).map((one) => one.value)
      if (content.example !== undefined) given.push(content.example)
      expect([keys, given.length]).not.toEqual([keys, 0])
      for (const value of given) {
        expect([keys, complaint([...keys, 'schema'], value)]).toEqual([keys, null])
      }
      seen += given.length
    }
    for (const { method, path, operation } of operations) {
      const at = ['paths', path, method.toLowerCase()]
      for (const [type, content] of Object.entries(operation.requestBody?.content ?? {})) {
        judge([...at, 'requestBody', 'content', type], content)
      }
      for (const [status, answer] of Object.entries(operation.responses)) {
        for (const [type, content] of Object.entries(answer.content)) {
          judge([...at, 'responses', status, 'content', type], content)
        }
      }
    }
    expect(seen).toBeGreaterThan(150)
  })

  it('has an example of the stream, with an event as it is sent and no more', () => {
    const { operation } = operations.find(({ path }) => path.endsWith('/events'))!
    const stream = String(operation.responses['200']!.content['text/event-stream']!.example)
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/m.exec(stream)!
    expect([name, EVENTS.run.strict().parse(JSON.parse(data!))])
      .toEqual(['run', JSON.parse(data!)])
  })
})

describe('what a generated client goes by', () => {
  interface Parameter {
    readonly name: string
    readonly in: string
    readonly required: boolean
  }
  /** From the table of section 4: the body, what may be sent beside it, and the successes. */
  const OPERATIONS: Readonly<Record<string, readonly [string, string, string]>> = {
    buttons: ['none', '', '200'], status: ['none', '', '200'], openapi: ['none', '', '200'],
    execution: ['none', 'executionId', '200'], events: ['none', 'Last-Event-ID?', '200'],
    play: ['optional', 'id Idempotency-Key?', '200 202'],
    restart: ['optional', 'id Idempotency-Key?', '202'],
    pause: ['required', 'id Idempotency-Key?', '200'],
    resume: ['required', 'id Idempotency-Key?', '200'],
    stop: ['optional', 'id Idempotency-Key?', '200'],
    dmxSync: ['required', 'id Idempotency-Key?', '200'],
    panic: ['optional', 'Idempotency-Key?', '200'],
  }

  it('is which body and which headers each request needs, and its successes', () => {
    const told = operations.map(({ operation }) => {
      const { operationId, parameters, requestBody, responses } = operation as Operation & {
        readonly parameters: readonly Parameter[]
        readonly requestBody?: { readonly required: boolean }
      }
      const body = requestBody === undefined ? 'none'
        : requestBody.required ? 'required' : 'optional'
      const names = parameters.map((one) => `${one.name}${one.required ? '' : '?'}`)
      for (const one of parameters) expect(one.in).toBe(one.required ? 'path' : 'header')
      const successes = Object.keys(responses).filter((status) => status.startsWith('2'))
      return [operationId, [body, names.join(' '), successes.join(' ')]]
    })
    expect(Object.fromEntries(told)).toEqual(OPERATIONS)
  })

  type Answers = Readonly<Record<string, { readonly headers?: object }>>
  const withHeader = (header: string): object =>
    Object.fromEntries(operations.map(({ operation }) => {
      const answers = Object.entries(operation.responses as Answers)
      const statuses = answers.filter(([, { headers = {} }]) => header in headers)
      return [operation.operationId, statuses.map(([status]) => status).join(' ')]
    }))
  const READS = { buttons: '', status: '', openapi: '', execution: '', events: '' }

  it('is which answers may be repeated ones, and which a panic may have swept away', () => {
    // Of a command that is carried out still, the same again waits for any answer, a 503 too.
    expect(withHeader('Idempotent-Replay')).toEqual({
      ...READS, play: '200 202 400 404 409 422 500 503', restart: '202 400 404 409 422 500 503',
      pause: '200 404 409 500 503', resume: '200 404 409 500 503', stop: '200 404 409 500 503',
      dmxSync: '200 404 409 422 500 503', panic: '200 500 503',
    })
    expect(withHeader('Swept-By-Panic')).toEqual({
      ...READS, play: '500', restart: '500', pause: '500', resume: '500', stop: '500',
      dmxSync: '500', panic: '',
    })
  })

  it.each<ErrorCode>(['invalid_playback_request', 'playback_unavailable'])(
    'has the header of a repeated %s, as it is answered', async (code) => {
      const { app, player, daemon } = serve(null)
      const waiting: ((reply: Reply) => void)[] = []
      player.answer = () => new Promise<Reply>((resolve) => waiting.push(resolve))
      const url = `${API}/buttons/${BUTTON}/play`
      const headers = { host: daemon.authority, 'idempotency-key': 'k' }
      const both = [1, 2].map(async () => app.inject({ method: 'POST', url, headers }))
      await vi.waitFor(() => expect(waiting).toHaveLength(1))
      waiting[0]?.({ ok: false, refusal: { code, message: 'no' } })
      const [first, again] = await Promise.all(both)
      const told = [first, again].map((one) => [one?.statusCode, one?.headers['idempotent-replay']])
      expect(told).toEqual([[ERRORS[code], undefined], [ERRORS[code], 'true']])
      expect(withHeader('Idempotent-Replay'))
        .toMatchObject({ play: expect.stringContaining(String(ERRORS[code])) as unknown })
      await app.close()
    })

  it('is which refusals there are', () => {
    const refusedBy = (code: ErrorCode) => operations
      .filter(({ operation: { responses } }) => JSON.stringify(responses[ERRORS[code]] ?? '')
        .includes(code))
      .map(({ operation }) => operation.operationId)
    expect(refusedBy('execution_not_resumable')).toEqual(['play', 'pause', 'resume'])
    expect(refusedBy('playback_unavailable')).toEqual(['play', 'restart', 'resume'])
    expect(refusedBy('media_file_missing')).toEqual(['play', 'restart', 'dmxSync'])
    expect(refusedBy('stale_execution')).toEqual(['pause', 'resume', 'stop', 'dmxSync'])
    expect(refusedBy('too_many_readers')).toEqual(['events'])
  })

  it('is where the service is', () => {
    // No more than that of the variables: swagger-parser takes a `description` of one for a fault.
    expect(document['servers']).toEqual([{
      url: 'http://{host}:{port}/api/v1',
      description: expect.stringContaining('`host` is a numeric IPv4 address') as unknown,
      variables: { host: { default: '127.0.0.1' }, port: { default: '47831' } },
    }])
  })

  it('is which integers grow beyond 32 bits', () => {
    type Fields = Readonly<Record<string, { readonly format?: string }>>
    const shapes = Object.entries(document.components.schemas)
    const long = shapes.flatMap(([shape, { properties }]) =>
      Object.entries(properties as Fields)
        .filter(([, { format }]) => format === 'int64')
        .map(([field]) => `${shape}.${field}`))
    // A daemon that runs for 25 days, and a client that counts its messages by Date.now().
    expect(long.toSorted()).toEqual(['Status.uptimeMs', 'Sync.sequence', 'Synced.sequence'])
  })

  it('is which fields of a body must be there', () => {
    const required = Object.entries(document.components.schemas)
      .filter(([name]) => ['Pause', 'Resume', 'Stop', 'Panic', 'Sync', 'RunOptions'].includes(name))
      .map(([name, schema]) => [name, schema['required'] ?? []])
    expect(Object.fromEntries(required)).toEqual({
      Pause: ['executionId'], Resume: ['executionId'], Stop: [], Panic: [], RunOptions: [],
      Sync: ['executionId', 'sequence', 'positionMs', 'isPlaying'],
    })
  })
})

/** The operation that a target means, or none. */
const operationOf = (method: string, target: string): (typeof operations)[number] | null => {
  if (!target.startsWith(`${DEFAULTS.apiPrefix}/`)) return null
  // Whoever sends a URL takes the dots out of it first.
  const path = new URL(target, 'http://localhost').pathname
  const segments = path.slice(DEFAULTS.apiPrefix.length).split('/')
  const found = operations.find((one) => {
    const own = one.path.split('/')
    return one.method === method && own.length === segments.length &&
      own.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i]))
  })
  return found ?? null
}

const generated = fc.record({
  ask: anyAsk,
  /** Which button or run an id of the generator stands for: most requests mean something. */
  which: fc.nat(30),
  passMs: fc.constantFrom(0, 0, 0, 1, 40, 700),
})

/** A show with a button of every kind, with and without lights, and one whose file is gone. */
const everyKind = () => {
  const lamp = { timelineId: 'lamp', loop: true, durationFrames: 48_000 as never, error: null }
  const player = rig([
    {
      mode: 'sequence',
      buttons: [
        { dmx: lamp }, {}, { isLoopEnabled: true, fadeOutMs: 300, dmx: lamp }, { dmx: lamp },
      ],
    },
    {
      buttons: [
        { kind: 'image', dmx: lamp }, { kind: 'dmx', media: null, dmx: lamp },
        { kind: 'navigation' },
      ],
    },
  ])
  player.media.files.delete(player.buttons[1]!.media ?? '')
  return player
}

it('describes every answer to 10 000 generated requests, from the engine itself', async () => {
  const played = everyKind()
  const authority = '127.0.0.1:47831'
  const app = buildServer({
    timers: realTimers(),
    player: played.player, authority, entitled: () => true, shuttingDown: () => false, logger: null,
    checksAnswers: true, origins: 'any', live: null, pages: null,
  })
  const seen = new Map<string, number>()
  const ids: string[] = []
  /** The run and the timeline that a button had last: what a good client would name. */
  const own = new Map<string, readonly string[]>()
  await fc.assert(
    fc.asyncProperty(generated, async ({ ask, which, passMs }) => {
      const button = played.buttons[which % played.buttons.length]!.id
      const known = which < 24 ? own.get(button)?.[ask.path.includes('sync') ? 1 : 0] : null
      const run = known ?? ids.at(-1 - (which % 4)) ?? RUN
      const mean = (told: string): string =>
        told
          .replace(/\/buttons\/[^/]*\//, `/buttons/${which === 30 ? 'x' : button}/`)
          .replaceAll(RUN, run)
      // Panic ends everything, and then there is little to ask for: now and then will do.
      const url = mean(ask.path === `${API}/stop` && which > 3 ? `${API}/status` : ask.path)
      const answer = await app.inject({
        method: ask.method as 'GET', url, headers: { ...ask.headers, host: authority },
        payload: ask.body.length === 0 ? ask.body : mean(ask.body.toString('latin1')),
      })
      if (passMs > 0) played.advance(passMs * 48)
      const meant = operationOf(ask.method, url)
      if (meant === null) return
      const status = String(answer.statusCode)
      const body = answer.json<Record<string, unknown>>()
      const at = ['paths', meant.path, meant.method.toLowerCase(), 'responses', status]
      const wrong = complaint([...at, 'content', 'application/json', 'schema'], body)
      expect([url, status, body, wrong]).toEqual([url, status, body, null])
      const { error = null, ...fields } = body as Readonly<Record<string, string | null>>
      if (status === '202') {
        const both = [fields['executionId'] ?? RUN, fields['dmxExecutionId'] ?? RUN]
        own.set(fields['id'] ?? '', both)
        ids.push(...both)
      }
      const what = `${meant.operation.operationId} ${error ?? status}`
      seen.set(what, (seen.get(what) ?? 0) + 1)
    }),
    { numRuns: 10_000 },
  )
  await app.close()
  // What was never met proves nothing.
  const met = [...seen.keys()]
  const successes = met.filter((what) => / 20\d$/.test(what))
  const succeeded = new Set(successes.map((what) => what.split(' ')[0]))
  const all = Object.keys(contract).filter((name) => name !== 'events')
  expect([...succeeded].toSorted()).toEqual(all.toSorted())
  expect(met.length).toBeGreaterThan(45)
})

it('is written once, however often a guest asks for it', async () => {
  const { app } = serve(null)
  const written = vi.spyOn(JSON, 'stringify')
  const headers = { host: '127.0.0.1:47831' }
  const asked = { method: 'GET', url: `${API}/openapi.json`, headers } as const
  const bodies = [await app.inject(asked), await app.inject(asked)].map(({ body }) => body)
  const times = written.mock.calls.filter(([value]) =>
    typeof value === 'object' && value !== null && 'openapi' in value).length
  written.mockRestore()
  expect([bodies, times]).toEqual([[text, text], 1])
})
