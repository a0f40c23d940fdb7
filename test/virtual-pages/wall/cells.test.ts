// What a button says and shows in each of its states, and what its run says in Now playing.
// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import { writeArmed } from '../../../src/contract/armed-bits.js'
import type { LiveRun } from '../../../src/contract/live.js'
import type { ShowButton } from '../../../src/contract/show-page.js'
import { aButton, aRun } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const SECOND = 48_000
const END = { kind: 'end' } as const
const NEVER = 9e12

/** A run of one minute that has not begun to move: its times stand still. */
const standing = (state: LiveRun['state'], seconds: number, more: Partial<LiveRun> = {}): LiveRun =>
  aRun({
    state, range: { start: 0, end: 60 * SECOND }, duration: 60 * SECOND,
    anchor: { at: NEVER, position: seconds * SECOND, moving: true, until: 60 * SECOND, then: END },
    ...more,
  })
const still = (state: LiveRun['state'], seconds: number): LiveRun => standing(state, seconds, {
  anchor: { at: 0, position: seconds * SECOND, moving: false, until: null, then: null },
})

const media = {
  missing: null, version: 'v1', type: 'video/mp4', notShown: null, video: null, audio: null,
}
const dmx = { loop: false, error: null }
const timeline = {
  dmxExecutionId: 'd1', buttonId: 'b1', title: 'Blue', sync: 'internal', at: 0, position: 0,
  moving: true,
  duration: SECOND, loop: false, lastDriftMs: null, worstDriftMs: null,
} as const

/** Class, word and time of a button; whether it is told to be on. */
const cellOf = (wall: VirtualWall): readonly unknown[] => {
  const press = wall.find('[data-button="b1"] .press')
  const time = document.querySelector<HTMLElement>('[data-button="b1"] .cell-time')
  return [
    wall.cell('b1').className, wall.text('[data-button="b1"] .state-word'),
    time?.textContent ?? null, time?.dataset['soon'] ?? null, press.getAttribute('aria-pressed'),
  ]
}
const opened = (button: Partial<ShowButton>, ...more: readonly ShowButton[]) =>
  VirtualWall.open(showOf([listOf('l1', [aButton(button), ...more])]))

