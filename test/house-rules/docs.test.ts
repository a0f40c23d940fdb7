// The documentation tells the truth where it repeats the code: errors, states, limits, routes.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ERRORS } from '../../src/contract/errors.js'
import { DEFAULTS, LIMITS } from '../../src/contract/limits.js'
import { contract } from '../../src/contract/routes.js'
import { LIVE, LIVE_CLOSE } from '../../src/contract/live.js'
import * as schemas from '../../src/contract/schemas.js'
import { usageOf } from '../../src/command/usage.js'
import {
  CATALOGUE_CHANGES, DMX_CHANGES, RESET_REASONS, RUN_CAUSES,
} from '../../src/contract/vocabulary.js'

const ROOT = resolve(import.meta.dirname, '../..')
const api = readFileSync(join(ROOT, 'docs/api.md'), 'utf8')

/** The text of one numbered section. */
const section = (number: number): string =>
  api.split(/^## /m).find((text) => text.startsWith(`${number} `)) ?? ''

/** Rows `| 409 | `code` | … |` of section 7, as [code, status]. */
const errorRows = (): [string, number][] =>
  [...section(7).matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => [
    code ?? '', Number(status),
  ])

/** Rows `| POST | `/buttons/{id}/play` | … |` of section 4, as "POST /buttons/:id/play". */
const routeRows = (): string[] =>
  [...section(4).matchAll(/^\| (GET|POST) \| `([^`]+)` \|/gm)].map(
    ([, method, path]) => `${method} ${path?.replace(/\{(\w+)\}/g, ':$1')}`,
  )

/** The text of one part of a section, up to the next heading. */
const part = (number: string): string =>
  api.split(/^#{2,3} /m).find((text) => text.startsWith(`${number} `)) ?? ''

/** The paragraph or bullet in it that begins so. */
const passage = (number: string, beginning: string): string => {
  const text = part(number).split(/\n(?=- |\*\*|\n)/).map((one) => one.trim())
  return text.find((one) => one.startsWith(beginning)) ?? ''
}

const words = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, word]) => word ?? '')

/** Names in code marks: `state`. */
const marked = (text: string): string[] => [...new Set(words(text, /`(\w+)`/g))]

/** Of a part's first table: what stands in its first column. */
const rows = (number: string): string[] => {
  const [table = ''] = /(^\|.*\n)+/m.exec(part(number)) ?? []
  return words(table, /^\| (`.*?) \|/gm).flatMap((cell) => marked(cell))
}

/** The fields of the passage's `{ "result": "stopped", "stopped": n }`, or `{ id, title }`. */
const braced = (text: string): string[] => {
  const [, fields = ''] = /`\{([^`]*)\}`/.exec(text) ?? []
  return words(fields, fields.includes(':') ? /"(\w+)":/g : /(\w+)/g)
}

interface Status {
  readonly audio: object
  readonly dmx: object
  readonly lights: { readonly output: object }
  readonly log: object
}

/** What the part's example says, parsed. */
const example = (number: string): object => {
  const [, text = ''] = /```json\n([\s\S]*?)```/.exec(part(number)) ?? []
  return JSON.parse(text) as object
}

/** Of the table of routes: what a body may have. */
const body = (path: string): string[] => {
  const row = section(4).split('\n').find((line) => line.startsWith(`| POST | \`${path}\` |`))
  return marked(row?.split('|')[3] ?? '')
}

const { lights, ...status } = example('2.7') as Status

/** Each shape with the fields that its own place in the document names. */
const SHAPES: readonly (readonly [keyof typeof schemas, readonly string[]])[] = [
  ['button', rows('2.1')],
  ['execution', rows('2.2')],
  ['runOptions', rows('2.3')],
  ['startAnswer', Object.keys(example('2.4'))],
  ['stopAnswer', Object.keys(example('2.5'))],
  ['alreadyActiveAnswer', Object.keys(example('2.6'))],
  ['statusAnswer', Object.keys(example('2.7'))],
  ['audioStatus', Object.keys(status.audio)],
  ['dmxOutputStatus', Object.keys(lights.output)],
  ['logStatus', Object.keys(status.log)],
  ['dmxRunStatus', braced(passage('2.7', '- `lights`'))],
  ['statusItem', braced(passage('2.7', '- `active`'))],
  ['syncBody', rows('2.8')],
  ['syncAnswer', marked(passage('2.8', 'Answer 200'))],
  ['pauseBody', body('/buttons/{id}/pause')],
  ['resumeBody', body('/buttons/{id}/resume')],
  ['stopBody', body('/buttons/{id}/stop')],
  ['panicBody', body('/stop')],
  ['panicAnswer', braced(passage('4.1', '**Panic'))],
  ['errorAnswer', marked(passage('7', 'An error is'))],
]

