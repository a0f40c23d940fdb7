// Which element shows what: what must be seen first, what comes next ready beside it.
import { describe, expect, test } from 'vitest'
import type { LiveParts, LiveRun } from '../../../src/contract/live.js'
import { assignWants, type Slot, type Want } from '../../../src/pages/stage/assignment.js'
import {
  NOTHING_TOLD, picturesAt, withChange, withState, type Told, type VideoPicture,
} from '../../../src/pages/stage/pictures.js'
import { heardMsAt, wantsAt, type Sight, type VideoWant } from '../../../src/pages/stage/wants.js'
import { anchor, change, ms, run } from './live-runs.js'
import { lookAt, video } from './video-show.js'

const VIDEOS = lookAt(
  ...['button-a', 'button-b', 'button-c'].map((id) => video(id, 250, {})),
)

const toldOf = (runs: readonly LiveRun[], at: number): Told =>
  withState(NOTHING_TOLD, { runs, image: null } as unknown as LiveParts, at)

const wantsIn = (
  told: Told, at: number, more: Partial<Sight> = {},
): readonly VideoWant[] => {
  const sight = {
    told, look: VIDEOS, frame: at, isAlone: false, seen: new Map(), last: null, ...more,
  }
  return wantsAt(sight, picturesAt(told, at, false))
}

const wantsOf = (
  runs: readonly LiveRun[], at: number, seen: ReadonlyMap<string, string>,
): readonly VideoWant[] => wantsIn(toldOf(runs, at), at, { seen })

const doings = (wants: readonly VideoWant[]) => wants.map(({ key, doing }) => [key, doing.kind])

describe('wants', () => {
  test('with nothing on, the first video stands ready at its Start', () => {
    const [only, ...more] = wantsOf([], 0, new Map())
    expect(only).toMatchObject({
      key: 'next:button-a', source: '/media/button-a?v=v1', positionMs: 250,
      doing: { kind: 'park' },
    })
    expect(more).toEqual([])
  })

  test('one that plays, and the next one of its playlist ready', () => {
    const a = run('a', { anchor: anchor({ at: ms(100) }) })
    expect(doings(wantsOf([a], ms(200), new Map()))).toEqual([
      ['a/0', 'run'], ['next:button-b', 'park'],
    ])
  })

  test('a start is prepared before it is heard, on what stood ready for it', () => {
    const a = run('a', { anchor: anchor({ at: ms(100) }) })
    const begins = anchor({ at: ms(1_000), position: ms(250) })
    const b = run('b', { order: 2, serial: 2, anchor: begins })
    const wants = wantsOf([a, b], ms(960), new Map())
    expect(doings(wants)).toEqual([['a/0', 'run'], ['b/0', 'run']])
    const decks: readonly Slot[] = [
      { key: 'a/0', source: '/media/button-a?v=v1', positionMs: 0 },
      { key: 'next:button-b', source: '/media/button-b?v=v1', positionMs: 250 },
    ]
    expect(assignWants(decks, wants).map((want) => want?.key)).toEqual(['a/0', 'b/0'])
  })

  test('what a list plays next begins by itself where this one ends', () => {
    const a = run('a', {
      next: 'button-c',
      anchor: anchor({ at: ms(100), until: ms(5_000), then: { kind: 'end' } }),
    })
    const wants = wantsOf([a], ms(200), new Map())
    expect(wants[1]).toMatchObject({
      key: 'next:button-c', doing: { kind: 'foresee', at: ms(5_100) },
    })
  })

  test('the next pass of a loop stands ready where it wraps to', () => {
    const wraps = { until: ms(5_000), then: { kind: 'wrap', to: ms(700) } } as const
    const a = run('a', { loops: true, anchor: anchor(wraps) })
    expect(wantsOf([a], ms(200), new Map())[1]).toMatchObject({
      key: 'a/1', positionMs: 700, doing: { kind: 'park' },
    })
    const near = wantsOf([a], ms(4_900), new Map())
    expect(doings(near).slice(0, 2)).toEqual([['a/0', 'run'], ['a/1', 'run']])
    // Its wrap is not known yet, e.g. while its length is not.
    const early = run('a', { loops: true, range: { start: ms(300), end: null } })
    expect(wantsOf([early], ms(200), new Map())[1]).toMatchObject({ key: 'a/1', positionMs: 300 })
  })

  test('what is over stays while it is seen', () => {
    const wants = wantsOf([], 0, new Map([['gone/0', 'button-b'], ['logo@5', 'logo']]))
    expect(doings(wants)[0]).toEqual(['gone/0', 'freeze'])
    expect(wants).toHaveLength(2)
  })

  test('a pause is held, and moves again a little before its resume is heard', () => {
    const paused = { at: ms(100), position: ms(90), moving: false }
    const a = run('a', { state: 'paused', anchor: anchor(paused) })
    expect(doings(wantsOf([a], ms(500), new Map()))[0]).toEqual(['a/0', 'hold'])
    const resumed = run('a', { anchor: anchor({ at: ms(1_000), position: ms(90) }) })
    const told = withChange(toldOf([a], ms(500)), change(ms(1_000), [resumed], {}))
    expect(doings(wantsIn(told, ms(690)))[0]).toEqual(['a/0', 'hold'])
    expect(doings(wantsIn(told, ms(710)))[0]).toEqual(['a/0', 'run'])
  })

  test('the topmost first, of what is on and of what comes; what still dissolves moves on', () => {
    const on = ['a', 'b', 'c'].map((id, n) => run(id, { order: n, anchor: anchor({ at: 0 }) }))
    const seen = new Map(on.map(({ executionId, buttonId }) => [`${executionId}/0`, buttonId]))
    expect(doings(wantsOf(on, ms(100), seen)).slice(0, 3))
      .toEqual([['c/0', 'run'], ['b/0', 'run'], ['a/0', 'run']])
    const soon = on.map((one) => ({ ...one, anchor: anchor({ at: ms(1_000) }) }))
    expect(doings(wantsOf(soon, ms(900), new Map())).slice(0, 3).map(([key]) => key))
      .toEqual(['c/0', 'b/0', 'a/0'])
  })

  test('what is seen keeps its element, however much comes over it before it is there', () => {
    const on = ['a', 'b'].map((id, n) => run(id, { order: n, anchor: anchor({ at: 0 }) }))
    const coming = ['c', 'd', 'e'].map((id, n) =>
      run(id, { order: n + 2, anchor: anchor({ at: ms(250) }) }))
    const wants = wantsOf([...on, ...coming], ms(100), new Map([['a/0', 'button-a']]))
    expect(wants.slice(0, 2).map(({ key }) => key)).toEqual(['b/0', 'a/0'])
  })

  test('after one that is over the next one of its playlist stands ready, and it again', () => {
    const over = toldOf([run('a', { buttonId: 'button-b' })], 0)
    const last = picturesAt(over, 0, false)[0] as VideoPicture
    expect(doings(wantsIn(NOTHING_TOLD, ms(500), { last })))
      .toEqual([['next:button-c', 'park'], ['next:button-b', 'park']])
  })

  test('the only video stands ready anew once it is over, and not beside itself', () => {
    const look = lookAt(video('button-a', 250, {}))
    const ends = anchor({ until: ms(5_000), then: { kind: 'end' } })
    const told = toldOf([run('a', { anchor: ends })], 0)
    const seen = new Map([['a/0', 'button-a']])
    expect(doings(wantsIn(told, ms(4_900), { look, seen }))).toEqual([['a/0', 'run']])
    const last = picturesAt(told, 0, false)[0] as VideoPicture
    expect(doings(wantsIn(NOTHING_TOLD, ms(5_001), { look, seen, last }))[0])
      .toEqual(['a/0', 'freeze'])
    expect(wantsIn(NOTHING_TOLD, ms(5_001), { look, seen, last })).toHaveLength(1)
    expect(wantsIn(NOTHING_TOLD, ms(5_100), { look, last })).toMatchObject([
      { key: 'next:button-a', positionMs: 250, doing: { kind: 'park' } },
    ])
  })

  test('what a list plays next is not made ready twice, nor where the show has it no more', () => {
    const next = (buttonId: string, more: readonly LiveRun[]) =>
      doings(wantsOf([run('a', { next: buttonId }), ...more], ms(900), new Map()))
    const b = run('b', { order: 2, anchor: anchor({ at: ms(1_000) }) })
    expect(next('button-b', [b])).toEqual([['a/0', 'run'], ['b/0', 'run']])
    expect(next('of another show', [])).toEqual([['a/0', 'run'], ['next:button-b', 'park']])
  })

  test('a place before its start lies as far before it as there is time left', () => {
    const told = withState(
      NOTHING_TOLD,
      { runs: [run('a', { anchor: anchor({ at: ms(1_000), position: ms(250) }) })], image: null } as
        unknown as LiveParts,
      0,
    )
    const past = told.videos.get('a') ?? []
    expect(heardMsAt(past, 0, ms(900), false)).toBe(150)
    expect(heardMsAt(past, 0, ms(1_100), false)).toBe(350)
    expect(heardMsAt(past, 0, ms(100), false)).toBeNull()
    expect(heardMsAt(past, 1, ms(1_100), false)).toBeNull()
    const ends = run('b', { anchor: anchor({ until: ms(500), then: { kind: 'end' } }) })
    expect(heardMsAt(toldOf([ends], 0).videos.get('b') ?? [], 0, ms(600), false)).toBeNull()
  })
})

