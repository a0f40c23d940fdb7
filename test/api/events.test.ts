// The stream of events in time: heartbeats for who waits, the end for who has stopped reading, and
// what one that comes back is told.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EventHub } from '../../src/api/events/hub.js'
import { frame } from '../../src/clock/frame.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { LIMITS } from '../../src/contract/limits.js'
import { FakePlayer } from './fake-player.js'

let player: FakePlayer
let hub: EventHub
let timers: VirtualTimers
beforeEach(() => {
  timers = new VirtualTimers(0)
  player = new FakePlayer()
  hub = new EventHub(player, timers)
})
afterEach(() => hub.close())

const notice = (message: string): void => {
  player.tell({ kind: 'notice', at: frame(0), buttonId: null, executionId: null, message })
}
const settled = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve))
const beats = async (count: number): Promise<void> => {
  await settled()
  for (let n = 0; n < count; n += 1) {
    timers.pass(LIMITS.eventHeartbeatMs)
    await settled()
  }
}

it('beats every 15 s, as a comment, well before a silent connection is closed', async () => {
  expect(LIMITS.eventHeartbeatMs).toBeLessThan(60_000 / 2)
  const reader = hub.open(null)!
  let heard = ''
  reader.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  await beats(3)
  expect(heard.match(/^:.*\n\n/gm)).toHaveLength(3)
  reader.destroy()
  await settled()
  expect(timers.size).toBe(0)
})

it('beats for those who come after the last one went, too', async () => {
  for (let n = 0; n < 3; n += 1) {
    const reader = hub.open(null)!
    let heard = ''
    reader.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    await beats(2)
    expect(heard.match(/^:.*\n\n/gm)).toHaveLength(2)
    reader.destroy()
    await settled()
  }
})

it('beats on for one that stays, where another goes', async () => {
  const stays = hub.open(null)!
  const goes = hub.open(null)!
  let heard = ''
  stays.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  goes.resume()
  await beats(1)
  goes.destroy()
  await beats(2)
  expect(heard.match(/^:.*\n\n/gm)).toHaveLength(3)
  stays.destroy()
})

it.each([
  ['in its life', 100], ['in one step', 2_000],
])('goes on for one that reads, however much happens %s', async (_when, most) => {
  const reader = hub.open(null)!
  let count = 0
  reader.on('data', (chunk: Buffer) => {
    count += chunk.toString().split('event: notice').length - 1
  })
  for (let n = 0; n < 5 * LIMITS.eventsBehind; n += 1) {
    notice('x')
    if (n % most === 0) await settled()
  }
  await settled()
  expect([reader.destroyed, count]).toEqual([false, 5 * LIMITS.eventsBehind])
  reader.destroy()
})

