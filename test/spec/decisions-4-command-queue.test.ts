// Decisions 4: one command at a time, sixteen in order behind it, five seconds for each; panic
// first.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { NO_OPTIONS, type Command, type Reply } from '../../src/engine/commands/commands.js'
import { constant, ms, rig, type Rig } from '../rig.js'

const long = { mediaMs: 600_000 }
const checked = (afterMs: number) => ({ ...long, file: { checkedAfter: frame(ms(afterMs)) } })

const play = (r: Rig, n: number): Command =>
  ({ kind: 'play', buttonId: r.idOf(n), options: NO_OPTIONS })
const stop = (r: Rig, n: number): Command =>
  ({ kind: 'stop', buttonId: r.idOf(n), executionId: null, fadeOutMs: null })
const said = (box: { reply: Reply | null }): string => {
  const { reply } = box
  if (reply === null) return 'waits'
  if (!reply.ok) return reply.refusal.code
  return (reply.body as { result?: string }).result ?? ''
}

describe('the gate', () => {
  it('carries out in order what waits behind a slow file', () => {
    const r = rig([{ buttons: [checked(1000), long] }])
    const boxes = [play(r, 0), play(r, 1), stop(r, 1), stop(r, 0)].map((it) => r.ask(it))
    expect(boxes.map(said)).toEqual(['waits', 'waits', 'waits', 'waits'])
    r.advance(ms(1000) - 1)
    expect(boxes.map(said)).toEqual(['waits', 'waits', 'waits', 'waits'])
    r.advance(1)
    expect(boxes.map(said)).toEqual(['accepted', 'accepted', 'stopped', 'stopped'])
    expect(r.story()).toEqual([
      '0 starting', '0 playing', '1 starting', '1 explicit_stop', '0 explicit_stop',
    ])
  })

  it('lets sixteen wait and refuses the next at once, changing nothing', () => {
    const r = rig([{ buttons: [checked(1000)] }])
    const first = r.ask(play(r, 0))
    const waiting = Array.from({ length: 16 }, () => r.ask(stop(r, 0)))
    expect(said(r.ask(stop(r, 0)))).toBe('command_in_progress')
    expect([first, ...waiting].map(said)).toEqual(Array(17).fill('waits'))
    r.advance(ms(1000))
    expect(said(first)).toBe('accepted')
    expect(waiting.map(said)).toEqual(['stopped', ...Array<string>(15).fill('already_stopped')])
    expect(said(r.ask(stop(r, 0)))).toBe('already_stopped')
  })

  it('reads never wait', () => {
    const r = rig([{ buttons: [checked(1000), long] }])
    const id = r.start(1)
    r.ask(play(r, 0))
    r.advance(ms(500))
    expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: 500 })
    expect(r.player.status().active).toHaveLength(1)
  })

  it('answers command_failed after five seconds and leaves no half-made run', () => {
    const r = rig([{ buttons: [checked(7000), checked(1000)] }])
    const first = r.ask(play(r, 0))
    const second = r.ask(play(r, 1))
    r.advance(ms(4999))
    expect([first, second].map(said)).toEqual(['waits', 'waits'])
    r.advance(ms(2))
    expect([first, second].map(said)).toEqual(['command_failed', 'command_failed'])
    r.advance(ms(10_000))
    expect(r.story()).toEqual([])
    expect(r.media.open$.size).toBe(0)
    r.file(1, { checkedAfter: frame(0) })
    expect(said(r.ask(play(r, 1)))).toBe('accepted')
  })

  it('goes on with what waits once the one before took too long', () => {
    const r = rig([{ buttons: [checked(7000), long, long] }])
    const first = r.ask(play(r, 0))
    r.advance(ms(1000))
    const [second, third] = [r.ask(play(r, 1)), r.ask(play(r, 2))]
    r.advance(ms(3999))
    expect([first, second, third].map(said)).toEqual(['waits', 'waits', 'waits'])
    r.advance(ms(2))
    expect([first, second, third].map(said)).toEqual(['command_failed', 'accepted', 'accepted'])
  })

  it('app_busy while the show is replaced, for those that waited too; panic is obeyed', () => {
    const r = rig([{ buttons: [long, checked(1000)] }])
    r.start(0)
    const waits = r.ask(play(r, 1))
    r.player.post({ kind: 'catalogue_busy' })
    expect(r.player.status().state).toBe('busy')
    expect(said(r.ask(stop(r, 0)))).toBe('app_busy')
    r.advance(ms(1000))
    expect(said(waits)).toBe('app_busy')
    expect(said(r.ask({ kind: 'panic', fadeOutMs: null }))).toBe('stopped')
    r.player.post({ kind: 'catalogue_kept', message: 'refused' })
    expect(r.player.status().state).toBe('ready')
    expect(said(r.ask(play(r, 0)))).toBe('accepted')
  })

  it('a show that was replaced under a waiting start is looked at anew', () => {
    const r = rig([{ buttons: [checked(1000)] }])
    const waits = r.ask(play(r, 0))
    r.change(0, { media: '/media/gone' })
    r.advance(ms(1000))
    expect(said(waits)).toBe('media_file_missing')
    const gone = rig([{ buttons: [checked(1000)] }])
    const box = gone.ask(play(gone, 0))
    gone.vanish(0)
    gone.advance(ms(1000))
    expect(said(box)).toBe('button_not_found')
  })
})

