// What menus, options and rows offer, state by state, and the requests that come of them.
// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import type { LiveParts, LiveRun } from '../../../src/contract/live.js'
import type { ShowButton } from '../../../src/contract/show-page.js'
import { aButton, aRun } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const opened = (button: Partial<ShowButton>, parts: Partial<LiveParts> = {}) =>
  VirtualWall.open(showOf([listOf('l1', [aButton(button)])]), parts)

const FADES = [['0.5', 500], ['1', 1_000], ['3', 3_000], ['5', 5_000], ['10', 10_000]] as const

type Choice = readonly [words: string, path: string, body: unknown]

const PLAY: Choice = ['Play', '/buttons/b1/play', null]
const RESTART: Choice = ['Restart', '/buttons/b1/restart', null]
const STOP: Choice = ['Stop', '/buttons/b1/stop', {}]
const OF_RUN: readonly Choice[] = [
  RESTART,
  ['Stop', '/buttons/b1/stop', { executionId: 'e1' }],
  ['Cut', '/buttons/b1/stop', { executionId: 'e1', fadeOutMs: 0 }],
  ...FADES.map(([words, fadeOutMs]): Choice =>
    [`Fade out in ${words} s`, '/buttons/b1/stop', { executionId: 'e1', fadeOutMs }]),
  ['Pause at once', '/buttons/b1/pause', { executionId: 'e1', fadeOutMs: 0 }],
  ['Pause with a fade of 3 s', '/buttons/b1/pause', { executionId: 'e1', fadeOutMs: 3_000 }],
]
const OF_PAUSED: readonly Choice[] = [
  ...OF_RUN.slice(0, -2),
  ['Resume at once', '/buttons/b1/resume', { executionId: 'e1', fadeInMs: 0 }],
  ['Resume with a fade of 3 s', '/buttons/b1/resume', { executionId: 'e1', fadeInMs: 3_000 }],
]
const OPEN: Choice = ['Open', '', null]
const WITH: Choice = ['Play with…', '', null]
const image = { buttonId: 'b1', title: 'Logo', at: 0 }
const timeline = {
  dmxExecutionId: 'd1', buttonId: 'b1', title: 'Blue', sync: 'internal', at: 0, position: 0,
  moving: true, duration: 1, loop: false, lastDriftMs: null, worstDriftMs: null,
} as const
const dmx = { loop: false, error: null }

test.each<readonly [string, Partial<ShowButton>, Partial<LiveParts>, readonly Choice[]]>([
  ['an idle sound', {}, {}, [PLAY, WITH]],
  ['one that plays', {}, { runs: [aRun({})] }, [...OF_RUN, WITH]],
  ['one that is paused', {}, { runs: [aRun({ state: 'paused' })] }, [...OF_PAUSED, WITH]],
  ['an image', { kind: 'image' }, {}, [PLAY]],
  ['an image that is shown', { kind: 'image' }, { image }, [RESTART, STOP]],
  ['lights', { kind: 'dmx', dmx }, {}, [PLAY]],
  ['lights that run', { kind: 'dmx', dmx }, { timelines: [timeline] }, [RESTART, STOP]],
  ['one that opens a playlist', { kind: 'navigation', target: 'l1' }, {}, [OPEN]],
  ['one that does so by now, and plays', { kind: 'navigation', target: 'l1' },
    { runs: [aRun({})] }, [OPEN, ...OF_RUN.slice(1)]],
])('the menu of %s', async (_what, button, parts, choices) => {
  const wall = await opened(button, parts)
  const more = wall.named('Menu of Warm')
  await wall.click(more)
  const items = () => wall.texts('[role="menuitem"]')
  expect(items()).toEqual(choices.map(([words]) => words))
  for (const [words] of choices) {
    if (items().length === 0) await wall.click(more)
    await wall.click(wall.named(words))
    expect(items()).toEqual([])
  }
  expect(wall.daemon.posts).toEqual(
    choices.filter(([, path]) => path !== '').map(([, path, body]) => ({ path, body })))
})

test('Open in a menu opens the playlist, into which the focus goes along', async () => {
  const go = aButton({ kind: 'navigation', target: 'l2' })
  const other = listOf('l2', [aButton({ id: 'b2', title: 'Horn' })])
  const wall = await VirtualWall.open(showOf([listOf('l1', [go]), other]))
  wall.find('.press').focus()
  await wall.key('F10', { shiftKey: true })
  await wall.press(wall.named('Open'))
  expect([wall.text('.page-title'), document.activeElement?.closest('.cell')])
    .toEqual(['List l2', wall.cell('b2')])
})

