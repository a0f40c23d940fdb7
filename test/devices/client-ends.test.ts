// What follows the real daemon while that is killed, ends in order, or reads its show again: a
// background in its states by every way, lights, watches. All at once, since an end takes its time;
// each state through each end alone is in test/client/ends-*.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import {
  Background, createClient, DmxSync, watch, type Client, type WatchMode,
} from '../../src/client/client.js'
import { buttonOf, ServedShow, until } from './client-daemon.js'

/** From the moment at which the daemon answers again. */
const RIGHT_MS = 3_000
const BEDS = 6
const LIGHTS = buttonOf(BEDS + 1)

const showText = (title: string): string => {
  const beds = Array.from({ length: BEDS }, (_each, n) => ({
    id: buttonOf(n + 1), title: `Bed ${n}`, kind: 'audio', media: `${n}.wav`, allowOverlap: true,
  }))
  const dmx = { timeline: 'lights.json' }
  const lights = { id: LIGHTS, title: 'Lights', kind: 'dmx', dmx }
  const playlists = [{ id: buttonOf(900), title: 'All', buttons: [...beds, lights] }]
  return JSON.stringify({ title, playlists })
}
const TIMELINE = {
  format: 'dmx-timeline', version: 1, name: 'Lights', durationMs: 60_000,
  fixtures: [{ id: 'lamp', universe: 0, address: 1, channels: [{ name: 'dimmer' }] }],
  tracks: [{ target: { fixture: 'lamp', channel: 'dimmer' }, keyframes: [[0, 255]] }],
}

const show = new ServedShow(Array.from({ length: BEDS }, () => 60_000))
beforeAll(() => {
  writeFileSync(join(show.folder, 'show.json'), showText('Before'))
  writeFileSync(join(show.folder, 'lights.json'), JSON.stringify(TIMELINE))
  return show.start()
})
afterAll(() => show.clean())
afterEach(() => createClient({ baseUrl: show.baseUrl }).panic({ fadeOutMs: 0 }))

const clientBy = (way: 'live' | 'events' | 'polling'): Client => createClient({
  baseUrl: show.baseUrl,
  webSocket: way === 'live' ? WebSocket : null,
  fetch: (url, init) => fetch(way === 'polling' ? url.replace('/events', '/nothing') : url, init),
})

const ends = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
  await show.kill(signal)
  await show.start()
}
const reloaded = async (): Promise<void> => {
  writeFileSync(join(show.folder, 'show.json'), showText('After'))
  process.kill(show.pid, 'SIGHUP')
  const client = clientBy('polling')
  await until(async () => (await client.status()).show === 'After')
}

/** A background on a bed of its own, and a watch, by each way. */
const followed = (way: 'live' | 'events' | 'polling', beds: readonly number[]) => {
  const client = clientBy(way)
  const modes: WatchMode[] = []
  const watching = watch(client, { pollMs: 250, onMode: (mode) => modes.push(mode) })
  const backgrounds = beds.map((n) => new Background(client, {
    beds: [buttonOf(n)], pollMs: 250, timeoutMs: 1_000, whenLost: 'start',
  }))
  return { client, modes, watching, backgrounds }
}

const evening = async () => {
  const live = followed('live', [1, 2, 3, 4])
  const ways = [live, followed('events', [5]), followed('polling', [6])]
  const all = ways.flatMap(({ backgrounds }) => backgrounds)
  await Promise.all(all.map((each) => each.start()))
  await until(() => all.every(({ execution }) => execution?.state === 'playing'))
  const [playing, pausing, paused, halted] = live.backgrounds as [
    Background, Background, Background, Background,
  ]
  await pausing.pause({ fadeOutMs: 30_000 })
  await paused.pause({ fadeOutMs: 0 })
  await live.client.stop(buttonOf(4), { fadeOutMs: 0 })
  const begun = performance.now()
  const clock = () => ({ positionMs: performance.now() - begun, isPlaying: true })
  const { dmxExecutionId } = await live.client.play(LIGHTS)
  const lights = new DmxSync(live.client, {
    buttonId: LIGHTS, dmxExecutionId: dmxExecutionId ?? '', clock,
  })
  lights.start()
  const wanted = ['live', 'events', 'polling']
  const areThere = () => ways.every(({ modes }, n) => modes.at(-1) === wanted[n])
  await until(() => areThere() && halted.state === 'halted' && lights.answer !== null)
  const sounding = [playing, ...ways.slice(1).flatMap(({ backgrounds }) => backgrounds)]
  const close = (): void => {
    for (const { watching } of ways) watching()
    for (const each of all) each.close()
    lights.stop()
  }
  return { live, sounding, pausing, paused, halted, lights, clock, areThere, close }
}

describe.each([
  ['a reload of the show', reloaded, false],
  ['kill -9', () => ends('SIGKILL'), true],
  ['SIGTERM', () => ends('SIGTERM'), true],
] as const)('after %s', (_how, happens, isLost) => {
  test('backgrounds, lights and watches are right again within 3 s', async () => {
    const { live, sounding, pausing, paused, halted, lights, clock, areThere, close } =
      await evening()
    const before = sounding.map(({ executionId }) => executionId)
    await happens()
    const isRight = (each: Background, n: number): boolean =>
      each.state === 'playing' && (each.executionId !== before[n]) === isLost
    await until(() => sounding.every(isRight) && areThere(), RIGHT_MS)
    const { active, lights: { timelines } } = await live.client.status()
    const ids = active.map(({ executionId }) => executionId).filter((id) => id !== null)
    const wanted = sounding.map(({ executionId }) => executionId)
    // A pause that fades goes on where the run does; where that is lost, silence was wanted.
    expect(ids.toSorted()).toEqual([...wanted, ...isLost ? [] : [pausing.executionId]].toSorted())
    expect([pausing.state, paused.state, halted.state]).toEqual(['paused', 'paused', 'halted'])
    if (isLost) {
      await until(() => lights.end === 'dmx_not_active', RIGHT_MS)
    } else {
      expect(lights.end).toBeNull()
      expect(Math.abs((timelines[0]?.positionMs ?? NaN) - clock().positionMs)).toBeLessThan(400)
    }
    // What was silent comes back when the app wants it, and as one run.
    await paused.resume({ fadeInMs: 0 })
    await until(() => paused.state === 'playing', RIGHT_MS)
    close()
  }, 60_000)
})