describe('assignment', () => {
  const want = (key: string, source: string, positionMs: number): Want => ({
    key, buttonId: key, source, positionMs,
  })
  const empty: Slot = { key: null, source: null, positionMs: 0 }

  test('an empty element before one that has another file', () => {
    const decks = [{ key: null, source: 'x', positionMs: 0 }, empty]
    expect(assignWants(decks, [want('a', 'y', 0)])).toEqual([null, want('a', 'y', 0)])
  })

  test('one that stands at the very place before another of its file, that before an empty one',
    () => {
      const at = (positionMs: number): Slot => ({ key: null, source: 'x', positionMs })
      const wanted = [want('a', 'x', 250)]
      const placeIn = (...decks: readonly Slot[]): number =>
        assignWants(decks, wanted).findIndex((one) => one !== null)
      expect(placeIn(empty, at(0), at(251))).toBe(2)
      expect(placeIn(empty, at(9_000))).toBe(1)
      expect(placeIn({ ...at(0), source: 'y' }, empty)).toBe(1)
    })

  test('never one that serves what is wanted more', () => {
    const decks = [{ key: 'a', source: 'x', positionMs: 0 }]
    expect(assignWants(decks, [want('a', 'x', 0), want('b', 'x', 0)])[0]?.key).toBe('a')
  })

  test('the least wanted find none', () => {
    const wants = ['a', 'b', 'c', 'd', 'e'].map((key) => want(key, key, 0))
    const keys = assignWants([empty, empty, empty, empty], wants).map((one) => one?.key)
    expect(keys).toEqual(['a', 'b', 'c', 'd'])
  })
})
