// What pages hear of a file: there, away, broken, mended. What is as it was is no news.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { MediaFacts } from '../../../src/io/media/probe/probe-file.js'
import { frame } from '../../../src/clock/frame.js'
import { builtShow, loadShow, type TimelineLength } from '../../../src/io/show/show-file.js'
import { ShowBody } from '../../../src/io/show/show-page-body.js'
import { parseShape } from '../../../src/io/show/show-shape.js'

const DEMO = join(import.meta.dirname, '../../../demo/show.json')
const FACTS = { duration: 48_000, video: null, audio: null } as unknown as MediaFacts
const settings = { panicFadeMs: 300, guardMs: 1_000, stageOffsetMs: 0 }

const shown = async () => {
  const show = await loadShow(DEMO, null)
  if (!show.ok) throw new Error('the demo show does not load')
  const path = show.media[0]?.path ?? ''
  const body = new ShowBody({ version: '1', settings }, show)
  const media = () => {
    const page = JSON.parse(body.body().bytes.toString()) as {
      playlists: { buttons: { media: { missing: string | null; version: string | null } }[] }[]
    }
    return page.playlists[0]?.buttons[0]?.media
  }
  return { body, path, media }
}

const look = (version: string) => ({ version, type: 'audio/flac' })

it('a file that cannot be played is told once, however often it is looked into', async () => {
  const { body, path, media } = await shown()
  body.looked(path, look('1'))
  expect(body.miss(path, 'no sound in it', '1')).toBe(true)
  const { etag } = body.body()
  for (let n = 0; n < 3; n += 1) {
    body.looked(path, look('1'))
    expect(body.body().etag).toBe(etag)
    expect(body.miss(path, 'no sound in it', '1')).toBe(false)
    expect(body.body().etag).toBe(etag)
  }
  expect(media()).toMatchObject({ missing: 'no sound in it', version: null })
})

it('once it was written anew it is not what it was, and may play', async () => {
  const { body, path, media } = await shown()
  body.looked(path, look('1'))
  body.miss(path, 'no sound in it', '1')
  body.looked(path, look('2'))
  expect(media()).toMatchObject({ missing: null, version: '2' })
  body.learn(path, FACTS)
  expect(media()).toMatchObject({ missing: null, version: '2' })
})

it('what is known of it stays while it is as it was, and is void once it is another', async () => {
  const { body, path, media } = await shown()
  const durationMs = (): number | undefined => {
    const page = JSON.parse(body.body().bytes.toString()) as {
      playlists: { buttons: { durationMs: number }[] }[]
    }
    return page.playlists[0]?.buttons[0]?.durationMs
  }
  for (const [version, known] of [['1', 0], ['1', 1_000], ['2', 0], ['2', 1_000]] as const) {
    body.looked(path, look(version))
    // Another file makes the page be written anew.
    body.looked('other.wav', look(`${version} ${known}`))
    expect([durationMs(), media()?.version]).toEqual([known, version])
    body.learn(path, FACTS)
  }
})

it('played after all, though nothing was written, it is there', async () => {
  const { body, path, media } = await shown()
  body.looked(path, look('1'))
  body.miss(path, 'no answer in time', '1')
  body.looked(path, look('1'))
  body.learn(path, FACTS)
  expect(media()).toMatchObject({ missing: null, version: '1' })
})

it('one that was away and is back as it was is told at once', async () => {
  const { body, path, media } = await shown()
  body.looked(path, look('1'))
  body.learn(path, FACTS)
  expect(body.miss(path, 'the file is missing', null)).toBe(true)
  expect(media()).toMatchObject({ missing: 'the file is missing', version: null })
  body.looked(path, look('1'))
  expect(media()).toMatchObject({ missing: null, version: '1' })
})

const idOf = (n: number): string => `00000000-0000-4000-8000-${`${n}`.padStart(12, '0')}`

/** A button as pages hear of it where the show says no more of it. */
const PLAIN = {
  startMs: 0, endMs: null, fadeInMs: 0, fadeOutMs: 0, fadeOutAtEnd: false, isLoopEnabled: false,
  pauseWhenReplaced: false, allowOverlap: false, gainDb: 0, color: null, hotkey: null,
  pressAgain: 'pause', fit: 'contain', dissolveMs: 0, target: null, dmx: null, durationMs: 0,
}
const UNKNOWN = {
  missing: null, version: null, type: null, notShown: null, video: null, audio: null,
}
const VIDEO = {
  codec: 'h264', pixelFormat: 'yuv422p', width: 1920, height: 1080, framesPerSecond: 25,
  beginsMs: 0, keyframesMs: 500,
}
const AUDIO = { codec: 'flac', channels: 2, sampleRate: 44_100 }

