// Section 3.3: with external sequencing the client alone decides what comes next, rule by rule.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { NO_OPTIONS } from '../../src/engine/commands/commands.js'
import { constant, ms, played, rig } from '../rig.js'

const short = { mediaMs: 1000 }
const ext = { externalSequencing: true }
const sequence = { mode: 'sequence' as const, wrap: true }

describe('3.3 external sequencing', () => {
  it('1. applies to this execution only and must be sent again', () => {
    const r = rig([{ ...sequence, buttons: [short, short] }])
    r.start(0, ext)
    r.advance(ms(5000))
    expect(played(r)).toEqual(['0'])
    r.start(0)
    r.advance(ms(1500))
    expect(played(r)).toEqual(['0', '0', '1'])
  })

  it.each(['sequence', 'shuffle'] as const)('2. keeps a %s from going on and wrapping', (mode) => {
    const r = rig([{ mode, wrap: true, buttons: [short, short, short] }])
    const id = r.start(0, ext)
    r.advance(ms(60_000))
    expect(r.run(id)).toMatchObject({ state: 'completed', endReason: 'natural_end' })
    expect(played(r)).toEqual(['0'])
    expect(r.engine.quiet()).toBe(true)
  })

  it('2. disables the early crossfade: the sound keeps its full level to its last frame', () => {
    const buttons = [{ ...short, file: constant() }, { ...short, file: constant() }]
    const r = rig([{ ...sequence, mixOnTransition: true, crossfadeMs: 400, buttons }])
    r.start(0, ext)
    const { left } = r.render(ms(1100))
    expect(left.subarray(0, ms(1000)).every((x) => x === 1)).toBe(true)
    expect(left.subarray(ms(1000)).every((x) => x === 0)).toBe(true)
    expect(r.media.open$.size).toBe(0)
  })

  it('2. disables the saved loop, hard and crossfaded', () => {
    for (const mixOnTransition of [false, true]) {
      const buttons = [{ ...short, isLoopEnabled: true }]
      const r = rig([{ mixOnTransition, crossfadeMs: 300, buttons }])
      const id = r.start(0, ext)
      r.advance(ms(1000))
      expect(r.run(id)).toMatchObject({ state: 'completed', positionMs: 1000 })
    }
  })

  it('3. ends completed/natural_end and leaves Now playing', () => {
    const r = rig([{ ...sequence, buttons: [short, short] }])
    const id = r.start(0, ext)
    r.advance(ms(1000))
    expect(r.run(id)).toMatchObject({ state: 'completed', endReason: 'natural_end' })
    expect(r.player.status()).toMatchObject({ active: [], paused: [] })
  })

  it('4. stays in effect after pause and resume, through the final completion', () => {
    const buttons = [{ ...short, isLoopEnabled: true }, short]
    const r = rig([{ ...sequence, mixOnTransition: true, crossfadeMs: 300, buttons }])
    const id = r.start(0, ext)
    r.advance(ms(900))
    r.pause(0, id, 50)
    r.advance(ms(5000))
    r.resume(0, id, 0)
    r.advance(ms(5000))
    expect(r.run(id)).toMatchObject({ state: 'completed', endReason: 'natural_end' })
    expect(played(r)).toEqual(['0', '0'])
  })

  it('4. stays in effect after being replaced into a pause', () => {
    const r = rig([{ ...sequence, buttons: [short, { mediaMs: 200 }] }])
    const id = r.start(0, { ...ext, pauseWhenReplaced: true })
    r.advance(ms(500))
    r.start(1, ext)
    r.advance(ms(300))
    r.resume(0, id, 0)
    r.advance(ms(10_000))
    expect(r.run(id)).toMatchObject({ state: 'completed', positionMs: 1000 })
    expect(played(r)).toEqual(['0', '1', '0'])
  })

  it('5. changes no saved setting, no command, and no replacement crossfade', () => {
    const buttons = [{ ...short, file: constant() }, { ...short, file: constant(0.5) }]
    const r = rig([{ mixOnTransition: true, crossfadeMs: 100, buttons }])
    const before = JSON.stringify(r.player.buttons().buttons.map((it) => it.isLoopEnabled))
    const id = r.start(0, ext)
    r.advance(ms(500))
    r.start(1, ext)
    const { left } = r.render(ms(100))
    expect(left[ms(50)]).toBeCloseTo(0.5 + 0.25, 6)
    expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'replaced' })
    expect(JSON.stringify(r.player.buttons().buttons.map((it) => it.isLoopEnabled))).toBe(before)
  })

  it('5. leaves a looping DMX timeline looping', () => {
    const dmx = { timelineId: 't', loop: true, durationFrames: frame(ms(300)), error: null }
    const r = rig([{ buttons: [{ ...short, dmx }] }])
    r.start(0, ext)
    r.advance(ms(700))
    const [timeline] = r.player.status().lights.timelines
    expect(timeline).toMatchObject({ positionMs: 100, isPlaying: true })
  })

  it('6. omitted or false keeps what there was: the list goes on', () => {
    const r = rig([{ ...sequence, buttons: [short, short] }])
    r.start(0, { externalSequencing: false })
    r.advance(ms(2500))
    expect(played(r)).toEqual(['0', '1', '0'])
  })

  it('7. cannot be enabled by play on an active run; a restart can', () => {
    const r = rig([{ ...sequence, buttons: [short, short] }])
    r.start(0)
    const options = { ...NO_OPTIONS, ...ext }
    expect(r.code({ kind: 'play', buttonId: r.idOf(0), options })).toBe('already_active')
    r.advance(ms(1500))
    expect(played(r)).toEqual(['0', '1'])
    r.start(0, ext, 'restart')
    r.advance(ms(5000))
    expect(played(r)).toEqual(['0', '1', '0'])
  })
})
