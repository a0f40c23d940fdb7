// The documentation tells the truth where it repeats the code: errors, states, limits, routes.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '../../src/contract/errors.js'
import { DEFAULTS, LIMITS } from '../../src/contract/limits.js'
import { contract } from '../../src/contract/routes.js'
import {
  button, dmxRunStatus, EVENTS, execution, panicAnswer, runOptions, startAnswer, statusAnswer,
  statusItem, stopAnswer, syncAnswer, syncBody,
} from '../../src/contract/schemas.js'
import {
  BUTTON_KINDS, CATALOGUE_CHANGES, DMX_CHANGES, END_REASONS, RESET_REASONS, RUN_CAUSES, RUN_STATES,
  STOP_RESULTS,
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

/** A field stands in code marks or inside an example. */
const named = (field: string): boolean =>
  [...api.matchAll(/`[^`\n]+`|"\w+"/g)].some(([text]) => new RegExp(`\\b${field}\\b`).test(text))

const SHAPES = {
  button, dmxRunStatus, execution, panicAnswer, runOptions, startAnswer, statusAnswer, statusItem,
  stopAnswer, syncAnswer, syncBody,
}

describe('docs/api.md', () => {
  test('lists every route of the contract, and no other', () => {
    const routes = Object.values(contract).map(({ method, path }) => `${method} ${path}`)
    const paths = routes.map((route) => route.replace(DEFAULTS.apiPrefix, ''))
    expect(routeRows().toSorted()).toEqual(paths.toSorted())
  })

  test.each(Object.entries(SHAPES))('names every field of %s', (_name, schema) => {
    const unnamed = Object.keys(schema.shape).filter((field) => !named(field))
    expect(unnamed).toEqual([])
  })

  test('lists every error of the code with its status, and no other', () => {
    expect(Object.fromEntries(errorRows())).toEqual(ERRORS)
  })

  test('names each error once', () => {
    expect(errorRows()).toHaveLength(Object.keys(ERRORS).length)
  })

  test.each([...RUN_STATES, ...END_REASONS, ...BUTTON_KINDS, ...STOP_RESULTS])(
    'explains the word %s',
    (word) => {
      expect(api).toContain(`\`${word}\``)
    },
  )

  test('lists every event with its fields, and no other', () => {
    const rows = [...section(6).matchAll(/^\| `(\w+)` \| (.*?) \|/gm)].map(([, name, fields]) => [
      name, fields,
    ])
    expect(rows.map(([name]) => name)).toEqual(Object.keys(EVENTS))
    for (const [name, fields] of rows) {
      const known = fields?.includes('the execution') ? execution.shape : {}
      const own = Object.keys(EVENTS[name as keyof typeof EVENTS].shape)
      for (const field of own.filter((one) => !(one in known))) {
        expect(fields).toContain(`\`${field}\``)
      }
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
