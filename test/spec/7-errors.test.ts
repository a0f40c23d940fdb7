// Section 7: every row of the table of errors, its status and code, and which of several is told.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ERRORS, type ErrorCode } from '../../src/contract/errors.js'
import { BUTTON, RUN, refusing } from '../api/fake-player.js'
import { API, errorOf, serve, type Served } from '../api/served.js'

let served: Served
beforeEach(() => {
  served = serve(null)
})
afterEach(async () => {
  await served.app.close()
})

const send = (verb: string, payload: string | null, id = BUTTON) =>
  served.app.inject({
    method: 'POST',
    url: `${API}/buttons/${id}/${verb}`,
    headers: {
      host: served.daemon.authority,
      ...(payload === null ? {} : { 'content-type': 'application/json' }),
    },
    ...(payload === null ? {} : { payload }),
  })

const told = async (verb: string, body: unknown, id = BUTTON) => {
  const answer = await send(verb, body === undefined ? null : JSON.stringify(body), id)
  return `${answer.statusCode} ${errorOf(answer)}`
}

const SYNC = { executionId: RUN, sequence: 0, positionMs: 0, isPlaying: true }
const FULL = { pause: { executionId: RUN }, resume: { executionId: RUN }, 'dmx/sync': SYNC }

describe('an id in the path', () => {
  it.each([
    ['POST', '/buttons/Stinger/play', 'the id that GET /buttons tells beside the title'],
    ['GET', '/executions/12', 'the executionId that the start was answered with'],
  ] as const)('%s %s: says where one is found', async (method, path, where) => {
    const headers = { host: served.daemon.authority }
    const answer = await served.app.inject({ method, url: `${API}${path}`, headers })
    expect(answer.json()).toMatchObject({ message: `the id in the path must be a GUID, ${where}` })
  })
})

describe('a path that there is not', () => {
  const verbs = 'a button has POST play, restart, pause, resume, stop, dmx/sync, and GET /buttons '
  it.each([
    ['GET', `${API}/buttons/${BUTTON}`, `${verbs}tells how each of them is`],
    ['POST', `${API}/buttons/${BUTTON}/toggle`, `${verbs}tells how each of them is`],
    ['POST', `${API}/panic`, 'and none ends with a slash'],
    ['GET', '/buttons/1/play', 'and none ends with a slash'],
  ] as const)('%s %s: says what there is', async (method, url, told) => {
    const headers = { host: served.daemon.authority }
    const answer = await served.app.inject({ method, url, headers })
    expect(answer.statusCode).toBe(404)
    expect(answer.json<{ message: string }>().message.split('; ').at(-1)).toContain(told)
  })
})

describe('what the player refuses', () => {
  const rows: readonly ErrorCode[] = [
    'button_not_found', 'execution_not_found', 'stale_execution', 'execution_not_resumable',
    'app_busy', 'command_in_progress', 'media_file_missing', 'playback_unavailable',
    'command_failed', 'shutting_down', 'dmx_not_active', 'dmx_initializing', 'dmx_stale_sequence',
    'invalid_playback_request',
  ]
  it.each(rows)('%s goes out with its status on every command', async (code) => {
    served.player.answer = refusing(code)
    const status = ERRORS[code]
    for (const verb of ['play', 'restart', 'stop']) {
      expect(await told(verb, undefined)).toBe(`${status} ${code}`)
    }
    for (const [verb, body] of Object.entries(FULL)) {
      expect(await told(verb, body)).toBe(`${status} ${code}`)
    }
    const panic = await served.app.inject({
      method: 'POST', url: `${API}/stop`, headers: { host: served.daemon.authority },
    })
    expect(panic.statusCode).toBe(status)
  })

  it('has the statuses of the document', () => {
    expect(ERRORS).toMatchObject({
      execution_id_required: 400, invalid_execution_id: 400, invalid_button_id: 400,
      invalid_playback_request: 400, host_rejected: 403, license_restricted: 403, not_found: 404,
      execution_not_found: 404, button_not_found: 404, method_not_allowed: 405,
      stale_execution: 409, execution_not_resumable: 409, app_busy: 409, command_in_progress: 409,
      body_too_large: 413, json_required: 415, media_file_missing: 422, command_failed: 500,
      shutting_down: 503, playback_unavailable: 503, dmx_not_active: 409,
    })
  })
})

describe('reading a run that is not there', () => {
  it('is 404 execution_not_found', async () => {
    const answer = await served.app.inject({
      url: `${API}/executions/${BUTTON}`, headers: { host: served.daemon.authority },
    })
    expect([answer.statusCode, errorOf(answer)]).toEqual([404, 'execution_not_found'])
  })
})

