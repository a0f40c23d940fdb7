// What a body that is no JSON is told: what makes it none, and where; and one without a length.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BUTTON } from './fake-player.js'
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
