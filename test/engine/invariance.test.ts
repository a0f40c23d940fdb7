// Nothing depends on how time is cut, on where it begins, on what ids are called, or on being
// heard.
import { describe, expect, it } from 'vitest'
import { add, frame } from '../../src/clock/frame.js'
import type { Command } from '../../src/engine/commands/commands.js'
import { stereo } from '../../src/engine/sound/mixer.js'
import { createPrng, type Prng } from '../../src/engine/prng.js'
import { constant, guid, ms, rig, slow, type ListSpec, type Rig } from '../rig.js'

const steps = (frames: number, every: number) => ({ frames: frame(frames), every: frame(every) })

/** A show in which everything that moves by itself moves at odd frames. */
const SHOW = (): readonly ListSpec[] => [
  {
    id: guid(0x1001), mode: 'sequence', wrap: true, mixOnTransition: true, crossfadeMs: 700,
    buttons: [
      { id: guid(1), mediaMs: 2100, fadeInMs: 33 },
      { id: guid(2), mediaMs: 1801, file: slow(130) },
      { id: guid(3), mediaMs: 900, file: { step: steps(4801, 4799), holds: false } },
    ],
  },
  {
    id: guid(0x1002), mode: 'shuffle', wrap: true,
    buttons: [
      { id: guid(4), mediaMs: 311, allowOverlap: true, fadeOutAtEnd: true, fadeOutMs: 77 },
      { id: guid(5), mediaMs: 207, allowOverlap: true, file: { missing: true } },
      { id: guid(6), mediaMs: 401, allowOverlap: true, file: { breaksAt: frame(9_001) } },
      { id: guid(7), mediaMs: 199, allowOverlap: true, gainDb: -6 },
    ],
  },
  {
    id: guid(0x1003), crossfadeMs: 250, mixOnTransition: true, crossfadeCurve: 'equal-power',
    buttons: [
      {
        id: guid(8), mediaMs: 1003, isLoopEnabled: true, pauseWhenReplaced: true, startMs: 7,
        file: { holds: false, readyAfter: frame(331) },
      },
      { id: guid(9), mediaMs: 5000, fadeOutMs: 90, file: constant(0.3) },
    ],
  },
]

/** What is done in twelve seconds, at frames that no block size meets. */
const script = (r: Rig): readonly (readonly [number, () => unknown])[] => {
  const runs: string[] = []
  const command = (it: Command) => () => r.ask(it)
  const note = (n: number, options = {}) => () => runs.push(r.start(n, options))
  const panic: Command = { kind: 'panic', fadeOutMs: 333 }
  return [
    [0, note(0)], [13, note(3)], [10_007, note(7, { allowOverlap: true })],
    [40_001, note(8, { loopCrossfadeMs: 100, loop: true, allowOverlap: true })],
    [96_005, () => r.pause(7, runs[2] ?? '', 410)],
    [100_003, () => r.pause(8, runs[3] ?? '', 410)],
    [250_007, () => r.change(7, { isLoopEnabled: false })],
    [290_003, () => r.resume(8, runs[3] ?? '', null)],
    [300_001, () => r.resume(7, runs[2] ?? '', 1001)],
    [330_011, note(1)],
    [345_013, note(3)],
    [400_001, () => r.stop(1, null, 777)],
    [450_001, note(0, { externalSequencing: true })],
    [520_003, command(panic)],
    [560_001, note(2, { pauseWhenReplaced: true })],
  ]
}
const LENGTH = ms(12_000)

interface Night {
  readonly events: string
  readonly views: string
  readonly left: Float32Array | null
}

type Go = (r: Rig, frames: number, at: number) => void

/** Time runs to each command's frame by `go`, which cuts it as it likes. */
const night = (origin: number, go: Go, ids = 0xe000): Night => {
  let id = ids
  const r = rig(SHOW(), { origin: frame(origin), ids: { next: () => guid((id += 1)) } })
  let at = 0
  const to = (until: number): void => {
    if (until > at) go(r, until - at, at)
    at = until
  }
  const views: string[] = []
  for (const [when, act] of script(r)) {
    to(when)
    act()
    views.push(JSON.stringify([r.player.buttons(), r.player.status()]))
  }
  to(LENGTH)
  const events = r.events.map((event) => JSON.stringify({ ...event, at: event.at - origin }))
  views.push(JSON.stringify([r.player.buttons(), r.player.status()]))
  return { events: events.join('\n'), views: views.join('\n'), left: null }
}

