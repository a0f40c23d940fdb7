// What apps need to draw (2.1, 2.2, 6): ranges and fades, loops that come round, lengths that
// become known, and why a show was refused.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { Catalogue } from '../../src/engine/catalogue.js'
import type { EngineEvent } from '../../src/engine/events.js'
import { createTestPlayer } from '../../src/testing/test-player.js'
import { ms, rig, type Rig } from '../rig.js'

type Kind = 'wrap' | 'duration'
const told = <K extends Kind>(r: Rig, kind: K): Extract<EngineEvent, { kind: K }>[] =>
  r.events.filter((event): event is Extract<EngineEvent, { kind: K }> => event.kind === kind)
const lengths = (r: Rig) =>
  told(r, 'duration').map(({ at, durationMs, startMs, endMs }) =>
    [at / 48, durationMs, startMs, endMs])
const wraps = (r: Rig) =>
  told(r, 'wrap').map(({ at, positionMs, passes }) => [at / 48, positionMs, passes])
const entry = (r: Rig, n: number) => r.player.buttons().buttons[n]!

describe('the catalogue', () => {
  it('tells range and fades, the End that takes effect as soon as it is known', () => {
    const r = rig([{
      buttons: [
        { startMs: 1_000.4, endMs: 4_000, fadeInMs: 300, fadeOutMs: 1_500 },
        { startMs: 1_000, endMs: 60_000 },
        {},
        { kind: 'image', startMs: 5, endMs: 10 },
        { kind: 'dmx', media: null },
      ],
    }])
    const range = (n: number): unknown => [entry(r, n).startMs, entry(r, n).endMs]
    expect([0, 1, 2, 3, 4].map(range)).toEqual(
      [[1_000, 4_000], [1_000, 60_000], [0, null], [0, null], [0, null]])
    for (const n of [0, 1, 2]) {
      const path = r.buttons[n]!.media!
      r.player.post({ kind: 'probed', path, duration: frame(ms(10_000)) })
    }
    expect([0, 1, 2].map(range)).toEqual([[1_000, 4_000], [1_000, 10_000], [0, 10_000]])
    expect(entry(r, 0)).toMatchObject({ fadeInMs: 300, fadeOutMs: 1_500, kind: 'audio' })
  })

  it('is of the medium that a start would play, also while a run goes on with another', () => {
    const r = rig([{ buttons: [{ mediaMs: 6_000 }, { mediaMs: 10_000 }] }])
    for (const [n, length] of [6_000, 10_000].entries()) {
      r.player.post({ kind: 'probed', path: r.buttons[n]!.media!, duration: frame(ms(length)) })
    }
    r.start(0)
    r.advance(ms(500))
    expect(entry(r, 0)).toMatchObject({ isPlaying: true, durationMs: 6_000, endMs: 6_000 })
    const [list] = r.engine.catalogue.playlists
    const [button, other] = list!.buttons
    const edited = { ...button!, media: other!.media, startMs: 7_000 }
    const playlists = [{ ...list!, buttons: [edited, other!] }]
    r.player.post({ kind: 'catalogue', catalogue: new Catalogue({ title: 'edited', playlists }) })
    // It was 7000 to 6000: the Start of the one, the End of the other.
    expect(entry(r, 0)).toMatchObject(
      { isPlaying: true, durationMs: 10_000, startMs: 7_000, endMs: 10_000 })
    expect(r.run(r.live(0)!)).toMatchObject({ durationMs: 6_000, startMs: 0, endMs: 6_000 })
  })

  it('has the own keys of a button as they stand in the show', async () => {
    const own = { 'x-round': 3, 'x-host': { name: 'Ada', colours: ['red', null] } }
    const player = createTestPlayer(
      {
        title: 'quiz',
        playlists: [{
          id: 'aaaaaaaa-0000-4000-8000-000000000001', title: 'Beds',
          buttons: [
            { id: 'bbbbbbbb-0000-4000-8000-000000000001', title: 'A', kind: 'audio', media: 'a.wav',
              ...own },
            { id: 'bbbbbbbb-0000-4000-8000-000000000002', title: 'B', kind: 'audio',
              media: 'a.wav' },
          ],
        }],
      },
      { media: { 'a.wav': { durationMs: 1_000 } } },
    )
    const answer = await player.fetch(`${player.baseUrl}/buttons`, {})
    const { buttons } = await answer.json() as { buttons: Record<string, unknown>[] }
    expect(buttons[0]).toMatchObject(own)
    expect(Object.keys(buttons[1]!).filter((key) => key.startsWith('x-'))).toEqual([])
  })
})

describe('an execution', () => {
  it('tells the range that it plays, also where the show says otherwise by now', () => {
    const r = rig([{ buttons: [{ startMs: 1_000, endMs: 4_000 }] }])
    const id = r.start(0)
    r.change(0, { startMs: 0, endMs: null })
    expect(r.run(id)).toMatchObject({ startMs: 1_000, endMs: 4_000 })
    r.stop(0, id, 0)
    expect(r.run(id)).toMatchObject({ state: 'stopped', startMs: 1_000, endMs: 4_000 })
  })

  it('ends at the source’s end where that comes first', () => {
    const r = rig([{ buttons: [{ mediaMs: 3_000, endMs: 9_000 }] }])
    const id = r.start(0)
    r.advance(ms(10))
    expect(r.run(id)).toMatchObject({ durationMs: 3_000, endMs: 3_000 })
  })
})

