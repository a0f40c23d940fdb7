// Section 4.1: the rules of play, restart, pause, resume and stop, each by its number.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { NO_OPTIONS, type Command } from '../../src/engine/commands/commands.js'
import { constant, guid, ms, rig, slow } from '../rig.js'

const long = { mediaMs: 600_000 }
const flat = { ...long, file: constant() }

describe('4.1 play', () => {
  it('1. 202 is no proof of decoding: a file that cannot be decoded is accepted and fails', () => {
    const r = rig([{ buttons: [{ file: { breaksAt: frame(0) } }] }])
    const reply = r.send({ kind: 'play', buttonId: r.idOf(0), options: NO_OPTIONS })
    expect(reply).toMatchObject({ status: 202 })
    const executionId = String(r.body(reply)['executionId'])
    expect(r.body(reply)).toEqual({
      result: 'accepted', id: r.idOf(0), executionId, dmxAllowed: true, dmxExecutionId: null,
    })
    expect(r.run(executionId)).toMatchObject({
      state: 'failed', endReason: 'playback_error', positionMs: 0,
    })
  })

  it('2. on an active run: already_active with its ID, and the options of the run stay', () => {
    const r = rig([{ mode: 'sequence', buttons: [{ mediaMs: 1000 }, long] }])
    const id = r.start(0, { loop: true })
    const options = { ...NO_OPTIONS, loop: false, externalSequencing: true, loopCrossfadeMs: 100 }
    const reply = r.send({ kind: 'play', buttonId: r.idOf(0), options })
    expect(reply).toMatchObject({ ok: true, status: 200 })
    expect(r.body(reply)).toMatchObject({ result: 'already_active', executionId: id })
    r.advance(ms(3500))
    expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 500 })
  })

  it('3. resumes a paused run without being asked to keep others: replacement included', () => {
    const r = rig([{ buttons: [long, long] }])
    const bed = r.start(0, { pauseWhenReplaced: true })
    const other = r.start(1)
    expect(r.state(bed)).toBe('paused')
    const play: Command = { kind: 'play', buttonId: r.idOf(0), options: NO_OPTIONS }
    expect(r.code(play)).toBe('already_active')
    expect([r.state(bed), r.run(other).endReason]).toEqual(['playing', 'replaced'])
  })
})

describe('4.1 restart', () => {
  it('1. ends the previous run explicitly, new ID, and takes the same options', () => {
    const r = rig([{ buttons: [{ mediaMs: 1000 }] }])
    const old = r.start(0)
    r.advance(ms(300))
    const id = r.start(0, { loop: true }, 'restart')
    expect(r.run(old)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
    r.advance(ms(2500))
    expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 500 })
  })

  it('1. leaves the previous run untouched where the start is refused', () => {
    const r = rig([{ buttons: [flat] }])
    const old = r.start(0)
    r.file(0, { missing: true })
    const restart = { kind: 'restart' as const, buttonId: r.idOf(0), options: NO_OPTIONS }
    expect(r.code(restart)).toBe('media_file_missing')
    expect(r.render(ms(10)).left.every((x) => x === 1)).toBe(true)
    expect(r.state(old)).toBe('playing')
  })

  it('1. ends a paused, a pausing and a starting run as well', () => {
    for (const state of ['paused', 'pausing', 'starting']) {
      const r = rig([{ buttons: [state === 'starting' ? { ...long, file: slow(100) } : long] }])
      const old = r.start(0)
      if (state !== 'starting') r.pause(0, old, state === 'paused' ? 0 : 500)
      expect(r.state(old)).toBe(state)
      const id = r.start(0, {}, 'restart')
      expect(r.run(old)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
      r.advance(ms(1000))
      expect(r.state(id)).toBe('playing')
    }
  })

  it('2. a lost answer is found in buttons and status', () => {
    const r = rig([{ buttons: [long] }])
    const id = r.start(0, {}, 'restart')
    expect(r.player.buttons().buttons[0]).toMatchObject({ isPlaying: true, executionId: id })
    expect(r.player.status().active[0]).toMatchObject({ id: r.idOf(0), executionId: id })
  })
})