describe('a button', () => {
  test.each<readonly [string, LiveRun, readonly unknown[]]>([
    ['starts', standing('starting', 0), ['cell is-starting', '…', '1:00', 'no', 'true']],
    ['plays', standing('playing', 20), ['cell is-playing', 'playing', '0:40', 'no', 'true']],
    ['has 31 s left', standing('playing', 29),
      ['cell is-playing', 'playing', '0:31', 'no', 'true']],
    ['has 30 s left', standing('playing', 30),
      ['cell is-playing', 'playing', '0:30', 'soon', 'true']],
    ['has 11 s left', standing('playing', 49),
      ['cell is-playing', 'playing', '0:11', 'soon', 'true']],
    ['has 10 s left', standing('playing', 50),
      ['cell is-playing', 'playing', '0:10', 'very', 'true']],
    ['repeats', standing('playing', 59, { loops: true }),
      ['cell is-playing', 'playing', '1.0', 'no', 'true']],
    ['starves', standing('playing', 20, { starving: true }),
      ['cell is-playing', 'sound is late', '0:40', 'no', 'true']],
    ['pauses', standing('pausing', 20), ['cell is-pausing', 'pausing', '0:40', 'no', 'true']],
    ['is paused', still('paused', 55), ['cell is-paused', 'paused at 0:55', null, null, 'true']],
    ['fades', standing('fading_out', 55), ['cell is-fading_out', 'fading', '5.0', 'very', 'true']],
    ['has no end that is known', standing('playing', 20, {
      range: { start: 0, end: null }, duration: null,
      anchor: { at: NEVER, position: 20 * SECOND, moving: true, until: null, then: null },
    }), ['cell is-playing', 'playing', '0:20', 'no', 'true']],
    ['has an End before that of its file', standing('playing', 20, {
      range: { start: 0, end: 30 * SECOND },
    }), ['cell is-playing', 'playing', '0:10', 'very', 'true']],
  ])('%s', async (_what, run, shown) => {
    const wall = await opened({})
    await wall.tell({ runs: [run] })
    expect(cellOf(wall)).toEqual(shown)
    await wall.tell({ runs: [{ ...run, state: 'completed', endReason: 'natural_end' }] })
    expect(cellOf(wall)).toEqual(['cell is-idle', '', '1:00', null, 'false'])
  })

  test.each<readonly [string, Partial<ShowButton>, readonly unknown[]]>([
    ['sound', { durationMs: 67_900 }, ['cell is-idle', '', '1:07', null, 'false']],
    ['a short sting', { durationMs: 240 }, ['cell is-idle', '', '0.2', null, 'false']],
    ['a range', { durationMs: 67_900, startMs: 5_000, endMs: 30_000 },
      ['cell is-idle', '', '0:25', null, 'false']],
    ['an End behind its file', { durationMs: 60_000, startMs: 5_000, endMs: 90_000 },
      ['cell is-idle', '', '0:55', null, 'false']],
    ['a length that is not known', { durationMs: 0 }, ['cell is-idle', '', '', null, 'false']],
    ['an End alone', { durationMs: 0, endMs: 9_000 },
      ['cell is-idle', '', '0:09', null, 'false']],
    ['a playlist to open', { kind: 'navigation', target: 'l2', durationMs: 0 },
      ['cell is-idle', '', '', null, null]],
    ['a file that is not there', { media: { ...media, missing: 'the file is missing' } },
      ['cell is-missing', 'missing', null, null, 'false']],
    ['an empty file', { media: { ...media, missing: 'a.mp3: Invalid data found' } },
      ['cell is-missing', 'cannot be played', null, null, 'false']],
    ['a file that may not be read', { media: { ...media, missing: 'unreadable (EACCES)' } },
      ['cell is-missing', 'cannot be played', null, null, 'false']],
    ['a picture that no browser shows', { media: { ...media, notShown: 'prores' } },
      ['cell is-idle', 'no picture', '1:00', null, 'false']],
    ['sound whose lights cannot run', { media, dmx: { ...dmx, error: 'is no JSON' } },
      ['cell is-idle', 'no lights', '1:00', null, 'false']],
    ['lights that can run', { kind: 'dmx', dmx }, ['cell is-idle', '', '1:00', null, 'false']],
    ['lights that cannot run', { kind: 'dmx', dmx: { ...dmx, error: 'is no JSON' } },
      ['cell is-missing', 'cannot be played', null, null, 'false']],
    ['lights whose file is not there',
      { kind: 'dmx', dmx: { ...dmx, error: 'wash.json: the file is missing' } },
      ['cell is-missing', 'missing', null, null, 'false']],
    ['lights without a timeline', { kind: 'dmx' },
      ['cell is-missing', 'missing', null, null, 'false']],
  ])('of %s, while nothing is on', async (_what, button, shown) => {
    expect(cellOf(await opened(button))).toEqual(shown)
  })

  test('and of a show that is empty there is a sentence in their place', async () => {
    const wall = await VirtualWall.open(showOf([]))
    expect(wall.texts('.empty')).toEqual(['This show has no playlists'])
  })

  test('of lights runs as long as they do, whatever else changes', async () => {
    const wall = await opened({ kind: 'dmx', dmx })
    expect(wall.texts('.kind')).toHaveLength(1)
    await wall.tell({ timelines: [timeline] })
    await wall.tell({ service: 'ready' })
    expect(cellOf(wall)).toEqual(['cell is-lit', 'running', '1:00', null, 'true'])
    await wall.tell({ timelines: [] })
    expect(cellOf(wall)[0]).toBe('cell is-idle')
  })

  test('of an image is shown until another one is', async () => {
    const wall = await opened({ kind: 'image' })
    await wall.tell({ image: { buttonId: 'b1', title: 'Logo', at: 0 } })
    expect(cellOf(wall)).toEqual(['cell is-shown', 'shown', '1:00', null, 'true'])
    await wall.tell({ image: { buttonId: 'b2', title: 'Poster', at: 0 } })
    expect(cellOf(wall)[0]).toBe('cell is-idle')
  })

  test('tells why it is missing, also where that changes', async () => {
    const show = (missing: string) =>
      showOf([listOf('l1', [aButton({ media: { ...media, missing } })])])
    const wall = await VirtualWall.open(show('no such file'))
    wall.daemon.save(show('its disk does not answer'))
    await pass(500)
    await wall.press(wall.find('.press'))
    expect(wall.text('.cell-message')).toBe('its disk does not answer')
    await pass(6_000)
    expect(wall.texts('.cell-message')).toEqual([])
    expect(wall.daemon.posts).toEqual([])
  })

  test('is missing while its file is, and no longer', async () => {
    const show = (missing: string | null) =>
      showOf([listOf('l1', [aButton({ media: { ...media, missing } })])])
    const wall = await VirtualWall.open(show('the file is missing'))
    for (const missing of [null, 'the file is missing']) {
      wall.daemon.save(show(missing))
      await pass(1_000)
      expect(cellOf(wall)[0]).toBe(missing === null ? 'cell is-idle' : 'cell is-missing')
    }
  })

  test('has a dot while it is armed and idle, whichever show the daemon speaks of', async () => {
    const wall = await VirtualWall.open(
      showOf([listOf('l1', [aButton({}), aButton({ id: 'b2' }), aButton({ id: 'b3' })])]),
      { armed: writeArmed([true, false, true]) },
    )
    const dots = () => ['b1', 'b2', 'b3'].filter((id) => wall.cell(id).querySelector('.armed'))
    const told = () => wall.find('[data-button="b3"] .visually-hidden').textContent
    expect([dots(), told()]).toEqual([['b1', 'b3'], 'sound, armed, key 3'])
    await wall.tell({ runs: [aRun({})] })
    expect(dots()).toEqual(['b3'])
    await wall.tell({ runs: [aRun({ state: 'stopped', endReason: 'explicit_stop' })] })
    expect(dots()).toEqual(['b1', 'b3'])
    await wall.tell({ armed: writeArmed([false, true, false]) })
    expect([dots(), told()]).toEqual([['b2'], 'sound, key 3'])
    // Of a show that the page has not read yet: nothing is said about its own buttons.
    await wall.tell({ show: '"later"', armed: writeArmed([true, true, true]) })
    expect(dots()).toEqual(['b2'])
    wall.daemon.save(showOf([listOf('l1', [aButton({ id: 'b3' }), aButton({}), aButton({
      id: 'b2' })])]))
    await wall.tell({ armed: writeArmed([true, true, false]) })
    // It has just looked in vain for the later one, and looks twice a second at most.
    await pass(500)
    expect(dots()).toEqual(['b1', 'b3'])
  })

  test.each([
    ['no title', ' ', ''], ['a title that nobody sees, from a chat', '\u200B', '\u200F\u2060'],
  ])('has a name where it has %s, as have its menus, row and playlist', async (_, title, list) => {
    const lists = [listOf('l1', [aButton({ title })], { title: list })]
    const wall = await VirtualWall.open(showOf(lists), { runs: [aRun({ title })] })
    const named = (selector: string) =>
      [...document.querySelectorAll(selector)].map((one) => one.getAttribute('aria-label'))
    const name = 'button without a title'
    expect(named('.press, .more, .tab')).toEqual(
      ['playlist without a title', name, `Menu of ${name}`])
    expect(named('.row-tool')).toEqual([`Pause ${name}`, `Menu of the run of ${name}`])
    await wall.tell({ runs: [aRun({ title, state: 'paused' })] })
    expect(wall.model.announced.value).toBe(`${name} is paused`)
    await wall.click(wall.find('.more'))
    expect(named('.menu, [role="menu"]')).toEqual([`Choices for ${name}`, name])
    await wall.click(wall.named('Play with…'))
    expect(wall.text('.panel h2')).toBe(`Play ${name} with`)
  })

  test('wears its marks: cap, kind, padlock, lights, and NEXT after whichever run', async () => {
    const next = aButton({ id: 'b2', title: 'Cool', isLoopEnabled: true, media, dmx })
    const wall = await opened({ hotkey: 'Numpad5', color: 'teal' }, next)
    const marks = () => ['b1', 'b2'].map((id) => {
      const at = `[data-button="${id}"] `
      const kinds = wall.texts(`${at}.kind`).length
      return [wall.text(`${at}.cap`), kinds, wall.texts(`${at}.next-mark`)]
    })
    expect(marks()).toEqual([['N5', 1, []], ['2', 3, []]])
    expect(wall.cell('b1').dataset['color']).toBe('teal')
    const other = aRun({ executionId: 'e2', buttonId: 'b3', serial: 2 })
    await wall.tell({ runs: [aRun({ next: 'b2' }), other] })
    expect(marks()).toEqual([['N5', 1, []], ['2', 3, ['next']]])
    // A screen reader is told as much.
    const words = [...document.querySelectorAll('.cell-state .visually-hidden')]
    expect(words.map(({ textContent }) => textContent))
      .toEqual(['sound, key N5', 'sound, repeats, with lights, next, key 2'])
  })

  test('is described to screen readers by what it does, which are told at once what it lacks',
    async () => {
      const wall = await opened({ media: { ...media, missing: 'the file is missing' } })
      const described = () => {
        const by = wall.find('.press').getAttribute('aria-describedby') ?? ''
        return document.getElementById(by)?.textContent
      }
      expect(described()).toMatch(/^missing.*sound, key 1/)
      await wall.press(wall.find('.press'))
      expect(wall.texts('.cell [role="alert"]')).toEqual(['the file is missing'])
      await wall.tell({ runs: [standing('playing', 20)] })
      expect(described()).toMatch(/^playing.*0:40$/)
    })

  test('has a warning where it lacks something, which a narrow one has room for before a time',
    async () => {
      const isWarning = (wall: VirtualWall) => wall.find('.state-word').matches('.is-warning')
      const wall = await opened({})
      await wall.tell({ runs: [standing('playing', 20)] })
      expect(isWarning(wall)).toBe(false)
      await wall.tell({ runs: [standing('playing', 20, { starving: true })] })
      expect(isWarning(wall)).toBe(true)
      expect(isWarning(await opened({ media, dmx: { ...dmx, error: 'no' } }))).toBe(true)
      expect(isWarning(await opened({ media: { ...media, missing: 'no file' } }))).toBe(true)
    })

  test('has its title written from the side of its own script, wherever that stands', async () => {
    const title = 'שלום (1)'
    const wall = await VirtualWall.open(
      showOf([listOf('l1', [aButton({ title })])]), { runs: [aRun({ title })] },
    )
    await wall.tell({ timelines: [{ ...timeline, buttonId: 'b7' }] })
    await wall.tell({ runs: [aRun({ executionId: 'e2', endReason: 'explicit_stop' })] })
    await wall.click(wall.find('.more'))
    const titles = ['tab', 'page', 'cell', 'row', 'end', 'menu'].map((each) => `.${each}-title`)
    for (const each of [...titles, '.show-title span']) {
      const own = [...document.querySelectorAll<HTMLElement>(each)].map(({ dir }) => dir)
      expect([each, ...new Set(own)]).toEqual([each, 'auto'])
    }
  })
})
