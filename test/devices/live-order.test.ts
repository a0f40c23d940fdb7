// Ten thousand events over real connections: /live tells what /events tells, in the same order.
import { expect, test } from 'vitest'
import { NO_OPTIONS } from '../../src/engine/commands/commands.js'
import { createPrng } from '../../src/engine/prng.js'
import { EventStream } from '../api/event-stream.js'
import { ms } from '../rig.js'
import { connected, liveRig } from './live-rig.js'

const EVENTS = 10_000
const lines = (events: readonly { readonly name: string; readonly data: unknown }[]): string[] =>
  events.map(({ name, data }) => `${name} ${JSON.stringify(data)}`)

test('10 000 events are the same on both, none lost, doubled or moved', async () => {
  const short = { mediaMs: 300, endMs: 250, isLoopEnabled: true, fadeOutMs: 30 }
  const h = await liveRig([
    { buttons: [{ mediaMs: 400 }, short, { mediaMs: 500, pauseWhenReplaced: true }] },
    { mode: 'sequence', wrap: true, buttons: [{ mediaMs: 120 }, { mediaMs: 90 }] },
    { buttons: [{ kind: 'image' }, { kind: 'image' }] },
  ])
  const page = await connected(h.url)
  const stream = await EventStream.open(h.port, { host: h.world.authority }, true)
  const draw = createPrng(7)
  const pick = (count: number): number => Math.floor(draw.next() * count)
  while (h.events.length < EVENTS) {
    const n = pick(7)
    if (pick(40) === 0) h.code({ kind: 'panic', fadeOutMs: pick(2) * 40 })
    else {
      const kind = n < 5 ? 'restart' : 'play'
      h.code({ kind, buttonId: h.idOf(n), options: options(n < 5 && pick(2) === 0) })
    }
    const run = h.live(n % 5)
    if (run !== null && pick(3) === 0) {
      h.code({ kind: 'pause', buttonId: h.idOf(n % 5), executionId: run, fadeOutMs: pick(60) })
    }
    h.advance(ms(pick(200)))
    // Both connections get their turn, as they do in the daemon.
    if (pick(8) === 0) await new Promise(setImmediate)
  }
  const told = (): string[] => lines(page.changes.flatMap(({ events }) => events))
  await stream.until(() => stream.events.length >= h.events.length, 20_000)
  const heard = lines(stream.events)
  while (told().length < heard.length) await new Promise((turn) => setTimeout(turn, 5))
  expect(told()).toEqual(heard)
  expect(new Set(stream.events.map(({ name }) => name)))
    .toEqual(new Set(['run', 'wrap', 'duration', 'image']))
  const numbers = page.changes.map(({ n }) => n)
  expect(numbers).toEqual(numbers.map((_, n) => page.state.n + 1 + n))
  stream.close()
  page.socket.close()
  await h.app.close()
}, 60_000)

const options = (allowOverlap: boolean) => ({ ...NO_OPTIONS, allowOverlap })