describe('a menu', () => {
  test('lets no other open over it, as the Menu key of Windows does when it comes up', async () => {
    const wall = await opened({}, {})
    wall.find('.press').focus()
    await wall.key('ContextMenu')
    const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true })
    document.activeElement?.dispatchEvent(event)
    expect([wall.texts('.menu').length, event.defaultPrevented]).toEqual([1, true])
  })

  test('is walked by keys, round and round, and gives the focus back', async () => {
    const wall = await opened({}, { runs: [aRun({})] })
    wall.find('.press').focus()
    await wall.key('F10', { shiftKey: true })
    const focused = () => document.activeElement?.textContent
    const walked: (string | null | undefined)[] = [focused()]
    for (const code of ['ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'End', 'Home']) {
      await wall.key(code)
      walked.push(focused())
    }
    // A key without a place, and one of the number pad that writes no digit.
    for (const code of ['', 'Numpad2']) await wall.key(code, { key: 'ArrowDown' })
    walked.push(focused())
    expect(walked).toEqual(
      ['Restart', 'Stop', 'Restart', 'Play with…', 'Restart', 'Play with…', 'Restart', 'Cut'])
    await wall.key('Escape')
    expect(wall.texts('.menu')).toEqual([])
    expect(document.activeElement).toBe(wall.find('.press'))
    expect(wall.daemon.posts).toEqual([])
  })

  test('stays as it was opened, also where its button starts meanwhile', async () => {
    const wall = await opened({})
    await wall.click(wall.named('Menu of Warm'))
    await wall.tell({ runs: [aRun({})] })
    expect(wall.texts('[role="menuitem"]')).toEqual(['Play', 'Play with…'])
    await wall.key('ArrowDown')
    expect(document.activeElement?.textContent).toBe('Play with…')
    await wall.key('Escape')
    await wall.click(wall.named('Menu of Warm'))
    expect(wall.texts('[role="menuitem"]')).toContain('Cut')
  })

  test('is closed by Tab, which goes on from the button that has it', async () => {
    const wall = await opened({})
    wall.find('.press').focus()
    await wall.key('F10', { shiftKey: true })
    await wall.key('Tab')
    expect(wall.texts('.menu')).toEqual([])
    expect(document.activeElement).toBe(wall.find('.press'))
    await wall.key('Digit1')
    expect(wall.daemon.posts.map(({ path }) => path)).toEqual(['/buttons/b1/play'])
  })

  test('goes where one touches elsewhere, not where one touches it', async () => {
    const wall = await opened({})
    await wall.click(wall.named('Menu of Warm'))
    wall.find('.menu-title').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    await pass(60)
    expect(wall.texts('.menu')).toHaveLength(1)
    document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    await pass(60)
    expect(wall.texts('.menu')).toEqual([])
  })

  test('of a right click stands where that was, and whole within the window', async () => {
    const wall = await opened({})
    const at = async (clientX: number, clientY: number): Promise<readonly string[]> => {
      const init = { bubbles: true, cancelable: true, clientX, clientY }
      wall.find('.press').dispatchEvent(new MouseEvent('contextmenu', init))
      await pass(60)
      const { left, top } = wall.find('.menu').style
      await wall.key('Escape')
      return [left, top]
    }
    expect(await at(50, 90)).toEqual(['50px', '90px'])
    // Panic is in the header.
    expect(await at(0, 0)).toEqual(['8px', '68px'])
    expect(await at(9_000, 9_000)).toEqual([innerWidth - 8, innerHeight - 8].map((n) => `${n}px`))
    expect(wall.daemon.posts).toEqual([])
  })

  test('says what is wrong with its button', async () => {
    const media = {
      missing: 'no such file', version: null, type: null, notShown: 'it is prores', video: null,
      audio: null,
    }
    const wall = await opened({ media, dmx: { loop: false, error: 'is no JSON' } })
    await wall.click(wall.named('Menu of Warm'))
    expect(wall.texts('.menu-fact'))
      .toEqual(['no such file', 'No picture: it is prores', 'No lights: is no JSON'])
  })

  test('sends nothing without a connection, also later', async () => {
    const wall = await opened({})
    await wall.click(wall.named('Menu of Warm'))
    wall.daemon.die()
    await pass(100)
    await wall.click(wall.named('Play'))
    expect(wall.text('.cell-message')).toBe('not sent: no connection')
    wall.daemon.isThere = true
    await pass(5_000)
    expect(wall.daemon.posts).toEqual([])
  })
})