describe('a length', () => {
  it('that is learned after the end is no more the run’s, however long the step is', () => {
    for (const stepMs of [1, 2_000]) {
      const r = rig([{ buttons: [{ file: { endless: true } }] }])
      const id = r.start(0)
      r.stop(0, id, 500)
      const path = r.buttons[0]!.media!
      r.engine.post({ kind: 'probed', path, duration: frame(ms(60_000)) }, frame(ms(800)))
      for (let at = 0; at < 2_000; at += stepMs) r.advance(ms(stepMs))
      expect(entry(r, 0).durationMs).toBe(60_000)
      expect(r.run(id)).toMatchObject({ state: 'stopped', durationMs: 0, endMs: null })
    }
  })

  it('is told once when it becomes known, and again when it is another one', () => {
    const r = rig([{ buttons: [{ mediaMs: 20_000 }] }])
    const id = r.start(0)
    r.advance(ms(500))
    const before = r.run(id).durationMs
    const path = r.buttons[0]!.media!
    r.player.post({ kind: 'probed', path, duration: frame(ms(20_100)) })
    r.player.post({ kind: 'probed', path, duration: frame(ms(20_100)) })
    const found = told(r, 'duration').at(-1)
    if (before === 0) expect(found).toMatchObject({ executionId: id, durationMs: 20_100 })
    r.advance(ms(19_000))
    expect(r.run(id)).toMatchObject({ durationMs: 20_000, endMs: 20_000 })
    expect(lengths(r).at(-1)?.slice(1)).toEqual([20_000, 0, 20_000])
    const all = lengths(r).map(([, duration]) => duration)
    expect(all).toEqual([...new Set(all)])
  })

  it('is told with the End of the pass that it holds for', () => {
    const r = rig([{ buttons: [{ mediaMs: 20_000, file: { holds: false } }] }])
    r.start(0, { loop: true })
    r.advance(ms(1))
    // Another file in its place, which the next pass is of.
    r.file(0, { frames: ms(15_000) })
    r.advance(ms(20_001))
    expect(told(r, 'duration').at(-1)).toMatchObject({ durationMs: 15_000, endMs: 15_000 })
  })

  it('is no news where the run began with it, and none of a run that is over', () => {
    const r = rig([{ buttons: [{ mediaMs: 1_000, media: '/a' }, { mediaMs: 1_000, media: '/a' }] }])
    r.player.post({ kind: 'probed', path: '/a', duration: frame(ms(1_000)) })
    const id = r.start(0)
    r.advance(ms(2_000))
    expect(r.run(id).state).toBe('completed')
    r.player.post({ kind: 'probed', path: '/a', duration: frame(ms(1_500)) })
    expect(lengths(r)).toEqual([])
  })
})

describe('a loop that comes round', () => {
  it('is told each time, where it is then', () => {
    const r = rig([{ buttons: [{ mediaMs: 5_000, startMs: 1_000, endMs: 2_000 }] }])
    r.start(0, { loop: true })
    r.advance(ms(2_500))
    expect(wraps(r)).toEqual([[1_000, 1_000, 1], [2_000, 1_000, 2]])
  })

  it('is told where the overlap is over, past what was heard of the next pass', () => {
    const r = rig([{ buttons: [{ mediaMs: 1_000 }] }])
    r.start(0, { loop: true, loopCrossfadeMs: 400 })
    r.advance(ms(1_700))
    expect(wraps(r)).toEqual([[1_000, 400, 1], [1_600, 400, 2]])
  })

  it('fills nobody’s memory where it is very short', () => {
    const r = rig([{ buttons: [{ mediaMs: 1_000, endMs: 7 }] }])
    r.start(0, { loop: true })
    r.advance(ms(1_000))
    expect(wraps(r).length).toBeLessThanOrEqual(10)
    const [last] = wraps(r).slice(-1)
    expect(last?.[2]).toBe(Math.floor(last![0]! / 7))
  })

  it('is not told of a run that ends, nor of one that is stopped', () => {
    const r = rig([{ buttons: [{ mediaMs: 1_000 }, { mediaMs: 1_000 }] }])
    r.start(0)
    r.advance(ms(1_500))
    const id = r.start(1, { loop: true })
    r.advance(ms(900))
    r.stop(1, id, 0)
    r.advance(ms(900))
    expect(wraps(r)).toEqual([])
  })
})

describe('a show that is refused', () => {
  it('is told with its reason', () => {
    const r = rig([{ buttons: [{}] }])
    r.player.post({ kind: 'catalogue_busy' })
    r.player.post({ kind: 'catalogue_kept', message: 'playlists[0].title: is missing' })
    expect(r.events).toMatchObject([
      { kind: 'catalogue', change: 'busy', message: null },
      { kind: 'catalogue', change: 'kept', message: 'playlists[0].title: is missing' },
    ])
  })
})
