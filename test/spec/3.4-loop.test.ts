// Section 3.4: the runtime loop and the saved one, rule by rule, on positions and on sound.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { positionDecode } from '../../src/testing/media.js'
import { constant, ms, played, rig, type Rig } from '../rig.js'

const loop = { loop: true }
const short = { mediaMs: 1000 }
const at = (sound: { left: Float32Array; right: Float32Array }, n: number): number =>
  positionDecode(sound.left[n]!, sound.right[n]!)

/** Stopped inside the overlap by a fade of 5 s, which is longer than what is left: 800 ms. */
const expectLanding = (r: Rig, id: string): void => {
  r.stop(0, id, 5000)
  const { left } = r.render(ms(900))
  expect(left[ms(400)]).toBeCloseTo(0.5, 5)
  expect(left[ms(800) - 1]).toBeCloseTo(0, 3)
  expect(left[ms(800)]).toBe(0)
  expect(r.run(id)).toMatchObject({ endReason: 'explicit_stop', positionMs: 1000 })
}

describe('3.4.7 loops and fades', () => {
  it.each(['explicit', 'saved'])('a replaced %s loop goes on until its fade is over', (kind) => {
    const bed = { ...short, fadeOutMs: 3000, file: constant(), isLoopEnabled: kind === 'saved' }
    const r = rig([{ buttons: [bed, { mediaMs: 60_000, file: constant(0) }] }])
    const id = r.start(0, { loop: kind === 'saved' ? null : true, loopCrossfadeMs: 200 })
    r.advance(ms(500))
    r.start(1)
    const { left } = r.render(ms(3000))
    for (const after of [300, 500, 1000, 2000, 2999]) {
      expect(left[ms(after)]).toBeCloseTo(1 - after / 3000, 5)
    }
    expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'replaced', positionMs: 300 })
  })

  it('a padlock that opens during such a fade lets it end at End, as replaced', () => {
    const buttons = [{ ...short, fadeOutMs: 3000, isLoopEnabled: true }, { mediaMs: 60_000 }]
    const r = rig([{ buttons }])
    const id = r.start(0)
    r.advance(ms(500))
    r.start(1)
    r.advance(ms(700))
    expect(r.state(id)).toBe('fading_out')
    r.change(0, { isLoopEnabled: false })
    r.advance(ms(800))
    expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'replaced', positionMs: 1000 })
  })

  it('the fade of a stopped loop lands on End, and does not wrap', () => {
    const r = rig([{ buttons: [{ ...short, file: constant() }] }])
    const id = r.start(0, loop)
    r.advance(ms(2600))
    expect(r.stop(0, id, 3000)).toMatchObject({ result: 'fading_out' })
    const { left } = r.render(ms(500))
    expect(left[ms(200)]).toBeCloseTo(0.5, 5)
    expect(left[ms(400) - 1]).toBeCloseTo(0, 3)
    expect(left[ms(400)]).toBe(0)
    expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
  })

  it('a shorter fade of a stop is left as it is; without a loop the media just ends', () => {
    const over = { ...short, file: constant(), allowOverlap: true }
    const r = rig([{ buttons: [over, over] }])
    const [looped, once] = [r.start(0, loop), r.start(1)]
    r.advance(ms(500))
    r.stop(0, looped, 200)
    r.stop(1, once, 1000)
    const { left } = r.render(ms(600))
    expect(left[ms(100)]).toBeCloseTo(0.5 + 0.9, 5)
    expect(left[ms(500) - 1]).toBeCloseTo(0.5, 3)
    expect([looped, once].map((id) => r.run(id).endReason))
      .toEqual(['explicit_stop', 'explicit_stop'])
  })

  it('a stop inside the overlap lands on the End of the pass that has begun', () => {
    const r = rig([{ buttons: [{ ...short, file: constant() }] }])
    const id = r.start(0, { ...loop, loopCrossfadeMs: 400 })
    r.advance(ms(800))
    expectLanding(r, id)
  })

  it('so it does where the padlock was opened in that overlap', () => {
    const r = rig([{ buttons: [{ ...short, file: constant(), isLoopEnabled: true }] }])
    const id = r.start(0, { loopCrossfadeMs: 400 })
    r.advance(ms(700))
    r.change(0, { isLoopEnabled: false })
    r.advance(ms(100))
    expectLanding(r, id)
  })
})