describe('panic', () => {
  it('overtakes: what waited starts nothing after it; all sound, light and pictures stop', () => {
    const dmx = { timelineId: 't', loop: true, durationFrames: frame(ms(300)), error: null }
    const over = { ...long, allowOverlap: true }
    const r = rig([{ buttons: [
      over, over, { kind: 'image' }, { kind: 'dmx', media: null, dmx }, checked(1000), long,
    ] }])
    const ids = [r.start(0), r.start(1)]
    r.pause(1, ids[1]!, 0)
    r.start(2)
    r.start(3)
    const waiting = [play(r, 4), play(r, 5)].map((it) => r.ask(it))
    const reply = r.send({ kind: 'panic', fadeOutMs: 200 })
    expect(r.body(reply)).toEqual({ result: 'fading_out', fadingOut: 1, stopped: 3 })
    expect(waiting.map(said)).toEqual(['command_failed', 'command_failed'])
    r.advance(ms(200))
    expect(ids.map((id) => r.run(id).endReason)).toEqual(['explicit_stop', 'explicit_stop'])
    r.advance(ms(5000))
    expect(r.player.status()).toMatchObject({ active: [], paused: [] })
    expect(r.engine.quiet()).toBe(true)
    expect(said(r.ask({ kind: 'panic', fadeOutMs: null }))).toBe('already_stopped')
  })

  it('without a fade is silence: fades under way are cut, and keep their reasons', () => {
    const faded = { ...long, fadeOutMs: 2000, file: constant() }
    const r = rig([{ buttons: [faded, { ...faded, allowOverlap: true }, faded] }])
    const replaced = r.start(0)
    const stopped = r.start(2)
    r.stop(2, stopped)
    const playing = r.start(1)
    expect([replaced, stopped, playing].map((id) => r.state(id)))
      .toEqual(['fading_out', 'fading_out', 'playing'])
    r.advance(ms(100))
    // Again with a fade it changes nothing for what fades; for one button neither, even with zero.
    expect(r.stop(0, replaced, 0)).toMatchObject({ result: 'fading_out' })
    const reply = r.send({ kind: 'panic', fadeOutMs: 0 })
    expect(r.body(reply)).toEqual({ result: 'stopped', fadingOut: 0, stopped: 3 })
    expect([replaced, stopped, playing].map((id) => r.run(id).endReason))
      .toEqual(['replaced', 'explicit_stop', 'explicit_stop'])
    expect(r.render(ms(50)).left.every((x) => x === 0)).toBe(true)
  })

  it('with a fade counts what fades out already, each time, and leaves that fade alone', () => {
    const faded = { ...long, fadeOutMs: 2000, allowOverlap: true }
    const r = rig([{ buttons: [faded, faded] }])
    const stopped = r.start(0)
    r.start(1)
    r.stop(0, stopped)
    r.advance(ms(100))
    for (const fadeOutMs of [null, 200]) {
      const reply = r.send({ kind: 'panic', fadeOutMs })
      expect(r.body(reply)).toEqual({ result: 'fading_out', fadingOut: 2, stopped: 0 })
    }
    r.advance(ms(1899))
    expect(r.state(stopped)).toBe('fading_out')
    r.advance(ms(1))
    expect(r.state(stopped)).toBe('stopped')
  })

  it('without a fade inherits none: neither the saved Fade out nor the Crossfade of a Mix', () => {
    const mix = { mixOnTransition: true, crossfadeMs: 3000 }
    const r = rig([
      { ...mix, buttons: [{ ...long, allowOverlap: true, fadeOutMs: 2000, file: constant() }] },
      { ...mix, buttons: [{ ...long, allowOverlap: true, file: constant() }] },
    ])
    const ids = [r.start(0), r.start(1)]
    r.advance(ms(4000))
    expect(r.body(r.send({ kind: 'panic', fadeOutMs: 0 }))).toMatchObject({ result: 'stopped' })
    expect(ids.map((id) => r.state(id))).toEqual(['stopped', 'stopped'])
    expect(r.render(ms(50)).left.every((x) => x === 0)).toBe(true)
  })
})

describe('shutdown', () => {
  it('ends everything at once, a fade too, and refuses what comes after', () => {
    const r = rig([{ buttons: [{ ...long, allowOverlap: true }, { ...long, allowOverlap: true }] }])
    const ids = [r.start(0), r.start(1)]
    r.stop(0, ids[0], 60_000)
    r.player.post({ kind: 'shutdown' })
    expect(ids.map((id) => r.run(id).endReason)).toEqual(['explicit_stop', 'explicit_stop'])
    expect(said(r.ask(play(r, 0)))).toBe('shutting_down')
    expect(said(r.ask({ kind: 'panic', fadeOutMs: null }))).toBe('shutting_down')
    expect(r.player.status().state).toBe('shutting_down')
    expect(r.media.open$.size).toBe(0)
  })
})
