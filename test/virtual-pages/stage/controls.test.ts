// A stage's keys, address and offset, and what it reports of itself.
// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest'
import type { LiveRun } from '../../../src/contract/live.js'
import type { ShowButton } from '../../../src/contract/show-page.js'
import { anchor, ms, run } from '../../pages/stage/live-runs.js'
import { video } from '../../pages/stage/video-show.js'
import { hide, pass } from '../virtual-page.js'
import { modelOf } from './model-media.js'
import { CLIP, VirtualStage } from './virtual-stage.js'

const KEPT = 'cartwall.stage.offsetMs'
const film = (id: string, more: Partial<ShowButton> = {}): ShowButton =>
  ({ ...video(id, 0, {}), ...more })
const playing = (stage: VirtualStage, id: string, more: Partial<LiveRun> = {}): LiveRun => run(id, {
  buttonId: id, range: { start: 0, end: ms(60_000) }, duration: ms(60_000),
  anchor: anchor({ at: stage.daemon.frame }), ...more,
})
const about = (wanted: number, within: number): unknown => expect.toSatisfy(
  (got: number) => Math.abs(got - wanted) <= within, `about ${wanted}`)

describe('the offset', () => {
  test.each([
    ['of the configuration', '', null, 35, 35],
    ['kept in this browser, which wins over it', '', '20', 35, 20],
    ['of 0, which was kept, too', '', '0', 35, 0],
    ['in the address, which wins over both', '?offsetMs=-40', '20', 35, -40],
    ['in the address, which is none', '?offsetMs=', '20', 35, 20],
    ['in the address, which is no number', '?offsetMs=x', null, 35, 35],
    ['that was kept and is no number', '', 'x', 35, 35],
    ['that is too large', '?offsetMs=900', null, 0, 500],
    ['that is too small', '?offsetMs=-900', null, 0, -500],
  ])('%s', async (_what, address, kept, offsetMs, told) => {
    const stage = await VirtualStage.open([], { address, offsetMs, kept })
    await pass(2_000)
    expect(stage.report.offsetMs).toBe(told)
  })

  test('goes up and down by keys, which are kept; and what the browser takes is not ours',
    async () => {
      const stage = await VirtualStage.open([], {})
      const told: number[] = []
      const keys = [
        ['+', 'BracketRight'], ['=', 'Equal'], ['+', 'NumpadAdd'], ['-', 'Slash'],
        ['-', 'NumpadSubtract'], ['-', 'Equal'], ['-', 'Minus'],
      ] as const
      for (const [key, code] of keys) {
        stage.key(key, code)
        told.push(stage.report.offsetMs)
      }
      expect(told).toEqual([5, 10, 15, 10, 5, 0, -5])
      for (const modifier of ['ctrlKey', 'altKey', 'metaKey']) {
        stage.key('+', 'Equal', { [modifier]: true })
      }
      await pass(3_000)
      expect(stage.report.offsetMs).toBe(-5)
      expect(localStorage.getItem(KEPT)).toBe('-5')
    })

  test('stays where a key writes something else, e.g. the German one that is named Minus',
    async () => {
      const stage = await VirtualStage.open([], {})
      for (const [key, code] of [['ß', 'Minus'], ['´', 'Equal'], [')', 'Minus']] as const) {
        stage.key(key, code)
      }
      await pass(3_000)
      expect([stage.report.offsetMs, localStorage.getItem(KEPT)]).toEqual([0, null])
    })

  test.each([[200], [-200]])('of %i ms shows a picture so much later', async (offsetMs) => {
    const stage = await VirtualStage.open([film('a'), film('b')], { offsetMs })
    const begun = stage.daemon.frame
    const end = { until: ms(3_000), then: { kind: 'end' } } as const
    stage.daemon.tell({ runs: [playing(stage, 'a', {
      next: 'b', anchor: anchor({ at: begun, ...end }), range: { start: 0, end: ms(3_000) },
    })] })
    await pass(2_000)
    expect(stage.topMs).toEqual(about(2_000 - offsetMs, 40))
    // What follows is told as it begins, and begins to the frame.
    await pass(1_000)
    stage.daemon.tell({ runs: [playing(stage, 'b', { order: 2, serial: 2 })] })
    const wrong: number[] = []
    for (let at = 20; at <= 600; at += 20) {
      await pass(20)
      if (stage.shown.at(-1)?.buttonId === 'b') wrong.push(stage.topMs - (at - offsetMs))
    }
    expect(wrong.length).toBeGreaterThan(15)
    expect(Math.max(...wrong.map(Math.abs))).toBeLessThan(80)
  })
})

