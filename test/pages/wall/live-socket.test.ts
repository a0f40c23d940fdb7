// A page's connection: time is asked, silence is seen, a loss is told, and it comes back by itself.
import { beforeEach, describe, expect, test } from 'vitest'
import type { LiveChange, LiveTimeline } from '../../../src/contract/live.js'
import { LivePage } from './live-page.js'
import { aRun, SILENT } from './show-parts.js'

const change = (n: number, more: Partial<LiveChange> = {}): LiveChange => ({
  kind: 'change', n, at: 0, events: [], runs: [], ...more,
})

let page = new LivePage()
const modes = (): readonly string[] => page.told.map(([connection]) => connection)

beforeEach(async () => {
  page = new LivePage()
  page.live.start()
  await page.time.pass(10)
})

describe('time', () => {
  test('is asked eight times in the first 400 ms, then once a second', async () => {
    await page.time.pass(5_000)
    const times = page.sent.map(({ at }) => at)
    expect(times.filter((at) => at <= 401)).toHaveLength(8)
    expect(times.filter((at) => at > 401 && at <= 4_401)).toHaveLength(4)
  })

  test('is asked eight times anew in doubt, but not in the midst of that', async () => {
    await page.time.pass(3_990)
    const before = page.sent.length
    page.live.askAnew()
    for (let n = 0; n < 4; n += 1) {
      await page.time.pass(50)
      page.live.askAnew()
    }
    await page.time.pass(201)
    expect(page.sent.length - before).toBe(8)
    await page.time.pass(4_000)
    expect(page.sent.length - before).toBe(12)
  })

  test('is asked by the newest connection alone, however many there were', async () => {
    for (let n = 0; n < 3; n += 1) {
      page.socket?.closed()
      await page.time.pass(2_000)
    }
    const before = page.sent.length
    await page.time.pass(5_000)
    expect(page.sent.length - before).toBe(5)
  })

  test('has each of its answers, where the next one is asked before they come', async () => {
    page.tripMs = 120
    await page.time.pass(500)
    expect(page.samples).toHaveLength(8)
  })

  test('that was asked before a sleep says nothing once it is answered after it', async () => {
    await page.time.pass(2_000)
    const before = page.samples.length
    page.tripMs = 600
    await page.time.pass(400)
    page.live.wake()
    await page.time.pass(590)
    expect(page.samples).toHaveLength(before)
  })

  test('is handed on with the moments of asking and of the answer', () => {
    expect(page.samples[0]).toEqual({ sentAt: 1, receivedAt: 3, frame: 48, latencyFrames: 480 })
  })
})

describe('the state', () => {
  test('grows by each change, and runs that are over leave it', () => {
    page.say(change(5, { runs: [aRun({})] }))
    expect(page.known?.runs).toHaveLength(1)
    page.say(change(6, { runs: [aRun({ state: 'stopped', endReason: 'explicit_stop' })] }))
    expect(page.known).toMatchObject({ n: 6, runs: [] })
  })

  test('keeps its runs in their order, whichever of them changes', () => {
    const older = aRun({ executionId: 'older' })
    page.say(change(5, { runs: [older, aRun({ executionId: 'newer' })] }))
    page.say(change(6, { runs: [{ ...older, state: 'paused' }] }))
    expect(page.known?.runs.map(({ executionId, state }) => [executionId, state]))
      .toEqual([['older', 'paused'], ['newer', 'playing']])
  })

  test('keeps what a change does not name, and takes null where it is told', () => {
    const named = {
      image: { buttonId: 'b', title: 'Logo', at: 0 }, show: '"s2"', waves: '"w2"', armed: 'AQ==',
      output: { ...SILENT.output, underruns: 3 }, lights: { state: 'failing', message: 'no net' },
      service: 'busy', stages: [{ id: 's', gone: false, report: null }],
      timelines: [{ dmxExecutionId: 'd1' } as LiveTimeline],
    } as const
    page.say(change(5, named))
    expect(page.known).toMatchObject(named)
    page.say(change(6))
    expect(page.known).toMatchObject(named)
    const nothing = { image: null, show: null, waves: null, armed: null }
    page.say(change(7, nothing))
    expect(page.known).toMatchObject({ ...named, ...nothing })
  })

  test('with a number that is missing is asked for anew', async () => {
    page.say(change(6, { runs: [aRun({})] }))
    expect(page.known?.runs).toEqual([])
    await page.time.pass(1_000)
    expect(page.opened.at(-1)).toBe('/api/v1/live?boot=one&n=4')
  })
})

