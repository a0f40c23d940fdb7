// 3.5 and 4.1 dmx/sync: which messages are refused, what drift is mended, who owns the clock.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { BUTTON, DmxRig, OTHER, ms } from '../engine/dmx/dmx-rig.js'

const LONG = { durationMs: 60_000, loop: false }
const LOOP = { durationMs: 10_000, loop: true }

describe('errors of sync, in their order', () => {
  const live = (): DmxRig => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'old', LONG)
    dmx.runs.end(ms(1), BUTTON)
    dmx.run(ms(2), 'mine', LONG)
    dmx.run(ms(2), 'theirs', { ...LONG, button: OTHER })
    return dmx
  }

  it('a button without a timeline', () => {
    expect(live().ask(ms(9), 'mine', 0, { hasTimeline: false })).toBe('media_file_missing')
  })

  it('an id that nobody knows', () => {
    expect(live().ask(ms(9), 'nobody', 0)).toBe('dmx_not_active')
  })

  it('an id of another button, live or ended', () => {
    const dmx = live()
    expect(dmx.ask(ms(9), 'theirs', 0)).toBe('stale_execution')
    dmx.runs.end(ms(10), OTHER)
    expect(dmx.ask(ms(11), 'theirs', 0)).toBe('stale_execution')
  })

  it('an id of the same button that has ended or completed', () => {
    const dmx = live()
    expect(dmx.ask(ms(9), 'old', 0)).toBe('dmx_not_active')
    expect(dmx.ask(ms(61_000), 'mine', 0)).toBe('dmx_not_active')
  })

  it('one that completes at the very frame of the message', () => {
    expect(live().ask(ms(60_002), 'mine', 60_000)).toBe('dmx_not_active')
  })

  it('one that is being prepared, before its sequence is looked at', () => {
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', LONG)
    expect(dmx.ask(ms(1), 'a', 0, { sequence: 5 })).toBe('dmx_initializing')
    dmx.runs.mediaSounds(ms(2), BUTTON)
    expect(dmx.ask(ms(3), 'a', 0, { sequence: 0 })).toMatchObject({ sequence: 0 })
  })

  it('a sequence that is not greater than the last accepted one', () => {
    const dmx = live()
    expect(dmx.ask(ms(9), 'mine', 0, { sequence: 7 })).toMatchObject({ sequence: 7 })
    expect(dmx.ask(ms(9), 'mine', 0, { sequence: 7 })).toBe('dmx_stale_sequence')
    expect(dmx.ask(ms(9), 'mine', 0, { sequence: 6 })).toBe('dmx_stale_sequence')
    const most = Number.MAX_SAFE_INTEGER
    expect(dmx.ask(ms(9), 'mine', 0, { sequence: most })).toMatchObject({ sequence: most })
  })

  it('sequences are each run\'s own', () => {
    const dmx = live()
    dmx.sync(ms(9), 'mine', 0, { sequence: 1_000 })
    const theirs = dmx.ask(ms(9), 'theirs', 0, { sequence: 0, button: OTHER })
    expect(theirs).toMatchObject({ sequence: 0 })
  })

  it('a refused message changes nothing', () => {
    const dmx = live()
    dmx.sync(ms(100), 'mine', 98, { sequence: 4 })
    const before = dmx.runs.runOf(BUTTON)
    const told = dmx.told.length
    dmx.sync(ms(200), 'mine', 30_000, { sequence: 4, isPlaying: false, forceSeek: true })
    expect(dmx.runs.runOf(BUTTON)).toEqual(before)
    expect(dmx.told).toHaveLength(told)
    expect(dmx.positionMs(ms(200))).toBe(198)
  })

  it('ended runs are told apart for ten minutes, then forgotten', () => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'theirs', { ...LONG, button: OTHER })
    dmx.runs.end(ms(0), OTHER)
    expect(dmx.ask(ms(600_000), 'theirs', 0)).toBe('stale_execution')
    expect(dmx.ask(ms(600_001), 'theirs', 0)).toBe('dmx_not_active')
  })
})

