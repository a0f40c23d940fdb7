// What pages hear of a file: there, away, broken, mended. What is as it was is no news.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { MediaFacts } from '../../../src/io/media/probe-file.js'
import { loadShow } from '../../../src/io/show/show-file.js'
import { ShowBody } from '../../../src/io/show/show-page-body.js'

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
