// Decisions 3, Starting and Replacement: who gives way, when, and how; nothing is lost to a slow
// file.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { NO_OPTIONS, type Command } from '../../src/engine/commands/commands.js'
import { constant, ms, rig, slow } from '../rig.js'

const long = { mediaMs: 600_000 }
const flat = { ...long, file: constant() }

describe('what replaces what', () => {
  it.each([
    [false, null, true], [true, null, false], [false, true, false], [true, false, true],
  ])('allowOverlap saved %s, sent %s: replaces %s', (saved, sent, replaces) => {
    const r = rig([{ buttons: [long, { ...long, allowOverlap: saved }] }])
    const bed = r.start(0)
    r.start(1, { allowOverlap: sent })
    expect(r.run(bed).endReason).toBe(replaces ? 'replaced' : null)
  })

  it.each([
    [false, null, false], [true, null, true], [false, true, true], [true, false, false],
  ])('pauseWhenReplaced saved %s, sent %s: paused %s', (saved, sent, paused) => {
    const r = rig([{ buttons: [{ ...long, pauseWhenReplaced: saved, fadeOutMs: 100 }, long] }])
    const bed = r.start(0, { pauseWhenReplaced: sent })
    r.start(1, { pauseWhenReplaced: !paused })
    expect(r.state(bed)).toBe(paused ? 'pausing' : 'fading_out')
    r.advance(ms(100))
    expect(r.run(bed)).toMatchObject(
      paused ? { state: 'paused', endReason: null } : { state: 'stopped', endReason: 'replaced' },
    )
  })

  it('an unsent pauseWhenReplaced is read when it happens, from the show as it is then', () => {
    const r = rig([{ buttons: [long, long] }])
    const bed = r.start(0)
    r.change(0, { pauseWhenReplaced: true })
    r.start(1)
    expect(r.state(bed)).toBe('paused')
  })

  it('leaves paused, pausing and fading runs to what they are doing', () => {
    const some = { ...long, allowOverlap: true, pauseWhenReplaced: false }
    const r = rig([{ mixOnTransition: true, crossfadeMs: 10, buttons: [some, some, some, long] }])
    const [paused, pausing, fading] = [r.start(0), r.start(1), r.start(2)]
    r.pause(0, paused, 0)
    r.pause(1, pausing, 1000)
    r.stop(2, fading, 1000)
    r.start(3)
    expect([paused, pausing, fading].map((id) => r.state(id)))
      .toEqual(['paused', 'pausing', 'fading_out'])
    r.advance(ms(1000))
    expect([r.state(pausing), r.run(fading).endReason]).toEqual(['paused', 'explicit_stop'])
  })

  it('a stop of a run that fades because it was replaced keeps its reason and its fade', () => {
    const r = rig([{ buttons: [{ ...long, fadeOutMs: 500 }, long] }])
    const bed = r.start(0)
    r.start(1)
    expect(r.stop(0, bed, 0)).toMatchObject({ result: 'fading_out', executionId: bed })
    r.advance(ms(500))
    expect(r.run(bed)).toMatchObject({ state: 'stopped', endReason: 'replaced' })
  })

  it('the incoming playlist\'s Mix governs, not the outgoing one\'s', () => {
    const r = rig([
      { mixOnTransition: true, crossfadeMs: 900, buttons: [flat] },
      { buttons: [flat] },
      { mixOnTransition: true, crossfadeMs: 200, buttons: [{ ...flat, file: constant(0) }] },
    ])
    const bed = r.start(0)
    r.start(1)
    expect(r.run(bed)).toMatchObject({ state: 'stopped', endReason: 'replaced' })
    r.start(2)
    const { left } = r.render(ms(250))
    expect(left[ms(100)]).toBeCloseTo(0.5, 6)
    expect(left[ms(200)]).toBe(0)
  })

  it('equal-power is for replacement crossfades alone', () => {
    const list = { mixOnTransition: true, crossfadeMs: 400, crossfadeCurve: 'equal-power' as const }
    const r = rig([{ ...list, buttons: [flat, { ...flat, file: constant(0) }] }])
    const id = r.start(0)
    r.start(1)
    expect(r.render(ms(400)).left[ms(200)]).toBeCloseTo(Math.SQRT1_2, 6)
    expect(r.run(id).endReason).toBe('replaced')
    const alone = r.start(0, {}, 'restart')
    r.advance(ms(1000))
    r.pause(0, alone, 400)
    expect(r.render(ms(400)).left[ms(200)]).toBeCloseTo(0.5, 6)
  })
})