describe('a connection', () => {
  test('that breaks is lost at once, and back within a second of the daemon', async () => {
    page.isThere = false
    page.socket?.closed()
    expect(page.told.at(-1)).toEqual(['lost', 10])
    await page.time.pass(60_000)
    expect(page.opened).toHaveLength(1)
    page.isThere = true
    page.boot = 'two'
    const back = page.time.now()
    await page.time.pass(1_000)
    expect(page.told.at(-1)?.[0]).toBe('live')
    expect(page.told.at(-1)?.[1]).toBeLessThan(back + 1_000)
    expect(page.boots).toEqual([false, true])
  })

  test('that is back finds the same daemon, where that is the same', async () => {
    page.socket?.closed()
    await page.time.pass(1_000)
    expect(page.boots).toEqual([false, false])
  })

  test('that breaks between the greeting and the state is told all by the next one', async () => {
    page = new LivePage()
    page.greets = false
    page.live.start()
    await page.time.pass(10)
    page.say({ kind: 'hello', protocol: 'cartwall.live.1', version: '1', boot: 'one', show: null })
    page.greets = true
    page.socket?.closed()
    await page.time.pass(1_000)
    expect(page.opened).toEqual(['/api/v1/live', '/api/v1/live'])
    expect(modes()).toEqual(['lost', 'live'])
  })

  test('that was given up is heard no more, once there is another', async () => {
    const old = page.socket
    old?.closed()
    await page.time.pass(1_000)
    old?.closed()
    old?.text(JSON.stringify(change(5, { runs: [aRun({})] })))
    old?.binary(new ArrayBuffer(1))
    page.socket?.binary(new ArrayBuffer(2))
    expect([modes(), page.known?.runs, page.bytes]).toEqual([['live', 'lost', 'live'], [], [2]])
  })

  test('that opens slowly is waited for, also where the page is seen again meanwhile', async () => {
    page.openMs = 2_500
    page.socket?.closed()
    await page.time.pass(1_000)
    page.live.wake()
    await page.time.pass(2_000)
    expect(modes()).toEqual(['live', 'lost', 'live'])
    expect(page.opened).toHaveLength(2)
  })

  test('that opens and brings no word is neither live nor late: no press is taken', async () => {
    page.greets = false
    page.answersTime = false
    page.socket?.closed()
    await page.time.pass(10_000)
    expect(modes()).toEqual(['live', 'lost'])
  })

  test('is one, where the page is seen twice while the daemon is looked for', async () => {
    page.lookMs = 100
    page.socket?.closed()
    for (let n = 0; n < 3; n += 1) {
      page.live.wake()
      await page.time.pass(20)
    }
    await page.time.pass(1_000)
    expect([page.opened.length, page.held]).toEqual([2, 1])
  })

  test('that falls silent is late after a second and lost within three', async () => {
    await page.time.pass(990)
    page.answersTime = false
    await page.time.pass(3_200)
    const told = Object.fromEntries(page.told.slice(1))
    const lastWord = page.samples.at(-1)?.receivedAt ?? 0
    expect(told['late']! - lastWord).toBeLessThanOrEqual(2_300)
    expect(told['lost']! - lastWord).toBeLessThanOrEqual(3_000)
  })

  test('that is late is live again with the next answer', async () => {
    page.answersTime = false
    await page.time.pass(1_900)
    expect(page.told.at(-1)?.[0]).toBe('late')
    page.answersTime = true
    await page.time.pass(1_100)
    expect(page.told.at(-1)?.[0]).toBe('live')
  })

  test('of a hidden page is judged when it is seen again, not by timers that sleep', async () => {
    page.isHidden = true
    page.answersTime = false
    await page.time.pass(30_000)
    expect(page.told).toEqual([['live', 1]])
    page.isHidden = false
    page.live.wake()
    await page.time.pass(3_100)
    expect(page.told.at(-1)?.[0]).toBe('lost')
  })

  test('of a machine that slept is not taken for lost before it was asked', async () => {
    page.isHidden = true
    page.answersTime = false
    await page.time.pass(30_000)
    page.isHidden = false
    page.answersTime = true
    page.tripMs = 700
    page.live.wake()
    await page.time.pass(5_000)
    expect(page.told).toEqual([['live', 1]])
  })

  test('of a hidden page is tried for seldom, and at once where that is seen again', async () => {
    page.isHidden = true
    page.isThere = false
    page.socket?.closed()
    await page.time.pass(40_500)
    expect(page.looks).toBe(10)
    page.isThere = true
    page.isHidden = false
    page.live.wake()
    await page.time.pass(50)
    expect(page.told.at(-1)?.[0]).toBe('live')
  })

  test('that opens and says nothing is given up and tried again, one at a time', async () => {
    page.tells = false
    page.socket?.closed()
    await page.time.pass(10_000)
    expect(page.opened.length).toBeGreaterThan(2)
    expect(page.held).toBeLessThanOrEqual(1)
  })

  test('is told once what is wanted, and nothing while there is none', async () => {
    const wants = (): number => page.sent.filter(({ text }) => text.includes('want')).length
    page.live.want(true, false)
    page.live.want(true, false)
    expect(wants()).toBe(1)
    page.live.want(true, true)
    expect(wants()).toBe(2)
    page.isThere = false
    page.socket?.closed()
    page.live.want(false, true)
    await page.time.pass(1_000)
    expect(wants()).toBe(2)
  })

  test('that is not open yet is told what is wanted once it is', async () => {
    page = new LivePage()
    page.live.start()
    page.live.want(true, false)
    expect(page.sent).toEqual([])
    await page.time.pass(10)
    expect(page.sent[0]?.text).toBe('{"kind":"want","levels":true,"lights":false}')
  })

  test('wants again what it wanted before it broke', async () => {
    page.live.want(true, false)
    page.socket?.closed()
    await page.time.pass(1_000)
    const wants = page.sent.filter(({ text }) => text.includes('want'))
    expect(wants.map(({ text }) => JSON.parse(text) as unknown)).toEqual([
      { kind: 'want', levels: true, lights: false }, { kind: 'want', levels: true, lights: false },
    ])
  })
})
