// What a stage shows of videos and images, moment by moment: dissolves, seams, losses, failures.
// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import type { LiveAnchor, LiveRun } from '../../../src/contract/live.js'
import type { ShowButton } from '../../../src/contract/show-page.js'
import { anchor, image, ms, run } from '../../pages/stage/live-runs.js'
import { video } from '../../pages/stage/video-show.js'
import { aButton } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { modelOf, type ModelFile } from './model-media.js'
import { CLIP, VirtualStage } from './virtual-stage.js'

const media = {
  missing: null, version: 'v1', type: 'image/png', notShown: null, video: null, audio: null,
}
const film = (id: string, more: Partial<ShowButton> = {}): ShowButton =>
  ({ ...video(id, 0, {}), ...more })
const picture = (id: string, more: Partial<ShowButton> = {}): ShowButton =>
  aButton({ id, kind: 'image', media, ...more })

/** A run of the video `id` that is heard at `position` from this moment on. */
const playing = (
  stage: VirtualStage, id: string, position: number, more: Partial<LiveRun> = {},
  heading: Partial<LiveAnchor> = {},
): LiveRun => run(id, {
  buttonId: id, range: { start: 0, end: ms(60_000) }, duration: ms(60_000),
  anchor: anchor({ at: stage.daemon.frame, position: ms(position), ...heading }), ...more,
})
const over = (of: LiveRun, stage: VirtualStage): LiveRun => ({
  ...of, state: 'stopped', endReason: 'explicit_stop',
  anchor: anchor({ at: stage.daemon.frame, moving: false }),
})
const paused = (of: LiveRun, stage: VirtualStage): LiveRun => ({
  ...of, state: 'paused',
  anchor: anchor({ at: stage.daemon.frame, position: of.anchor.position, moving: false }),
})

const UNDECODED = 'the image cannot be decoded: save it as JPEG or PNG'
const onTop = (stage: VirtualStage): string | null => stage.shown.at(-1)?.buttonId ?? null

/** How long two pictures, or one and black, are mixed from now on, to some 20 ms. */
const mixedMs = async (stage: VirtualStage): Promise<number> => {
  let mixed = 0
  for (let n = 0; n < 150; n += 1) {
    await pass(20)
    const { shown } = stage
    if (shown.length > 1 || shown.some(({ weight }) => weight < 1)) mixed += 20
  }
  return mixed
}
const about = (ms: number, within = 90): unknown => expect.toSatisfy(
  (got: number) => Math.abs(got - ms) <= within, `about ${ms}`)