describe('a slow, broken or missing incoming file', () => {
  it('what it replaces keeps sounding until it sounds itself: no frame of silence', () => {
    const r = rig([{ buttons: [flat, { ...long, file: { ...slow(300), ...constant(0.5) } }] }])
    const bed = r.start(0)
    const id = r.start(1)
    const { left } = r.render(ms(400))
    expect(left.findIndex((x) => x !== 1)).toBe(ms(300))
    expect(left.subarray(ms(300)).every((x) => x === 0.5)).toBe(true)
    expect([r.run(bed).endReason, r.state(id)]).toEqual(['replaced', 'playing'])
  })

  it('one that breaks while starting replaces nothing', () => {
    const file = { ...slow(300), breaksAt: frame(0) }
    const r = rig([{ buttons: [flat, { ...long, file }] }])
    const bed = r.start(0)
    const id = r.start(1)
    expect(r.render(ms(500)).left.every((x) => x === 1)).toBe(true)
    expect([r.state(bed), r.run(id).endReason]).toEqual(['playing', 'playback_error'])
  })

  it('one that is missing is 422 and touches nothing', () => {
    const r = rig([{ buttons: [flat, { ...long, file: { missing: true } }] }])
    r.start(0)
    const events = r.events.length
    const play: Command = { kind: 'play', buttonId: r.idOf(1), options: NO_OPTIONS }
    expect(r.code(play)).toBe('media_file_missing')
    expect(r.render(ms(10)).left.every((x) => x === 1)).toBe(true)
    expect(r.events.length).toBe(events)
  })

  it('several starts in flight resolve to the last accepted, whichever is ready first', () => {
    for (const order of [[300, 200, 100], [100, 200, 300], [200, 300, 100], [300, 100, 200]]) {
      const coming = order.map((after) => ({ ...long, file: slow(after) }))
      const r = rig([{ buttons: [flat, ...coming] }])
      const bed = r.start(0)
      const ids = [r.start(1), r.start(2), r.start(3)]
      r.advance(ms(1000))
      expect([bed, ...ids].map((id) => r.run(id).endReason), order.join())
        .toEqual(['replaced', 'replaced', 'replaced', null])
      expect(r.state(ids[2]!)).toBe('playing')
    }
  })

  it('one that was pressed before a list moved on replaces the item that the list came to', () => {
    const list = { mode: 'sequence' as const, buttons: [{ ...long, endMs: 200 }, long] }
    const r = rig([list, { buttons: [{ ...long, file: slow(300) }] }])
    r.start(0)
    r.advance(ms(100))
    const pressed = r.start(2)
    r.advance(ms(200))
    const item = r.live(1)!
    expect([r.state(item), r.state(pressed)]).toEqual(['playing', 'starting'])
    r.advance(ms(100))
    expect([r.run(item).endReason, r.state(pressed)]).toEqual(['replaced', 'playing'])
  })

  it('a starting run that is replaced goes: stopped, or paused at its Start', () => {
    for (const keep of [false, true]) {
      const bed = { ...long, startMs: 500, pauseWhenReplaced: keep, file: slow(100) }
      const r = rig([{ buttons: [bed, long] }])
      const id = r.start(0)
      r.start(1)
      expect(r.run(id)).toMatchObject(
        keep ? { state: 'paused', positionMs: 500 } : { state: 'stopped', endReason: 'replaced' },
      )
      r.advance(ms(1000))
      expect(r.state(id)).toBe(keep ? 'paused' : 'stopped')
      if (!keep) continue
      r.resume(0, id)
      r.advance(ms(100))
      expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 600 })
    }
  })

  const kept = (file: object): ReturnType<typeof rig> =>
    rig([{ buttons: [{ ...long, pauseWhenReplaced: true, file }, flat] }])

  it('a resume of one that was kept replaces when it sounds: no frame of silence', () => {
    const r = kept({ ...slow(300), ...constant(0.5) })
    const id = r.start(0)
    const bed = r.start(1)
    expect(r.state(id)).toBe('paused')
    expect(r.resume(0, id, 100)).toMatchObject({ state: 'playing', positionMs: 0 })
    const { left } = r.render(ms(500))
    expect(left.findIndex((x) => x !== 1)).toBe(ms(300))
    // Its fade begins with its sound.
    expect(left[ms(350)]).toBeCloseTo(0.25, 3)
    expect(left.subarray(ms(400)).every((x) => x === 0.5)).toBe(true)
    expect([r.run(id).positionMs, r.run(bed).endReason]).toEqual([200, 'replaced'])
  })

  it('a resume of one that was kept and breaks replaces nothing', () => {
    const r = kept({ ...slow(300), breaksAt: frame(0) })
    const id = r.start(0)
    const bed = r.start(1)
    r.resume(0, id)
    expect(r.render(ms(500)).left.every((x) => x === 1)).toBe(true)
    expect([r.state(bed), r.run(id).endReason]).toEqual(['playing', 'playback_error'])
  })

  it.each([
    ['paused again', 'pause', 'paused'], ['stopped', 'stop', 'stopped'],
  ] as const)('a resume of one that was kept, %s then: at once, and the bed plays on', (...row) => {
    const [, what, state] = row
    const r = kept(slow(300))
    const id = r.start(0)
    const bed = r.start(1)
    r.resume(0, id)
    r[what](0, id, 1000)
    expect(r.state(id)).toBe(state)
    expect(r.render(ms(500)).left.every((x) => x === 1)).toBe(true)
    expect([r.state(bed), r.state(id)]).toEqual(['playing', state])
  })

  it('a list that still looks for its next item does not come after what replaced it', () => {
    const settings = { mode: 'sequence' as const }
    const file = { checkedAfter: frame(ms(7000)) }
    const buttons = [{ mediaMs: 1000 }, { ...long, file }]
    const r = rig([{ ...settings, buttons }, { buttons: [long] }])
    r.start(0)
    r.advance(ms(1500))
    const id = r.start(2)
    r.advance(ms(10_000))
    expect([r.live(1), r.state(id)]).toEqual([null, 'playing'])
  })
})

