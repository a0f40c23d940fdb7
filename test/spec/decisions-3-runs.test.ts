// Decisions 3: what an id means, output loss, edited kinds, fades at End, levels, the picture.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import type { Button } from '../../src/engine/catalogue.js'
import { NO_OPTIONS, type Command } from '../../src/engine/commands/commands.js'
import { constant, guid, ms, rig, slow, type Rig } from '../rig.js'

const long = { mediaMs: 600_000 }
const flat = { ...long, file: constant() }

const commands = (r: Rig, n: number, executionId: string): Command[] => {
  const buttonId = r.idOf(n)
  return [
    { kind: 'pause', buttonId, executionId, fadeOutMs: null },
    { kind: 'resume', buttonId, executionId, fadeInMs: null },
    { kind: 'stop', buttonId, executionId, fadeOutMs: null },
  ]
}
const codes = (r: Rig, n: number, executionId: string): string[] =>
  commands(r, n, executionId).map((command) => r.code(command))

describe('which run an id means', () => {
  it('unknown anywhere: 404', () => {
    const r = rig([{ buttons: [long] }])
    r.start(0)
    expect(codes(r, 0, guid(0xbad))).toEqual(Array(3).fill('execution_not_found'))
  })

  it('of another button, live or ended: stale, and that button is left alone', () => {
    const r = rig([{ buttons: [{ ...long, allowOverlap: true }, long] }])
    r.start(1)
    const live = r.start(0)
    expect(codes(r, 1, live)).toEqual(Array(3).fill('stale_execution'))
    expect(r.state(live)).toBe('playing')
    r.stop(0)
    expect(codes(r, 1, live)).toEqual(Array(3).fill('stale_execution'))
  })

  it('an older run of this button while a newer one is active', () => {
    const r = rig([{ buttons: [long] }])
    const old = r.start(0)
    const id = r.start(0, {}, 'restart')
    expect(codes(r, 0, old))
      .toEqual(['stale_execution', 'execution_not_resumable', 'stale_execution'])
    expect(r.state(id)).toBe('playing')
  })

  it('terminal with no newer run active', () => {
    const r = rig([{ buttons: [long] }])
    const id = r.start(0)
    r.stop(0)
    expect(codes(r, 0, id))
      .toEqual(['execution_not_resumable', 'execution_not_resumable', 'already_stopped'])
  })
})

describe('loss of the output', () => {
  const lose = (r: Rig): void => {
    r.player.post({ kind: 'output_lost', message: 'the device is gone' })
  }

  it('fails what starts and sounds, keeps what is paused, moves no list on', () => {
    const over = { ...long, allowOverlap: true }
    const r = rig([{ mode: 'sequence', wrap: true, buttons: [
      over, over, over, { ...over, file: slow(500) }, over, over,
    ] }])
    const [paused, playing, pausing, starting, fading] = [0, 1, 2, 3, 4].map((n) => r.start(n))
    r.pause(0, paused!, 0)
    r.pause(2, pausing!, 1000)
    r.stop(4, fading, 1000)
    lose(r)
    expect(r.state(paused!)).toBe('paused')
    for (const id of [playing, pausing, starting, fading]) {
      expect(r.run(id!)).toMatchObject({ state: 'failed', endReason: 'playback_error' })
    }
    expect(r.player.status().audio.state).toBe('unavailable')
    r.advance(ms(60_000))
    expect(r.player.status().active).toEqual([])
  })

  it('refuses starts and resumes with 503 until it is back; reads, stops, pictures go on', () => {
    const r = rig([{ buttons: [long, long, { kind: 'image' }] }])
    const id = r.start(0)
    r.pause(0, id, 0)
    lose(r)
    for (const kind of ['play', 'restart'] as const) {
      for (const n of [0, 1]) {
        expect(r.code({ kind, buttonId: r.idOf(n), options: NO_OPTIONS }))
          .toBe('playback_unavailable')
      }
    }
    const [pause, resume, stop] = commands(r, 0, id)
    expect(r.code(resume!)).toBe('playback_unavailable')
    expect(r.code(pause!)).toBe('paused')
    expect(r.start(2)).toBeNull()
    r.player.post({ kind: 'output_back' })
    expect(r.code(resume!)).toBe('playing')
    expect(r.code(stop!)).toBe('stopped')
    expect(r.player.status().audio.state).toBe('ok')
  })

  it('a missing file is told before a missing output', () => {
    const r = rig([{ buttons: [{ ...long, file: { missing: true } }] }])
    lose(r)
    const play: Command = { kind: 'play', buttonId: r.idOf(0), options: NO_OPTIONS }
    expect(r.code(play)).toBe('media_file_missing')
  })
})

