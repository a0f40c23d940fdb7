// 4.1, fade precedence for pause, resume and stop: the first of four that applies.
import { describe, expect, it } from 'vitest'
import { constant, ms, rig } from '../rig.js'

const long = { mediaMs: 600_000 }
const flat = { ...long, file: constant() }

describe('4.1 fade precedence: supplied, saved, Crossfade with Mix on, zero', () => {
  const SAVED = 300
  const CROSS = 500
  const supplied = [null, 0, 1, 700, 5_000]
  const rows = supplied.flatMap((given) =>
    [0, SAVED].flatMap((saved) => [false, true].map((mix) => ({ given, saved, mix }))),
  )
  const want = ({ given, saved, mix }: (typeof rows)[number]): number => {
    if (given !== null) return given
    if (saved > 0) return saved
    return mix ? CROSS : 0
  }

  it.each(rows)('pause, resume and stop: $given supplied, $saved saved, Mix $mix', (row) => {
    const { given, saved, mix } = row
    const list = { mixOnTransition: mix, crossfadeMs: CROSS }
    const r = rig([{ ...list, buttons: [{ ...flat, fadeInMs: saved, fadeOutMs: saved }] }])
    const lasts = (from: number, to: number): void => {
      const { left } = r.render(ms(want(row)) + 5)
      const gain = (f: number): number => from + (to - from) * (f / ms(want(row)))
      left.forEach((x, f) => {
        const level = f >= ms(want(row)) ? to : gain(f)
        if (Math.abs(x - level) > 1e-6) expect.fail(`frame ${f}: ${x}, expected ${level}`)
      })
    }
    const id = r.start(0)
    r.advance(ms(1000))
    r.pause(0, id, given)
    lasts(1, 0)
    expect(r.state(id)).toBe('paused')
    r.resume(0, id, given)
    lasts(0, 1)
    r.stop(0, id, given)
    lasts(1, 0)
    expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
  })

  it('settings are read when they are needed, from the show as it is then', () => {
    const r = rig([{ buttons: [{ ...flat, fadeOutMs: 300 }] }])
    const id = r.start(0)
    r.change(0, { fadeOutMs: 100 })
    r.stop(0, id)
    r.advance(ms(100))
    expect(r.state(id)).toBe('stopped')
  })

  it('a start has no fade of Mix while it replaces nothing, only its own Fade in', () => {
    for (const fadeInMs of [0, 200]) {
      const list = { mixOnTransition: true, crossfadeMs: CROSS }
      const r = rig([{ ...list, buttons: [{ ...flat, fadeInMs }] }])
      r.start(0)
      const { left } = r.render(ms(300))
      const gain = (f: number): number => (fadeInMs === 0 ? 1 : Math.min(1, f / ms(fadeInMs)))
      expect(left.every((x, f) => Math.abs(x - gain(f)) < 1e-6)).toBe(true)
    }
  })
})
