// Section 3.2: each row of the transition table, on what a client reads and a room hears.
import { describe, expect, it } from 'vitest'
import { constant, ms, rig, slow } from '../rig.js'
import { frame } from '../../src/clock/frame.js'
import { NO_OPTIONS } from '../../src/engine/commands/commands.js'
import { positionDecode } from '../../src/testing/media.js'

describe('3.2 starts', () => {
  it('(none) → play: 202 with a new id, starting and then playing', () => {
    const r = rig([{ buttons: [{ file: slow(10) }] }])
    const id = r.start(0)
    expect(r.state(id)).toBe('starting')
    r.advance(479)
    expect(r.state(id)).toBe('starting')
    r.advance(1)
    expect(r.state(id)).toBe('playing')
    expect(r.run(id).positionMs).toBe(0)
    r.advance(ms(1000))
    expect(r.run(id).positionMs).toBe(1000)
  })

  it('completes as completed/natural_end at its end, position at the end', () => {
    const r = rig([{ buttons: [{ mediaMs: 2000 }] }])
    const id = r.start(0)
    r.advance(ms(2000) - 1)
    expect(r.state(id)).toBe('playing')
    r.advance(1)
    expect(r.run(id)).toMatchObject({
      state: 'completed', endReason: 'natural_end', positionMs: 2000,
    })
    expect(r.live(0)).toBeNull()
    expect(r.media.open$.size).toBe(0)
  })

  it('honours Start and End to the frame, on rendered samples', () => {
    const r = rig([{ buttons: [{ startMs: 1000, endMs: 1500 }] }])
    const id = r.start(0)
    const sound = r.render(ms(600))
    const first = positionDecode(sound.left[0]!, sound.right[0]!)
    const last = positionDecode(sound.left[ms(500) - 1]!, sound.right[ms(500) - 1]!)
    expect([first, last]).toEqual([ms(1000), ms(1500) - 1])
    expect(sound.left[ms(500)]).toBe(0)
    expect(r.run(id)).toMatchObject({ state: 'completed', positionMs: 1500 })
  })
})

describe('3.2 pause and resume', () => {
  it('playing → pausing → paused: audio advances in the fade and rests where it ended', () => {
    const r = rig([{ buttons: [{ mediaMs: 60_000 }] }])
    const id = r.start(0)
    r.advance(ms(1000))
    expect(r.pause(0, id, 500)).toMatchObject({ state: 'pausing', positionMs: 1000 })
    r.advance(ms(500) - 1)
    expect(r.state(id)).toBe('pausing')
    r.advance(1)
    expect(r.run(id)).toMatchObject({ state: 'paused', positionMs: 1500 })
    r.advance(ms(100_000))
    expect(r.run(id)).toMatchObject({ state: 'paused', positionMs: 1500, endReason: null })
    expect(r.resume(0, id)).toMatchObject({ state: 'playing', executionId: id, positionMs: 1500 })
  })

  it('loses and doubles no frame over pause and resume', () => {
    const r = rig([{ buttons: [{ mediaMs: 60_000 }] }])
    const id = r.start(0)
    const before = r.render(ms(100))
    r.pause(0, id, 0)
    const silence = r.render(ms(50))
    r.resume(0, id, 0)
    const after = r.render(ms(100))
    expect(positionDecode(before.left.at(-1)!, before.right.at(-1)!)).toBe(ms(100) - 1)
    expect(silence.left.every((x) => x === 0)).toBe(true)
    expect(positionDecode(after.left[0]!, after.right[0]!)).toBe(ms(100))
  })

  it('a second pause does not restart the fade', () => {
    const r = rig([{ buttons: [{}] }])
    const id = r.start(0)
    r.pause(0, id, 1000)
    r.advance(ms(600))
    expect(r.pause(0, id, 1000)).toMatchObject({ state: 'pausing' })
    r.advance(ms(400))
    expect(r.state(id)).toBe('paused')
  })
})