describe('a dissolve', () => {
  const opened = async (aMs: number, bMs: number): Promise<VirtualStage> => {
    const stage = await VirtualStage.open([
      film('a', { dissolveMs: aMs }), film('b', { dissolveMs: bMs }),
      picture('logo', { dissolveMs: aMs }),
    ])
    return stage
  }

  test.each([[0, 0], [0, 800], [800, 0], [400, 800], [800, 400]])(
    'where one ends (%i ms) as the next begins (%i ms) is the longer one', async (aMs, bMs) => {
      const stage = await opened(aMs, bMs)
      const a = playing(stage, 'a', 0)
      stage.daemon.tell({ runs: [a] })
      await pass(2_000)
      stage.daemon.tell({ runs: [over(a, stage), playing(stage, 'b', 0, { order: 2 })] })
      expect(await mixedMs(stage)).toEqual(about(Math.max(aMs, bMs)))
      expect(stage.shown).toEqual([{ buttonId: 'b', weight: 1 }])
    })

  test.each([[0, 800], [800, 0]])(
    'of what stays beneath (%i ms) is none: what comes over it comes in %i ms, and goes so',
    async (aMs, bMs) => {
      const stage = await opened(aMs, bMs)
      stage.daemon.tell({ runs: [playing(stage, 'a', 0)] })
      await pass(2_000)
      const b = playing(stage, 'b', 0, { order: 2, serial: 2 })
      stage.daemon.tell({ runs: [b] })
      expect(await mixedMs(stage)).toEqual(about(bMs))
      expect(onTop(stage)).toBe('b')
      stage.daemon.tell({ runs: [over(b, stage)] })
      expect(await mixedMs(stage)).toEqual(about(bMs))
      expect(onTop(stage)).toBe('a')
    })

  test('brings a video that is resumed back over the image that covered it', async () => {
    const stage = await opened(800, 0)
    const a = playing(stage, 'a', 0)
    stage.daemon.tell({ runs: [a] })
    await pass(2_000)
    stage.daemon.tell({ runs: [paused(a, stage)] })
    await pass(500)
    stage.daemon.tell({ image: image('logo', stage.daemon.frame) })
    await pass(2_000)
    expect(onTop(stage)).toBe('logo')
    stage.daemon.tell({ runs: [playing(stage, 'a', 2_000, { order: 2 })] })
    expect(await mixedMs(stage)).toEqual(about(800))
    expect(onTop(stage)).toBe('a')
  })

  test('is at the start and the end of a loop, not at its seams', async () => {
    const stage = await opened(400, 0)
    const wraps = { until: ms(1_000), then: { kind: 'wrap', to: 0 } } as const
    const loop = (): LiveRun =>
      playing(stage, 'a', 0, { loops: true, range: { start: 0, end: ms(1_000) } }, wraps)
    stage.daemon.tell({ runs: [loop()] })
    let mixed = 0
    for (let n = 0; n < 200; n += 1) {
      if (n % 50 === 0 && n > 0) stage.daemon.tell({ runs: [loop()] })
      await pass(20)
      if (stage.shown.some(({ weight }) => weight < 1)) mixed += 20
    }
    expect(mixed).toEqual(about(400))
  })
})

test('a video is where it is heard, from its start, through a pause, and on', async () => {
  const stage = await VirtualStage.open([film('a')])
  const a = playing(stage, 'a', 0, {}, { at: stage.daemon.frame + ms(200) })
  stage.daemon.tell({ runs: [a] })
  await pass(2_200)
  expect(stage.topMs).toEqual(about(2_000, 40))
  // Told a little late: a frame or two more were seen than heard.
  const { frame: at } = stage.daemon
  await pass(60)
  stage.daemon.tell({ runs: [{
    ...paused(a, stage), anchor: anchor({ at, position: ms(2_000), moving: false }),
  }] })
  await pass(2_000)
  expect(stage.topMs).toBe(2_000)
  stage.daemon.tell({ runs: [playing(stage, 'a', 2_000)] })
  await pass(3_000)
  expect(stage.topMs).toEqual(about(5_000, 40))
})

test('a browser that got slower, or quicker, at starting videos is soon allowed for', async () => {
  let startMs = 20
  const stage = await VirtualStage.open([film('a')], { files: () => ({ ...CLIP, startMs }) })
  /** How far its picture is from the sound, a moment after a video began. */
  const offMs = async (): Promise<number> => {
    // It is told of before it is heard, as where the sound's way to the room is long.
    const a = playing(stage, 'a', 0, {}, { at: stage.daemon.frame + ms(1_000) })
    stage.daemon.tell({ runs: [a] })
    await pass(1_200)
    const off = stage.topMs - 200
    await pass(500)
    stage.daemon.tell({ runs: [over(a, stage)] })
    await pass(500)
    return off
  }
  const told: number[] = []
  for (startMs of [20, 160, 20]) for (let n = 0; n < 4; n += 1) told.push(await offMs())
  const settled = told.filter((_, n) => n % 4 === 3)
  expect(settled, told.join(' ')).toEqual(settled.map(() => about(0, 45)))
})

test('a video that the browser paused, or slowed down, goes on', async () => {
  const stage = await VirtualStage.open([film('a')])
  stage.daemon.tell({ runs: [playing(stage, 'a', 0)] })
  await pass(2_000)
  const [top] = stage.elements
  if (top === undefined) throw new Error('nothing is seen')
  modelOf(top).pause()
  await pass(4_000)
  expect(stage.topMs).toEqual(about(6_000, 60))
  modelOf(top).rate = 0.5
  await pass(2_000)
  expect(stage.topMs).toEqual(about(8_000, 60))
})

