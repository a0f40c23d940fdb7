// Anchors (6.1): told at start, pause, resume, starvation, seam, wrap and end, exactly.
import { describe, expect, test } from 'vitest'
import type { LiveAnchor, LiveRun } from '../../src/contract/live.js'
import type { LiveNews } from '../../src/engine/live-port.js'
import { frame } from '../../src/clock/frame.js'
import { ms, rig, type Rig } from '../rig.js'

/** Every step's news, kept as they came. */
const followed = (r: Rig): LiveNews[] => {
  const news: LiveNews[] = []
  r.player.follow((one) => news.push(one))
  return news
}

/** The anchors of one run as they changed, nothing twice. */
const anchors = (news: readonly LiveNews[], executionId: string): LiveAnchor[] => {
  const all = news.flatMap(({ runs }) => runs.filter((run) => run.executionId === executionId))
  return all.map((run) => run.anchor).filter((anchor, n, list) =>
    JSON.stringify(anchor) !== JSON.stringify(list[n - 1]))
}

const last = (news: readonly LiveNews[], executionId: string): LiveRun => {
  const runs = news.flatMap((one) => one.runs).filter((run) => run.executionId === executionId)
  return runs.at(-1)!
}

/** As the sound thread moves: in steps so small that nothing falls together. */
const pass = (r: Rig, milliseconds: number): void => {
  for (let n = 0; n < milliseconds; n += 1) r.advance(ms(1))
}

/** What a page makes of it (6.1). */
const positionAt = ({ at, position, moving, until }: LiveAnchor, frame: number): number => {
  if (!moving) return position
  const way = Math.max(0, frame - at)
  return position + (until === null ? way : Math.min(way, until - position))
}

