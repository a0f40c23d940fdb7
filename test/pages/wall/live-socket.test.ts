// A page's connection: time is asked, silence is seen, a loss is told, and it comes back by itself.
import { beforeEach, describe, expect, test } from 'vitest'
import type { LiveChange, LiveTimeline } from '../../../src/contract/live.js'
import { Place } from './live-place.js'
import { aRun, SILENT } from './show-parts.js'

const change = (n: number, more: Partial<LiveChange> = {}): LiveChange => ({
  kind: 'change', n, at: 0, events: [], runs: [], ...more,
})

let place = new Place()
const modes = (): readonly string[] => place.told.map(([connection]) => connection)

beforeEach(async () => {
  place = new Place()
  place.live.start()
  await place.time.pass(10)
})

describe('time', () => {
  test('is asked eight times in the first 400 ms, then once a second', async () => {
    await place.time.pass(5_000)
    const times = place.sent.map(({ at }) => at)
    expect(times.filter((at) => at <= 401)).toHaveLength(8)
    expect(times.filter((at) => at > 401 && at <= 4_401)).toHaveLength(4)
  })

  test('is asked eight times anew in doubt, but not in the midst of that', async () => {
    await place.time.pass(3_990)
    const before = place.sent.length
    place.live.askAnew()
    for (let n = 0; n < 4; n += 1) {
      await place.time.pass(50)
      place.live.askAnew()
    }
    await place.time.pass(201)
    expect(place.sent.length - before).toBe(8)
    await place.time.pass(4_000)
    expect(place.sent.length - before).toBe(12)
  })

  test('is asked by the newest connection alone, however many there were', async () => {
    for (let n = 0; n < 3; n += 1) {
      place.socket?.closed()
      await place.time.pass(2_000)
    }
    const before = place.sent.length
    await place.time.pass(5_000)
    expect(place.sent.length - before).toBe(5)
  })

  test('has each of its answers, where the next one is asked before they come', async () => {
    place.tripMs = 120
    await place.time.pass(500)
    expect(place.samples).toHaveLength(8)
  })

  test('that was asked before a sleep says nothing once it is answered after it', async () => {
    await place.time.pass(2_000)
    const before = place.samples.length
    place.tripMs = 600
    await place.time.pass(400)
    place.live.wake()
    await place.time.pass(590)
    expect(place.samples).toHaveLength(before)
  })

  test('is handed on with the moments of asking and of the answer', () => {
    expect(place.samples[0]).toEqual({ sentAt: 1, receivedAt: 3, frame: 48, latencyFrames: 480 })
  })
})

describe('the state', () => {
  test('grows by each change, and runs that are over leave it', () => {
    place.say(change(5, { runs: [aRun({})] }))
    expect(place.known?.runs).toHaveLength(1)
    place.say(change(6, { runs: [aRun({ state: 'stopped', endReason: 'explicit_stop' })] }))
    expect(place.known).toMatchObject({ n: 6, runs: [] })
  })

  test('keeps its runs in their order, whichever of them changes', () => {
    const older = aRun({ executionId: 'older' })
    place.say(change(5, { runs: [older, aRun({ executionId: 'newer' })] }))
    place.say(change(6, { runs: [{ ...older, state: 'paused' }] }))
    expect(place.known?.runs.map(({ executionId, state }) => [executionId, state]))
      .toEqual([['older', 'paused'], ['newer', 'playing']])
  })

  test('keeps what a change does not name, and takes null where it is told', () => {
    const named = {
      image: { buttonId: 'b', title: 'Logo', at: 0 }, show: '"s2"', waves: '"w2"', armed: 'AQ==',
      output: { ...SILENT.output, underruns: 3 }, lights: { state: 'failing', message: 'no net' },
      service: 'busy', stages: [{ id: 's', gone: false, report: null }],
      timelines: [{ dmxExecutionId: 'd1' } as LiveTimeline],
    } as const
    place.say(change(5, named))
    expect(place.known).toMatchObject(named)
    place.say(change(6))
    expect(place.known).toMatchObject(named)
    const nothing = { image: null, show: null, waves: null, armed: null }
    place.say(change(7, nothing))
    expect(place.known).toMatchObject({ ...named, ...nothing })
  })

  test('with a number that is missing is asked for anew', async () => {
    place.say(change(6, { runs: [aRun({})] }))
    expect(place.known?.runs).toEqual([])
    await place.time.pass(1_000)
    expect(place.opened.at(-1)).toBe('/api/v1/live?boot=one&n=4')
  })
})

