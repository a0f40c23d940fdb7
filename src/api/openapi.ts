// The API as an OpenAPI 3.1 document, made from the contract.
import { z } from 'zod'
import { ERRORS, REFUSALS, type ErrorCode } from '../contract/errors.js'
import { FIELDS, type Fields } from '../contract/field-words.js'
import { DEFAULTS, LIMITS } from '../contract/limits.js'
import { contract, type Contract } from '../contract/routes.js'
import * as schemas from '../contract/schemas.js'
import { MEANINGS, TAGS, WORDS } from './openapi-words.js'

type Json = Readonly<Record<string, unknown>>

export interface OpenApiDocument {
  readonly [field: string]: unknown
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

/** Counts the document's own changes, not the program's; the path carries the API's version. */
const DOCUMENT_VERSION = '1.0.0'

/** Shapes with a name of their own; all others are written where they are used. */
const NAMED = z.registry<{ id: string }>()
NAMED.add(schemas.execution, { id: 'Execution' })
NAMED.add(schemas.button, { id: 'Button' })
NAMED.add(schemas.buttonsAnswer, { id: 'Buttons' })
NAMED.add(schemas.statusItem, { id: 'StatusItem' })
NAMED.add(schemas.dmxRunStatus, { id: 'DmxRun' })
NAMED.add(schemas.statusAnswer, { id: 'Status' })
NAMED.add(schemas.runOptions, { id: 'RunOptions' })
NAMED.add(schemas.pauseBody, { id: 'Pause' })
NAMED.add(schemas.resumeBody, { id: 'Resume' })
NAMED.add(schemas.stopBody, { id: 'Stop' })
NAMED.add(schemas.panicBody, { id: 'Panic' })
NAMED.add(schemas.syncBody, { id: 'Sync' })
NAMED.add(schemas.startAnswer, { id: 'Started' })
NAMED.add(schemas.alreadyActiveAnswer, { id: 'AlreadyActive' })
NAMED.add(schemas.stopAnswer, { id: 'Stopped' })
NAMED.add(schemas.panicAnswer, { id: 'AllStopped' })
NAMED.add(schemas.syncAnswer, { id: 'Synced' })
NAMED.add(schemas.openApiAnswer, { id: 'OpenApi' })

const place = (id: string): string => `#/components/schemas/${id}`

/**
 * Beyond 32 bits: 25 days of a service, and a clock in milliseconds that counts messages. Of a
 * plain integer generators for C#, Java and Kotlin make 32 bits.
 */
const LONG: ReadonlySet<unknown> = new Set([
  schemas.statusAnswer.shape.uptimeMs, schemas.syncBody.shape.sequence,
  schemas.syncAnswer.shape.sequence,
])

/** Requests as they may be sent; answers may gain fields one day, so none is closed (9). */
const OPTIONS = {
  io: 'input',
  override: ({ zodSchema, jsonSchema }) => {
    openBounds(jsonSchema)
    if (LONG.has(zodSchema)) jsonSchema.format = 'int64'
    if (zodSchema === schemas.button) {
      const description = "The button's own keys, as they stand in the show."
      jsonSchema.patternProperties = { '^x-': { description } }
    }
  },
} as const satisfies Parameters<typeof z.toJSONSchema>[1]

/** An integer of JSON has no bounds just because a double has. */
const openBounds = (schema: { minimum?: number; maximum?: number }): void => {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER && schema.minimum === undefined) {
    delete schema.maximum
  }
}

const plain = ({ $schema: _dialect, $id: _id, ...schema }: Json): Json => schema

const components = (): Readonly<Record<string, Json>> => {
  const { schemas: named } = z.toJSONSchema(NAMED, { ...OPTIONS, uri: place })
  return Object.fromEntries(
    Object.entries(named).map(([id, schema]) => [id, described(id, plain(schema as Json))]),
  )
}

/** Only where it stands does a GUID or a time mean something: shapes share their schemas. */
const described = (id: string, schema: Json): Json => {
  const words: Readonly<Record<string, string>> = id in FIELDS ? FIELDS[id as keyof Fields] : {}
  const properties = Object.entries(schema['properties'] as Readonly<Record<string, Json>>)
    .map(([field, inner]) => {
      const description = words[field]
      return [field, description === undefined ? inner : { ...inner, description }]
    })
  return { ...schema, properties: Object.fromEntries(properties) as Json }
}

const shapeOf = (schema: z.ZodType): Json => {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema
  const id = NAMED.get(inner)?.id
  return id === undefined ? plain(z.toJSONSchema(inner, OPTIONS)) : { $ref: place(id) }
}

/** The parts of a route of the contract that the document is made from. */
interface Route {
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly pathParams?: z.ZodObject
  readonly body?: z.ZodType
  readonly responses: Readonly<Record<string, z.ZodType | { readonly contentType: string }>>
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'For ten minutes the first answer is repeated to the same request with the same key, and ' +
    'nothing is carried out twice.',
  schema: {
    type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKeyCharacters, pattern: '^[ -~]+$',
  },
  example: 'question-7-sting',
}

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The id of the last event that was read.',
  schema: { type: 'string' },
  example: '5f3c90ab12de-7',
}

const parametersOf = (name: keyof Contract, route: Route): readonly Json[] => [
  ...Object.entries(route.pathParams?.shape ?? {}).map(([param, schema]) => ({
    name: param,
    in: 'path',
    required: true,
    description: param === 'id' ? "The button's GUID." : "The execution's GUID.",
    schema: shapeOf(schema as z.ZodType),
  })),
  ...(name === 'events' ? [LAST_EVENT_ID] : []),
  ...(route.method === 'POST' ? [IDEMPOTENCY_KEY] : []),
]