describe('sync', () => {
  it('never starts a timeline', () => {
    const dmx = new DmxRig()
    expect(dmx.ask(ms(0), 'a', 0)).toBe('dmx_not_active')
    expect(dmx.runs.views()).toEqual([])
  })

  it.each([
    [99.98, false], [100, false], [100.001, true], [100.02, true],
    [-99.98, false], [-100, false], [-100.001, true], [-100.02, true],
  ])('a drift of %f ms is corrected: %s', (drift, corrected) => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    const told = 5000 - drift
    const answer = dmx.ask(ms(5000), 'a', told)
    expect(answer).toMatchObject({ executionId: 'a', corrected, isPlaying: true })
    if (typeof answer === 'string') throw new Error(answer)
    expect(answer.driftMs).toBeCloseTo(drift, 9)
    const rounded = corrected ? Math.round(told * 48) / 48 : 5000
    expect(answer.positionMs).toBe(rounded)
    expect(dmx.positionMs(ms(6000))).toBeCloseTo(rounded + 1000, 9)
  })

  it.each([
    [99.98, false], [100, false], [100.02, true], [-99.98, false], [-100, false], [-100.02, true],
  ])('over the wrap of a loop, a drift of %f ms is corrected: %s', (drift, corrected) => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LOOP)
    // The timeline is 50 ms to one side of the wrap, the message on the other.
    const here = drift > 0 ? 50 : 9950
    const answer = dmx.ask(ms(10_000 + here), 'a', (here - drift + 10_000) % 10_000)
    expect(answer).toMatchObject({ corrected })
    if (typeof answer === 'string') throw new Error(answer)
    expect(answer.driftMs).toBeCloseTo(drift, 9)
  })

  it('a looping timeline wraps what it is told', () => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LOOP)
    expect(dmx.ask(ms(500), 'a', 43_000)).toMatchObject({ positionMs: 3000, driftMs: -2500 })
    expect(dmx.ask(ms(600), 'a', 10_000)).toMatchObject({ positionMs: 0, driftMs: 3100 })
  })

  it('half a loop apart is the loop behind, whichever of the two is ahead', () => {
    for (const [here, told] of [[7_000, 2_000], [2_000, 7_000]] as const) {
      const dmx = new DmxRig()
      dmx.run(ms(0), 'a', LOOP)
      expect(dmx.ask(ms(here), 'a', told)).toMatchObject({ positionMs: told, driftMs: -5_000 })
    }
  })

  it('a change of the play state corrects, both ways, and the local clock obeys it', () => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    expect(dmx.ask(ms(5000), 'a', 4990, { isPlaying: false })).toEqual({
      executionId: 'a', sequence: 1, corrected: true, positionMs: 4990, driftMs: 10,
      isPlaying: false,
    })
    expect(dmx.positionMs(ms(50_000))).toBe(4990)
    expect(dmx.ask(ms(50_000), 'a', 4990, { isPlaying: false }))
      .toMatchObject({ corrected: false })
    expect(dmx.ask(ms(50_000), 'a', 4995)).toMatchObject({ corrected: true, positionMs: 4995 })
    expect(dmx.positionMs(ms(51_000))).toBe(5995)
    dmx.sync(ms(51_000), 'a', 20_000)
    expect(dmx.told.slice(1).map(({ change }) => change))
      .toEqual(['chasing', 'held', 'freewheel', 'chasing', 'released', 'freewheel', 'chasing',
        'corrected'])
  })

  it('a forced seek corrects the smallest drift', () => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    expect(dmx.ask(ms(1000), 'a', 999.99)).toMatchObject({ corrected: false, positionMs: 1000 })
    expect(dmx.ask(ms(1000), 'a', 999, { forceSeek: true }))
      .toMatchObject({ corrected: true, positionMs: 999, driftMs: 1 })
  })

  it('without updates it continues on its own clock, and the next message realigns it', () => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    dmx.sync(ms(1000), 'a', 20_000)
    expect(dmx.positionMs(ms(31_000))).toBe(50_000)
    expect(dmx.ask(ms(31_000), 'a', 40_000)).toMatchObject({ driftMs: 10_000, positionMs: 40_000 })
  })

  it.each([60_000, 60_000.5, 1e308])('a non-looping one told %d ms completes', (told) => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    expect(dmx.ask(ms(10), 'a', told)).toMatchObject({
      corrected: true, positionMs: 60_000, driftMs: 10 - told,
    })
    expect(dmx.told.at(-1)).toEqual({ change: 'completed', at: ms(10), positionMs: 60_000 })
    expect(dmx.ask(ms(11), 'a', 0)).toBe('dmx_not_active')
  })

  it('one that is told a hair before its end stays alive for that hair', () => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    expect(dmx.ask(ms(10), 'a', 59_999.999)).toMatchObject({ corrected: true })
    expect(dmx.runs.runOf(BUTTON)).not.toBeNull()
    dmx.runs.settle(frame(ms(10) + 1))
    expect(dmx.runs.runOf(BUTTON)).toBeNull()
  })

  it('a duration that no milliseconds tell exactly completes when told as answered', () => {
    for (let frames = 1; frames < 2_000; frames += 1) {
      const dmx = new DmxRig()
      dmx.run(ms(0), 'a', { durationMs: frames / 48, loop: false })
      expect(dmx.ask(ms(0), 'a', frames / 48)).toMatchObject({ positionMs: frames / 48 })
      expect(dmx.runs.runOf(BUTTON)).toBeNull()
    }
  })

  it('affects that timeline alone', () => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    dmx.run(ms(0), 'b', { ...LONG, button: OTHER })
    dmx.sync(ms(1000), 'a', 30_000, { isPlaying: false })
    expect(dmx.positionMs(ms(2000), OTHER)).toBe(2000)
  })
})