describe('a button that gets another kind while it plays', () => {
  const timeline = { timelineId: 't', loop: true, durationFrames: frame(ms(1000)), error: null }
  const edited = (from: Partial<Button>, to: Partial<Button>) => {
    const r = rig([{ buttons: [{ ...long, ...from }] }])
    const before = r.start(0)
    r.change(0, to)
    r.advance(1)
    return { r, before }
  }

  it('an image that became a video is played, and the image goes', () => {
    const { r } = edited({ kind: 'image' }, { kind: 'video' })
    const run = r.start(0)
    r.advance(1)
    expect([r.state(run), r.player.readModel.image]).toEqual(['playing', null])
    r.stop(0)
    expect(r.player.status().active).toEqual([])
  })

  it('what plays, shines or is shown stays what it was started as', () => {
    for (const kind of ['audio', 'video', 'image', 'dmx'] as const) {
      const { r } = edited({ kind, dmx: timeline }, { kind: kind === 'audio' ? 'video' : 'audio' })
      expect(r.player.status().active).toMatchObject([{ id: r.idOf(0), kind }])
    }
  })

  it('restart as an image or as lights ends the run, and what came stays when that is over', () => {
    for (const kind of ['image', 'dmx'] as const) {
      const { r, before } = edited({ dmx: timeline }, { kind })
      const play: Command = { kind: 'play', buttonId: r.idOf(0), options: NO_OPTIONS }
      expect(r.code(play)).toBe('already_active')
      expect(r.code({ ...play, kind: 'restart' })).toBe('accepted')
      expect(r.run(before)).toMatchObject({ state: 'stopped', endReason: 'explicit_stop' })
      r.advance(ms(20_000))
      expect(r.player.status().active).toMatchObject([{ id: r.idOf(0), kind, executionId: null }])
      expect(r.player.status().dmx.activeTimelines).toBe(1)
    }
  })
})

describe('fadeOutAtEnd', () => {
  it('lands on End: the last frame before it is the last step of the fade', () => {
    const r = rig([{ buttons: [
      { mediaMs: 2000, endMs: 1000, fadeOutMs: 300, fadeOutAtEnd: true, file: constant() },
    ] }])
    const id = r.start(0)
    const { left } = r.render(ms(1100))
    const gain = (f: number): number =>
      f < ms(700) ? 1 : f < ms(1000) ? 1 - (f - ms(700)) / ms(300) : 0
    expect(left.every((x, f) => Math.abs(x - gain(f)) < 1e-6)).toBe(true)
    expect(r.run(id)).toMatchObject({ state: 'completed', endReason: 'natural_end' })
  })

  it('waits for a fade-in: what is shorter than its Fade out is heard', () => {
    const r = rig([{ buttons: [
      { mediaMs: 2500, fadeInMs: 500, fadeOutMs: 3000, fadeOutAtEnd: true, file: constant() },
    ] }])
    r.start(0)
    const { left } = r.render(ms(2600))
    const gain = (f: number): number =>
      f < ms(500) ? f / ms(500) : f < ms(2500) ? 1 - (f - ms(500)) / ms(2000) : 0
    expect(left.every((x, f) => Math.abs(x - gain(f)) < 1e-6)).toBe(true)
  })

  it.each([[2000, 3000, 1000], [2000, 3000, 5000], [5000, 4000, 3000]])(
    'takes over half way to End (sting, fade-in, Fade out: %i, %i, %i ms)',
    (mediaMs, fadeInMs, fadeOutMs) => {
      const button = { mediaMs, fadeInMs, fadeOutMs, fadeOutAtEnd: true, file: constant() }
      const r = rig([{ buttons: [button] }])
      r.start(0)
      const { left } = r.render(ms(mediaMs + 100))
      const gain = (f: number): number =>
        Math.max(0, Math.min(f, ms(mediaMs) - f) / ms(fadeInMs))
      expect(left.every((x, f) => Math.abs(x - gain(f)) < 1e-6)).toBe(true)
    })

  it('is not heard in a loop, and comes back after a pause inside it', () => {
    const button = { mediaMs: 1000, fadeOutMs: 400, fadeOutAtEnd: true, file: constant() }
    const loop = rig([{ buttons: [button] }])
    loop.start(0, { loop: true })
    expect(loop.render(ms(3000)).left.every((x) => x === 1)).toBe(true)
    const r = rig([{ buttons: [button] }])
    const id = r.start(0)
    r.advance(ms(800))
    r.pause(0, id, 0)
    r.resume(0, id, 100)
    const { left } = r.render(ms(200))
    expect(left[ms(50)]).toBeCloseTo(0.5, 6)
    expect(left[ms(150)]).toBeCloseTo(0.5, 6)
  })

  it('the last item of a list with Mix lands by its own fade, however long', () => {
    const buttons = [
      { mediaMs: 60_000, fadeOutMs: 20_000, fadeOutAtEnd: true, file: constant() },
    ]
    const r = rig([{ mode: 'sequence', mixOnTransition: true, crossfadeMs: 1000, buttons: [
      { mediaMs: 100 }, ...buttons,
    ] }])
    r.start(1)
    r.advance(ms(50_000))
    expect(r.render(1).left[0]).toBeCloseTo(0.5, 6)
  })
})

