// What the wall says about connection, service, sound, lights, stages and panic, and for how long.
// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest'
import type { LiveParts, LiveStage, StageReport } from '../../../src/contract/live.js'
import { aButton, aRun } from '../../pages/wall/show-parts.js'
import { hide, pass } from '../virtual-page.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const LISTS = [
  listOf('l1', [aButton({})], { title: 'Beds' }),
  listOf('l2', [aButton({ id: 'b2', title: 'Cool' })], { title: 'Screen' }),
]
const opened = (parts: Partial<LiveParts> = {}, settings = {}) =>
  VirtualWall.open(showOf(LISTS, settings), parts)

const REPORT: StageReport = {
  name: 'left', pace: 'in_step', on: ['b1', 'gone'], p50: 3, p95: 6.4, framesDropped: 2, seeks: 1,
  visible: true, offsetMs: -5, errors: [],
}
const errors = [{ buttonId: 'b2', message: 'it is prores' }]
const stage = (more: Partial<StageReport>, gone = false): LiveStage =>
  ({ id: `s${JSON.stringify(more)}`, gone, report: { ...REPORT, ...more } })

describe('the banner', () => {
  test('says since when there is no connection, each time anew', async () => {
    const wall = await opened()
    const since = () => /since (\d\d:\d\d:\d\d)/.exec(wall.text('.banners'))?.[1]
    vi.setSystemTime(new Date(2026, 0, 1, 20, 15, 7))
    wall.daemon.die()
    await pass(10)
    expect(wall.text('.banners')).toMatch(/^No connection since 20:15:07\./)
    await pass(30_000)
    expect(since()).toBe('20:15:07')
    wall.daemon.isThere = true
    await pass(1_000)
    expect([wall.text('.banners'), wall.model.announced.value]).toEqual(['', 'Connected again'])
    vi.setSystemTime(new Date(2026, 0, 1, 21, 0, 0))
    wall.daemon.die()
    await pass(10)
    expect(since()).toBe('21:00:00')
  })

  test('tells a service that ends from a connection that broke', async () => {
    const wall = await opened()
    await wall.tell({ service: 'shutting_down' })
    expect(wall.text('.banners')).toBe('The service is shutting down.')
    wall.daemon.die()
    await pass(10)
    expect(wall.text('.banners')).toMatch(/^The service was shut down since /)
  })
})

test('the head says whose show it is, what time it is, and how the connection does', async () => {
  const wall = await opened()
  expect(document.title).toBe('Night · cartwall')
  const head = () => wall.texts('.show-title, .time-of-day, .connection')
  vi.setSystemTime(new Date(2026, 0, 1, 9, 5, 7))
  await pass(60)
  expect(head()).toEqual(['Night', '09:05:07', 'live'])
  wall.daemon.die()
  await pass(2_000)
  expect(head()).toEqual(['Night', '09:05:09', 'lost'])
})

test('a connection that is late is told, and takes presses still', async () => {
  const wall = await opened()
  wall.daemon.answersTime = false
  await pass(2_500)
  expect(wall.text('.connection')).toBe('late')
  expect(wall.text('.banners')).toBe('')
  await wall.press(wall.find('.press'))
  expect(wall.daemon.posts).toEqual([{ path: '/buttons/b1/play', body: null }])
})

test('meters and times go on after the page was hidden', async () => {
  const wall = await opened({ runs: [aRun({
    range: { start: 0, end: 9e6 },
    anchor: { at: 0, position: 0, moving: true, until: null, then: null },
  })] })
  await hide(true)
  await pass(5_000)
  await hide(false)
  const before = wall.text('.row-time')
  await pass(3_000)
  expect(wall.text('.row-time')).not.toBe(before)
  expect(wall.daemon.heard.map(({ kind }) => kind === 'want')).toEqual([true, true, true])
})