it('ends in order for one that comes while the service ends, after what it missed', async () => {
  const first = hub.open(null)!
  let heard = ''
  first.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  await settled()
  const place = /^id: (.*)$/m.exec(heard)?.[1] ?? ''
  notice('before the end')
  hub.close()
  for (const [id, names] of [[null, []], [place, ['notice', 'service']]] as const) {
    const late = hub.open(id)!
    let told = ''
    late.on('data', (chunk: Buffer) => (told += chunk.toString()))
    const ended = new Promise((resolve) => late.once('end', () => resolve('end')))
    await settled()
    expect(await Promise.race([ended, settled()])).toBe('end')
    expect([...told.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual(names)
  }
  expect(timers.size).toBe(0)
})

it('keeps little for a reader that does not read, and lets it go in the end', async () => {
  const reader = hub.open(null)!
  for (let n = 0; n < 200; n += 1) notice('x'.repeat(900))
  await settled()
  expect(reader.readableLength).toBeGreaterThan(1_000)
  expect(reader.readableLength).toBeLessThan(64 * 1024)
  await beats(1)
  expect(reader.destroyed).toBe(false)
  await beats(1)
  expect(reader.destroyed).toBe(true)
})

it('is patient with a reader that is slow but reads', async () => {
  const reader = hub.open(null)!
  for (let n = 0; n < 400; n += 1) notice('x'.repeat(900))
  for (let n = 0; n < 10; n += 1) {
    await beats(1)
    expect(reader.read(20 * 1024)).not.toBeNull()
  }
  expect(reader.destroyed).toBe(false)
})

it('cuts at once where too much happens meanwhile', async () => {
  const reader = hub.open(null)!
  for (let n = 0; n < 100; n += 1) notice('x'.repeat(900))
  await settled()
  for (let n = 0; n < LIMITS.eventsBehind; n += 1) notice('short')
  expect(reader.destroyed).toBe(false)
  for (let n = 0; n < 200; n += 1) notice('short')
  expect(reader.destroyed).toBe(true)
})

it.each([
  ['x'.repeat(5_000), 'x'.repeat(1_000)],
  // A sign of two units is there whole or not at all: some readers refuse a half.
  [`${'x'.repeat(999)}\u{1F3B5}${'y'.repeat(5)}`, 'x'.repeat(999)],
  [`${'x'.repeat(998)}\u{1F3B5}`, `${'x'.repeat(998)}\u{1F3B5}`],
])('tells a thousand characters of a long message', async (message, told) => {
  const reader = hub.open(null)!
  let heard = ''
  reader.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  notice(message)
  await settled()
  const [, data = '{}'] = /^data: (.+)$/m.exec(heard) ?? []
  expect(JSON.parse(data)).toMatchObject({ message: told })
  reader.destroy()
})

describe('one that comes back', () => {
  /** What is told at once to one whose last id is this: the id that it has then, and the names. */
  const toldAfter = async (id: string | null) => {
    const reader = hub.open(id)!
    let heard = ''
    reader.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    await settled()
    reader.destroy()
    const [, name] = /^event: (.*)$/m.exec(heard) ?? []
    const [, reason] = /^data: \{"reason":"(.*)"\}$/m.exec(heard) ?? []
    return { id: /^id: (.*)$/m.exec(heard)?.[1] ?? '', first: reason ?? name ?? null }
  }

  it('and has missed nothing is told nothing, however often it comes', async () => {
    const { id } = await toldAfter(null)
    for (const events of [0, 1, 2]) {
      if (events > 0) notice('meanwhile')
      const now = await toldAfter(null)
      expect([await toldAfter(now.id), await toldAfter(now.id)])
        .toEqual([{ id: now.id, first: null }, { id: now.id, first: null }])
    }
    expect(await toldAfter(id)).toEqual({ id, first: 'notice' })
  })

  it('from what was not yet told, or was told by another, is told so', async () => {
    const { id } = await toldAfter(null)
    const [epoch = ''] = id.split('-')
    expect((await toldAfter(`${epoch}-1`)).first).toBe('unknown_id')
    expect((await toldAfter(`${'0'.repeat(12)}-0`)).first).toBe('restarted')
    expect((await toldAfter(`${id}, ${id}`)).first).toBe('unknown_id')
  })

  it('is told all that is kept, and of what is not that there is a gap', async () => {
    const { id } = await toldAfter(null)
    for (let n = 0; n < LIMITS.eventsKept; n += 1) notice('x')
    expect((await toldAfter(id)).first).toBe('notice')
    notice('one more')
    const { first, id: now } = await toldAfter(id)
    expect(first).toBe('gap')
    expect(await toldAfter(now)).toEqual({ id: now, first: null })
    expect([hub.text(1), hub.text(2)?.toString()]).toEqual([null, expect.stringMatching(/-2\n/)])
  })
})

it('lets one go that reads so slowly that what it would read next is forgotten', async () => {
  const reader = hub.open(null)!
  for (let n = 0; n < 20 && !reader.destroyed; n += 1) {
    for (let more = 0; more < LIMITS.eventsBehind / 2; more += 1) notice('x'.repeat(900))
    await settled()
    reader.read()
    await settled()
  }
  expect(reader.destroyed).toBe(true)
})

it('leaves a place to another address, where one holds them all', async () => {
  const guest = Array.from({ length: LIMITS.eventReaders }, () => hub.open(null, '10.0.0.66')!)
  expect(hub.open(null, '10.0.0.66')).toBeNull()
  const app = hub.open(null, '10.0.0.1')
  await settled()
  expect(app?.destroyed).toBe(false)
  expect(guest.map(({ destroyed }) => destroyed).indexOf(false)).toBe(1)
})