describe('levels and sums', () => {
  it('gainDb is a factor of 10^(dB/20), on every frame of a fade too', () => {
    for (const gainDb of [-60, -6, 0, 3, 12]) {
      const r = rig([{ buttons: [{ ...long, gainDb, fadeInMs: 100, file: constant(0.125) }] }])
      r.start(0)
      const { left } = r.render(ms(200))
      const level = 0.125 * 10 ** (gainDb / 20)
      expect(left[ms(50)]! / (level / 2)).toBeCloseTo(1, 6)
      expect(left[ms(150)]! / level).toBeCloseTo(1, 6)
    }
  })

  it('overlapping sources are added; one alone passes bit for bit, its zeros too', () => {
    const code = (at: number): readonly [number, number] => [Math.fround(Math.sin(at)), -0]
    const button = { ...long, allowOverlap: true, file: { sample: code } }
    const r = rig([{ buttons: [button, { ...flat, allowOverlap: true, gainDb: 0 }] }])
    r.start(0)
    const alone = r.render(1000)
    expect(alone.left.every((x, at) => Object.is(x, code(at)[0]))).toBe(true)
    expect(alone.right.every((x) => Object.is(x, -0))).toBe(true)
    r.start(1)
    expect(r.render(1).left[0]).toBe(Math.fround(Math.sin(1000)) + 1 > 0
      ? Math.fround(Math.fround(Math.sin(1000)) + 1) : 0)
  })
})

describe('images', () => {
  it('one is shown until it is stopped or another starts; it replaces no sound', () => {
    const r = rig([{ buttons: [flat, { kind: 'image' }, { kind: 'image' }] }])
    r.start(0)
    r.start(1)
    expect(r.player.buttons().buttons.map((it) => it.isPlaying)).toEqual([true, true, false])
    expect(r.code({ kind: 'play', buttonId: r.idOf(1), options: NO_OPTIONS }))
      .toBe('already_active')
    r.start(2)
    expect(r.player.buttons().buttons.map((it) => it.isPlaying)).toEqual([true, false, true])
    expect(r.player.status().active[1]).toMatchObject({
      id: r.idOf(2), kind: 'image', executionId: null, state: null, positionMs: null,
    })
    r.stop(2)
    expect(r.player.buttons().buttons.map((it) => it.isPlaying)).toEqual([true, false, false])
    expect(r.render(ms(10)).left.every((x) => x === 1)).toBe(true)
  })

  it('a missing image is 422 and leaves the one that is shown', () => {
    const r = rig([{ buttons: [{ kind: 'image' }, { kind: 'image', file: { missing: true } }] }])
    r.start(0)
    const play: Command = { kind: 'play', buttonId: r.idOf(1), options: NO_OPTIONS }
    expect(r.code(play)).toBe('media_file_missing')
    expect(r.player.status().active[0]).toMatchObject({ id: r.idOf(0) })
  })
})