const heard = (origin: number, cut: (left: number, rng: Prng) => number, ids?: number): Night => {
  const sound = new Float32Array(LENGTH)
  const rng = createPrng(99)
  const told = night(origin, (r, frames, at) => {
    sound.set(r.render(frames, (left) => cut(left, rng)).left, at)
  }, ids)
  return { ...told, left: sound }
}

const whole = (left: number): number => left
const reference = heard(0, whole)

const agree = (other: Night): void => {
  expect(other.events).toBe(reference.events)
  expect(other.views).toBe(reference.views)
  if (other.left === null) return
  const [a, b] = [new Int32Array(other.left.buffer), new Int32Array(reference.left!.buffer)]
  expect(a.findIndex((bits, n) => bits !== b[n])).toBe(-1)
}

describe('any cutting of the same time', () => {
  it('is a night in which much happens', () => {
    expect(reference.events.split('\n').length).toBeGreaterThan(90)
    for (const word of ['natural_end', 'explicit_stop', 'replaced', 'playback_error', 'pausing']) {
      expect(reference.events).toContain(word)
    }
    const loud = reference.left!.filter((x) => x !== 0).length
    expect(loud).toBeGreaterThan(LENGTH / 2)
  })

  it.each([4800, 480, 128, 7])('gives the same night in blocks of %i frames', (size) => {
    agree(heard(0, () => size))
  })

  it('gives the same in random blocks of 1 to 331 frames', () => {
    agree(heard(0, (_, rng) => 1 + Math.floor(rng.next() * 331)))
  })

  it('is foreseen to the bit up to what is due by itself, and changed by no foresight', () => {
    const rng = createPrng(7)
    const foreseen = stereo(900)
    let [known, loud, wrong] = [0, 0, 0]
    const pieces: { readonly at: number; readonly expected: Float32Array }[] = []
    const sound = new Float32Array(LENGTH)
    const told = night(0, (r, frames, at) => {
      sound.set(r.render(frames, (left) => {
        const count = Math.min(left, 1 + Math.floor(rng.next() * 900))
        // In two steps, as an output asks for more.
        const half = r.engine.foresee(foreseen, r.engine.now, Math.ceil(count / 2))
        const rest = { left: foreseen.left.subarray(half), right: foreseen.right.subarray(half) }
        const more = r.engine.foresee(rest, add(r.engine.now, half), count - half)
        const expected = foreseen.left.slice(0, half + more)
        known += expected.length
        pieces.push({ at: r.engine.now, expected })
        return count
      }).left, at)
    })
    for (const { at, expected } of pieces) {
      for (const [n, sample] of expected.entries()) {
        if (sample !== 0) loud += 1
        if (sound[at + n] !== sample) wrong += 1
      }
    }
    expect(wrong).toBe(0)
    expect(known).toBeGreaterThan(LENGTH / 2)
    expect(loud).toBeGreaterThan(LENGTH / 4)
    agree({ ...told, left: sound })
  })

  it('is skipped to the same events and views as it is heard', () => {
    agree(night(0, (r, frames) => {
      r.advance(frames)
    }))
    agree(night(0, (r, frames) => {
      for (let left = frames; left > 0; left -= 1009) r.advance(Math.min(left, 1009))
    }))
  })

  it('does not depend on where time begins', () => {
    agree(heard(1_000_000_000_000, () => 479))
  })

  it('does not depend on what the ids are called', () => {
    const other = heard(0, whole, 0xf000)
    const back = (text: string): string =>
      text.replaceAll(/(?<=-0{8})f(?=[0-9a-f]{3})/g, 'e')
    agree({ ...other, events: back(other.events), views: back(other.views) })
  })

  it('draws the same shuffle from the same seed, another from another', () => {
    const order = (seed: number): string => {
      const buttons = Array.from({ length: 8 }, () => ({ mediaMs: 100 }))
      const r = rig([{ mode: 'shuffle', wrap: true, buttons }], { prng: createPrng(seed) })
      r.start(0)
      r.advance(ms(2450))
      return r.story().filter((line) => line.endsWith('playing')).join()
    }
    expect(order(5)).toBe(order(5))
    expect(order(6)).not.toBe(order(5))
  })
})