describe('commands while a run is starting', () => {
  const starting = () => {
    const late = { ...flat, startMs: 400, file: { ...slow(200), ...constant() } }
    const r = rig([{ buttons: [flat, late] }])
    const bed = r.start(0)
    return { r, bed, id: r.start(1) }
  }

  it('pause answers starting, then the run is paused at its Start and has replaced nothing', () => {
    const { r, bed, id } = starting()
    expect(r.pause(1, id, 500)).toMatchObject({ state: 'starting', positionMs: 400 })
    r.advance(ms(200) - 1)
    expect(r.state(id)).toBe('starting')
    r.advance(1)
    expect(r.run(id)).toMatchObject({ state: 'paused', positionMs: 400 })
    expect(r.state(bed)).toBe('playing')
    r.resume(1, id, 0)
    expect([r.state(id), r.run(bed).endReason]).toEqual(['playing', 'replaced'])
  })

  it('resume takes such a pause back', () => {
    const { r, id } = starting()
    r.pause(1, id)
    expect(r.resume(1, id, 1000)).toMatchObject({ state: 'starting' })
    r.advance(ms(300))
    expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 500 })
  })

  it('play is already_active and changes nothing', () => {
    const { r, id } = starting()
    const play: Command = { kind: 'play', buttonId: r.idOf(1), options: NO_OPTIONS }
    expect(r.send(play)).toMatchObject({ status: 200 })
    expect(r.state(id)).toBe('starting')
  })

  it('stop ends it at once, whatever fade is asked for, and the bed plays on', () => {
    const { r, bed, id } = starting()
    expect(r.stop(1, id, 1000)).toEqual({ result: 'stopped', id: r.idOf(1), executionId: id })
    expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
    r.advance(ms(1000))
    expect(r.state(bed)).toBe('playing')
    expect(r.media.open$.size).toBe(1)
  })
})
