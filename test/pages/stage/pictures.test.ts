// What is on the stage at the frame that is heard, and how it changes there.
import { describe, expect, test } from 'vitest'
import type { LiveParts, LiveRun } from '../../../src/contract/live.js'
import { addMoment, firstMoment, placeAt } from '../../../src/pages/stage/anchors.js'
import {
  addTransition, BLACK, settledAt, targetOf, weightsAt,
} from '../../../src/pages/stage/dissolve.js'
import {
  NOTHING_TOLD, picturesAt, withChange, withState, type Told,
} from '../../../src/pages/stage/pictures.js'
import { anchor, change, image, ms, run } from './live-runs.js'

const END = { kind: 'end' } as const

describe('the anchor in force', () => {
  const first = firstMoment(run('a', { anchor: anchor({ at: ms(1_000) }) }))

  test('is not yet the newest one while that is not heard', () => {
    const paused = run('a', {
      state: 'paused', anchor: anchor({ at: ms(3_000), position: ms(2_000), moving: false }),
    })
    const past = addMoment(first, paused, ms(3_000))
    expect(placeAt(past, ms(2_963), false)).toMatchObject({
      position: ms(1_963), run: { state: 'playing' },
    })
    expect(placeAt(past, ms(3_000), false)).toMatchObject({
      position: ms(2_000), run: { state: 'paused' },
    })
  })

  test('a start is not on before it is heard', () => {
    expect(placeAt(first, ms(999), false)).toBeNull()
    expect(placeAt(first, ms(1_000), false)).toMatchObject({ position: 0, isOn: true })
  })

  test('a still that a page finds is there at once, though its pause is not heard yet', () => {
    const paused = anchor({ at: ms(3_000), position: ms(2_000), moving: false })
    const past = firstMoment(run('a', { state: 'paused', anchor: paused }))
    expect(placeAt(past, ms(2_963), false)).toMatchObject({ position: ms(2_000), isOn: true })
  })

  test('a change of state alone counts from its own frame', () => {
    const fading = run('a', { state: 'fading_out', anchor: anchor({ at: ms(1_000) }) })
    const past = addMoment(first, fading, ms(2_000))
    expect(placeAt(past, ms(1_999), false)?.run.state).toBe('playing')
    expect(placeAt(past, ms(2_000), false)).toMatchObject({
      run: { state: 'fading_out' }, position: ms(1_000),
    })
  })

  test('an edited End takes the place of the old one', () => {
    const edited = run('a', {
      anchor: anchor({ at: ms(1_000), until: ms(500), then: END }),
    })
    const past = addMoment(first, edited, ms(1_200))
    expect(past).toHaveLength(1)
    expect(placeAt(past, ms(1_600), false)?.isOn).toBe(false)
  })

  test('the End is met by the clock, without a message', () => {
    const past = firstMoment(run('a', { anchor: anchor({ until: ms(500), then: END }) }))
    expect(placeAt(past, ms(500) - 1, false)).toMatchObject({ isOn: true })
    expect(placeAt(past, ms(500), false)).toMatchObject({ isOn: false, position: ms(500) })
  })

  test('a seam is met by the clock, and its own anchor then changes nothing', () => {
    const wraps = { until: ms(500), then: { kind: 'wrap', to: ms(100) } } as const
    const past = firstMoment(run('a', { anchor: anchor(wraps) }))
    const met = placeAt(past, ms(510), false)
    expect(met).toMatchObject({ position: ms(110), pass: 1, isOn: true })
    const told = addMoment(
      past, run('a', { anchor: anchor({ ...wraps, at: ms(500), position: ms(100) }) }), ms(505),
    )
    expect(placeAt(told, ms(510), false)).toMatchObject({ position: ms(110), pass: 1 })
    expect(placeAt(told, ms(490), false)).toMatchObject({ position: ms(490), pass: 0 })
    expect(placeAt(told, ms(950), false)).toMatchObject({ position: ms(150), pass: 2 })
  })

  test('a pause and a resume make no seam', () => {
    const paused = anchor({ at: ms(2_000), position: ms(1_000), moving: false })
    const resumed = anchor({ at: ms(9_000), position: ms(1_000) })
    let past = addMoment(first, run('a', { state: 'paused', anchor: paused }), ms(2_000))
    past = addMoment(past, run('a', { anchor: resumed }), ms(9_000))
    expect(placeAt(past, ms(9_100), false)).toMatchObject({ position: ms(1_100), pass: 0 })
  })

  test('without a daemon it runs on to its End', () => {
    const on = { until: ms(500), then: { kind: 'on' } } as const
    const past = firstMoment(run('a', { anchor: anchor(on) }))
    expect(placeAt(past, ms(900), false)).toMatchObject({ position: ms(500), isOn: true })
    expect(placeAt(past, ms(900), true)).toMatchObject({ position: ms(900), isOn: true })
    expect(placeAt(past, ms(10_000), true)).toMatchObject({ isOn: false })
  })

  test('nor beyond its End, however long its file is', () => {
    const on = anchor({ until: ms(500), then: { kind: 'on' } })
    const past = firstMoment(run('a', { range: { start: 0, end: ms(6_000) }, anchor: on }))
    expect(placeAt(past, ms(5_990), true)).toMatchObject({ position: ms(5_990), isOn: true })
    expect(placeAt(past, ms(6_010), true)).toMatchObject({ isOn: false })
  })

  test('a loop comes round where it wraps, and is black at its End without a daemon alone', () => {
    const wraps = anchor({ until: ms(500), then: { kind: 'wrap', to: ms(100) } })
    const past = firstMoment(run('a', { range: { start: 0, end: ms(600) }, anchor: wraps }))
    expect(placeAt(past, ms(510), true)).toMatchObject({ position: ms(110), pass: 1 })
    expect(placeAt(past, ms(2_000), true)).toMatchObject({ position: ms(600), isOn: false })
    // The daemon's word of the next seam is late.
    expect(placeAt(past, ms(2_000), false)).toMatchObject({ position: ms(600), isOn: true })
  })

  test('only the last second is kept', () => {
    let past = first
    for (let n = 1; n <= 100; n += 1) {
      const at = ms(1_000 + n * 100)
      past = addMoment(past, run('a', { anchor: anchor({ at, position: 0 }) }), at)
    }
    expect(past.length).toBeLessThan(14)
    expect(placeAt(past, ms(10_100), false)).toMatchObject({ pass: 91 })
  })
})