describe('the header', () => {
  const output = {
    state: 'ok', sink: 'speaker:hw', latency: 480, underruns: 0, armedHeads: 0,
  } as const
  test.each<readonly [Partial<LiveParts>, string, string]>([
    [{ output }, 'speaker 10 ms', ''],
    [{ output: { ...output, state: 'unavailable' } }, 'no sound output', 'no sound output'],
    [{ output: { ...output, sink: 'null' } }, 'nothing is heard', 'nothing is heard'],
    [{ output: { ...output, underruns: 1 } }, 'speaker 10 ms1 underrun', '1 underrun'],
    [{ output: { ...output, underruns: 2 } }, 'speaker 10 ms2 underruns', '2 underruns'],
  ])('says of sound: %o', async (parts, words, trouble) => {
    const wall = await opened(parts)
    expect(wall.text('.output')).toBe(words)
    expect(wall.text('.now-trouble')).toBe(trouble)
  })

  test.each<readonly [readonly LiveStage[], string, string]>([
    [[], 'no stage', ''],
    [[stage({})], '1 in step', ''],
    [[stage({}), stage({ pace: 'idle' })], '2 in step', ''],
    [[stage({}), stage({ pace: 'catching_up' })], 'catching up', 'stage catching up'],
    [[stage({ pace: 'late' })], 'cannot keep up', 'stage cannot keep up'],
    [[stage({ visible: false })], 'hidden', 'stage hidden'],
    [[stage({ pace: 'idle', errors })], 'not shown: 1', 'stage not shown: 1'],
    [[stage({ errors }), stage({ name: 'right', errors })], 'not shown: 1', 'stage not shown: 1'],
    [[stage({ errors }, true)], 'gone: 1', 'stage gone: 1'],
    [[stage({}, true), stage({ pace: 'late' })], 'gone: 1', 'stage gone: 1'],
    [[stage({}, true), stage({ name: 'right' }, true)], 'gone: 2', 'stage gone: 2'],
    [[{ id: 's', gone: false, report: null }], '1 in step', ''],
  ])('says of stages: %o', async (stages, words, trouble) => {
    const wall = await opened({ stages, output })
    expect(wall.named(`Stages: ${words}`)).toBeTruthy()
    expect(wall.text('.now-trouble')).toBe(trouble)
  })

  test('says that lights fail', async () => {
    const wall = await opened({ lights: { state: 'failing', message: 'no route' } })
    expect(wall.named('Lights: lights fail')).toBeTruthy()
    expect(wall.text('.now-trouble')).toContain('lights fail')
  })
})

describe('panels', () => {
  test('stages: each by its name, what it shows and what it could not', async () => {
    const away = stage({ on: [], name: '', errors }, true)
    const wall = await opened({ stages: [stage({ errors }), away] })
    await wall.click(wall.named('Stages: gone: 1'))
    expect(wall.texts('.stage')).toEqual([
      'leftin step 6 msshows Warm, ?, 1 seek, 2 frames dropped, offset -5 msCool: it is prores',
      'stagegoneshows black, 1 seek, 2 frames dropped, offset -5 msCool: it is prores',
    ])
    await wall.key('Escape')
    expect(wall.texts('.panel')).toEqual([])
  })

  test('lights: asked for while they are seen; what runs, how far, how well', async () => {
    const line = {
      dmxExecutionId: 'd1', buttonId: 'b1', title: 'Blue', sync: 'chasing', at: 0,
      position: 48_000 * 4, moving: false, duration: 48_000 * 10, loop: false,
      lastDriftMs: 2.4, worstDriftMs: 11,
    } as const
    const wall = await opened({ lights: { state: 'ok', message: null } })
    const from = { ...line, at: wall.daemon.frame, moving: true, position: 48_000 * 8 }
    await wall.tell({ timelines: [
      line, { ...from, dmxExecutionId: 'd2', buttonId: 'x', loop: true, lastDriftMs: null },
      { ...from, dmxExecutionId: 'd3', buttonId: 'b2', sync: 'internal', worstDriftMs: null },
    ] })
    await wall.click(wall.named('Lights'))
    await pass(4_000)
    expect(wall.texts('.timeline')).toEqual([
      'Warm0:04holds, drift 2 ms, worst 11 ms',
      'Blue0:02follows an external clock, worst 11 ms',
      'Cool0:10by its own clock, drift 2 ms',
    ])
    await wall.click(wall.named('Close'))
    expect(wall.daemon.heard).toEqual([
      { kind: 'want', levels: true, lights: false }, { kind: 'want', levels: true, lights: true },
      { kind: 'want', levels: true, lights: false },
    ])
  })

  test('are closed by what opened them, or take the place of one another', async () => {
    const wall = await opened()
    const open = () => wall.texts('.panel h2')
    await wall.click(wall.named('Keys'))
    await wall.key('F1')
    expect(open()).toEqual([])
    await wall.key('F1')
    await wall.click(wall.named('Lights'))
    expect(open()).toEqual(['Lights'])
    await pass(300)
    await wall.click(wall.named('Lights'))
    expect(open()).toEqual([])
  })

  test('settings: kept in this browser', async () => {
    vi.stubGlobal('location', new URL('http://127.0.0.1:47831/'))
    const first = await opened()
    await first.click(first.named('Settings'))
    const boxes = () => [...document.querySelectorAll<HTMLInputElement>('.panel input')]
    expect(boxes().map(({ checked }) => checked)).toEqual([true, false, false, true, false])
    for (const n of [2, 3, 4]) {
      const box = boxes()[n]
      if (box !== undefined) await first.click(box)
    }
    expect(document.documentElement.dataset['theme']).toBe('light')
    expect(first.texts('.address-text, .address .fact')).toEqual([
      'http://127.0.0.1:47831/',
      'Only this machine can open it: api.host in the configuration names others.',
    ])
    const second = await opened()
    await second.click(second.named('Settings'))
    expect(boxes().map(({ checked }) => checked)).toEqual([false, false, true, false, true])
    expect(document.documentElement.dataset['theme']).toBe('light')
  })
})