describe('an anchor', () => {
  test('of a plain run goes from its start to its end', () => {
    const r = rig([{ buttons: [{ mediaMs: 1000, startMs: 200 }] }])
    const news = followed(r)
    const run = r.start(0)
    pass(r, 100)
    expect(last(news, run)).toMatchObject({
      state: 'playing', range: { start: ms(200), end: ms(1000) }, loops: false,
      anchor: {
        at: 0, position: ms(200), moving: true, until: ms(1000), then: { kind: 'end' },
      },
    })
    pass(r, 900)
    expect(last(news, run)).toMatchObject({
      state: 'completed', endReason: 'natural_end',
      anchor: { at: ms(800), position: ms(1000), moving: false, until: null, then: null },
    })
  })

  test('a range ends where its source does, as soon as that is known', () => {
    const button = { mediaMs: 1000, endMs: 5000, file: { readyAfter: frame(ms(100)) } }
    const r = rig([{ buttons: [button] }])
    const news = followed(r)
    const run = r.start(0)
    expect(last(news, run).range).toEqual({ start: 0, end: ms(5000) })
    const path = r.catalogue.playlists[0]!.buttons[0]!.media!
    r.player.post({ kind: 'probed', path, duration: frame(ms(1000)) })
    pass(r, 1)
    expect(last(news, run).range).toEqual({ start: 0, end: ms(1000) })
  })

  test('of a hard loop wraps to Start, and each wrap is told', () => {
    const r = rig([{ buttons: [{ mediaMs: 5000, startMs: 1000, endMs: 2000 }] }])
    const news = followed(r)
    const run = r.start(0, { loop: true })
    pass(r, 2500)
    expect(anchors(news, run).filter(({ moving }) => moving)).toEqual([0, 1000, 2000].map((at) => ({
      at: ms(at), position: ms(1000), moving: true, until: ms(2000),
      then: { kind: 'wrap', to: ms(1000) },
    })))
  })

  test('of a loop with an overlap tells its seam, then where it wraps to', () => {
    const r = rig([{ buttons: [{ mediaMs: 1000 }] }])
    const news = followed(r)
    const run = r.start(0, { loop: true, loopCrossfadeMs: 100 })
    pass(r, 1500)
    expect(anchors(news, run).filter(({ moving }) => moving)).toEqual([
      { at: 0, position: 0, moving: true, until: ms(900), then: { kind: 'on' } },
      {
        at: 0, position: 0, moving: true, until: ms(1000), then: { kind: 'wrap', to: ms(100) },
      },
      { at: ms(1000), position: ms(100), moving: true, until: ms(900), then: { kind: 'on' } },
    ])
  })

  test('of an overlap wraps behind Start, where the button has one', () => {
    const r = rig([{ buttons: [{ mediaMs: 5000, startMs: 1000, endMs: 2000 }] }])
    const news = followed(r)
    const run = r.start(0, { loop: true, loopCrossfadeMs: 100 })
    pass(r, 950)
    expect(last(news, run).anchor).toMatchObject({
      until: ms(2000), then: { kind: 'wrap', to: ms(1100) },
    })
  })

  test('of a last pass goes to its end, though the padlock was locked again too late', () => {
    const r = rig([{ buttons: [{ mediaMs: 1000, isLoopEnabled: true }] }])
    const news = followed(r)
    const run = r.start(0, { loopCrossfadeMs: 400 })
    pass(r, 500)
    r.change(0, { isLoopEnabled: false })
    pass(r, 200)
    r.change(0, { isLoopEnabled: true })
    pass(r, 200)
    expect(last(news, run)).toMatchObject({
      loops: false, anchor: { moving: true, until: ms(1000), then: { kind: 'end' } },
    })
    pass(r, 200)
    expect(last(news, run)).toMatchObject({ endReason: 'natural_end' })
  })

  test('of a pause with a fade heads for where it will rest', () => {
    const r = rig([{ buttons: [{}] }])
    const news = followed(r)
    const run = r.start(0)
    pass(r, 1000)
    r.pause(0, run, 500)
    expect(last(news, run)).toMatchObject({
      state: 'pausing', anchor: { until: ms(1500), then: { kind: 'on' } },
      fade: { begin: ms(1000), end: ms(1500), from: 1, to: 0 },
    })
    pass(r, 700)
    expect(last(news, run)).toMatchObject({
      state: 'paused', anchor: { at: ms(1500), position: ms(1500), moving: false, until: null },
    })
    r.resume(0, run, 0)
    expect(last(news, run)).toMatchObject({
      state: 'playing', anchor: { at: ms(1700), position: ms(1500), moving: true },
    })
  })

  test('of a fade that ends with the media goes to their end: that comes first', () => {
    for (const [fadeMs, kind] of [[499, 'on'], [500, 'end'], [501, 'end']] as const) {
      const r = rig([{ buttons: [{ mediaMs: 1000 }] }])
      const news = followed(r)
      const run = r.start(0)
      pass(r, 500)
      r.pause(0, run, fadeMs)
      expect(last(news, run).anchor).toMatchObject({
        until: ms(Math.min(1000, 500 + fadeMs)), then: { kind },
      })
      pass(r, 600)
      expect(last(news, run).state).toBe(kind === 'on' ? 'paused' : 'completed')
    }
  })

  test('of a stop with a fade ends there, also where it looped', () => {
    const r = rig([{ buttons: [{}] }])
    const news = followed(r)
    const run = r.start(0, { loop: true })
    pass(r, 1000)
    r.stop(0, run, 500)
    expect(last(news, run)).toMatchObject({
      state: 'fading_out', loops: false, anchor: { until: ms(1500), then: { kind: 'end' } },
    })
  })

  test('holds while sound starves, and goes on from there', () => {
    const step = { frames: ms(100), every: ms(400) }
    const r = rig([{ buttons: [{ mediaMs: 1000, file: { step } }] }])
    const news = followed(r)
    const run = r.start(0)
    pass(r, 1500)
    const held = anchors(news, run).find((anchor) => anchor.position > 0 && !anchor.moving)
    expect(held).toMatchObject({ until: null, then: null })
    const after = anchors(news, run).filter((anchor) => anchor.position === held?.position)
    expect(after.at(-1)).toMatchObject({ moving: true })
  })

  test('is the same as what GET /executions says, at every millisecond of a wild evening', () => {
    const r = rig([{ buttons: [{ mediaMs: 777, startMs: 111, fadeOutMs: 40 }] }])
    const news = followed(r)
    const run = r.start(0, { loop: true, loopCrossfadeMs: 33 })
    for (let n = 0; n < 4000; n += 1) {
      if (n % 500 === 300) r.pause(0, run)
      if (n % 500 === 400) r.resume(0, run)
      r.advance(ms(1))
      const { anchor } = last(news, run)
      const told = Math.floor(positionAt(anchor, r.engine.now) / 48)
      expect([n, told]).toEqual([n, r.run(run).positionMs])
    }
  })
})