test('a video that could not be had is tried again, soon at first', async () => {
  let isThere = false
  const stage = await VirtualStage.open([film('a')], { files: () => (isThere ? CLIP : null) })
  stage.daemon.tell({ runs: [playing(stage, 'a', 0)] })
  await pass(3_000)
  isThere = true
  await pass(5_000)
  expect(onTop(stage)).toBe('a')
  expect(stage.topMs).toEqual(about(8_000, 100))
})

describe('without a daemon', () => {
  test('a loop plays its pass to the end, and one more; then it is black', async () => {
    const stage = await VirtualStage.open([film('a')])
    const wraps = { until: ms(2_000), then: { kind: 'wrap', to: 0 } } as const
    const range = { start: 0, end: ms(2_000) }
    stage.daemon.tell({ runs: [playing(stage, 'a', 0, { loops: true, range }, wraps)] })
    await pass(1_000)
    stage.daemon.die()
    await pass(2_500)
    expect(onTop(stage)).toBe('a')
    await pass(1_500)
    expect(stage.shown).toEqual([])
  })

  test('one that is only late holds a video where it is to be held', async () => {
    const stage = await VirtualStage.open([film('a')])
    const rests = { until: ms(3_000), then: { kind: 'on' } } as const
    stage.daemon.tell({ runs: [playing(stage, 'a', 0, { state: 'pausing' }, rests)] })
    await pass(1_000)
    stage.daemon.answersTime = false
    // A word now and then: it is late, and not lost.
    for (let n = 0; n < 6; n += 1) {
      await pass(1_000)
      stage.daemon.tell({ service: 'ready' })
    }
    // Where it is held is told next; until then it is put right now and then.
    expect(stage.topMs).toBeLessThan(5_000)
  })

  test('what could not be had meanwhile is tried as soon as it is back', async () => {
    let isThere = false
    const stage = await VirtualStage.open([film('a')], { files: () => (isThere ? CLIP : null) })
    stage.daemon.tell({ runs: [playing(stage, 'a', 0)] })
    await pass(25_000)
    expect(stage.shown).toEqual([])
    stage.daemon.die()
    await pass(1_000)
    isThere = true
    stage.daemon.isThere = true
    await pass(2_000)
    expect(onTop(stage)).toBe('a')
  })
})

test.each([
  [300, ['a', 'b']], [1_500, ['a', 'black', 'b']],
])('what goes stays for a file that takes %i ms, half a second at most', async (loadMs, seen) => {
  const files = (source: string): ModelFile => (source.includes('b') ? { ...CLIP, loadMs } : CLIP)
  const stage = await VirtualStage.open([film('a'), picture('b')], { files })
  const a = playing(stage, 'a', 0)
  stage.daemon.tell({ runs: [a] })
  await pass(2_000)
  stage.daemon.tell({ runs: [over(a, stage)], image: image('b', stage.daemon.frame) })
  const order: (string | null)[] = []
  const times: number[] = []
  const stills = new Set<number>()
  for (let n = 0; n < 100; n += 1) {
    const top = onTop(stage) ?? 'black'
    if (order.at(-1) !== top) {
      order.push(top)
      times.push(n * 20)
    }
    if (top === 'a') stills.add(stage.topMs)
    await pass(20)
  }
  expect(order).toEqual(seen)
  expect(times[1]).toEqual(about(Math.min(loadMs, 500), 60))
  // It is over: what is seen of it meanwhile stands still, but for a frame that was under way.
  expect(stills.size).toBeLessThanOrEqual(2)
})