describe('play with options', () => {
  const boxes = (): readonly boolean[] =>
    [...document.querySelectorAll<HTMLInputElement>('.options [type="checkbox"]')]
      .map(({ checked }) => checked)
  const form = async (button: Partial<ShowButton>): Promise<VirtualWall> => {
    const wall = await opened(button)
    await wall.click(wall.named('Menu of Warm'))
    await wall.click(wall.named('Play with…'))
    return wall
  }

  test.each([
    [{}, [false, false, false, false]],
    [{ isLoopEnabled: true }, [true, false, false, false]],
    [{ allowOverlap: true }, [false, true, false, false]],
    [{ pauseWhenReplaced: true }, [false, false, true, false]],
  ])('begins with what is saved: %o', async (button, checked) => {
    await form(button)
    expect(boxes()).toEqual(checked)
  })

  test('leaves the crossfade as it is saved where none is set', async () => {
    const wall = await form({ isLoopEnabled: true })
    wall.find('.options').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
    await pass(60)
    expect(wall.daemon.posts).toEqual([{
      path: '/buttons/b1/restart',
      body: {
        loop: true, allowOverlap: false, pauseWhenReplaced: false, externalSequencing: false,
      },
    }])
  })

  test('starts anew with what was chosen, once', async () => {
    const wall = await form({ allowOverlap: true })
    const inputs = [...document.querySelectorAll<HTMLElement>('.options input')]
    for (const box of inputs.slice(0, 4)) await wall.click(box)
    await wall.type(wall.find('.options [type="number"]'), '250')
    wall.find('.options').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
    await pass(60)
    expect(wall.daemon.posts).toEqual([{
      path: '/buttons/b1/restart',
      body: {
        loop: true, allowOverlap: false, pauseWhenReplaced: true, externalSequencing: true,
        loopCrossfadeMs: 250,
      },
    }])
    expect(wall.texts('.options')).toEqual([])
  })
})