const dmx = (timeline: string, loop: boolean) => ({ timeline, loop })
/** Settings that are written, and stand so in what pages hear. */
const settled = {
  startMs: 5.5, endMs: 900, fadeInMs: 1, fadeOutMs: 2, fadeOutAtEnd: true, isLoopEnabled: true,
  pauseWhenReplaced: true, allowOverlap: true, gainDb: -6, color: 'red', hotkey: 'KeyQ',
  pressAgain: 'stop',
} as const
const list = {
  mode: 'shuffle', wrap: true, mixOnTransition: true, crossfadeMs: 1_500,
  crossfadeCurve: 'equal-power',
} as const
const WRITTEN = parseShape({ title: 'T', playlists: [
  { id: idOf(1), title: 'P', ...list, columns: 3, buttons: [
    { id: idOf(11), title: 'bed', kind: 'audio', media: 'a.flac', dmx: dmx('l.json', true),
      ...settled },
    { id: idOf(12), title: 'film', kind: 'video', media: 'v.mp4', fit: 'cover', dissolveMs: 7 },
    { id: idOf(13), title: 'logo', kind: 'image', media: 'i.png', 'x-mine': 1 },
    { id: idOf(14), title: 'lights', kind: 'dmx', dmx: dmx('l.json', false) },
    { id: idOf(15), title: 'broken', kind: 'dmx', dmx: dmx('b.json', false) },
    { id: idOf(16), title: 'next', kind: 'navigation', target: idOf(2) },
  ] },
  { id: idOf(2), title: 'Q', buttons: [
    { id: idOf(21), title: 'gone', kind: 'audio', media: 'g.wav', dmx: dmx('l.json', false) },
  ] },
] })

// Its lights have a length, but that is not its own.
const gone = {
  ...PLAIN, id: idOf(21), title: 'gone', kind: 'audio', dmx: { loop: false, error: null },
}
/** What pages hear of it once its files were looked into. */
const TOLD = {
  title: 'T', version: '1.2.3', settings,
  playlists: [
    { id: idOf(1), title: 'P', ...list, columns: 3, buttons: [
      { ...PLAIN, id: idOf(11), title: 'bed', kind: 'audio', ...settled, durationMs: 1_000,
        dmx: { loop: true, error: null },
        media: { ...UNKNOWN, version: 'a1', type: 'audio/flac', audio: AUDIO } },
      { ...PLAIN, id: idOf(12), title: 'film', kind: 'video', fit: 'cover', dissolveMs: 7,
        durationMs: 2_000,
        media: { ...UNKNOWN, version: 'v1', type: 'video/mp4', video: VIDEO,
          notShown: 'a browser does not show h264 with the pixel format yuv422p' } },
      { ...PLAIN, id: idOf(13), title: 'logo', kind: 'image',
        media: { ...UNKNOWN, version: 'i1', type: 'image/png' } },
      { ...PLAIN, id: idOf(14), title: 'lights', kind: 'dmx', durationMs: 100, media: null,
        dmx: { loop: false, error: null } },
      { ...PLAIN, id: idOf(15), title: 'broken', kind: 'dmx', media: null,
        dmx: { loop: false, error: 'b.json: no sense' } },
      { ...PLAIN, id: idOf(16), title: 'next', kind: 'navigation', target: idOf(2), media: null },
    ] },
    { id: idOf(2), title: 'Q', mode: 'manual', wrap: false, mixOnTransition: false,
      crossfadeMs: 0, crossfadeCurve: 'linear', columns: null, buttons: [
        { ...gone, media: { ...UNKNOWN, missing: 'g.wav: the file is missing' } },
      ] },
  ],
}