describe('the external clock owns play, pause and position', () => {
  it('from the first accepted message on the media\'s pause and resume say nothing', () => {
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', LONG)
    dmx.runs.mediaSounds(ms(0), BUTTON)
    dmx.sync(ms(1000), 'a', 1000)
    dmx.runs.hold(ms(2000), BUTTON)
    expect(dmx.positionMs(ms(3000))).toBe(3000)
    dmx.sync(ms(3000), 'a', 3000, { isPlaying: false })
    dmx.runs.release(ms(4000), BUTTON)
    expect(dmx.positionMs(ms(5000))).toBe(3000)
    dmx.runs.end(ms(6000), BUTTON)
    expect(dmx.ask(ms(6001), 'a', 3000)).toBe('dmx_not_active')
  })

  it('takes over a timeline that its paused media holds', () => {
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', LONG)
    dmx.runs.mediaSounds(ms(0), BUTTON)
    dmx.runs.hold(ms(1000), BUTTON)
    expect(dmx.ask(ms(2000), 'a', 1010)).toMatchObject({ corrected: true, positionMs: 1010 })
    expect(dmx.positionMs(ms(3000))).toBe(2010)
  })

  it('a message that was refused does not take over', () => {
    const dmx = new DmxRig()
    dmx.media(ms(0), 'a', LONG)
    dmx.sync(ms(0), 'a', 0)
    dmx.runs.mediaSounds(ms(0), BUTTON)
    dmx.runs.hold(ms(1000), BUTTON)
    expect(dmx.positionMs(ms(3000))).toBe(1000)
  })
})

describe('the visible state of the sync', () => {
  it('internal, chasing, freewheel after a second without a message, chasing again', () => {
    const dmx = new DmxRig()
    const state = (at: number): string | undefined => {
      dmx.runs.settle(ms(at))
      return dmx.runs.runOf(BUTTON)?.sync
    }
    dmx.run(ms(0), 'a', LONG)
    expect(state(500)).toBe('internal')
    dmx.sync(ms(1000), 'a', 1000)
    dmx.sync(ms(1200), 'a', 1200)
    expect(dmx.runs.nextDue()).toBe(ms(2200))
    expect(state(2199)).toBe('chasing')
    expect(state(2200)).toBe('freewheel')
    dmx.sync(ms(9000), 'a', 9000)
    expect(state(9000)).toBe('chasing')
    expect(dmx.told.map(({ change }) => change))
      .toEqual(['started', 'chasing', 'freewheel', 'chasing'])
  })

  it('the last drift and the worst, which forced seeks do not count for', () => {
    const dmx = new DmxRig()
    dmx.run(ms(0), 'a', LONG)
    expect(dmx.runs.runOf(BUTTON)).toMatchObject({ lastDriftMs: null, worstDriftMs: null })
    dmx.sync(ms(500), 'a', 500)
    expect(dmx.runs.runOf(BUTTON)).toMatchObject({ lastDriftMs: 0, worstDriftMs: 0 })
    dmx.sync(ms(1000), 'a', 1050)
    dmx.sync(ms(2000), 'a', 1980)
    dmx.sync(ms(3000), 'a', 50_000, { forceSeek: true })
    expect(dmx.runs.runOf(BUTTON)).toMatchObject({ lastDriftMs: -47_000, worstDriftMs: -50 })
  })
})
