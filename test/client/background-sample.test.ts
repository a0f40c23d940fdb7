// The sample of "A background list" in docs/client.md, run as a page does that is loaded twice.
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createClient, type Background } from '../../src/client/client.js'
import { listSample, listsMade } from './client-sample.js'
import { BED, quiz } from './quiz-show.js'

/** Up to where the sample goes on with a question. */
const LOADING = listSample('A background list', BED.warm, BED.tense)
  .replace(/\nawait background\.pause[^]*/, '')

const page = () => {
  const { player } = quiz()
  const kept = new Map<string, string>()
  const sessionStorage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  }
  const client = createClient(player.clientOptions)
  const { Own, made } = listsMade()
  const load = async (): Promise<Background> => {
    const own = { Background: Own, client, sessionStorage, console: { log: () => undefined } }
    const done: unknown = runInNewContext(`(async () => { ${LOADING}\nreturn background })()`, own)
    return (await done) as Background
  }
  return { player, load, own: { client, made } }
}

test.each([
  ['whose bed was paused for a question', 'pause', 'halted'],
  ['whose list was stopped', 'stop', 'idle'],
] as const)('a page %s, loaded anew after the service was killed, begins no music', async (
  _what, wish, state,
) => {
  const { player, load } = page()
  const first = await load()
  await player.advance(9_000)
  expect(first.state).toBe('playing')
  await first[wish]({ fadeOutMs: 0 })
  first.close()
  player.restart()
  const { length } = player.heard()
  const second = await load()
  await player.advance(10_000)
  expect(player.heard()).toHaveLength(length)
  expect(second.state).toBe(state)
  second.close()
})

test('a page that is loaded anew while its bed plays goes on with it', async () => {
  const { player, load } = page()
  const first = await load()
  await player.advance(9_000)
  first.close()
  const second = await load()
  await player.advance(1_000)
  expect([second.state, player.heard().length]).toEqual(['playing', 1])
  second.close()
})

test('a list that is stopped while the page waits for the service begins no music', async () => {
  const { player, load, own } = page()
  await own.client.play(BED.tense)
  await player.advance(1_000)
  player.setNetwork('down')
  const loading = load()
  await player.advance(2_000)
  const stopped = own.made[0]?.stop({ fadeOutMs: 0 })
  await player.advance(2_000)
  player.setNetwork('up')
  await player.advance(5_000)
  await stopped
  expect((await loading).state).toBe('stopped')
  expect(player.heard().map(({ title }) => title)).toEqual(['Tense'])
  own.made[0]?.close()
})