test('a tab has the mark of what of its list is on', async () => {
  const wall = await opened()
  const marks = () => [...document.querySelectorAll('.tab-mark')].map(({ className }) => className)
  const [off, playing, paused] = ['off', 'playing', 'paused'].map((mark) => `tab-mark is-${mark}`)
  expect(marks()).toEqual([off, off])
  const held = aRun({ executionId: 'e2', buttonId: 'b2', state: 'paused' })
  await wall.tell({ runs: [aRun({}), held] })
  expect(marks()).toEqual([playing, paused])
  await wall.tell({ image: { buttonId: 'b2', title: 'Logo', at: 0 } })
  expect(marks()).toEqual([playing, playing])
  for (const state of ['starting', 'pausing', 'fading_out'] as const) {
    await wall.tell({ image: null, runs: [aRun({ state })] })
    expect(marks()).toEqual([playing, paused])
  }
})

test('what becomes of runs is said to screen readers', async () => {
  const wall = await opened()
  await wall.tell({ runs: [aRun({})] })
  expect(wall.text('.wall > [aria-live="polite"]')).toBe('Warm plays')
})

describe('panic', () => {
  const words = (wall: VirtualWall) => wall.text('.panic-told')
  const done = (fadingOut: number, stopped: number) =>
    ({ status: 200, body: { result: 'fading_out', fadingOut, stopped } })

  test.each([
    [0, 0, 'Nothing was on'], [2, 0, '2 fading'], [0, 1, '1 stopped'],
    [3, 2, '3 fading, 2 stopped'],
  ])('of %i and %i says: %s', async (fading, stopped, told) => {
    const wall = await opened()
    wall.daemon.answers = [done(fading, stopped)]
    await wall.press(wall.named('Panic'))
    expect(words(wall)).toBe(told)
    expect(wall.daemon.posts).toEqual([{ path: '/stop', body: { fadeOutMs: 1_500 } }])
  })

  test('fades as long as the configuration says, then cuts; each sign stands eight seconds',
    async () => {
      const wall = await opened({}, { panicFadeMs: 400 })
      wall.daemon.answers = [done(2, 0), done(0, 2)]
      await wall.key('Escape')
      await pass(4_000)
      await wall.key('Escape')
      const sent = wall.daemon.posts.map(({ body }) => body)
      expect(sent).toEqual([{ fadeOutMs: 400 }, { fadeOutMs: 0 }])
      await pass(7_800)
      expect(words(wall)).toBe('2 stopped')
      await pass(300)
      expect(words(wall)).toBe('')
    })

  test('that is refused, or may have arrived, says so until it is taken away', async () => {
    const wall = await opened()
    wall.daemon.answers = [{ status: 402, body: { error: 'x', message: 'no licence' } }]
    await wall.key('Escape')
    expect(words(wall)).toMatch(/^PANIC WAS REFUSED: no licence/)
    await pass(20_000)
    // Nor does a connection that comes back take a refusal away.
    wall.daemon.die()
    wall.daemon.isThere = true
    await pass(2_000)
    expect(words(wall)).toMatch(/^PANIC WAS REFUSED: no licence/)
    // A key that would press a button does nothing but take it away.
    await wall.key('Digit1')
    expect(words(wall)).toBe('')
    wall.daemon.answers = ['none', 'broken', 'broken', 'broken']
    await wall.key('Escape')
    await pass(5_000)
    expect(words(wall)).toMatch(/^NO ANSWER TO PANIC/)
    wall.daemon.answers = ['broken', 'broken', 'broken', 'broken']
    await wall.key('Escape')
    await pass(5_000)
    expect(words(wall)).toMatch(/^PANIC WAS NOT SENT/)
    expect(wall.daemon.posts.every(({ path }) => path === '/stop')).toBe(true)
  })

  test('without a connection is tried all the same, and says that there is none', async () => {
    const wall = await opened()
    wall.daemon.die()
    await pass(10)
    await wall.key('Escape')
    expect(words(wall)).toBe('No connection: trying')
    await pass(3_000)
    expect(words(wall)).toMatch(/^PANIC WAS NOT SENT/)
    wall.daemon.isThere = true
    await pass(2_000)
    expect(words(wall)).toBe('Connected again: panic was not sent')
    await pass(8_000)
    expect(words(wall)).toBe('')
    expect(wall.daemon.posts).toEqual([])
  })

  test('that was not sent is tried again by Esc also while a panel stands open', async () => {
    const wall = await opened()
    await wall.click(wall.named('Lights'))
    wall.daemon.answers = ['broken', 'broken', 'broken', 'broken', done(1, 0)]
    await wall.press(wall.named('Panic'))
    await pass(5_000)
    expect(words(wall)).toMatch(/^PANIC WAS NOT SENT/)
    await wall.key('Escape')
    expect(words(wall)).toBe('1 fading')
  })

  test('works behind its own sign, by a touch on the button that it covers', async () => {
    const wall = await opened()
    wall.daemon.answers = ['broken', 'broken', 'broken', 'broken', done(1, 0), done(0, 1)]
    await wall.key('Escape')
    await pass(5_000)
    document.elementsFromPoint = () => [wall.find('.panic')]
    const told = wall.find('.panic-told')
    told.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerId: 1 }))
    await pass(60)
    // The sign is gone, and the click of the finger is on the button: it is no second one.
    wall.find('.panic').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
    await pass(60)
    expect(words(wall)).toBe('1 fading')
  })

  test('that was not sent is taken away by the click of a touch, which has no other', async () => {
    const wall = await opened()
    document.elementsFromPoint = () => []
    wall.daemon.answers = ['broken', 'broken', 'broken', 'broken']
    await wall.key('Escape')
    await pass(5_000)
    const told = wall.find('.panic-told')
    told.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerId: 1 }))
    await pass(60)
    expect(words(wall)).toMatch(/^PANIC WAS NOT SENT/)
    await wall.click(told)
    expect(words(wall)).toBe('')
  })

  test('that was answered is not covered by one before it that was not', async () => {
    const wall = await opened()
    wall.daemon.answers = ['none', done(0, 3)]
    await wall.key('Escape')
    await wall.key('Escape')
    wall.daemon.answers = ['broken', 'broken', 'broken']
    expect(words(wall)).toBe('3 stopped')
    await pass(5_000)
    expect(words(wall)).toBe('3 stopped')
  })
})