describe('3.4 runtime loop', () => {
  it('1. repeats the Start-to-End range, or to the source end', () => {
    const r = rig([{ buttons: [{ startMs: 200, endMs: 500 }] }])
    r.start(0, loop)
    const sound = r.render(ms(700))
    expect([at(sound, 0), at(sound, ms(300) - 1), at(sound, ms(300))])
      .toEqual([ms(200), ms(500) - 1, ms(200)])
    const whole = rig([{ buttons: [{ startMs: 200, mediaMs: 450 }] }])
    whole.start(0, loop)
    expect(at(whole.render(ms(600)), ms(250))).toBe(ms(200))
  })

  it('1. takes precedence over externalSequencing and holds its list', () => {
    const r = rig([{ mode: 'sequence', buttons: [short, short] }])
    const id = r.start(0, { ...loop, externalSequencing: true })
    r.advance(ms(10_500))
    expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 500 })
    expect(played(r)).toEqual(['0'])
  })

  it('2. false disables the saved repeat for this run; the list still goes on', () => {
    const r = rig([{ mode: 'sequence', buttons: [{ ...short, isLoopEnabled: true }, short] }])
    r.start(0, { loop: false })
    r.advance(ms(1500))
    expect(played(r)).toEqual(['0', '1'])
    const ext = rig([{ mode: 'sequence', buttons: [{ ...short, isLoopEnabled: true }, short] }])
    ext.start(0, { loop: false, externalSequencing: true })
    ext.advance(ms(1500))
    expect(played(ext)).toEqual(['0'])
  })

  it('3. omitted: the saved padlock rules, unless externalSequencing suppresses it', () => {
    const saved = { ...short, isLoopEnabled: true }
    const r = rig([{ mode: 'sequence', buttons: [saved, short] }])
    const id = r.start(0)
    r.advance(ms(5200))
    expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 200 })
    expect(played(r)).toEqual(['0'])
  })

  it('4. never writes the padlock; unlocking ends a saved loop, not an explicit one', () => {
    const r = rig([{ buttons: [
      { ...short, isLoopEnabled: true, allowOverlap: true },
      { ...short, isLoopEnabled: true, allowOverlap: true }, short,
    ] }])
    const [saved, explicit] = [r.start(0), r.start(1, loop)]
    r.start(2, { ...loop, allowOverlap: true })
    expect(r.player.buttons().buttons[2]).toMatchObject({ isLoopEnabled: false })
    r.advance(ms(2500))
    r.change(0, { isLoopEnabled: false })
    r.change(1, { isLoopEnabled: false })
    expect(r.state(saved)).toBe('playing')
    r.advance(ms(500))
    expect(r.run(saved)).toMatchObject({ state: 'completed', endReason: 'natural_end' })
    expect(r.run(explicit)).toMatchObject({ state: 'playing', positionMs: 0 })
  })

  it('4. a padlock unlocked after the overlap began comes too late for this pass', () => {
    for (const [unlockAt, ends] of [[749, 1000], [751, 1750]] as const) {
      const r = rig([{ buttons: [{ ...short, isLoopEnabled: true }] }])
      const id = r.start(0, { loopCrossfadeMs: 250 })
      r.advance(ms(unlockAt))
      r.change(0, { isLoopEnabled: false })
      r.advance(ms(ends - unlockAt) - 1)
      expect(r.state(id)).toBe('playing')
      r.advance(1)
      expect(r.run(id)).toMatchObject({ state: 'completed', endReason: 'natural_end' })
    }
  })

  it('4. a padlock locked while a fade lands on End loops in full level', () => {
    const buttons = [{ ...short, fadeOutMs: 400, fadeOutAtEnd: true, file: constant() }]
    const r = rig([{ buttons }])
    const id = r.start(0)
    const fall = r.render(ms(800))
    expect(fall.left.at(-1)).toBeCloseTo(0.5, 3)
    r.change(0, { isLoopEnabled: true })
    r.advance(ms(200))
    expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 0 })
    expect(r.render(ms(900)).left.every((x) => x === 1)).toBe(true)
  })

  it('5. one id, no completion, duration of the source, position to Start', () => {
    const r = rig([{ buttons: [{ startMs: 200, endMs: 500, mediaMs: 5000 }] }])
    const id = r.start(0, loop)
    r.player.post({ kind: 'probed', path: r.buttons[0]!.media!, duration: frame(ms(5000)) })
    for (let pass = 0; pass < 20; pass += 1) {
      expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 200, durationMs: 5000 })
      r.advance(ms(300) - 1)
      expect(r.run(id).positionMs).toBe(499)
      r.advance(1)
    }
    expect(r.story()).toEqual(['0 starting', '0 playing'])
  })

  it('5. follows the tail until End, then stands at Start plus the consumed head', () => {
    const r = rig([{ buttons: [{ startMs: 100, mediaMs: 1100 }] }])
    const id = r.start(0, { ...loop, loopCrossfadeMs: 300 })
    r.advance(ms(1000) - 1)
    expect(r.run(id).positionMs).toBe(1099)
    r.advance(1)
    expect(r.run(id).positionMs).toBe(400)
  })

  it('6. pause and resume, by hand and by replacement, keep the id and the loop', () => {
    const r = rig([{ buttons: [short, { mediaMs: 300 }] }])
    const id = r.start(0, { ...loop, pauseWhenReplaced: true })
    r.advance(ms(2100))
    r.pause(0, id, 0)
    r.resume(0, id, 0)
    r.advance(ms(100))
    r.start(1)
    r.advance(ms(400))
    expect(r.run(id)).toMatchObject({ state: 'paused', positionMs: 200 })
    r.resume(0, id, 0)
    r.advance(ms(3000))
    expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 200, executionId: id })
  })

  it('6. a stop, a replacement and a broken decoder end it as documented', () => {
    const stopped = rig([{ buttons: [short] }])
    const id = stopped.start(0, loop)
    stopped.advance(ms(900))
    stopped.stop(0, id, 500)
    stopped.advance(ms(500))
    expect(stopped.run(id)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
    const replaced = rig([{ buttons: [short, short] }])
    const old = replaced.start(0, loop)
    replaced.advance(ms(1500))
    replaced.start(1)
    expect(replaced.run(old)).toMatchObject({ state: 'stopped', endReason: 'replaced' })
    const broken = rig([{ buttons: [{ ...short, file: { holds: false } }] }])
    const late = broken.start(0, loop)
    broken.file(0, { breaksAt: frame(ms(400)) })
    broken.advance(ms(2500))
    expect(broken.run(late)).toMatchObject({ state: 'failed', endReason: 'playback_error' })
  })

  it('7. a repetition starts no run, no light; fades of the run go on across it', () => {
    const dmx = { timelineId: 't', loop: false, durationFrames: frame(ms(60_000)), error: null }
    const r = rig([{ buttons: [{ mediaMs: 100, fadeInMs: 1000, dmx, file: constant() }] }])
    r.start(0, loop)
    const { left } = r.render(ms(1500))
    expect(left.every((x, n) => Math.abs(x - Math.min(1, n / ms(1000))) < 1e-6)).toBe(true)
    const lights = r.events.filter((event) => event.kind === 'dmx').map((event) => event.change)
    expect(lights).toEqual(['initializing', 'started'])
    expect(r.player.status().lights.timelines[0]?.positionMs).toBe(1500)
  })
})