test('a file that is replaced again and again is shown as it is now, and nothing between',
  async () => {
    const shown = (version: string) => [picture('a', { media: { ...media, version } })]
    const files = (source: string): ModelFile | null =>
      source.endsWith('broken') ? null : { ...CLIP, loadMs: source.endsWith('slow') ? 400 : 30 }
    const stage = await VirtualStage.open(shown('1'), { files })
    stage.daemon.tell({ image: image('a', stage.daemon.frame) })
    await pass(1_000)
    const seen: string[] = []
    for (const version of ['2', '3-slow', 'broken', '4', '1', '2', '5-slow']) {
      stage.save(shown(version))
      for (let n = 0; n < 50; n += 1) {
        await pass(20)
        const now = stage.elements.map((element) => element.getAttribute('src')).join(' ')
        if (now !== seen.at(-1)) seen.push(now)
      }
    }
    // One that is broken leaves the one before it, and one that was there before is there at once.
    const versions = ['1', '2', '3-slow', '4', '1', '2', '5-slow']
    expect(seen).toEqual(versions.map((version) => `/media/a?v=${version}`))
  })

describe('the fit', () => {
  test('is each picture\'s own, whichever element shows it', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
    const isCover = [1, 0, 0, 1, 0, 1, 1, 0, 0, 0].map((each) => each === 1)
    const stage = await VirtualStage.open(
      ids.map((id, n) => film(id, { fit: isCover[n] === true ? 'cover' : 'contain' })))
    const fits: unknown[] = []
    for (const id of ids) {
      const one = playing(stage, id, 0)
      stage.daemon.tell({ runs: [one] })
      await pass(1_500)
      fits.push(stage.elements.at(-1)?.style.objectFit)
      stage.daemon.tell({ runs: [over(one, stage)] })
      await pass(500)
    }
    expect(fits).toEqual(isCover.map((each) => (each ? 'cover' : '')))
  })
})

describe('images', () => {
  const show = (stage: VirtualStage, id: string | null): void =>
    stage.daemon.tell({ image: id === null ? null : image(id, stage.daemon.frame) })

  test('one that could not be had is shown once it can', async () => {
    let isThere = false
    const files = () => (isThere ? CLIP : null)
    const stage = await VirtualStage.open([picture('logo')], { files })
    show(stage, 'logo')
    await pass(3_000)
    expect(stage.shown).toEqual([])
    expect(stage.report.errors)
      .toEqual([{ buttonId: 'logo', message: UNDECODED }])
    isThere = true
    await pass(4_500)
    expect(stage.shown).toEqual([{ buttonId: 'logo', weight: 1 }])
    expect(stage.report.errors).toEqual([])
  })

  test('those used last are kept, to 64 MB, and what is shown stays, however large', async () => {
    const large: ModelFile = { ...CLIP, width: 2_500, height: 2_000 }
    const huge: ModelFile = { ...CLIP, width: 6_000, height: 4_000 }
    const files = (source: string): ModelFile => (source.includes('huge') ? huge : large)
    const stage = await VirtualStage.open(
      ['one', 'two', 'three', 'four', 'huge'].map((id) => picture(id)), { files })
    const kept = () => [...document.querySelectorAll('#screen img')]
      .map((element) => /media\/(\w+)/.exec(element.getAttribute('src') ?? '')?.[1]).toSorted()
    for (const id of ['one', 'two', 'one', 'three', 'four']) {
      show(stage, id)
      await pass(500)
    }
    // 20 MB each: the one that was not used for longest is gone.
    expect(kept()).toEqual(['four', 'one', 'three'])
    show(stage, 'huge')
    await pass(1_000)
    expect(kept()).toEqual(['huge'])
    expect(stage.shown).toEqual([{ buttonId: 'huge', weight: 1 }])
  })

  test('one that is on and is saved again and again: few of its files are kept', async () => {
    const large: ModelFile = { ...CLIP, width: 2_500, height: 2_000 }
    const saved = (version: number) =>
      [picture('table', { media: { ...media, version: `v${version}` } })]
    const stage = await VirtualStage.open(saved(0), { files: () => large })
    show(stage, 'table')
    for (let n = 1; n <= 20; n += 1) {
      stage.save(saved(n))
      await pass(500)
      expect(stage.shown).toEqual([{ buttonId: 'table', weight: 1 }])
    }
    // 20 MB each.
    expect(document.querySelectorAll('#screen img').length).toBeLessThanOrEqual(3)
  })
})
