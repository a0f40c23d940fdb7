// Watching the service: by events, by polling, and across its absence, nothing told wrongly.
import { describe, expect, test } from 'vitest'
import { createClient, watch, type WatchOptions } from '../../src/client/client.js'
import { BED, quiz, SONG } from './quiz-show.js'

const scene = (options: WatchOptions, refuseEvents = false) => {
  const { player } = quiz()
  const sent: string[] = []
  const client = createClient({
    baseUrl: player.baseUrl,
    fetch: (url, init) => {
      sent.push(url.slice(player.baseUrl.length))
      return player.fetch(refuseEvents ? url.replace('/events', '/nothing') : url, init)
    },
  })
  const runs: string[] = []
  const modes: string[] = []
  const stop = watch(client, {
    wait: player.wait,
    onRun: (run) => runs.push(`${run.buttonId.slice(-2)} ${run.endReason ?? run.state}`),
    onMode: (mode) => modes.push(mode),
    ...options,
  })
  return { player, client, runs, modes, stop, sent }
}

const STORY = ['21 playing', '21 natural_end', '22 playing', '22 natural_end']

describe.each([
  ['by events', false],
  ['by polling', true],
] as const)('%s', (_how, refuse) => {
  test('tells each run from its start to its end', async () => {
    const { player, client, runs, modes, stop } = scene({}, refuse)
    await player.advance(1000)
    await client.play(SONG.first)
    await player.advance(40_000)
    stop()
    expect(modes).toEqual([refuse ? 'polling' : 'events'])
    const told = runs.filter((it) => !it.endsWith('starting'))
    expect(new Set(told)).toEqual(new Set(STORY))
    expect(told.filter((it) => it.endsWith('natural_end'))).toHaveLength(2)
  })

  test('tells what is there already', async () => {
    const { player, client } = quiz()
    await client.play(BED.warm)
    const runs: string[] = []
    const stop = watch(client, { onRun: (run) => runs.push(run.state), wait: player.wait })
    await player.advance(10)
    expect(runs).toEqual(['playing'])
    stop()
  })

  test('comes through a restart: what is lost is not told to have ended', async () => {
    const { player, client, runs, modes, stop } = scene({}, refuse)
    await player.advance(1000)
    await client.play(BED.warm)
    await player.advance(5000)
    player.setNetwork('down')
    player.restart()
    await player.advance(5000)
    player.setNetwork('up')
    await player.advance(5000)
    await client.play(BED.tense)
    await player.advance(2000)
    stop()
    const there = refuse ? 'polling' : 'events'
    expect(modes).toEqual([there, 'away', there])
    expect(runs.filter((it) => !it.endsWith('starting'))).toEqual(['11 playing', '12 playing'])
  })
})

test('events carry everything else as well', async () => {
  const names: string[] = []
  const { player, client, stop } = scene({ onEvent: ({ name }) => names.push(name) })
  await player.advance(100)
  await client.play(BED.warm)
  player.loseDevice()
  await player.advance(100)
  expect(names).toEqual(['run', 'run', 'run', 'audio'])
  stop()
})

test('with a stream that stands, it does not poll', async () => {
  const { player, sent, stop } = scene({})
  await player.advance(60_000)
  expect(sent).toEqual(['/events', '/status'])
  stop()
})