it('the whole of a show, as it is written and as far as its files are known', () => {
  const { shape, faults } = WRITTEN
  if (shape === null) throw new Error(JSON.stringify(faults))
  const timelines = new Map<string, TimelineLength>([
    ['/s/l.json', { ok: true, timeline: { durationFrames: frame(4_800) } }],
    ['/s/b.json', { ok: false, message: 'no sense' }],
  ])
  const body = new ShowBody({ version: '1.2.3', settings }, builtShow(shape, '/s', timelines))
  const facts = (more: object) => ({ ...FACTS, container: 'mov,mp4', ...more }) as MediaFacts
  body.looked('/s/a.flac', look('a1'))
  body.learn('/s/a.flac', facts({ duration: 48_047, audio: AUDIO }))
  body.looked('/s/v.mp4', { version: 'v1', type: 'video/mp4' })
  body.learn('/s/v.mp4', facts({ duration: 96_000, video: VIDEO }))
  body.looked('/s/i.png', { version: 'i1', type: 'image/png' })
  body.miss('/s/g.wav', '/s/g.wav: the file is missing', null)
  const told = (): unknown => JSON.parse(body.body().bytes.toString())
  expect(told()).toEqual(TOLD)
  // Another show: what is known of files that it shares is known.
  const next = parseShape({ title: 'U', playlists: [
    { id: idOf(2), title: 'Q', buttons: [
      { id: idOf(22), title: 'bed', kind: 'audio', media: 'a.flac' },
    ] },
  ] })
  body.setShow(builtShow(next.shape!, '/s', new Map()))
  expect(told()).toMatchObject({ title: 'U', playlists: [{ buttons: [
    { id: idOf(22), durationMs: 1_000, media: { version: 'a1', audio: AUDIO } },
  ] }] })
})

it('what is known of a file goes with it where it leaves the show, else it stays', async () => {
  const { body, path, media } = await shown()
  const show = await loadShow(DEMO, null)
  if (!show.ok) throw new Error('the demo show does not load')
  body.looked(path, look('1'))
  body.learn(path, FACTS)
  body.setShow(show)
  expect(media()).toMatchObject({ version: '1' })
  body.setShow({ show: { title: 'x', playlists: [] }, looks: show.looks })
  body.setShow(show)
  expect(media()).toMatchObject({ version: null })
  // It is news once more.
  body.miss(path, 'the file is missing', null)
  body.setShow({ show: { title: 'x', playlists: [] }, looks: show.looks })
  expect(body.miss(path, 'the file is missing', null)).toBe(true)
})

/** Of the bed, the film and the logo: why each is not shown. */
const notShownIn = (body: ShowBody): readonly (string | null)[] => {
  const { playlists } = JSON.parse(body.body().bytes.toString()) as {
    playlists: { buttons: { media: { notShown: string | null } | null }[] }[]
  }
  return playlists[0]!.buttons.slice(0, 3).map(({ media }) => media?.notShown ?? null)
}

it('what stands where an image should and is none is told, until an image stands there', () => {
  const { shape } = WRITTEN
  const body = new ShowBody({ version: '1', settings }, builtShow(shape!, '/s', new Map()))
  const notShown = (): readonly (string | null)[] => notShownIn(body)
  expect(notShown()).toEqual([null, null, null])
  // A page that says 404, saved under the names of what was asked for.
  const unknown = { version: '1', type: 'application/octet-stream' }
  for (const name of ['a.flac', 'v.mp4', 'i.png']) body.looked(`/s/${name}`, unknown)
  expect(notShown())
    .toEqual([null, null, 'it is no image that browsers show: save it as JPEG or PNG'])
  body.looked('/s/i.png', { version: '2', type: 'image/png' })
  expect(notShown()).toEqual([null, null, null])
})

it('a video that is sound alone, e.g. an MP4 of a telephone, has no picture to be shown', () => {
  const { shape } = WRITTEN
  const body = new ShowBody({ version: '1', settings }, builtShow(shape!, '/s', new Map()))
  for (const name of ['a.flac', 'v.mp4']) {
    body.looked(`/s/${name}`, look('1'))
    body.learn(`/s/${name}`, { ...FACTS, video: null, audio: AUDIO })
  }
  expect(notShownIn(body)).toEqual([null, 'it has no moving picture: make its kind audio', null])
  body.learn('/s/v.mp4', { ...FACTS, video: null, audio: null })
  expect(notShownIn(body)).toEqual([null, 'it has no moving picture: make its kind image', null])
})