/** The fields of a schema; of none where it is no object. */
const fieldsOf = (name: keyof typeof schemas): string[] => {
  const schema: unknown = schemas[name]
  const { shape = {} } = schema as { readonly shape?: object }
  return Object.keys(shape)
}

/** Held elsewhere: events by section 6, a list of buttons and OpenAPI by their names. */
const ELSEWHERE: readonly unknown[] = [
  ...Object.values(schemas.EVENTS), schemas.buttonsAnswer, schemas.openApiAnswer,
]

/** Every word that some field may have, e.g. `paused`. */
const wordsOf = (made: unknown): string[] => {
  if (typeof made !== 'object' || made === null) return []
  const { enum: own = [] } = made as { readonly enum?: readonly string[] }
  return [...own, ...Object.values(made).flatMap(wordsOf)]
}
const WORDS = Object.values(schemas).filter((schema) => schema instanceof z.ZodObject)
  .filter((schema) => schema !== schemas.errorAnswer)
  .flatMap((schema) => wordsOf(z.toJSONSchema(schema, { io: 'input' })))

describe('docs/api.md', () => {
  test('lists every route of the contract, and no other', () => {
    const routes = Object.values(contract).map(({ method, path }) => `${method} ${path}`)
    const paths = routes.map((route) => route.replace(DEFAULTS.apiPrefix, ''))
    expect(routeRows().toSorted()).toEqual(paths.toSorted())
  })

  test.each(SHAPES)('names the fields of %s where it is told, and no other', (name, told) => {
    expect(told.toSorted()).toEqual(fieldsOf(name).toSorted())
  })

  test('has a place for each shape', () => {
    const told = new Set(SHAPES.map(([name]) => name))
    const shapes = Object.entries(schemas).filter(([name, schema]) =>
      schema instanceof z.ZodObject && !told.has(name as keyof typeof schemas))
    expect(shapes.filter(([, schema]) => !ELSEWHERE.includes(schema)).map(([name]) => name))
      .toEqual([])
  })

  test('names the parts of `dmx` in the status', () => {
    expect(Object.keys(status.dmx)).toEqual(Object.keys(schemas.statusAnswer.shape.dmx.shape))
  })

  test('lists every error of the code with its status, and no other', () => {
    expect(Object.fromEntries(errorRows())).toEqual(ERRORS)
  })

  test('names each error once', () => {
    expect(errorRows()).toHaveLength(Object.keys(ERRORS).length)
  })

  test.each([...new Set(WORDS)])('explains the word %s', (word) => {
    const isTold = new RegExp(`\`${word}\`|"${word}"`).test(api)
    expect(isTold, `docs/api.md has no \`${word}\``).toBe(true)
  })

  test('lists every event with its fields, and no other', () => {
    const rows = [...section(6).matchAll(/^\| `(\w+)` \| (.*?) \|/gm)].map(([, name, fields]) => [
      name, fields,
    ])
    expect(rows.map(([name]) => name)).toEqual(Object.keys(schemas.EVENTS))
    for (const [name, fields] of rows) {
      const known = fields?.includes('the execution') ? schemas.execution.shape : {}
      const own = Object.keys(schemas.EVENTS[name as keyof typeof schemas.EVENTS].shape)
      for (const field of own.filter((one) => !(one in known))) {
        expect(fields).toContain(`\`${field}\``)
      }
      const missing = Object.keys(known).filter((one) => !own.includes(one))
      expect(marked(/without its ([^)]*)/.exec(fields ?? '')?.[1] ?? '')).toEqual(missing)
    }
  })

  test.each([...RUN_CAUSES, ...DMX_CHANGES, ...CATALOGUE_CHANGES, ...RESET_REASONS])(
    'explains the word %s of events',
    (word) => {
      expect(section(6)).toContain(`\`${word}\``)
    },
  )

  test('tells the limits that the code holds', () => {
    const limits = section(8)
    expect(limits).toContain(`${LIMITS.bodyBytes} bytes`)
    expect(limits).toContain(`integers 0-${LIMITS.fadeMsMax}`)
    expect(limits).toContain(`${LIMITS.portMin}-${LIMITS.portMax}`)
    expect(limits).toContain(`${LIMITS.loopHeadBytes / 1024 / 1024} MiB`)
    expect(limits).toContain(`${LIMITS.terminalRetentionMs / 60_000} minutes`)
    expect(limits).toContain(`${LIMITS.commandsWaiting} beside`)
    expect(limits).toContain(`${LIMITS.commandDeadlineMs / 1000} s for each`)
    expect(limits).toContain(`above ${LIMITS.dmxDriftMs} ms`)
    const { idempotencyKeys, idempotencyKeyCharacters, idempotencyMs } = LIMITS
    expect(limits).toContain(`${idempotencyKeys}, for ${idempotencyMs / 60_000} minutes each`)
    expect(limits).toContain(`1 to ${idempotencyKeyCharacters} characters`)
    expect(limits).toContain(`${LIMITS.eventReaders}; each may be ${LIMITS.eventsBehind} events`)
    expect(limits).toContain(`the last ${LIMITS.eventsKept}`)
    const { sockets, bytesBehind, messageBytes, messagesPerSecond } = LIVE
    expect(limits).toContain(`${sockets}; each may be ${bytesBehind / 1024} KiB behind, and send `
      + `${messageBytes / 1024} KiB a message, ${messagesPerSecond} a second`)
  })

  test('tells the bounds of a live connection that the code holds', () => {
    const live = part('6.1')
    const { bytesBehind, framesPerSecond, levelsPerSecond, lightsPerSecond, messageBytes } = LIVE
    const { tryAgainLater } = LIVE_CLOSE
    for (const sentence of [
      `\`${LIVE.path}\``,
      `'${LIVE.subprotocol}'`,
      `${framesPerSecond / 1000} 000 a second`,
      `binary frames, ${levelsPerSecond} and at most ${lightsPerSecond} a second`,
      `| ${LIVE.sockets} connections | the handshake is answered with 503`,
      `| ${messageBytes / 1024} KiB a message | closed with ${LIVE_CLOSE.tooBig} |`,
      `| ${LIVE.messagesPerSecond} messages a second,`,
      `do not fit | closed with ${LIVE_CLOSE.refused} |`,
      `closed with ${LIVE_CLOSE.unsupported}; with ${LIVE_CLOSE.notJson} |`,
      `| ${bytesBehind / 1024} KiB that you have not read | closed with ${tryAgainLater}:`,
      `a ping every ${LIVE.pingMs / 1000} s; nothing heard from you for ${LIVE.deadMs / 1000} s |`,
      `closed with ${LIVE_CLOSE.goingAway} |`,
      `then its oldest is closed with ${tryAgainLater} |`,
    ]) expect(live).toContain(sentence)
  })

  test.each(['api.md', 'decisions.md'])('has examples in %s that are JSON', (page) => {
    const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
    const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map((match) => match[1] ?? '')
    expect(blocks.length).toBeGreaterThan(1)
    for (const block of blocks) expect(() => void JSON.parse(block)).not.toThrow()
  })

  test('names the default address', () => {
    expect(api).toContain(`http://${DEFAULTS.host}:${DEFAULTS.port}${DEFAULTS.apiPrefix}`)
  })
})

