// Section 8, and 7's table: the numbers and statuses that the document names are those of the code.
// The other tests go by the constants, so here they are written out.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../src/contract/errors.js'
import { DEFAULTS, LIMITS } from '../../src/contract/limits.js'
import { LIVE, LIVE_CLOSE } from '../../src/contract/live.js'
import { RUN_STATES, TERMINAL } from '../../src/contract/vocabulary.js'
import { serve } from '../api/served.js'

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
const [SECONDS, MINUTES, KIB] = [1_000, 60_000, 1024]

it('the limits', () => {
  expect(LIMITS).toMatchObject({
    bodyBytes: KIB, fadeMsMax: 60 * SECONDS, crossfadeMsMax: 60 * SECONDS, portMin: 1024,
    portMax: 65_535, loopHeadBytes: 32 * KIB * KIB, terminalRetentionMs: 10 * MINUTES,
    commandsWaiting: 16, connections: 512, commandDeadlineMs: 5 * SECONDS, dmxDriftMs: 100,
    sequenceMax: 2 ** 53 - 1, eventsKept: 4_096, eventReaders: 256, eventsBehind: 1_024,
    eventHeartbeatMs: 15 * SECONDS, eventMessageCharacters: 1_000, idempotencyKeys: 10_000,
    idempotencyKeyCharacters: 128, idempotencyMs: 10 * MINUTES, gainDbMin: -60, gainDbMax: 12,
    dissolveMsMax: 10 * SECONDS, columnsMin: 2, columnsMax: 12,
  })
  // Each answers only where the one before it has not.
  expect(LIMITS.commandAnswerMs).toBeGreaterThan(LIMITS.commandDeadlineMs)
  expect(LIMITS.commandLinkMs).toBeGreaterThan(LIMITS.commandAnswerMs)
  expect(DEFAULTS).toEqual({ host: '127.0.0.1', port: 47_831, apiPrefix: '/api/v1' })
})

it('those of the live connection', () => {
  expect(LIVE).toEqual({
    path: '/api/v1/live', subprotocol: 'cartwall.live.1', framesPerSecond: 48_000,
    messageBytes: KIB, messagesPerSecond: 50, sockets: 256, bytesBehind: 256 * KIB,
    pingMs: 10 * SECONDS, deadMs: 25 * SECONDS, levelsPerSecond: 25, lightsPerSecond: 10,
    stageReportMs: 2 * SECONDS,
  })
  expect(LIVE_CLOSE).toEqual({
    goingAway: 1001, unsupported: 1003, notJson: 1007, refused: 1008, tooBig: 1009,
    tryAgainLater: 1013,
  })
})

describe('connections', () => {
  const { app } = serve(null)
  afterAll(() => app.close())

  it('have 5 s for headers of 16 KiB, 10 s for a request; 30 s idle, 60 s standing still', () => {
    expect(app.server).toMatchObject({
      headersTimeout: 5 * SECONDS, requestTimeout: 10 * SECONDS, keepAliveTimeout: 30 * SECONDS,
      timeout: 60 * SECONDS, maxHeaderSize: 16 * KIB,
    })
    for (const row of [
      'a connection on which nothing is asked | ended after 30 s, a new one after 5 s',
      'the headers of a request; all of it | 16 KiB, within 5 s; within 10 s',
    ]) expect(DOCUMENT).toContain(`| ${row} |`)
    // Pages on /live have a bound of their own, beside that of the others.
    expect(app.server.maxConnections).toBeGreaterThanOrEqual(512 + 256)
  })
})

it('each error has the status of the table in the document, and there are no others', () => {
  const rows = [...DOCUMENT.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)]
  const told = Object.fromEntries(
    rows.map(([, status, code = '']): [string, number] => [code, Number(status)]))
  expect(rows.length).toBeGreaterThan(25)
  expect(ERRORS).toEqual(told)
})

it('how a run ends is told as the table of the document has it (3.1)', () => {
  const rows = [...DOCUMENT.matchAll(/^\| `(completed|stopped|failed)` \| `(\w+)` \|/gm)]
  expect(TERMINAL).toEqual(Object.fromEntries(rows.map(([, state, reason]) => [reason, state])))
  const [, states = ''] = /^\| `state` \| string \| (.*) \|$/m.exec(DOCUMENT) ?? []
  expect(states.split(' ')).toEqual(RUN_STATES.map((state) => `\`${state}\``))
})
