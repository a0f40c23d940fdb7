// What an operator finds in the log afterwards: every command, its run, its outcome and the reason.
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { BUTTON, RUN, refusing } from './fake-player.js'
import { API, serve } from './served.js'

const logged = async (level: string) => {
  const lines: Record<string, unknown>[] = []
  const logger = pino(
    { level, base: null, timestamp: false },
    { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  )
  const served = serve(logger)
  const headers = { host: served.daemon.authority, origin: 'http://quiz.example' }
  const post = (verb: string, payload: object) =>
    served.app.inject({ method: 'POST', url: `${API}/buttons/${BUTTON}/${verb}`, headers, payload })
  await post('play', { loop: true })
  served.player.answer = refusing('stale_execution')
  await post('pause', { executionId: RUN })
  await served.app.inject({ url: `${API}/status`, headers })
  served.player.answer = () => Promise.reject(new Error('planted'))
  await post('stop', {})
  return lines
}

it('names command, button, run, outcome and reason at info', async () => {
  const [play, pause, failure, ...more] = await logged('info')
  expect(play).toMatchObject({
    level: 30, command: 'play', buttonId: BUTTON, executionId: RUN, status: 202, result: 'accepted',
    options: { loop: true }, origin: 'http://quiz.example',
  })
  expect(pause).toMatchObject({
    command: 'pause', buttonId: BUTTON, executionId: RUN, refused: 'stale_execution',
    reason: 'said the player: stale_execution',
  })
  expect(failure).toMatchObject({ level: 50, err: { message: 'planted' }, method: 'POST' })
  expect(more).toEqual([])
})

it('adds every request at debug', async () => {
  const requests = (await logged('debug')).filter((line) => line['msg'] === 'request')
  expect(requests.map((line) => line['status'])).toEqual([202, 409, 200, 500])
  expect(requests[2]).toMatchObject({ level: 20, method: 'GET', url: `${API}/status` })
})