test.each([
  ['pause', 'pauseBody'], ['resume', 'resumeBody'], ['stop', 'stopBody'], ['panic', 'panicBody'],
  ['dmxSync', 'syncBody'],
] as const)('docs/client.md names what %s takes, and no other', (method, name) => {
  const client = readFileSync(join(ROOT, 'docs/client.md'), 'utf8')
  const [, told = ''] = new RegExp(`\`${method}\\((?:id, )?\\{ (.*?) \\}`).exec(client) ?? []
  const optional = (key: string): boolean =>
    (schemas[name].shape as Readonly<Record<string, z.ZodType>>)[key]!.safeParse(undefined).success
  expect(told.split(', '))
    .toEqual(fieldsOf(name).map((key) => `${key}${optional(key) ? '?' : ''}`))
})

describe('cartwall serve', () => {
  const options = [...usageOf('serve').matchAll(/^ +(--[a-z-]+) ([A-Z0-9]+)/gm)]
    .map(([, option, value]) => `[${option} ${value}]`)

  test.each(['README.md', 'docs/decisions.md'])('%s names its options, and no other', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const [synopsis = ''] = /cartwall serve \[[^`]*?(?=`|^cartwall)/m.exec(text) ?? []
    const told = [...synopsis.matchAll(/\[--[^\]]+\]/g)].map(([option]) => option)
    const plain = told.map((option) => option.replace('json|pretty', 'WORD'))
    expect(plain.toSorted()).toEqual(options.toSorted())
  })
})

test('docs/architecture.md leads to every decision of docs/adr, by its own title', () => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
  const listed = [...page.matchAll(/^- \[(.+)\]\(adr\/(.+)\)$/gm)]
    .map(([, title, name]) => [name, `# ${title}`])
  const there = readdirSync(join(ROOT, 'docs/adr')).toSorted().map((name) =>
    [name, readFileSync(join(ROOT, 'docs/adr', name), 'utf8').split('\n', 1)[0]])
  expect(listed).toEqual(there)
})

test('README.md leads to every page there is, and the package has each that lies beside it', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const pagesOf = (folder: string): string[] =>
    readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'))
  const beside = pagesOf('.').filter((name) => name !== 'README.md')
  const pages = [...beside, ...pagesOf('docs').map((name) => `docs/${name}`)]
  expect(pages.filter((page) => !readme.includes(`](${page})`))).toEqual([])
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly files: readonly string[]
  }
  expect(files).toEqual(expect.arrayContaining(beside))
})