describe('a connection', () => {
  test('that breaks is lost at once, and back within a second of the daemon', async () => {
    place.isThere = false
    place.socket?.closed()
    expect(place.told.at(-1)).toEqual(['lost', 10])
    await place.time.pass(60_000)
    expect(place.opened).toHaveLength(1)
    place.isThere = true
    place.boot = 'two'
    const back = place.time.now()
    await place.time.pass(1_000)
    expect(place.told.at(-1)?.[0]).toBe('live')
    expect(place.told.at(-1)?.[1]).toBeLessThan(back + 1_000)
    expect(place.boots).toEqual([false, true])
  })

  test('that is back finds the same daemon, where that is the same', async () => {
    place.socket?.closed()
    await place.time.pass(1_000)
    expect(place.boots).toEqual([false, false])
  })

  test('that breaks between the greeting and the state is told all by the next one', async () => {
    place = new Place()
    place.greets = false
    place.live.start()
    await place.time.pass(10)
    place.say({ kind: 'hello', protocol: 'cartwall.live.1', version: '1', boot: 'one', show: null })
    place.greets = true
    place.socket?.closed()
    await place.time.pass(1_000)
    expect(place.opened).toEqual(['/api/v1/live', '/api/v1/live'])
    expect(modes()).toEqual(['lost', 'live'])
  })

  test('that was given up is heard no more, once there is another', async () => {
    const old = place.socket
    old?.closed()
    await place.time.pass(1_000)
    old?.closed()
    old?.text(JSON.stringify(change(5, { runs: [aRun({})] })))
    old?.binary(new ArrayBuffer(1))
    place.socket?.binary(new ArrayBuffer(2))
    expect([modes(), place.known?.runs, place.bytes]).toEqual([['live', 'lost', 'live'], [], [2]])
  })

  test('that opens slowly is waited for, also where the page is seen again meanwhile', async () => {
    place.openMs = 2_500
    place.socket?.closed()
    await place.time.pass(1_000)
    place.live.wake()
    await place.time.pass(2_000)
    expect(modes()).toEqual(['live', 'lost', 'live'])
    expect(place.opened).toHaveLength(2)
  })

  test('that opens and brings no word is neither live nor late: no press is taken', async () => {
    place.greets = false
    place.answersTime = false
    place.socket?.closed()
    await place.time.pass(10_000)
    expect(modes()).toEqual(['live', 'lost'])
  })

  test('is one, where the page is seen twice while the daemon is looked for', async () => {
    place.lookMs = 100
    place.socket?.closed()
    for (let n = 0; n < 3; n += 1) {
      place.live.wake()
      await place.time.pass(20)
    }
    await place.time.pass(1_000)
    expect([place.opened.length, place.held]).toEqual([2, 1])
  })

  test('that falls silent is late after a second and lost within three', async () => {
    await place.time.pass(990)
    place.answersTime = false
    await place.time.pass(3_200)
    const told = Object.fromEntries(place.told.slice(1))
    const lastWord = place.samples.at(-1)?.receivedAt ?? 0
    expect(told['late']! - lastWord).toBeLessThanOrEqual(2_300)
    expect(told['lost']! - lastWord).toBeLessThanOrEqual(3_000)
  })

  test('that is late is live again with the next answer', async () => {
    place.answersTime = false
    await place.time.pass(1_900)
    expect(place.told.at(-1)?.[0]).toBe('late')
    place.answersTime = true
    await place.time.pass(1_100)
    expect(place.told.at(-1)?.[0]).toBe('live')
  })

  test('of a hidden page is judged when it is seen again, not by timers that sleep', async () => {
    place.isHidden = true
    place.answersTime = false
    await place.time.pass(30_000)
    expect(place.told).toEqual([['live', 1]])
    place.isHidden = false
    place.live.wake()
    await place.time.pass(3_100)
    expect(place.told.at(-1)?.[0]).toBe('lost')
  })

  test('of a machine that slept is not taken for lost before it was asked', async () => {
    place.isHidden = true
    place.answersTime = false
    await place.time.pass(30_000)
    place.isHidden = false
    place.answersTime = true
    place.tripMs = 700
    place.live.wake()
    await place.time.pass(5_000)
    expect(place.told).toEqual([['live', 1]])
  })

  test('of a hidden page is tried for seldom, and at once where that is seen again', async () => {
    place.isHidden = true
    place.isThere = false
    place.socket?.closed()
    await place.time.pass(40_500)
    expect(place.looks).toBe(10)
    place.isThere = true
    place.isHidden = false
    place.live.wake()
    await place.time.pass(50)
    expect(place.told.at(-1)?.[0]).toBe('live')
  })

  test('that opens and says nothing is given up and tried again, one at a time', async () => {
    place.tells = false
    place.socket?.closed()
    await place.time.pass(10_000)
    expect(place.opened.length).toBeGreaterThan(2)
    expect(place.held).toBeLessThanOrEqual(1)
  })

  test('is told once what is wanted, and nothing while there is none', async () => {
    const wants = (): number => place.sent.filter(({ text }) => text.includes('want')).length
    place.live.want(true, false)
    place.live.want(true, false)
    expect(wants()).toBe(1)
    place.live.want(true, true)
    expect(wants()).toBe(2)
    place.isThere = false
    place.socket?.closed()
    place.live.want(false, true)
    await place.time.pass(1_000)
    expect(wants()).toBe(2)
  })

  test('that is not open yet is told what is wanted once it is', async () => {
    place = new Place()
    place.live.start()
    place.live.want(true, false)
    expect(place.sent).toEqual([])
    await place.time.pass(10)
    expect(place.sent[0]?.text).toBe('{"kind":"want","levels":true,"lights":false}')
  })

  test('wants again what it wanted before it broke', async () => {
    place.live.want(true, false)
    place.socket?.closed()
    await place.time.pass(1_000)
    const wants = place.sent.filter(({ text }) => text.includes('want'))
    expect(wants.map(({ text }) => JSON.parse(text) as unknown)).toEqual([
      { kind: 'want', levels: true, lights: false }, { kind: 'want', levels: true, lights: false },
    ])
  })
})
