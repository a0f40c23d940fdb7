// The early crossfade where time moved since it was reckoned with: a fade-in until End, a gap.
import { expect, it } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import { constant, ms, rig, type ButtonSpec, type Rig } from '../../rig.js'

const MIX = { mode: 'sequence' as const, mixOnTransition: true, crossfadeMs: 2_000 }

/** Resumed at 5 s of 10 with a fade in of so long, and played on for as many milliseconds. */
const resumed = (spec: ButtonSpec, fadeInMs: number, forMs: number): Rig => {
  const r = rig([{ ...MIX, buttons: [spec, {}] }])
  const id = r.start(0)
  r.advance(ms(5_000))
  r.pause(0, id, 0)
  r.resume(0, id, fadeInMs)
  r.advance(ms(forMs))
  return r
}

const placeOfNext = (r: Rig): number | null => {
  const id = r.live(1)
  return id === null ? null : r.run(id).positionMs
}

it.each([
  // What is left of a fade-in is not cut short: the next item comes when it is over.
  [0, 3_500, 500], [3_000, 3_500, 500], [4_000, 3_999, null], [4_000, 4_500, 500],
  [4_999, 4_999.5, 0], [5_000, 4_999.5, null], [5_000, 5_500, 500], [9_000, 5_500, 500],
])('waits for a resume that fades in for %i ms: after %i ms the next stands at %s', (...row) => {
  const [fadeInMs, forMs, want] = row
  expect(placeOfNext(resumed({}, fadeInMs, forMs))).toBe(want)
})

it('fits again where a gap gave it the time that a fade-in had taken', () => {
  // Four seconds of lateness at 7 s: End comes at 14 s, and the fade-in is over at 10.
  const stall = { at: ms(7_000), frames: ms(11_000) }
  const late = { file: { ...constant(), stall, tellsEndEarly: true } }
  expect(placeOfNext(resumed(late, 5_000, 6_999))).toBeNull()
  const r = resumed(late, 5_000, 8_000)
  expect(placeOfNext(r)).toBe(1_000)
  expect(r.state(r.live(0)!)).toBe('playing')
  expect(r.run(r.live(0)!)).toMatchObject({ positionMs: 9_000, starvedMs: 4_000 })
  r.advance(frame(ms(1_000)))
  expect(r.story().slice(-1)).toEqual(['0 natural_end'])
})

/** A list that goes round: a good item of ten seconds, and one that breaks after one. */
const withBroken = (more: readonly ButtonSpec[] = []): Rig =>
  rig([{ ...MIX, wrap: true, buttons: [{}, { file: { breaksAt: frame(ms(1_000)) } }, ...more] }])

it('an item that breaks within its crossfade does not silence a list of two', () => {
  const r = withBroken()
  r.start(0)
  r.advance(ms(28_500))
  const next = ['1 starting', '1 playing']
  const round = [...next, '1 playback_error', '0 natural_end', '0 starting', '0 playing']
  expect(r.story().slice(2)).toEqual([...round, ...round, ...next])
  const began = r.events.filter((event) => 'state' in event && event.state === 'playing')
  expect(began.map(({ at }) => at / ms(1))).toEqual([0, 8_000, 10_000, 18_000, 20_000, 28_000])
})

it('of three the next one follows the broken one at once', () => {
  const r = withBroken([{}])
  r.start(0)
  r.advance(ms(9_500))
  expect(r.story().slice(4)).toEqual(['1 playback_error', '2 starting', '2 playing'])
})

it.each([
  ['is stopped', (r: Rig, id: string) => r.stop(0, id, 0), '0 explicit_stop'],
  ['ends within a pause', (r: Rig, id: string) => r.pause(0, id, 5_000), '0 natural_end'],
])('what blends out and %s takes no list back', (_, command, last) => {
  const r = withBroken()
  const id = r.start(0)
  r.advance(ms(9_500))
  command(r, id)
  r.advance(ms(20_000))
  expect(r.story().at(-1)).toBe(last)
})

it('a resume looks for who follows anew, the broken one with it', () => {
  const r = withBroken()
  const id = r.start(0)
  r.advance(ms(9_500))
  r.pause(0, id, 0)
  r.resume(0, id, 0)
  r.advance(ms(200))
  expect(r.story().slice(-2)).toEqual(['1 starting', '1 playing'])
})

it('a padlock that is locked meanwhile does not let it repeat in silence', () => {
  const r = withBroken()
  const id = r.start(0, { loopCrossfadeMs: 0 })
  r.advance(ms(8_500))
  r.change(0, { isLoopEnabled: true })
  r.advance(ms(2_000))
  expect(r.state(id)).toBe('completed')
  expect(r.run(r.live(0)!)).toMatchObject({ state: 'playing', positionMs: 500 })
})