test('what a list plays next is told before the end', () => {
  const r = rig([{ mode: 'sequence', buttons: [{ mediaMs: 9000 }, {}] }])
  const news = followed(r)
  const run = r.start(0)
  pass(r, 1000)
  expect(last(news, run).next).toBeNull()
  pass(r, 7000)
  expect(last(news, run).next).toBe(r.idOf(1))
})

test('and none, where that proves to be missing or broken: what was told is taken back', () => {
  const late = frame(ms(20))
  const files = [
    { missing: true, checkedAfter: late }, { checkedAfter: late, readyAfter: late, breaksAt: late },
  ]
  for (const file of files) {
    const r = rig([{ mode: 'sequence', buttons: [{ mediaMs: 9000 }, { file, startMs: 500 }] }])
    const news = followed(r)
    const run = r.start(0)
    pass(r, 4010)
    expect(last(news, run).next).toBe(r.idOf(1))
    pass(r, 100)
    expect(last(news, run).next).toBeNull()
  }
})

test('events come with the runs that they are about, in their order', () => {
  const r = rig([{ buttons: [{}, {}] }])
  const news = followed(r)
  r.start(0)
  r.start(1)
  r.advance(ms(100))
  const told = news.flatMap((one) => one.events)
  expect(told).toEqual(r.events)
})

test('an image is told with the frame at which it came', () => {
  const r = rig([{ buttons: [{ kind: 'image', title: 'Logo' }] }])
  pass(r, 250)
  r.start(0)
  expect(r.player.parts().image).toEqual({ buttonId: r.idOf(0), title: 'Logo', at: ms(250) })
})

test('an image whose button left the show keeps its title, as lights do', () => {
  const dmx = { timelineId: 't', loop: true, durationFrames: frame(2_880_000), error: null }
  const r = rig([{ buttons: [
    { kind: 'image', title: 'Logo' }, { kind: 'dmx', title: 'Blue', media: null, dmx },
  ] }])
  r.start(0)
  r.start(1)
  r.vanish(0)
  r.vanish(1)
  expect(r.player.parts().image).toMatchObject({ title: 'Logo' })
  expect(r.player.status().active).toMatchObject([
    { id: r.idOf(0), title: 'Logo', kind: 'image' }, { id: r.idOf(1), title: 'Blue', kind: 'dmx' },
  ])
})

test('what is shown or lit is told by the title that its button has now', () => {
  const dmx = { timelineId: 't', loop: true, durationFrames: frame(2_880_000), error: null }
  const r = rig([{ buttons: [
    { kind: 'image', title: 'Logo' }, { kind: 'dmx', title: 'Blue', media: null, dmx },
  ] }])
  r.start(0)
  r.start(1)
  r.change(0, { title: 'Sponsors' })
  r.change(1, { title: 'Sky' })
  expect(r.player.status().active).toMatchObject([{ title: 'Sponsors' }, { title: 'Sky' }])
  expect(r.player.parts().image).toMatchObject({ title: 'Sponsors' })
})