describe('execution ids', () => {
  it.each(['pause', 'resume', 'dmx/sync'])('%s needs one', async (verb) => {
    const rest = verb === 'dmx/sync' ? SYNC : {}
    expect(await told(verb, undefined)).toBe('400 execution_id_required')
    expect(await told(verb, {})).toBe('400 execution_id_required')
    expect(await told(verb, { ...rest, executionId: null })).toBe('400 execution_id_required')
    for (const executionId of ['', 'x', 5, true, {}, [], [RUN], `${RUN} `, RUN.slice(1)]) {
      expect(await told(verb, { ...rest, executionId })).toBe('400 invalid_execution_id')
    }
    expect(served.player.commands).toEqual([])
  })

  it('stop can do without, but not with null', async () => {
    expect((await send('stop', '{}')).statusCode).toBe(200)
    for (const executionId of [null, '', 'x', 5, {}]) {
      expect(await told('stop', { executionId })).toBe('400 invalid_execution_id')
    }
    expect(served.player.commands).toHaveLength(1)
  })
})

describe('fields', () => {
  const NOT_WHOLE = ['5', 5.5, true, -1, 60_001, {}, [], [5], '', 1e300, 0.1]

  it.each([
    ['pause', 'fadeOutMs'], ['resume', 'fadeInMs'], ['stop', 'fadeOutMs'],
  ])('%s takes %s as an integer of 0-60000 or leaves it out', async (verb, field) => {
    for (const value of [...NOT_WHOLE, null]) {
      expect(await told(verb, { executionId: RUN, [field]: value })).toBe(
        '400 invalid_playback_request',
      )
    }
    for (const value of [0, 1, 60_000]) {
      const answer = await send(verb, JSON.stringify({ executionId: RUN, [field]: value }))
      expect(answer.statusCode).toBe(200)
    }
    expect(served.player.commands.map((one) => (one as Record<string, unknown>)[field])).toEqual([
      0, 1, 60_000,
    ])
  })

  it('panic takes fadeOutMs likewise', async () => {
    const panic = (payload: object) =>
      served.app.inject({
        method: 'POST', url: `${API}/stop`, payload, headers: { host: served.daemon.authority },
      })
    expect(errorOf(await panic({ fadeOutMs: 60_001 }))).toBe('invalid_playback_request')
    expect((await panic({ fadeOutMs: 5 })).statusCode).toBe(200)
    expect(served.player.commands).toEqual([{ kind: 'panic', fadeOutMs: 5 }])
  })

  it('what is left out is what the saved settings say', async () => {
    const ofRun = { buttonId: BUTTON, executionId: RUN }
    const options = {
      pauseWhenReplaced: null, allowOverlap: null, externalSequencing: false, loop: null,
      loopCrossfadeMs: null,
    }
    const stop = { kind: 'stop', buttonId: BUTTON, executionId: null, fadeOutMs: null }
    const panic = { kind: 'panic', fadeOutMs: null }
    const rows: readonly (readonly [string, object | undefined, object])[] = [
      ['play', undefined, { kind: 'play', buttonId: BUTTON, options }],
      ['play', {}, { kind: 'play', buttonId: BUTTON, options }],
      ['restart', undefined, { kind: 'restart', buttonId: BUTTON, options }],
      ['restart', { loop: null }, { kind: 'restart', buttonId: BUTTON, options }],
      ['pause', { executionId: RUN }, { kind: 'pause', ...ofRun, fadeOutMs: null }],
      ['resume', { executionId: RUN }, { kind: 'resume', ...ofRun, fadeInMs: null }],
      ['stop', undefined, stop], ['stop', {}, stop],
      ['stop', { executionId: RUN }, { ...stop, executionId: RUN }],
      ['dmx/sync', SYNC, { kind: 'sync', buttonId: BUTTON, ...SYNC, forceSeek: false }],
    ]
    for (const [verb, body] of rows) {
      await send(verb, body === undefined ? null : JSON.stringify(body))
    }
    const headers = { host: served.daemon.authority }
    const url = `${API}/stop`
    await served.app.inject({ method: 'POST', url, headers })
    await served.app.inject({ method: 'POST', url, headers, payload: {} })
    expect(served.player.commands).toEqual([...rows.map(([, , command]) => command), panic, panic])
  })

  it.each(['play', 'restart'])('%s takes the run options of 2.3 and nothing else', async (verb) => {
    const flags = ['pauseWhenReplaced', 'allowOverlap', 'loop']
    for (const value of NOT_WHOLE) {
      expect(await told(verb, { loopCrossfadeMs: value })).toBe('400 invalid_playback_request')
    }
    for (const value of [0, 1, 'true', {}, []]) {
      for (const field of [...flags, 'externalSequencing']) {
        expect(await told(verb, { [field]: value })).toBe('400 invalid_playback_request')
      }
    }
    expect(await told(verb, { externalSequencing: null })).toBe('400 invalid_playback_request')
    expect(served.player.commands).toEqual([])
    const nulls = { pauseWhenReplaced: null, allowOverlap: null, loop: null, loopCrossfadeMs: null }
    const given = {
      pauseWhenReplaced: false, allowOverlap: true, loop: false, loopCrossfadeMs: 0,
      externalSequencing: true,
    }
    for (const body of [nulls, given]) {
      expect((await send(verb, JSON.stringify(body))).statusCode).toBe(202)
    }
    expect(served.player.commands).toEqual([
      { kind: verb, buttonId: BUTTON, options: { ...nulls, externalSequencing: false } },
      { kind: verb, buttonId: BUTTON, options: given },
    ])
  })

  it('dmx/sync takes the message of 2.8', async () => {
    const wrong: Record<string, unknown[]> = {
      sequence: [undefined, null, -1, 1.5, '1', true, 2 ** 53, 1e300],
      positionMs: [undefined, null, -1, -0.001, '1', true, {}],
      isPlaying: [undefined, null, 0, 'true'],
      forceSeek: [null, 0, 'true'],
    }
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        expect(await told('dmx/sync', { ...SYNC, [field]: value })).toBe(
          '400 invalid_playback_request',
        )
      }
    }
    // What overflows a double is no finite number.
    const huge = JSON.stringify(SYNC).replace('"positionMs":0', '"positionMs":1e999')
    expect(errorOf(await send('dmx/sync', huge))).toBe('invalid_playback_request')
    expect(served.player.commands).toEqual([])
    const message = { ...SYNC, sequence: 2 ** 53 - 1, positionMs: 1.25 }
    expect((await send('dmx/sync', JSON.stringify(message))).json()).toEqual({
      executionId: RUN, sequence: 2 ** 53 - 1, corrected: false, positionMs: 1.25, driftMs: 0,
      isPlaying: true,
    })
    await send('dmx/sync', JSON.stringify({ ...SYNC, isPlaying: false, forceSeek: true }))
    expect(served.player.commands).toEqual([
      { kind: 'sync', buttonId: BUTTON, ...message, forceSeek: false },
      { kind: 'sync', buttonId: BUTTON, ...SYNC, isPlaying: false, forceSeek: true },
    ])
  })
})