describe('3.4.8 loop crossfade duration', () => {
  /** Frames until the position first falls back, and where to: that tells the overlap. */
  const overlapOf = (r: Rig, id: string): number => {
    r.advance(ms(10_000) - 1)
    expect(r.run(id).positionMs).toBe(9_999)
    r.advance(1)
    return r.run(id).positionMs
  }
  const cases: readonly [string, number | null, boolean, number, number, number][] = [
    ['explicit zero is a hard loop, whatever Mix says', 0, true, 700, 900, 0],
    ['explicit positive works with Mix off', 400, false, 700, 900, 400],
    ['omitted, Mix on: the button\'s Fade out', null, true, 700, 900, 700],
    ['omitted, Mix on, no Fade out: the Crossfade duration', null, true, 0, 900, 900],
    ['omitted, Mix off: none', null, false, 700, 900, 0],
    ['half the range at most', 60_000, false, 0, 0, 5000],
  ]
  it.each(cases)('%s', (_, loopCrossfadeMs, mixOnTransition, fadeOutMs, crossfadeMs, want) => {
    for (const saved of [false, true]) {
      const buttons = [{ fadeOutMs, isLoopEnabled: saved }]
      const r = rig([{ mixOnTransition, crossfadeMs, buttons }])
      const id = r.start(0, { loop: saved ? null : true, loopCrossfadeMs })
      expect(overlapOf(r, id)).toBe(want)
    }
  })

  it('does not enable looping by itself', () => {
    const r = rig([{ buttons: [short] }])
    const id = r.start(0, { loopCrossfadeMs: 200 })
    r.advance(ms(1000))
    expect(r.run(id)).toMatchObject({ state: 'completed', positionMs: 1000 })
  })

  it('is captured at the start: later settings wait for a restart', () => {
    const r = rig([{ mixOnTransition: true, crossfadeMs: 900, buttons: [{}] }])
    const id = r.start(0, loop)
    r.changeList(0, { crossfadeMs: 100 })
    r.change(0, { fadeOutMs: 50 })
    expect(overlapOf(r, id)).toBe(900)
    const again = r.start(0, loop, 'restart')
    expect(overlapOf(r, again)).toBe(50)
  })

  it('is limited by the decoded head in memory and by sixty seconds', () => {
    const small = rig([{ buttons: [{}] }], { loopHeadBytes: ms(123) * 8 + 7 })
    expect(overlapOf(small, small.start(0, { ...loop, loopCrossfadeMs: 5000 }))).toBe(123)
    const r = rig([{ mixOnTransition: true, crossfadeMs: 60_000, buttons: [{ mediaMs: 200_000 }] }])
    const id = r.start(0, loop)
    r.advance(ms(200_000))
    expect(r.run(id).positionMs).toBe(60_000)
  })

  it('ten minutes of a range that is not held: each pass is opened ahead, and closed', () => {
    const file = { holds: false, readyAfter: frame(4_000) }
    const r = rig([{ buttons: [{ mediaMs: 20_000, file }] }])
    const id = r.start(0, { ...loop, loopCrossfadeMs: 1000 })
    let most = 0
    for (let s = 0; s < 600; s += 1) {
      r.advance(ms(1000))
      most = Math.max(most, r.media.open$.size)
    }
    expect(most).toBe(2)
    expect(r.state(id)).toBe('playing')
    expect(r.events.filter((event) => event.kind === 'notice')).toEqual([])
    r.stop(0)
    expect(r.media.open$.size).toBe(0)
  })

  it('a file cut short between two passes ends the run as failed, and never spins', () => {
    for (const frames of [0, 10, 300]) {
      const r = rig([{ buttons: [{ startMs: 5, file: { holds: false } }] }])
      const id = r.start(0, { ...loop, loopCrossfadeMs: 500 })
      r.file(0, { frames: frame(frames) })
      r.advance(ms(30_000))
      expect(r.run(id).state, `${frames} frames left`).toBe('failed')
    }
  })

  it('9. a range that is empty fails instead of looping', () => {
    const r = rig([{ buttons: [{ startMs: 20_000 }] }])
    const id = r.start(0, loop)
    expect(r.run(id)).toMatchObject({ state: 'failed', endReason: 'playback_error' })
  })
})

describe('a loop that comes round', () => {
  it.each([[100, 10], [99, 5]])('of %s ms is told %s times in a second', (mediaMs, times) => {
    const r = rig([{ buttons: [{ mediaMs }] }])
    r.start(0, loop)
    r.advance(ms(1_001))
    const told = r.events.filter(({ kind }) => kind === 'wrap')
    expect(told.map(({ at }) => at)).toEqual(
      Array.from({ length: times }, (_, n) => ms(mediaMs) * (times === 10 ? n + 1 : 2 * n + 1)),
    )
  })
})
