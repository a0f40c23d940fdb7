// What a body that is no JSON is told: what makes it none, and where; that none is needed; one
// without a length; and one that lacks a field.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BUTTON, RUN } from './fake-player.js'
import { API, serve, type Served } from './served.js'

let served: Served
beforeEach(() => {
  served = serve(null)
})
afterEach(async () => {
  await served.app.close()
})

it.each([
  ['{"loop":true,}', /: .*position 13/], ["{'loop':true}", /: .*position 1/],
  ['{', /: ./], ['\ufeff{}', /: it begins with a byte order mark$/],
])('%j', async (payload, what) => {
  const answer = await served.app.inject({
    method: 'POST', url: `${API}/buttons/${BUTTON}/play`, payload,
    headers: { host: served.daemon.authority, 'content-type': 'application/json' },
  })
  const { error, message } = answer.json<{ error: string; message: string }>()
  expect([answer.statusCode, error]).toEqual([400, 'invalid_playback_request'])
  expect(message).toMatch(/^the body is not JSON/)
  expect(message).toMatch(what)
})

it.each([
  ['1795785902518', undefined], ['ON', 'text/plain'], ['', undefined],
  ['', 'application/x-www-form-urlencoded'],
])('a press that brings what nobody meant is told that none is needed: %j', async (body, type) => {
  const answer = await served.app.inject({
    method: 'POST', url: `${API}/buttons/${BUTTON}/play`, payload: Buffer.from(body),
    headers: { host: served.daemon.authority, 'content-type': type },
  })
  const told = 'send the body as Content-Type: application/json, or send none'
  expect([answer.statusCode, answer.json<{ message?: string }>().message])
    .toEqual(body === '' ? [202, undefined] : [415, told])
})

it('what comes without its length is no body, and is told so', async () => {
  const host = served.daemon.authority
  const answer = await served.app.inject({
    method: 'POST', url: `${API}/buttons/${BUTTON}/pause`,
    headers: { host, 'content-type': 'application/json' },
  })
  const { error, message } = answer.json<{ error: string; message: string }>()
  expect(error).toBe('execution_id_required')
  expect(message).toMatch(/Content-Length is missing$/)
})

it.each([
  ['sequence', undefined, 'sequence is missing: it must be a number'],
  ['positionMs', undefined, 'positionMs is missing: it must be a number'],
  ['isPlaying', undefined, 'isPlaying is missing: it must be true or false'],
  ['isPlaying', null, 'isPlaying must be true or false'],
  ['positionMs', '0', 'positionMs must be a number'],
])('a sync message with %s %j is told: %s', async (field, value, message) => {
  const sync = { executionId: RUN, sequence: 1, positionMs: 0, isPlaying: false }
  const answer = await served.app.inject({
    method: 'POST', url: `${API}/buttons/${BUTTON}/dmx/sync`, payload: { ...sync, [field]: value },
    headers: { host: served.daemon.authority },
  })
  expect(answer.json()).toEqual({ error: 'invalid_playback_request', message })
})