describe('4.1 pause', () => {
  it('2. audio advances during the fade and pauses at the position reached at its end', () => {
    const r = rig([{ buttons: [flat] }])
    const id = r.start(0)
    r.advance(ms(100))
    r.pause(0, id, 333)
    const { left } = r.render(ms(400))
    const last = left.findLastIndex((x) => x !== 0)
    expect(last).toBe(ms(333) - 1)
    const fall = left.subarray(0, ms(333))
    expect(fall.every((x, f) => Math.abs(x - (1 - f / ms(333))) < 1e-6)).toBe(true)
    expect(r.run(id)).toMatchObject({ state: 'paused', positionMs: 433 })
  })

  it('3. repeated pauses, with another fade or zero too, do not touch the fade', () => {
    const r = rig([{ buttons: [flat] }])
    const id = r.start(0)
    r.pause(0, id, 1000)
    r.advance(ms(500))
    for (const fadeOutMs of [null, 0, 60_000]) {
      expect(r.pause(0, id, fadeOutMs)).toMatchObject({ state: 'pausing' })
    }
    expect(r.render(1).left[0]).toBeCloseTo(0.5, 6)
    r.advance(ms(500) - 1)
    expect(r.run(id)).toMatchObject({ state: 'paused', positionMs: 1000 })
  })

  it('4. a positive fade is forced where nothing is saved and Mix is off', () => {
    const r = rig([{ crossfadeMs: 700, buttons: [flat] }])
    const id = r.start(0)
    expect(r.pause(0, id, 1)).toMatchObject({ state: 'pausing' })
    r.advance(48)
    expect(r.state(id)).toBe('paused')
    r.resume(0, id, 0)
    expect(r.pause(0, id)).toMatchObject({ state: 'paused' })
  })

  it('4. an already paused run is not resumed to perform a fade', () => {
    const r = rig([{ buttons: [flat] }])
    const id = r.start(0)
    r.pause(0, id, 0)
    expect(r.pause(0, id, 1000)).toMatchObject({ state: 'paused' })
    expect(r.render(ms(100)).left.every((x) => x === 0)).toBe(true)
  })
})

describe('4.1 resume', () => {
  it('2. the same ID and position; an open pause is cancelled; playing is a no-op', () => {
    const r = rig([{ buttons: [long] }])
    const id = r.start(0)
    r.advance(ms(200))
    r.pause(0, id, 0)
    r.advance(ms(5000))
    expect(r.resume(0, id)).toMatchObject({ executionId: id, state: 'playing', positionMs: 200 })
    r.pause(0, id, 100)
    expect(r.resume(0, id)).toMatchObject({ state: 'playing', positionMs: 200 })
    r.advance(ms(1000))
    expect(r.resume(0, id)).toMatchObject({ state: 'playing', positionMs: 1200 })
  })

  it('3. others are replaced or paused by their own settings, with the normal crossfades', () => {
    const list = { mixOnTransition: true, crossfadeMs: 400 }
    const settings = { ...long, allowOverlap: true }
    const buttons = [long, settings, { ...settings, pauseWhenReplaced: true }]
    const r = rig([{ ...list, buttons }])
    const bed = r.start(0)
    r.pause(0, bed, 0)
    const [a, b] = [r.start(1), r.start(2)]
    r.advance(ms(100))
    r.resume(0, bed)
    expect([r.state(a), r.state(b)]).toEqual(['fading_out', 'pausing'])
    r.advance(ms(400))
    expect([r.run(a).endReason, r.state(b)]).toEqual(['replaced', 'paused'])
  })

  it('4. a terminated or superseded run is never restarted', () => {
    const r = rig([{ buttons: [long] }])
    const old = r.start(0)
    r.stop(0, old)
    const resume: Command = {
      kind: 'resume', buttonId: r.idOf(0), executionId: old, fadeInMs: null,
    }
    expect(r.code(resume)).toBe('execution_not_resumable')
    const id = r.start(0)
    expect(r.code(resume)).toBe('execution_not_resumable')
    expect([r.state(old), r.state(id)]).toEqual(['stopped', 'playing'])
  })

  it('5. an explicit fade rules the incoming track; the outgoing one keeps its own', () => {
    const r = rig([{ buttons: [flat, { ...long, fadeOutMs: 200, file: constant(0.5) }] }])
    const bed = r.start(0)
    r.pause(0, bed, 0)
    r.start(1)
    r.resume(0, bed, 1000)
    const { left } = r.render(ms(1000))
    expect(left[ms(100)]).toBeCloseTo(0.1 + 0.25, 6)
    expect(left[ms(200)]).toBeCloseTo(0.2, 6)
    expect(left[ms(500)]).toBeCloseTo(0.5, 6)
  })
})

