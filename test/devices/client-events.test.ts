// A hundred readers of events at the real daemon: none misses one, and the sound goes on untouched.
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, watch, type Client } from '../../src/client/client.js'
import { buttonOf, ServedShow } from './client-daemon.js'

const READERS = 100
const EVENTS = 1000
/** A reading is as old as what the output took last. */
const SLACK_MS = 200

const show = new ServedShow([60_000, 60_000])
let client: Client
beforeAll(async () => {
  await show.start()
  client = createClient({ baseUrl: show.baseUrl })
})
afterAll(() => show.clean())

const residentMb = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${show.pid}/status`, 'utf8'))?.[1]) / 1024

/** A connection that asks for events and never reads an answer. */
const mute = (): net.Socket => {
  const socket = net.connect(show.port, '127.0.0.1')
  socket.pause()
  socket.on('error', () => undefined)
  socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:${show.port}\r\n\r\n`)
  return socket
}

test('all hear every event, in one order', async () => {
  const { executionId } = await client.play(buttonOf(1))
  const run = executionId ?? ''
  // Its last event of the start lies before all readers: each hears the same from here on.
  while ((await client.execution(run)).state !== 'playing') await sleep(20)
  const heard: string[][] = []
  let connected = 0
  const stops = Array.from({ length: READERS }, () => {
    const own: string[] = []
    heard.push(own)
    return watch(client, {
      poll: false,
      onMode: () => (connected += 1),
      onEvent: ({ name, data }) => own.push(`${name} ${JSON.stringify(data)}`),
    })
  })
  const silent = mute()
  while (connected < READERS) await sleep(20)
  const before = residentMb()
  const status = await client.status()
  const first = performance.now()
  const began = await client.execution(run)
  const second = performance.now()
  while ((heard[0]?.length ?? 0) < EVENTS) {
    await client.play(buttonOf(2), { allowOverlap: true })
    await client.stop(buttonOf(2), { fadeOutMs: 0 })
  }
  const third = performance.now()
  const end = await client.execution(run)
  const fourth = performance.now()
  const after = await client.status()
  const most = Math.max(...heard.map((own) => own.length))
  const deadline = performance.now() + 10_000
  while (heard.some((own) => own.length < most) && performance.now() < deadline) await sleep(20)
  for (const stop of stops) stop()
  silent.destroy()
  expect(heard.map((own) => own.length)).toEqual(heard.map(() => most))
  for (const own of heard) expect(own).toEqual(heard[0])
  expect(residentMb() - before).toBeLessThan(80)
  expect(end.state).toBe('playing')
  expect(after.audio.underruns).toBe(status.audio.underruns)
  // The sound went on for as long as it all took, however long the readings themselves did.
  expect(end.positionMs - began.positionMs).toBeGreaterThan(third - second - SLACK_MS)
  expect(end.positionMs - began.positionMs).toBeLessThan(fourth - first + SLACK_MS)
})
