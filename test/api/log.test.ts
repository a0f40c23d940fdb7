// What an operator finds in the log afterwards: every command, its run, its outcome and the reason.
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { BUTTON, RUN, refusing } from './fake-player.js'
import { API, serve, type Served } from './served.js'

const logged = async (level: string, ask: (served: Served) => Promise<void>) => {
  const lines: Record<string, unknown>[] = []
  const logger = pino(
    { level, base: null, timestamp: false },
    { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  )
  const served = serve(logger)
  await ask(served)
  await served.app.close()
  return lines
}

const someCommands = async ({ app, daemon, player }: Served): Promise<void> => {
  const headers = { host: daemon.authority, origin: 'http://quiz.example' }
  const post = (verb: string, payload: object) =>
    app.inject({ method: 'POST', url: `${API}/buttons/${BUTTON}/${verb}`, headers, payload })
  await post('play', { loop: true })
  player.answer = refusing('stale_execution')
  await post('pause', { executionId: RUN })
  await app.inject({ url: `${API}/status`, headers })
  player.answer = () => Promise.reject(new Error('planted'))
  await post('stop', {})
}

it('names command, button, run, outcome and reason at info', async () => {
  const [play, pause, failure, ...more] = await logged('info', someCommands)
  expect(play).toMatchObject({
    level: 30, command: 'play', buttonId: BUTTON, executionId: RUN, status: 202, result: 'accepted',
    options: { loop: true }, origin: 'http://quiz.example',
  })
  expect(pause).toMatchObject({
    command: 'pause', buttonId: BUTTON, executionId: RUN, refused: 'stale_execution',
    reason: 'said the player: stale_execution', origin: 'http://quiz.example',
  })
  expect(failure).toMatchObject({ level: 50, err: { message: 'planted' }, method: 'POST' })
  expect(more).toEqual([])
})

it('adds every request at debug', async () => {
  const requests = (await logged('debug', someCommands)).filter((line) => line['msg'] === 'request')
  expect(requests.map((line) => line['status'])).toEqual([202, 409, 200, 500])
  expect(requests[2]).toMatchObject({ level: 20, method: 'GET', url: `${API}/status` })
})

it('says at debug why a request was refused: a box without a screen shows nothing', async () => {
  const lines = await logged('debug', async ({ app, daemon }) => {
    const url = `${API}/stop`
    await app.inject({ method: 'POST', url, headers: { host: '127.0.0.1' } })
    const headers = { host: daemon.authority, 'content-type': 'text/plain' }
    await app.inject({ method: 'POST', url, headers, payload: 'ON' })
    await app.inject({ url, headers })
    await app.inject({ method: 'POST', url: `${API}/buttons/Door/play`, headers })
  })
  expect(lines.map(({ status, refused, reason }) => [status, refused, reason])).toEqual([
    [403, 'host_rejected', expect.stringContaining('the numeric address and port')],
    [415, 'json_required', expect.stringContaining('or send none')],
    [405, 'method_not_allowed', expect.stringContaining('use POST')],
    [400, 'invalid_button_id', expect.stringContaining('must be a GUID')],
  ])
})

it('tells a repetition from what was carried out, and of a long Origin its beginning', async () => {
  const origin = `http://${'a'.repeat(500)}`
  const lines = await logged('info', async ({ app, daemon }) => {
    for (let n = 0; n < 2; n += 1) {
      await app.inject({
        method: 'POST', url: `${API}/stop`,
        headers: { host: daemon.authority, origin, 'idempotency-key': 'k' },
      })
    }
  })
  expect(lines.map(({ command, isReplay }) => [command, isReplay ?? false])).toEqual([
    ['panic', false], ['panic', true],
  ])
  expect(lines[0]?.['origin']).toBe(origin.slice(0, 200))
})

it('has the messages of a clock, five a second, at debug alone', async () => {
  const sync = async ({ app, daemon, player }: Served): Promise<void> => {
    const payload = { executionId: RUN, sequence: 1, positionMs: 0, isPlaying: true }
    const url = `${API}/buttons/${BUTTON}/dmx/sync`
    const headers = { host: daemon.authority }
    await app.inject({ method: 'POST', url, headers, payload })
    player.answer = refusing('dmx_not_active')
    await app.inject({ method: 'POST', url, headers, payload })
  }
  expect(await logged('info', sync)).toEqual([])
  const told = (await logged('debug', sync)).filter(({ command }) => command === 'sync')
  expect(told.map(({ level, refused }) => [level, refused])).toEqual([
    [20, undefined], [20, 'dmx_not_active'],
  ])
})
