// Events and keys at the real daemon: what a reader hears of a run, the end, and a restart.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { join } from 'node:path'
import { EventStream } from '../api/event-stream.js'
import { button, Daemon } from './daemon-rig.js'

const STING = join(import.meta.dirname, '../../demo/media/sting-correct.flac')
const BED = join(import.meta.dirname, '../../demo/media/bed-thinking.opus')
const SINK = ['--sink', 'null', '--log-level', 'warn']

let daemon: Daemon
beforeEach(async () => {
  daemon = new Daemon()
  daemon.writeShow([{ buttons: [{ media: STING }, { media: BED, fadeOutMs: 50 }] }])
  await daemon.start(SINK, {})
})
afterEach(async () => {
  await daemon.clean()
})

const read = (lastId: string | null): Promise<EventStream> => {
  const { host, port } = new URL(daemon.base)
  const headers = { host, ...(lastId === null ? {} : { 'last-event-id': lastId }) }
  return EventStream.open(Number(port), headers, true)
}
const states = (stream: EventStream, executionId: string): unknown[] =>
  stream.events
    .filter(({ name }) => name === 'run')
    .map(({ data }) => data as { executionId: string; state: string })
    .filter((run) => run.executionId === executionId)
    .map((run) => run.state)

it('tells a run from its start to its natural end, as polling does', async () => {
  const stream = await read(null)
  const run = await daemon.play(1)
  await stream.until(() => states(stream, run).includes('completed'), 20_000)
  expect(states(stream, run)).toEqual(['starting', 'playing', 'completed'])
  const { cause, message, ...last } = stream.events.at(-1)?.data as Record<string, unknown>
  expect([cause, message]).toEqual(['media_end', null])
  // How long it starved is a reading of the run and stands in no event.
  const { starvedMs, ...polled } = await daemon.run(run)
  expect(starvedMs).toBe(0)
  expect(last).toEqual(polled)
  stream.close()
})

it('tells the ends of the last runs and its own before it goes; starts over after', async () => {
  const stream = await read(null)
  const run = await daemon.play(2)
  await daemon.state(run, ['playing'])
  const { code, ms } = await daemon.end('SIGTERM')
  expect(code).toBe(0)
  expect(ms).toBeLessThan(3_000)
  await stream.until(() => stream.over !== null, 2_000)
  expect(stream.over).toBe('end')
  expect(states(stream, run)).toEqual(['starting', 'playing', 'stopped'])
  const last = { name: 'service', data: { state: 'shutting_down' } }
  expect(stream.events.at(-1)).toMatchObject(last)

  await daemon.start(SINK, {})
  const again = await read(stream.lastId)
  await again.until(() => again.events.length > 0, 2_000)
  expect(again.events[0]).toMatchObject({ name: 'reset', data: { reason: 'restarted' } })
  again.close()
})

it('a double click with a key starts one run', async () => {
  // Its file was looked at: a machine that is busy for seconds may refuse a press for that.
  await daemon.armed(2)
  const click = async (): Promise<[number, string | null, string]> => {
    const answer = await fetch(`${daemon.base}/buttons/${button(2)}/restart`, {
      method: 'POST', headers: { 'idempotency-key': 'question 7' },
    })
    return [answer.status, answer.headers.get('idempotent-replay'), await answer.text()]
  }
  const clicks = await Promise.all([click(), click(), click()])
  expect(new Set(clicks.map(([status, , body]) => `${status} ${body}`)).size).toBe(1)
  expect(clicks.map(([, replay]) => replay).toSorted()).toEqual([null, 'true', 'true'].toSorted())
  expect(clicks[0][0], clicks[0][2]).toBe(202)
  expect((await daemon.status()).active).toHaveLength(1)
  const { executionId } = JSON.parse(clicks[0][2]) as { executionId: string }
  expect((await daemon.status()).active[0]?.executionId).toBe(executionId)
})