const bodyOf = (name: keyof Contract, schema: z.ZodType): Json => ({
  required: !(schema instanceof z.ZodOptional),
  content: { 'application/json': { schema: shapeOf(schema), example: WORDS[name].asked } },
})

const successOf = (name: keyof Contract, route: Route, status: string): Json => {
  const answer = route.responses[status]!
  const example = WORDS[name].answers[Number(status)]
  const headers = route.method === 'POST' ? { headers: { 'Idempotent-Replay': REPLAY } } : {}
  const description = status === '202' ? 'A new start was accepted.' : 'Success.'
  if (!('contentType' in answer)) {
    const content = { 'application/json': { schema: shapeOf(answer), example } }
    return { description, ...headers, content }
  }
  const events = Object.fromEntries(
    Object.entries(schemas.EVENTS).map(([event, schema]) => [event, shapeOf(schema)]),
  )
  // OpenAPI 3.1 has no words for a stream; the data of each event by its name stands here.
  const content = { [answer.contentType]: { schema: { type: 'string' }, example } }
  return { description: 'A stream that lasts.', content, 'x-events': events }
}

const REPLAY = {
  description: 'Present where an earlier answer is repeated.',
  schema: { type: 'string', enum: ['true'] },
}

const errorsOf = (name: keyof Contract): Readonly<Record<string, Json>> => {
  const codes: readonly ErrorCode[] = REFUSALS[name]
  const statuses = [...new Set(codes.map((code) => ERRORS[code]))].sort((a, b) => a - b)
  return Object.fromEntries(statuses.map((status) =>
    [String(status), refusalOf(name, codes.filter((code) => ERRORS[code] === status))]))
}

/** Told before a command is looked at: never a repeated answer (7.1). */
const BEFORE_COMMANDS: readonly ErrorCode[] = [
  'bad_request', 'host_rejected', 'origin_rejected', 'license_restricted', 'request_timeout',
  'expectation_failed', 'headers_too_large', 'body_too_large', 'json_required',
  'invalid_button_id', 'execution_id_required', 'invalid_execution_id',
  'idempotency_conflict', 'idempotency_full',
]

/** Only what may wait can be swept away: a read never waits, nor does a panic. */
const mayBeSwept = (name: keyof Contract): boolean =>
  (REFUSALS[name] as readonly ErrorCode[]).includes('command_in_progress')

const mayBeRepeated = (name: keyof Contract, code: ErrorCode): boolean => {
  if (contract[name].method !== 'POST') return false
  // A bad body is told before; that a navigation button cannot be played is told of the command.
  if (code === 'invalid_playback_request') return name === 'play' || name === 'restart'
  return !BEFORE_COMMANDS.includes(code)
}

const SWEPT_BY_PANIC = {
  description: 'Present where a panic came before it: it is never carried out.',
  schema: { type: 'string', enum: ['true'] },
}

const refusalOf = (name: keyof Contract, codes: readonly ErrorCode[]): Json => ({
  description: codes.map((code) => `\`${code}\`: ${MEANINGS[code]}`).join(' '),
  headers: {
    ...(codes.some((code) => mayBeRepeated(name, code)) ? { 'Idempotent-Replay': REPLAY } : {}),
    ...(codes.includes('command_failed') && mayBeSwept(name)
      ? { 'Swept-By-Panic': SWEPT_BY_PANIC }
      : {}),
  },
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { error: { type: 'string', enum: codes }, message: { type: 'string' } },
        required: ['error'],
      },
      examples: Object.fromEntries(
        codes.map((code) => [code, { value: { error: code, message: MEANINGS[code] } }]),
      ),
    },
  },
})

const operationOf = (name: keyof Contract, route: Route): Json => ({
  operationId: name,
  tags: [WORDS[name].tag],
  summary: route.summary,
  description: WORDS[name].description,
  parameters: parametersOf(name, route),
  ...(route.body === undefined ? {} : { requestBody: bodyOf(name, route.body) }),
  responses: {
    ...Object.fromEntries(
      Object.keys(WORDS[name].answers).map((status) => [status, successOf(name, route, status)]),
    ),
    ...errorsOf(name),
  },
})

const pathsOf = (): OpenApiDocument['paths'] =>
  Object.fromEntries(
    Object.entries(contract).map(([name, given]) => {
      const route = given as unknown as Route
      const path = route.path.slice(DEFAULTS.apiPrefix.length).replace(/:(\w+)/g, '{$1}')
      const operation = operationOf(name as keyof Contract, route)
      return [path, { [route.method.toLowerCase()]: operation }]
    }),
  )

export const openApiDocument = (): OpenApiDocument => ({
  openapi: '3.1.0',
  info: {
    title: 'cartwall: local playback control',
    version: DOCUMENT_VERSION,
    summary: 'Start, pause, resume, stop and watch the buttons of a media player for live rooms.',
    description:
      'A local HTTP interface without authentication: do not expose it to the Internet. The ' +
      '`Host` header must be the numeric address and port that the service is bound to.',
    contact: { name: 'The cartwall project' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    {
      url: `http://{host}:{port}${DEFAULTS.apiPrefix}`,
      description:
        'Where the service is bound to: `host` is a numeric IPv4 address, `port` 1024-65535.',
      // Without descriptions of their own: swagger-parser, and what is built on it, refuses them.
      variables: {
        host: { default: DEFAULTS.host }, port: { default: String(DEFAULTS.port) },
      },
    },
  ],
  security: [],
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  paths: pathsOf(),
  components: { schemas: components() },
})