describe('4.1 stop', () => {
  it('1. an older ID cannot stop a newer run; without a body whatever is there is stopped', () => {
    const r = rig([{ buttons: [long] }])
    const old = r.start(0)
    const id = r.start(0, {}, 'restart')
    const stop: Command = { kind: 'stop', buttonId: r.idOf(0), executionId: old, fadeOutMs: null }
    expect(r.code(stop)).toBe('stale_execution')
    expect(r.state(id)).toBe('playing')
    expect(r.stop(0)).toEqual({ result: 'stopped', id: r.idOf(0), executionId: id })
  })

  it('1. both forms inherit the saved fade', () => {
    for (const named of [true, false]) {
      const r = rig([{ buttons: [{ ...long, fadeOutMs: 300 }] }])
      const id = r.start(0)
      expect(r.stop(0, named ? id : null)).toMatchObject({ result: 'fading_out', executionId: id })
      r.advance(ms(300) - 1)
      expect(r.state(id)).toBe('fading_out')
      r.advance(1)
      expect(r.state(id)).toBe('stopped')
    }
  })

  it('3. a repeated stop does not change the fade that is heard', () => {
    const r = rig([{ buttons: [flat] }])
    const id = r.start(0)
    r.stop(0, id, 1000)
    const first = r.render(ms(400)).left
    for (const fadeOutMs of [0, null, 5]) r.stop(0, id, fadeOutMs)
    const { left } = r.render(ms(700))
    const gain = (f: number): number => Math.max(0, 1 - f / ms(1000))
    expect(first.every((x, f) => Math.abs(x - gain(f)) < 1e-6)).toBe(true)
    expect(left.every((x, f) => Math.abs(x - gain(ms(400) + f)) < 1e-6)).toBe(true)
  })

  it('5. never natural_end: End within the fade ends it with the reason of the fade', () => {
    const r = rig([{ mode: 'sequence', buttons: [{ mediaMs: 1000 }, long] }])
    const id = r.start(0)
    r.advance(ms(900))
    r.stop(0, id, 500)
    r.advance(ms(100))
    expect(r.run(id)).toMatchObject({
      state: 'stopped', endReason: 'explicit_stop', positionMs: 1000,
    })
    r.advance(ms(5000))
    expect(r.live(1)).toBeNull()
  })

  it('5. a loop is not wrapped by a run that fades out', () => {
    const r = rig([{ buttons: [{ mediaMs: 1000 }] }])
    const id = r.start(0, { loop: true })
    r.advance(ms(900))
    r.stop(0, id, 5000)
    r.advance(ms(100))
    expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
  })

  it('5. a stop at the very frame of the end comes too late, one frame earlier in time', () => {
    for (const [early, reason] of [[0, 'natural_end'], [1, 'explicit_stop']] as const) {
      const r = rig([{ mode: 'sequence', buttons: [{ mediaMs: 100 }, long] }])
      const id = r.start(0)
      r.advance(ms(100) - early)
      r.stop(0, id)
      expect(r.run(id).endReason).toBe(reason)
      r.advance(ms(10))
      expect(r.live(1) !== null).toBe(reason === 'natural_end')
    }
  })

  it('6. images and DMX-only buttons stop at once, whatever fade is asked for', () => {
    const dmx = { timelineId: 't', loop: true, durationFrames: frame(ms(300)), error: null }
    const r = rig([{ buttons: [
      { kind: 'image', media: '/media/logo' }, { kind: 'dmx', media: null, dmx },
    ] }])
    for (const n of [0, 1]) {
      expect(r.start(n)).toBeNull()
      expect(r.stop(n, null, 5000)).toEqual({ result: 'stopped', id: r.idOf(n), executionId: null })
      expect(r.player.status().active).toEqual([])
      expect(r.stop(n)).toMatchObject({ result: 'already_stopped' })
    }
  })
})

describe('1 ids', () => {
  it('navigation buttons cannot be played', () => {
    const r = rig([{ buttons: [{ kind: 'navigation', media: null }] }])
    for (const kind of ['play', 'restart'] as const) {
      expect(r.code({ kind, buttonId: r.idOf(0), options: NO_OPTIONS }))
        .toBe('invalid_playback_request')
    }
    expect(r.stop(0)).toMatchObject({ result: 'already_stopped' })
  })

  it('an unknown button is 404 to every command', () => {
    const r = rig([{ buttons: [long] }])
    const id = r.start(0)
    const buttonId = guid(0xbad)
    const commands: Command[] = [
      { kind: 'play', buttonId, options: NO_OPTIONS },
      { kind: 'restart', buttonId, options: NO_OPTIONS },
      { kind: 'pause', buttonId, executionId: id, fadeOutMs: null },
      { kind: 'resume', buttonId, executionId: id, fadeInMs: null },
      { kind: 'stop', buttonId, executionId: null, fadeOutMs: null },
    ]
    for (const command of commands) expect(r.code(command)).toBe('button_not_found')
  })
})