describe('its keys', () => {
  test('F and a double click: full screen, and back', async () => {
    const stage = await VirtualStage.open([], {})
    const screen = { isFull: false }
    const element = (): Element | null => (screen.isFull ? document.documentElement : null)
    Object.defineProperty(document, 'fullscreenElement', { configurable: true, get: element })
    const turn = (isFull: boolean) => (): Promise<void> => {
      screen.isFull = isFull
      return Promise.resolve()
    }
    document.documentElement.requestFullscreen = turn(true)
    document.exitFullscreen = turn(false)
    const states: boolean[] = []
    for (let n = 0; n < 2; n += 1) {
      stage.key('f', 'KeyF')
      states.push(screen.isFull)
    }
    // A key that is held is one.
    stage.key('f', 'KeyF', { repeat: true })
    document.dispatchEvent(new MouseEvent('dblclick'))
    expect([...states, screen.isFull]).toEqual([true, false, true])
  })

  test('go by what they write, as on Dvorak; by their place where that is another', async () => {
    const stage = await VirtualStage.open([film('a')])
    const panel = document.querySelector<HTMLElement>('#diagnostics')
    const hidden: unknown[] = []
    const keys = [['e', 'KeyD'], ['d', 'KeyH'], ['в', 'KeyD'], ['D', 'KeyD']] as const
    for (const [key, code] of keys) {
      stage.key(key, code)
      hidden.push(panel?.hidden)
    }
    expect(hidden).toEqual([true, false, true, false])
  })

  test('D: how it does, as long as that is asked for; and no menu is ever on it', async () => {
    const stage = await VirtualStage.open([film('a')], { address: '?name=left' })
    const panel = document.querySelector<HTMLElement>('#diagnostics')
    expect(panel?.hidden).toBe(true)
    stage.key('d', 'KeyD')
    expect(panel?.hidden).toBe(false)
    expect(panel?.textContent).toMatch(/^left: live\n/)
    stage.key('d', 'KeyD')
    expect(panel?.hidden).toBe(true)
    const asked = new MouseEvent('contextmenu', { cancelable: true })
    document.dispatchEvent(asked)
    expect(asked.defaultPrevented).toBe(true)
  })
})

test('the page of another version is loaded anew where nobody sees it', async () => {
  const stage = await VirtualStage.open([film('a')])
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined)
  const one = playing(stage, 'a')
  stage.daemon.tell({ runs: [one] })
  await pass(1_000)
  stage.daemon.die()
  await pass(500)
  Object.assign(stage.daemon, { version: '2', boot: 'two', isThere: true })
  await pass(10_000)
  expect(stage.shown).toHaveLength(1)
  expect(reload).not.toHaveBeenCalled()
  stage.daemon.tell({ runs: [{ ...one, state: 'stopped', endReason: 'explicit_stop' }] })
  await pass(3_000)
  expect(reload).toHaveBeenCalled()
  reload.mockRestore()
})

describe('a report', () => {
  test.each([
    ['', 'stage'], ['?name=left', 'left'], [`?name=${'x'.repeat(100)}`, 'x'.repeat(64)],
    [`?name=${'x'.repeat(63)}🎬`, 'x'.repeat(63)],
  ])('has its name, of 64 characters at most, each of them whole: %j', async (address, name) => {
    expect((await VirtualStage.open([], { address })).report.name).toBe(name)
  })

  test('tells what is on, at most eight from the top, and how well it is in step', async () => {
    const ids = Array.from({ length: 10 }, (_, n) => `v${n}`)
    const stage = await VirtualStage.open(ids.map((id) => film(id)))
    expect(stage.report).toMatchObject({ pace: 'idle', on: [], p95: null, visible: true })
    stage.daemon.tell({ runs: ids.map((id, n) => playing(stage, id, { order: n, serial: n })) })
    await pass(6_100)
    expect(stage.report).toMatchObject({ pace: 'in_step', on: ids.slice(-8) })
    expect(stage.report.p95).toBeLessThan(25)
  })

  test('is of the time since the last one: out of step for a while, then in step', async () => {
    const stage = await VirtualStage.open([film('a')])
    stage.daemon.tell({ runs: [playing(stage, 'a')] })
    await pass(4_100)
    for (let n = 0; n < 50; n += 1) stage.key('+', 'Equal')
    const paces = [stage.report.pace]
    for (let n = 0; n < 6; n += 1) {
      await pass(2_000)
      paces.push(stage.report.pace)
    }
    expect(paces).toContain('catching_up')
    expect(paces.slice(-2)).toEqual(['in_step', 'in_step'])
  })

  test('tells of what it cannot show, and why', async () => {
    const stage = await VirtualStage.open(
      [film('a'), { ...video('b', 0, { notShown: 'a browser does not show prores' }) }],
      { files: () => null })
    stage.daemon.tell({ runs: ['a', 'b'].map((id) => playing(stage, id)) })
    await pass(4_100)
    expect(stage.report.errors).toEqual([
      { buttonId: 'a', message: 'it cannot be had' },
      { buttonId: 'b', message: 'a browser does not show prores' },
    ])
  })

  test('counts the frames dropped since it was loaded, through one file after the other',
    async () => {
      const ids = ['a', 'b', 'c', 'd', 'e', 'f']
      const stage = await VirtualStage.open(ids.map((id) => film(id)), { files: () => CLIP })
      for (const id of ids) {
        const one = playing(stage, id)
        stage.daemon.tell({ runs: [one] })
        await pass(2_100)
        const top = stage.elements.at(-1)
        if (top !== undefined) modelOf(top).dropped += 10
        await pass(2_100)
        stage.daemon.tell({ runs: [{ ...one, state: 'stopped', endReason: 'explicit_stop' }] })
        await pass(8_000)
      }
      expect(stage.report.framesDropped).toBe(60)
    })

  test('tells of one that cannot keep up, and of one that is hidden', async () => {
    const stage = await VirtualStage.open([film('a')])
    stage.daemon.tell({ runs: [playing(stage, 'a')] })
    await pass(2_000)
    // A decoder that falls behind again and again.
    const paces: string[] = []
    for (let n = 0; n < 40; n += 1) {
      const top = stage.elements.at(-1)
      if (top !== undefined && !modelOf(top).isSeeking) modelOf(top).currentTime -= 0.8
      await pass(400)
      paces.push(stage.report.pace)
    }
    expect(paces).toContain('late')
    await hide(true)
    await pass(2_100)
    expect(stage.report.visible).toBe(false)
  })
})