describe('3.2 stop', () => {
  it('playing → fading_out → stopped/explicit_stop; a second stop changes nothing', () => {
    const r = rig([{ buttons: [{}] }])
    const id = r.start(0)
    r.advance(ms(100))
    expect(r.stop(0, id, 1000)).toEqual({ result: 'fading_out', id: r.idOf(0), executionId: id })
    r.advance(ms(500))
    expect(r.stop(0, null, 60_000)).toMatchObject({ result: 'fading_out' })
    r.advance(ms(500) - 1)
    expect(r.state(id)).toBe('fading_out')
    r.advance(1)
    expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
    expect(r.stop(0, id)).toMatchObject({ result: 'already_stopped', executionId: id })
  })

  it('an interrupted fade leaves from the gain that is heard', () => {
    const r = rig([{ buttons: [{ file: constant() }] }])
    const id = r.start(0)
    r.advance(ms(100))
    r.pause(0, id, 1000)
    const first = r.render(ms(250))
    r.stop(0, id, 1000)
    const rest = r.render(ms(1000))
    expect(first.left.at(-1)).toBeCloseTo(0.75, 3)
    expect(rest.left[0]).toBeCloseTo(0.75, 6)
    expect(rest.left[ms(500)]).toBeCloseTo(0.375, 6)
    expect(rest.left.at(-1)).toBeGreaterThan(0)
    expect(r.state(id)).toBe('stopped')
  })
})

const endless = { mediaMs: 600_000 }

