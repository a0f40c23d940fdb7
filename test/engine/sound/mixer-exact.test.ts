// Every sample of loops and crossfades against predictions written down independently of the
// engine.
import { describe, expect, it } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import type { Playlist } from '../../../src/engine/catalogue.js'
import { createPrng, type Prng } from '../../../src/engine/prng.js'
import type { VirtualFile } from '../../../src/testing/media.js'
import { ms, rig, type ButtonSpec, type Rig } from '../../rig.js'

/** Never zero, never the same for long, exact in f32: a frame cannot be taken for another. */
const noise = (seed: number, at: number): number => {
  let h = Math.imul(at + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  return (((h ^ (h >>> 13)) >>> 0) % 60_000 + 3_000) / 65_536
}
const sounds = (seed: number): Partial<VirtualFile> => ({
  sample: (at) => [noise(seed, at), -noise(seed + 1000, at)],
})
const between = (rng: Prng, low: number, high: number): number =>
  low + Math.floor(rng.next() * (high - low + 1))
const pick = <T>(rng: Prng, items: readonly T[]): T => items[between(rng, 0, items.length - 1)]!

/** Ranges of every kind: a few frames, odd ones, and ones that need seconds. */
const lengthOf = (rng: Prng): number =>
  pick(rng, [
    () => between(rng, 1, 5), () => between(rng, 6, 400), () => between(rng, 401, 9_001),
  ])()

const TOLERANCE = 1e-6
const expectSamples = (
  got: Float32Array, want: (at: number) => number, what: string, from = 0,
): void => {
  for (let at = from; at < got.length; at += 1) {
    if (Math.abs(got[at]! - want(at)) <= TOLERANCE) continue
    expect.fail(`${what}: frame ${at} is ${got[at]!}, predicted ${want(at)}`)
  }
}

describe('loops', () => {
  interface LoopCase {
    readonly start: number
    readonly length: number
    readonly overlap: number
    readonly r: Rig
    readonly what: string
  }

  /** A loop over [start, start + length) of a source, by an overlap that only the limits cut. */
  const loopCase = (rng: Prng, seed: number, file: Partial<VirtualFile>): LoopCase => {
    const length = lengthOf(rng)
    const startMs = pick(rng, [0, 0, 1, between(rng, 2, 90)])
    const crossfadeMs = pick(rng, [0, 1, between(rng, 0, 60), 60_000])
    const headFrames = pick(rng, [0, 1, between(rng, 1, 2_000), 4_000_000])
    const saved = rng.next() < 0.3
    const frames = frame(ms(startMs) + length)
    const r = rig([{
      buttons: [{ startMs, isLoopEnabled: saved, file: { ...sounds(seed), frames, ...file } }],
    }], { loopHeadBytes: headFrames * 8 })
    const wished = Math.min(crossfadeMs * 48, headFrames, 60_000 * 48)
    const overlap = Math.min(wished, Math.floor(length / 2))
    r.start(0, { loop: saved ? null : true, loopCrossfadeMs: crossfadeMs })
    const what = `case ${seed}: ${length} frames from ${ms(startMs)}, overlap ${overlap}`
    return { start: ms(startMs), length, overlap, r, what }
  }

  /** The heads of the passes lie length - overlap apart; a tail lies under each but the first. */
  const predicted = (it: LoopCase, seed: number) => (at: number): number => {
    const { start, length, overlap } = it
    const period = length - overlap
    const pass = Math.floor(at / period)
    const into = at - pass * period
    const head = noise(seed, start + into)
    if (pass === 0 || into >= overlap) return head
    const tail = noise(seed, start + length - overlap + into)
    return tail + (head - tail) * (into / overlap)
  }

  it.each([true, false])('300 ranges, any overlap up to the limit; held in memory: %s', (holds) => {
    const rng = createPrng(holds ? 31 : 32)
    let blended = 0
    for (let seed = 0; seed < 300; seed += 1) {
      const it = loopCase(rng, seed, { holds })
      const frames = Math.min(it.length * between(rng, 2, 7) + between(rng, 0, 50), 20_000)
      const { left } = it.r.render(frames, () => between(rng, 1, 1_500))
      expectSamples(left, predicted(it, seed), it.what)
      expect(it.r.events.filter((event) => event.kind === 'notice')).toEqual([])
      if (it.overlap > 0 && frames > it.length) blended += 1
      it.r.stop(0)
      expect(it.r.media.open$.size).toBe(0)
    }
    expect(blended).toBeGreaterThan(100)
  })

  it('a late decoder makes gaps of silence: no sample is lost, doubled or moved', () => {
    const rng = createPrng(33)
    let gaps = 0
    for (let seed = 0; seed < 150; seed += 1) {
      const step = { frames: frame(between(rng, 1, 900)), every: frame(between(rng, 1, 1_500)) }
      const readyAfter = frame(between(rng, 0, 700))
      const holds = rng.next() < 0.5
      const it = loopCase(rng, seed, { holds, readyAfter, step, tellsEndEarly: true })
      const { left } = it.r.render(20_000, () => between(rng, 1, 2_000))
      const heard = left.filter((x) => x !== 0)
      const id = it.r.live(0)!
      expect(it.r.state(id)).toMatch(/playing|starting/)
      expectSamples(heard, predicted(it, seed), it.what)
      gaps += it.r.events.filter((event) => event.kind === 'notice').length
    }
    expect(gaps).toBeGreaterThan(50)
  })

  it('an end told too late for the overlap shortens it to what is left', () => {
    const step = { frames: frame(6_000), every: frame(6_000) }
    const file = { ...sounds(1), frames: frame(10_000), holds: true, step }
    const r = rig([{ buttons: [{ file }] }])
    r.start(0, { loop: true, loopCrossfadeMs: 60_000 })
    const { left } = r.render(15_000)
    // The end is told at frame 6000; half of the range would have been 5000 frames.
    expectSamples(left.subarray(0, 10_000), (at) => {
      const t = Math.max(0, at - 6_000) / 4_000
      return noise(1, at) * (1 - t) + noise(1, Math.max(0, at - 6_000)) * t
    }, 'the shortened overlap')
    expectSamples(left.subarray(10_000), (at) => {
      const head = at < 1_000 ? 0 : (at - 1_000) / 5_000
      return noise(1, 4_000 + at) * (1 - head) + noise(1, Math.max(0, at - 1_000)) * head
    }, 'the next one has its full length')
  })

  it('pauses anywhere, in the overlap too, take no sample away and add none', () => {
    const rng = createPrng(34)
    for (let seed = 0; seed < 100; seed += 1) {
      const it = loopCase(rng, seed, { holds: rng.next() < 0.5 })
      const id = it.r.live(0)!
      const heard: number[] = []
      for (let n = 0; n < 12; n += 1) {
        heard.push(...it.r.render(between(rng, 1, it.length)).left)
        it.r.pause(0, id, 0)
        expect(it.r.render(between(rng, 1, 50)).left.every((x) => x === 0)).toBe(true)
        it.r.resume(0, id, 0)
      }
      expectSamples(Float32Array.from(heard), predicted(it, seed), it.what)
    }
  })
})

/** What a linear or an equal-power crossfade says, by the textbook. */
const fall = (t: number, curve: Playlist['crossfadeCurve']): number =>
  t >= 1 ? 0 : curve === 'linear' ? 1 - t : Math.cos((Math.PI / 2) * t)
const rise = (t: number, curve: Playlist['crossfadeCurve']): number =>
  t >= 1 ? 1 : curve === 'linear' ? t : Math.sin((Math.PI / 2) * t)

describe('replacement', () => {
  it('300 crossfades: saved fades, Mix, both curves, an outgoing one still rising', () => {
    const rng = createPrng(41)
    for (let seed = 0; seed < 300; seed += 1) {
      const maybe = (): number => pick(rng, [0, between(rng, 1, 80)])
      const [inA, outA, inB, cross, late] = [maybe(), maybe(), maybe(), maybe(), maybe()]
      const mix = rng.next() < 0.5
      const curve = pick(rng, ['linear', 'equal-power'] as const)
      const r = rig([
        { buttons: [{ fadeInMs: inA, fadeOutMs: outA, file: sounds(seed), gainDb: -6 }] },
        {
          mixOnTransition: mix, crossfadeMs: cross, crossfadeCurve: curve,
          buttons: [{
            fadeInMs: inB, startMs: 5, file: { ...sounds(7_777), readyAfter: frame(late) },
          }],
        },
      ])
      const before = between(rng, 1, 6_000)
      r.start(0)
      r.render(before)
      r.start(1)
      const { left } = r.render(6_000, () => between(rng, 1, 700))
      const level = 10 ** (-6 / 20)
      const at0 = before + late
      const from = Math.min(1, inA === 0 ? 1 : at0 / ms(inA))
      const lengths = { out: ms(outA || (mix ? cross : 0)), in: ms(inB || (mix ? cross : 0)) }
      expectSamples(left, (at) => {
        const f = at - late
        const ramp = inA === 0 ? 1 : Math.min(1, (before + at) / ms(inA))
        if (f < 0) return noise(seed, before + at) * ramp * level
        const out = lengths.out === 0 ? 0 : from * fall(f / lengths.out, curve)
        const up = lengths.in === 0 ? 1 : rise(f / lengths.in, curve)
        return noise(seed, before + at) * out * level + noise(7_777, ms(5) + f) * up
      }, `case ${seed}: ${curve}, ${JSON.stringify({ inA, before, late, ...lengths })}`)
    }
  })

  it('complementary linear fades of two equal sounds keep their sum to the bit', () => {
    const level = { file: { sample: () => [0.75, 0.75] as const } }
    const r = rig([{ mixOnTransition: true, crossfadeMs: 777, buttons: [level, level] }])
    r.start(0)
    r.advance(ms(2_000))
    r.start(1)
    const { left } = r.render(ms(1_000))
    expect([...new Set(left)]).toEqual([0.75])
  })
})

describe('sequences', () => {
  const listOf = (lengths: readonly number[], list: Partial<Playlist>, rng: Prng): Rig => {
    const buttons = lengths.map((length, seed): ButtonSpec => {
      const startMs = pick(rng, [0, between(rng, 1, 30)])
      return { startMs, file: { ...sounds(seed), frames: frame(ms(startMs) + length) } }
    })
    return rig([{ mode: 'sequence', ...list, buttons }])
  }

  /** Each item begins `overlap` before the end of the one before and blends over exactly that. */
  const predicted = (r: Rig, lengths: readonly number[], cross: number) => {
    const overlaps = lengths.map((length, n) =>
      n === 0 ? 0 : Math.min(cross, Math.floor(length / 2), Math.floor(lengths[n - 1]! / 2)),
    )
    let begin = 0
    const items = lengths.map((length, n) => {
      begin -= overlaps[n]!
      const item = { begin, length, into: overlaps[n]!, out: overlaps[n + 1] ?? 0 }
      begin += length
      return item
    })
    return (at: number): number => items.reduce((sum, { begin, length, into, out }, n) => {
      const x = at - begin
      if (x < 0 || x >= length) return sum
      const up = x < into ? x / into : 1
      const down = x >= length - out ? (length - x) / out : 1
      return sum + noise(n, ms(r.buttons[n]!.startMs) + x) * up * down
    }, 0)
  }

  it('300 early crossfades are as long as told, at most half of either range', () => {
    const rng = createPrng(51)
    for (let seed = 0; seed < 300; seed += 1) {
      const lengths = [lengthOf(rng), lengthOf(rng), lengthOf(rng), lengthOf(rng)]
      const crossfadeMs = pick(rng, [1, between(rng, 1, 40), between(rng, 40, 200)])
      const r = listOf(lengths, { mixOnTransition: true, crossfadeMs }, rng)
      r.start(0)
      const total = lengths.reduce((a, b) => a + b)
      const { left } = r.render(total + 10, () => between(rng, 1, 900))
      const what = `case ${seed}: ${lengths.join()} by ${ms(crossfadeMs)}`
      expectSamples(left, predicted(r, lengths, ms(crossfadeMs)), what)
      const ends = ['0', '1', '2', '3'].map((n) => `${n} natural_end`)
      expect(r.story().filter((line) => line.endsWith('end')), what).toEqual(ends)
      expect(r.media.open$.size).toBe(0)
    }
  })

  it('200 gapless sequences: a first frame follows the last one on the very next', () => {
    const rng = createPrng(52)
    for (let seed = 0; seed < 200; seed += 1) {
      const lengths = [lengthOf(rng), lengthOf(rng), lengthOf(rng)]
      const r = listOf(lengths, { crossfadeMs: 500 }, rng)
      r.start(0)
      const { left } = r.render(lengths.reduce((a, b) => a + b) + 10, () => between(rng, 1, 900))
      expectSamples(left, predicted(r, lengths, 0), `case ${seed}: ${lengths.join()}`)
    }
  })

  it('44.1 kHz material of an odd length follows like any other: frames are frames', () => {
    const frames = Math.round((44_100 * 3 + 1) * (48_000 / 44_100))
    const rng = createPrng(53)
    const r = listOf([frames, frames], { mixOnTransition: true, crossfadeMs: 1_000 }, rng)
    r.start(0)
    const { left } = r.render(2 * frames)
    expectSamples(left, predicted(r, [frames, frames], ms(1_000)), `${frames} frames`)
  })
})