const parts = (runs: readonly LiveRun[], shown: LiveParts['image']): LiveParts => ({
  runs,
  image: shown,
  timelines: [],
  output: { state: 'ok', sink: 'null', latency: 0, underruns: 0, armedHeads: 0 },
  lights: { state: 'off', message: null },
  service: 'ready',
  stages: [],
  show: null,
  waves: null, armed: null,
})

const buttons = (told: Told, at: number): readonly string[] =>
  picturesAt(told, at, false).map(({ buttonId }) => buttonId)

describe('the order from below', () => {
  const a = run('a', { order: 1, anchor: anchor({ at: ms(100) }) })
  const b = run('b', { order: 2, anchor: anchor({ at: ms(200) }) })
  const paused = (of: LiveRun, at: number): LiveRun => ({
    ...of, state: 'paused', anchor: anchor({ at, position: at - of.anchor.at, moving: false }),
  })

  test('the latest accepted video is on top, an image under what moves', () => {
    const told = withState(NOTHING_TOLD, parts([b, a], image('logo', ms(300))), ms(400))
    expect(buttons(told, ms(400))).toEqual(['logo', 'button-a', 'button-b'])
  })

  test('an image that is shown after a pause is seen, one before it is not', () => {
    const before = withState(NOTHING_TOLD, parts([paused(a, ms(500))], image('logo', ms(300))), 0)
    expect(buttons(before, ms(600))).toEqual(['logo', 'button-a'])
    const after = withState(NOTHING_TOLD, parts([paused(a, ms(500))], image('logo', ms(700))), 0)
    expect(buttons(after, ms(800))).toEqual(['button-a', 'logo'])
  })

  test('of two that were accepted at once, as in a list, the later one is on top', () => {
    const next = { ...b, order: a.order, serial: 2 }
    const told = withState(NOTHING_TOLD, parts([next, a], null), ms(300))
    expect(buttons(told, ms(300))).toEqual(['button-a', 'button-b'])
  })

  test('a video that stands since its sound is late is no still', () => {
    const late = { ...a, starving: true, anchor: anchor({ at: ms(200), moving: false }) }
    const told = withState(NOTHING_TOLD, parts([late], image('logo', ms(300))), ms(400))
    expect(buttons(told, ms(400))).toEqual(['logo', 'button-a'])
  })

  test('an image that is shown once more comes over what covered it', () => {
    const found = parts([paused(a, ms(500))], image('logo', ms(300)))
    const told = withState(NOTHING_TOLD, found, ms(600))
    const again = withChange(told, change(ms(700), [], { image: image('logo', ms(700)) }))
    expect(buttons(again, ms(690))).toEqual(['logo', 'button-a'])
    expect(buttons(again, ms(700))).toEqual(['button-a', 'logo'])
  })

  test('an image is on at once where a page finds it, be what is heard behind that', () => {
    const told = withState(NOTHING_TOLD, parts([], image('logo', ms(300))), ms(5_000))
    expect(buttons(told, ms(4_960))).toEqual(['logo'])
  })

  test('an image stays until another is heard, though two were told since', () => {
    let told = withState(NOTHING_TOLD, parts([], image('first', ms(300))), ms(300))
    for (const [n, buttonId] of ['second', 'third'].entries()) {
      const at = ms(5_000 + n * 20)
      told = withChange(told, change(at, [], { image: image(buttonId, at) }))
    }
    expect([4_990, 5_010, 5_030].map((at) => buttons(told, ms(at))))
      .toEqual([['first'], ['second'], ['third']])
  })

  test('a resumed video is on top again', () => {
    let told = withState(NOTHING_TOLD, parts([paused(a, ms(500)), b], null), ms(600))
    expect(buttons(told, ms(600))).toEqual(['button-a', 'button-b'])
    const resumed = { ...a, order: 3, anchor: anchor({ at: ms(700), position: ms(400) }) }
    told = withChange(told, change(ms(700), [resumed], {}))
    expect(buttons(told, ms(690))).toEqual(['button-a', 'button-b'])
    expect(buttons(told, ms(700))).toEqual(['button-b', 'button-a'])
  })

  test('sound, and what starts or is over, is not on', () => {
    const sound = run('s', { kind: 'audio', order: 9 })
    const starting = run('c', { state: 'starting', anchor: anchor({ moving: false }) })
    let told = withState(NOTHING_TOLD, parts([sound, starting, a], null), ms(200))
    expect(buttons(told, ms(200))).toEqual(['button-a'])
    const over = {
      ...a, state: 'stopped' as const, endReason: 'explicit_stop' as const,
      anchor: anchor({ at: ms(400), position: ms(300), moving: false }),
    }
    told = withChange(told, change(ms(405), [over], {}))
    expect(buttons(told, ms(399))).toEqual(['button-a'])
    expect(buttons(told, ms(400))).toEqual([])
  })

  test.each([
    ['by a change', (told: Told, ends: LiveRun) => withChange(told, change(ms(405), [ends], {}))],
    ['in a state', (told: Told, ends: LiveRun) => withState(told, parts([ends], null), ms(405))],
  ] as const)('a video that is made sound by an edit is on to its end, told %s', (_, tell) => {
    let told = withState(NOTHING_TOLD, parts([a], null), ms(200))
    const edited = { ...a, kind: 'audio' as const }
    told = withChange(told, change(ms(300), [edited], {}))
    expect(buttons(told, ms(350))).toEqual(['button-a'])
    told = tell(told, {
      ...edited, state: 'pausing',
      anchor: anchor({ at: ms(400), position: ms(300), until: ms(310), then: END }),
    })
    expect(buttons(told, ms(405))).toEqual(['button-a'])
    expect(buttons(told, ms(410))).toEqual([])
  })

  test('an image goes when that is heard', () => {
    let told = withState(NOTHING_TOLD, parts([], image('logo', ms(300))), ms(300))
    told = withChange(told, change(ms(900), [], { image: null }))
    expect(buttons(told, ms(899))).toEqual(['logo'])
    expect(buttons(told, ms(900))).toEqual([])
    expect(buttons(told, ms(299))).toEqual([])
  })

  test('what ended while nobody told of it is not on any more', () => {
    let told = withState(NOTHING_TOLD, parts([a, b], image('logo', ms(100))), ms(200))
    told = withState(told, parts([b], null), ms(5_000))
    expect(buttons(told, ms(5_000))).toEqual(['button-b'])
  })

  test('what is over for a second is forgotten', () => {
    let told = withState(NOTHING_TOLD, parts([a], null), ms(200))
    const over = { ...a, state: 'completed' as const, endReason: 'natural_end' as const }
    told = withChange(told, change(ms(400), [over], {}))
    expect(told.videos.size).toBe(1)
    told = withChange(told, change(ms(1_500), [], {}))
    expect(told.videos.size).toBe(0)
  })
})