describe('Now playing', () => {
  const rows = () => [...document.querySelectorAll<HTMLElement>('.row')].map((row) => [
    /is-\w+/.exec(row.className)?.[0], row.querySelector('.row-title')?.textContent,
    row.querySelector('.row-words')?.textContent,
    ...[...row.querySelectorAll('.row-tool')].map((tool) => tool.getAttribute('aria-label')),
    row.style.transform,
  ])
  const STATES = ['starting', 'playing', 'pausing', 'paused', 'fading_out'] as const
  const still = { at: 0, position: 48_000 * 65, moving: false, until: null, then: null }

  test('has a row for each run, the newest first, and says what it does', async () => {
    const runs = STATES.map((state, n): LiveRun => aRun({
      executionId: `e${n}`, title: state, state, serial: n, anchor: still,
      loops: state === 'paused', next: ['playing', 'pausing'].includes(state) ? 'b1' : null,
    }))
    const wall = await opened({}, { runs })
    expect(rows()).toEqual([
      ['is-fading_out', 'fading_out', 'fading', 'Pause fading_out', 'Menu of the run of fading_out',
        'translateY(0%)'],
      ['is-paused', 'paused', 'paused 1:05 · loop', 'Resume paused', 'Menu of the run of paused',
        'translateY(100%)'],
      ['is-pausing', 'pausing', 'pausing · next: Warm', 'Resume pausing',
        'Menu of the run of pausing', 'translateY(200%)'],
      ['is-playing', 'playing', 'next: Warm · playing', 'Pause playing',
        'Menu of the run of playing', 'translateY(300%)'],
      ['is-starting', 'starting', '…', 'Pause starting', 'Menu of the run of starting',
        'translateY(400%)'],
    ])
    expect(wall.text('.now-count')).toBe('5')
    await wall.click(wall.named('Resume paused'))
    await wall.click(wall.named('Pause playing'))
    expect(wall.daemon.posts).toEqual([
      { path: '/buttons/b1/resume', body: { executionId: 'e3' } },
      { path: '/buttons/b1/pause', body: { executionId: 'e1' } },
    ])
  })

  test('names pictures and lights below the runs, and how many there are beyond', async () => {
    const runs = Array.from({ length: 9 }, (_, n) =>
      aRun({ executionId: `e${n}`, serial: n, title: `Run ${n}` }))
    const lit = { ...timeline, buttonId: 'gone' }
    const off = { ...image, buttonId: 'off', title: 'Logo' }
    const wall = await opened({}, { runs, image: off, timelines: [lit, { ...timeline }] })
    const titles = () => rows().map(([, title]) => title)
    expect(titles()).toEqual([8, 7, 6, 5, 4, 3].map((n) => `Run ${n}`).concat('Logo', 'Blue'))
    expect(wall.text('.now-count')).toBe('11')
    expect(wall.text('.now-more')).toBe('3 more')
    await wall.click(wall.named('Stop Logo'))
    await wall.click(wall.named('Stop Blue'))
    expect(wall.daemon.posts).toEqual([
      { path: '/buttons/off/stop', body: {} }, { path: '/buttons/gone/stop', body: {} },
    ])
    await wall.tell({ image: { ...off, title: '\u200B' }, timelines: [{ ...lit, title: '' }] })
    expect(titles().slice(-2)).toEqual(['A picture', 'Lights'])
    // Lights of a run are that run's, which has a row already.
    const own = aRun({ executionId: 'e9', buttonId: 'gone', serial: 9, title: 'Run 9' })
    await wall.tell({ image: null, runs: [own] })
    expect(titles()).toEqual([9, 8, 7, 6, 5, 4, 3, 2].map((n) => `Run ${n}`))
    expect(wall.text('.now-more')).toBe('2 more')
  })

  test('a picture and its lights are one, by its button of the show that there is', async () => {
    const wall = await opened({ title: 'Welcome' }, { image, timelines: [{ ...timeline }] })
    expect(wall.texts('.row-title')).toEqual(['Welcome'])
    expect(wall.texts('.row-words')).toEqual(['shown'])
    await wall.click(wall.named('Stop Welcome'))
    // Before the show is there it is no button of another one.
    wall.model.loaded.value = null
    await pass(100)
    expect(wall.texts('.row-title, .row-words')).toEqual(['Logo', 'shown'])
    await wall.click(wall.named('Stop Logo'))
    await wall.tell({ image: null, timelines: [] })
    expect(wall.text('.rows')).toBe('Nothing is playing')
  })

  test('says how the last ones ended, the newest first', async () => {
    const wall = await opened({})
    expect(wall.texts('.ends')).toEqual(['Nothing has ended yet'])
    const ends = [
      ['natural_end', 'completed'], ['explicit_stop', 'stopped'], ['playback_error', 'failed'],
    ] as const
    for (const [n, [endReason, state]] of ends.entries()) {
      const run = aRun({ executionId: `e${n}`, title: `Run ${n}`, endReason, state })
      await wall.tell({ runs: [run] })
    }
    expect(wall.texts('.end'))
      .toEqual(['Run 2failed', 'Run 1stopped', 'Run 0played to its end'])
  })
})

test('what is opened over a menu gives the focus back to what the menu had it from', async () => {
  const wall = await opened({})
  wall.find('.press').focus()
  await wall.key('F10', { shiftKey: true })
  await wall.key('F1')
  await wall.key('Escape')
  expect(document.activeElement?.className).toBe('press')
})

test('a double click on Pause in a row pauses, and says that once is enough', async () => {
  const wall = await opened({}, { runs: [aRun({})] })
  const row = () => wall.find('.row').className
  await wall.click(wall.named('Pause Warm'))
  await wall.tell({ runs: [aRun({ state: 'paused' })] })
  await pass(100)
  await wall.click(wall.named('Resume Warm'))
  expect(wall.daemon.posts.map(({ path }) => path)).toEqual(['/buttons/b1/pause'])
  expect(row()).toContain('was-ignored')
  await pass(300)
  expect(row()).not.toContain('was-ignored')
  await wall.click(wall.named('Resume Warm'))
  expect(wall.daemon.posts.map(({ path }) => path))
    .toEqual(['/buttons/b1/pause', '/buttons/b1/resume'])
})