describe('3.2 the other rows', () => {
  it('(none) → restart: the same as a play', () => {
    const r = rig([{ buttons: [endless] }])
    const reply = r.send({ kind: 'restart', buttonId: r.idOf(0), options: NO_OPTIONS })
    expect(reply).toMatchObject({ ok: true, status: 202 })
    expect(r.state(String(r.body(reply)['executionId']))).toBe('playing')
  })

  it('playing → restart: the old run is stopped/explicit_stop by a cut, the new id differs', () => {
    const r = rig([{ buttons: [{ ...endless, fadeOutMs: 2000 }] }])
    const first = r.start(0)
    r.advance(ms(1000))
    const second = r.start(0, {}, 'restart')
    expect(second).not.toBe(first)
    expect(r.run(first)).toMatchObject({
      state: 'stopped', endReason: 'explicit_stop', positionMs: 1000,
    })
    expect(r.run(second)).toMatchObject({ state: 'playing', positionMs: 0 })
  })

  it('playing → pause with zero fade → paused at once, silent from that frame', () => {
    const r = rig([{ buttons: [{ ...endless, file: constant() }] }])
    const id = r.start(0)
    const before = r.render(ms(10))
    expect(r.pause(0, id, 0)).toMatchObject({ state: 'paused', positionMs: 10 })
    expect(before.left.at(-1)).toBe(1)
    expect(r.render(ms(10)).left.every((x) => x === 0)).toBe(true)
  })

  it('paused → pause again: unchanged', () => {
    const r = rig([{ buttons: [endless] }])
    const id = r.start(0)
    r.advance(ms(10))
    r.pause(0, id, 0)
    r.advance(ms(10))
    expect(r.pause(0, id, 5000)).toMatchObject({ state: 'paused', positionMs: 10 })
    r.advance(ms(10_000))
    expect(r.run(id)).toMatchObject({ state: 'paused', positionMs: 10 })
  })

  it('paused → resume → playing: a fade-in is reported as playing', () => {
    const r = rig([{ buttons: [{ ...endless, file: constant() }] }])
    const id = r.start(0)
    r.pause(0, id, 0)
    expect(r.resume(0, id, 1000)).toMatchObject({ state: 'playing', executionId: id })
    const rise = r.render(ms(1000))
    expect(r.state(id)).toBe('playing')
    expect(rise.left[0]).toBe(0)
    expect(rise.left[ms(250)]).toBeCloseTo(0.25, 6)
    expect(r.render(1).left[0]).toBe(1)
  })

  it('pausing → resume: the pending pause is cancelled, the sound rises from where it was', () => {
    const r = rig([{ buttons: [{ ...endless, file: constant() }] }])
    const id = r.start(0)
    r.pause(0, id, 1000)
    const fall = r.render(ms(500))
    expect(r.resume(0, id, 1000)).toMatchObject({ state: 'playing' })
    const rise = r.render(ms(1000))
    expect(fall.left.at(-1)).toBeGreaterThan(0.5)
    expect(rise.left[0]).toBeCloseTo(0.5, 6)
    expect(rise.left[ms(500)]).toBeCloseTo(0.75, 6)
    r.advance(ms(5000))
    expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 6500 })
  })

  it('playing → resume: a no-op that starts no fade', () => {
    const r = rig([{ buttons: [{ ...endless, file: constant() }] }])
    const id = r.start(0)
    r.advance(ms(5))
    expect(r.resume(0, id, 1000)).toMatchObject({ state: 'playing', positionMs: 5 })
    expect(r.render(ms(10)).left.every((x) => x === 1)).toBe(true)
    expect(r.story()).toEqual(['0 starting', '0 playing'])
  })

  it('paused → play: already_active with its id, resumed, options ignored', () => {
    const r = rig([{ buttons: [{ mediaMs: 2000 }] }])
    const id = r.start(0)
    r.pause(0, id, 0)
    const options = { ...NO_OPTIONS, loop: true }
    const reply = r.send({ kind: 'play', buttonId: r.idOf(0), options })
    expect(reply).toMatchObject({ ok: true, status: 200 })
    expect(r.body(reply)).toEqual({
      result: 'already_active', id: r.idOf(0), executionId: id, dmxExecutionId: null,
    })
    expect(r.state(id)).toBe('playing')
    r.advance(ms(2000))
    expect(r.run(id)).toMatchObject({ state: 'completed', endReason: 'natural_end' })
  })

  it.each(['playing', 'pausing'])('%s → play: already_active, unchanged', (state) => {
    const r = rig([{ buttons: [endless] }])
    const id = r.start(0)
    if (state === 'pausing') r.pause(0, id, 1000)
    const play = { kind: 'play' as const, buttonId: r.idOf(0), options: NO_OPTIONS }
    expect(r.code(play)).toBe('already_active')
    expect(r.state(id)).toBe(state)
    r.advance(ms(1000))
    expect(r.state(id)).toBe(state === 'pausing' ? 'paused' : 'playing')
  })

  it('playing → stop, immediate: stopped/explicit_stop, 200 stopped', () => {
    const r = rig([{ buttons: [endless] }])
    const id = r.start(0)
    expect(r.stop(0, id)).toEqual({ result: 'stopped', id: r.idOf(0), executionId: id })
    expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
    expect(r.media.open$.size).toBe(0)
  })

  it('paused → stop: at once, whatever fade is asked for, and nothing is heard', () => {
    const r = rig([{ buttons: [{ ...endless, file: constant() }] }])
    const id = r.start(0)
    r.pause(0, id, 0)
    expect(r.stop(0, id, 5000)).toMatchObject({ result: 'stopped' })
    expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
    expect(r.render(ms(10)).left.every((x) => x === 0)).toBe(true)
  })

  it('pausing → stop: the pause is cancelled, the fade leaves from the gain of the moment', () => {
    const r = rig([{ buttons: [{ ...endless, file: constant() }] }])
    const id = r.start(0)
    r.pause(0, id, 1000)
    r.advance(ms(600))
    expect(r.stop(0, id, 800)).toMatchObject({ result: 'fading_out' })
    const fall = r.render(ms(800))
    expect(fall.left[0]).toBeCloseTo(0.4, 6)
    expect(fall.left[ms(400)]).toBeCloseTo(0.2, 6)
    expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
    expect(r.story()).not.toContain('0 paused')
  })

  it('fading_out → pause, resume: it cannot be cancelled', () => {
    const r = rig([{ buttons: [endless] }])
    const id = r.start(0)
    r.stop(0, id, 1000)
    expect(r.pause(0, id, 0)).toMatchObject({ state: 'fading_out' })
    const resume = { kind: 'resume' as const, buttonId: r.idOf(0), executionId: id, fadeInMs: 0 }
    expect(r.code(resume)).toBe('execution_not_resumable')
    r.advance(ms(1000))
    expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
  })

  it('fading_out → play: 409 execution_not_resumable, unchanged', () => {
    const r = rig([{ buttons: [endless] }])
    const id = r.start(0)
    r.stop(0, id, 1000)
    const play = { kind: 'play' as const, buttonId: r.idOf(0), options: NO_OPTIONS }
    expect(r.code(play)).toBe('execution_not_resumable')
    expect(r.state(id)).toBe('fading_out')
  })

  it('fading_out → restart: a new run that the old fade cannot end', () => {
    const r = rig([{ buttons: [endless] }])
    const old = r.start(0)
    r.stop(0, old, 1000)
    r.advance(ms(500))
    const id = r.start(0, {}, 'restart')
    expect(r.run(old)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
    r.advance(ms(10_000))
    expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 10_000 })
  })

  it('active → replaced by a start: stopped/replaced, or paused where that is in effect', () => {
    for (const keep of [false, true]) {
      const r = rig([{ buttons: [{ ...endless, pauseWhenReplaced: keep }, endless] }])
      const old = r.start(0)
      r.advance(ms(100))
      const id = r.start(1)
      expect(r.state(id)).toBe('playing')
      expect(r.run(old)).toMatchObject(
        keep ? { state: 'paused', endReason: null } : { state: 'stopped', endReason: 'replaced' },
      )
    }
  })

  it('active → decoder failure: failed/playback_error at the last frame that was decoded', () => {
    const r = rig([{ buttons: [{ file: { breaksAt: frame(ms(700)) } }] }])
    const id = r.start(0)
    r.advance(ms(700) - 1)
    expect(r.state(id)).toBe('playing')
    r.advance(1)
    expect(r.run(id)).toMatchObject({
      state: 'failed', endReason: 'playback_error', positionMs: 700,
    })
  })

  it('any terminal → stop: harmless', () => {
    const ends = ['natural_end', 'explicit_stop', 'replaced', 'playback_error'] as const
    for (const reason of ends) {
      const r = rig([{ buttons: [{ mediaMs: 100 }, endless] }])
      if (reason === 'playback_error') r.file(0, { breaksAt: frame(ms(50)) })
      const id = r.start(0)
      if (reason === 'explicit_stop') r.stop(0)
      if (reason === 'replaced') r.start(1)
      r.advance(ms(200))
      const before = r.run(id)
      expect(before.endReason).toBe(reason)
      expect(r.stop(0, id)).toEqual({ result: 'already_stopped', id: r.idOf(0), executionId: id })
      expect(r.stop(0)).toEqual({ result: 'already_stopped', id: r.idOf(0), executionId: null })
      expect(r.run(id)).toEqual(before)
      const resume = {
        kind: 'resume' as const, buttonId: r.idOf(0), executionId: id, fadeInMs: null,
      }
      expect(r.code(resume)).toBe('execution_not_resumable')
      expect(r.live(0)).toBeNull()
    }
  })
})

describe('3.2 retention', () => {
  const MINUTES_10 = ms(600_000)

  it('keeps a terminal snapshot for ten minutes at least, then forgets it', () => {
    const r = rig([{ buttons: [{ mediaMs: 100 }] }])
    const id = r.start(0)
    r.advance(ms(100))
    r.advance(MINUTES_10)
    expect(r.run(id)).toMatchObject({ state: 'completed', positionMs: 100 })
    r.advance(ms(60_000))
    expect(r.player.execution(id)).toBeNull()
    const stop = { kind: 'stop' as const, buttonId: r.idOf(0), executionId: id, fadeOutMs: null }
    expect(r.code(stop)).toBe('execution_not_found')
  })

  it('never lets active and paused runs expire', () => {
    const r = rig([{ buttons: [{ allowOverlap: true }, { mediaMs: 100, allowOverlap: true }] }])
    const [paused, looping] = [r.start(0), r.start(1, { loop: true })]
    r.pause(0, paused, 0)
    r.advance(3 * MINUTES_10)
    expect([r.state(paused), r.state(looping)]).toEqual(['paused', 'playing'])
  })
})