describe('a dissolve', () => {
  const sum = (transitions: typeof BLACK, at: number): number =>
    weightsAt(transitions, at).reduce((total, { weight }) => total + weight, 0)

  test('a cut is whole at once', () => {
    const cut = addTransition(BLACK, { to: 'a', at: 100, frames: 0 })
    expect(weightsAt(cut, 100)).toEqual([{ key: 'a', weight: 1 }])
    expect(targetOf(cut)).toBe('a')
  })

  test('weights add up to one, in the middle of a second one too', () => {
    let mix = addTransition(BLACK, { to: 'a', at: 0, frames: 0 })
    mix = addTransition(mix, { to: 'b', at: 100, frames: 100 })
    mix = addTransition(mix, { to: 'c', at: 150, frames: 100 })
    for (const at of [100, 130, 150, 180, 220, 260]) expect(sum(mix, at)).toBeCloseTo(1, 12)
    expect(weightsAt(mix, 150)).toEqual([{ key: 'a', weight: 0.5 }, { key: 'b', weight: 0.5 }])
    expect(weightsAt(mix, 250)).toEqual([{ key: 'c', weight: 1 }])
    expect(settledAt(mix, 250)).toHaveLength(1)
  })

  test('back in the middle of one loses nothing on the way', () => {
    let mix = addTransition(BLACK, { to: 'a', at: 0, frames: 0 })
    mix = addTransition(mix, { to: 'b', at: 100, frames: 100 })
    mix = addTransition(mix, { to: 'a', at: 150, frames: 100 })
    for (const at of [130, 150, 180, 220, 260]) expect(sum(mix, at)).toBeCloseTo(1, 12)
  })

  test('ten long ones in a second let nothing of the first one go', () => {
    let mix = addTransition(BLACK, { to: 'a', at: 0, frames: 0 })
    for (let n = 1; n <= 10; n += 1) mix = addTransition(mix, { to: `${n}`, at: n, frames: 1_000 })
    expect(sum(mix, 20)).toBeCloseTo(1, 12)
    expect(weightsAt(mix, 20)[0]?.weight).toBeGreaterThan(0.8)
  })

  test('of a thousand at a time the last ones are mixed, and it gets no darker', () => {
    let mix = BLACK
    for (let n = 0; n < 1_000; n += 1) {
      mix = addTransition(mix, { to: `${n}`, at: n, frames: n === 0 ? 0 : 1_000 })
    }
    expect(mix.length).toBeLessThan(50)
    expect(sum(mix, 1_000)).toBeCloseTo(1, 12)
    expect(weightsAt(mix, 2_000)).toEqual([{ key: '999', weight: 1 }])
  })

  test('a cut in the middle of one ends it', () => {
    let mix = addTransition(BLACK, { to: 'a', at: 0, frames: 0 })
    mix = addTransition(mix, { to: 'b', at: 100, frames: 100 })
    mix = addTransition(mix, { to: 'c', at: 150, frames: 0 })
    expect(weightsAt(mix, 150)).toEqual([{ key: 'c', weight: 1 }])
    expect(settledAt(mix, 150)).toHaveLength(1)
  })

  test('to black and back the rest is black', () => {
    let mix = addTransition(BLACK, { to: 'a', at: 0, frames: 0 })
    mix = addTransition(mix, { to: null, at: 100, frames: 100 })
    expect(weightsAt(mix, 175)).toEqual([{ key: 'a', weight: 0.25 }])
    mix = addTransition(mix, { to: 'a', at: 175, frames: 100 })
    expect(sum(mix, 225)).toBeCloseTo(0.5)
    expect(weightsAt(mix, 400)).toEqual([{ key: 'a', weight: 1 }])
  })
})

test('a loop in its second pass goes on as that picture when all is told anew', () => {
  const wraps = { until: ms(500), then: { kind: 'wrap', to: 0 } } as const
  const only = (one: LiveRun): LiveParts => ({ runs: [one], image: null }) as unknown as LiveParts
  const second = run('a', { loops: true, anchor: anchor({ ...wraps, at: ms(500) }) })
  const first = run('a', { loops: true, anchor: anchor(wraps) })
  let told = withState(NOTHING_TOLD, only(first), 0)
  told = withChange(told, change(ms(500), [second], {}))
  const keysAt = (at: number) => picturesAt(told, at, false).map(({ key }) => key)
  const before = keysAt(ms(700))
  told = withState(told, only(second), ms(800))
  expect(keysAt(ms(800))).toEqual(before)
})