describe('of several faults', () => {
  // Each body has every fault of the rows below it.
  it.each(['pause', 'resume', 'stop', 'dmx/sync'])('%s tells the first', async (verb) => {
    const field = verb === 'resume' ? 'fadeInMs' : verb === 'dmx/sync' ? 'sequence' : 'fadeOutMs'
    expect(errorOf(await send(verb, '[', 'no-guid'))).toBe('invalid_button_id')
    expect(await told(verb, [], 'no-guid')).toBe('400 invalid_button_id')
    expect(await told(verb, undefined, 'no-guid')).toBe('400 invalid_button_id')
    expect(await told(verb, [{ executionId: 5 }])).toBe('400 invalid_playback_request')
    expect(errorOf(await send(verb, '{"executionId":5,"__proto__":1}'))).toBe(
      'invalid_playback_request',
    )
    if (verb !== 'stop') {
      expect(await told(verb, { [field]: 'x' })).toBe('400 execution_id_required')
    }
    expect(await told(verb, { executionId: 5, [field]: 'x' })).toBe('400 invalid_execution_id')
    expect(await told(verb, { [field]: 'x', executionId: 5 })).toBe('400 invalid_execution_id')
    expect(await told(verb, { executionId: RUN, [field]: 'x' })).toBe(
      '400 invalid_playback_request',
    )
    expect(served.player.commands).toEqual([])
  })

  it('tells the type before the size, and the size before the id', async () => {
    const big = ' '.repeat(1_025)
    const url = `${API}/buttons/no-guid/pause`
    const post = (type: string) =>
      served.app.inject({
        method: 'POST', url, payload: big,
        headers: { host: served.daemon.authority, 'content-type': type },
      })
    expect(errorOf(await post('text/plain'))).toBe('json_required')
    expect(errorOf(await post('application/json'))).toBe('body_too_large')
  })
})

describe('a bug in the player', () => {
  it('is 500 command_failed for a command that throws, and the next one works', async () => {
    served.player.answer = () => Promise.reject(new Error('planted: secret detail'))
    const answer = await send('play', null)
    expect([answer.statusCode, errorOf(answer)]).toEqual([500, 'command_failed'])
    expect(answer.body).not.toContain('secret')
    served.player.answer = () => {
      throw new Error('planted')
    }
    expect(await told('play', undefined)).toBe('500 command_failed')
  })

  it('is 500 for an answer that breaks the contract', async () => {
    served.player.answer = () =>
      Promise.resolve({
        ok: true, status: 200,
        body: { result: 'stopped', id: 'not a guid', executionId: null },
      })
    expect(await told('stop', undefined)).toBe('500 command_failed')
  })

  it('is 500 on reads too', async () => {
    served.player.status = () => {
      throw new Error('planted')
    }
    const answer = await served.app.inject({
      url: `${API}/status`, headers: { host: served.daemon.authority },
    })
    expect([answer.statusCode, errorOf(answer)]).toEqual([500, 'command_failed'])
  })
})
