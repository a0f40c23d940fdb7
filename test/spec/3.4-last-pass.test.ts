// 3.4.4, a padlock that is opened in a later pass: that one ends as a pass without a loop does; and
// what else is edited while it plays (decisions 3): End is known in time for it.
import { expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { ms, rig, type Rig } from '../rig.js'

/**
 * Decoders that run no further ahead of what is heard than they are asked to, and take so long to
 * open; all of it is 1.
 */
const decodeNoFurther = ({ media, engine }: Rig, mediaMs: number, opensAfterMs = 0): void => {
  media.open = ({ stream, from, ...asked }) => {
    const end = ms(mediaMs)
    const isOpen = frame(engine.now + ms(opensAfterMs))
    let isOver = false
    let ahead: number = asked.ahead
    let passed: number = from
    const decode = (heard: number): void => {
      passed = heard
      const until = Math.min(end, heard + ahead)
      if (isOver) return
      engine.post({ kind: 'supplied', stream, until: frame(until) }, isOpen)
      isOver = until === end
      if (!isOver) return
      const [last, source] = [frame(end), frame(end)]
      engine.post({ kind: 'ended', stream, end: last, source, held: false }, isOpen)
    }
    decode(from)
    return {
      read: (_at, into, offset, count) => {
        into.left.fill(1, offset, offset + count)
        into.right.fill(1, offset, offset + count)
      },
      passed: decode,
      keepAhead: (frames) => {
        ahead = frames
        decode(passed)
      },
      close: () => {
        isOver = true
      },
    }
  }
}

const block = (): number => ms(10)

it('the whole of its Fade out lands on its End', () => {
  const r = rig([{ buttons: [{ isLoopEnabled: true, fadeOutAtEnd: true, fadeOutMs: 8_000 }] }])
  decodeNoFurther(r, 20_000)
  const id = r.start(0)
  r.render(ms(25_000), block)
  r.change(0, { isLoopEnabled: false })
  const { left } = r.render(ms(15_000), block)
  const heard = [11_900, 16_000, 18_000, 19_990].map((at) => left[ms(at - 5_000)])
  for (const [n, want] of [1, 0.5, 0.25, 0].entries()) expect(heard[n]).toBeCloseTo(want, 2)
  expect(r.run(id)).toMatchObject({ state: 'completed', endReason: 'natural_end' })
})

it('the next item of its list blends in over the whole Crossfade', () => {
  const list = { mode: 'sequence' as const, mixOnTransition: true, crossfadeMs: 6_000 }
  const r = rig([{ ...list, buttons: [{ isLoopEnabled: true }, {}] }])
  decodeNoFurther(r, 20_000)
  r.start(0, { loopCrossfadeMs: 0 })
  r.render(ms(25_000), block)
  r.change(0, { isLoopEnabled: false })
  r.render(ms(8_990), block)
  expect(r.live(1)).toBeNull()
  r.render(ms(1_000), block)
  expect(r.run(r.live(1)!)).toMatchObject({ state: 'playing', positionMs: 990 })
})

it('a Fade out that is lengthened while it plays lands on its End as a whole', () => {
  const r = rig([{ buttons: [{ fadeOutAtEnd: true, fadeOutMs: 500 }] }])
  decodeNoFurther(r, 20_000)
  r.start(0)
  r.render(ms(5_000), block)
  r.change(0, { fadeOutMs: 8_000 })
  const { left } = r.render(ms(15_000), block)
  const heard = [11_900, 16_000, 18_000, 19_990].map((at) => left[ms(at - 5_000)])
  for (const [n, want] of [1, 0.5, 0.25, 0].entries()) expect(heard[n]).toBeCloseTo(want, 2)
})

it('so does the next item blend in over a Crossfade that is lengthened', () => {
  const list = { mode: 'sequence' as const, mixOnTransition: true, crossfadeMs: 500 }
  const r = rig([{ ...list, buttons: [{}, {}] }])
  decodeNoFurther(r, 20_000)
  r.start(0)
  r.render(ms(5_000), block)
  r.changeList(0, { crossfadeMs: 6_000 })
  r.render(ms(8_990), block)
  expect(r.live(1)).toBeNull()
  r.render(ms(1_000), block)
  expect(r.run(r.live(1)!)).toMatchObject({ state: 'playing', positionMs: 990 })
})

it('the next item of its list begins on its End, though its decoder opens slowly', () => {
  const r = rig([{ mode: 'sequence', buttons: [{}, {}] }])
  decodeNoFurther(r, 20_000, 1_500)
  r.start(0)
  r.render(ms(22_000), block)
  expect(r.run(r.live(1)!)).toMatchObject({ state: 'playing', positionMs: 500 })
})

it('a fade at End is there in the last pass, also where the pass before began with one', () => {
  const file = { sample: (): [number, number] => [1, 1] }
  const button = { mediaMs: 10_000, fadeOutMs: 2_000, fadeOutAtEnd: true, file }
  const r = rig([{ buttons: [button] }])
  const id = r.start(0)
  r.advance(ms(9_000))
  r.change(0, { isLoopEnabled: true })
  r.advance(ms(2_000))
  r.change(0, { isLoopEnabled: false })
  r.advance(ms(8_000))
  const { left } = r.render(ms(999))
  expect(left[ms(998)]).toBeLessThan(0.01)
  r.advance(ms(2))
  expect(r.state(id)).toBe('completed')
})
