// What the stage takes from the show: which videos it tries, and which it does not.
import { expect, test } from 'vitest'
import type { ShowButton, ShowMedia, ShowPage } from '../../../src/contract/show-page.js'
import { ShowLook } from '../../../src/pages/stage/show-look.js'

const MEDIA: ShowMedia = {
  missing: null, version: 'a', type: 'video/mp4', notShown: null, video: null, audio: null,
}

const video = (id: string, media: Partial<ShowMedia>): ShowButton => ({
  id, title: id, kind: 'video', startMs: 0, endMs: null, fadeInMs: 0, fadeOutMs: 0,
  fadeOutAtEnd: false, isLoopEnabled: false, pauseWhenReplaced: false, allowOverlap: false,
  gainDb: 0, color: null, hotkey: null, pressAgain: 'pause', fit: 'contain', dissolveMs: 0,
  target: null, dmx: null, durationMs: 1_000, media: { ...MEDIA, ...media },
})

const lookAt = (...buttons: readonly ShowButton[]): ShowLook => {
  const list = {
    id: 'l', title: 'l', mode: 'manual', wrap: false, mixOnTransition: false, crossfadeMs: 0,
    crossfadeCurve: 'linear', columns: null, buttons,
  } as const
  const settings = { panicFadeMs: 0, guardMs: 0, stageOffsetMs: 0 }
  const show: ShowPage = { title: 't', version: '1', settings, playlists: [list] }
  return new ShowLook(show)
}

test('a file that was not found when it was looked for is tried all the same', () => {
  const look = lookAt(video('a', { missing: 'its disk does not answer' }))
  expect(look.of('a')?.notShown).toBeNull()
})

test('one that a browser cannot show is not tried, and the reason is known', () => {
  const look = lookAt(video('a', { notShown: 'browsers do not show prores' }))
  expect(look.of('a')?.notShown).toBe('browsers do not show prores')
})

test('what stands ready next is neither missing nor impossible', () => {
  const look = lookAt(
    video('a', {}), video('b', { missing: 'gone' }), video('c', { notShown: 'no' }), video('d', {}),
  )
  expect(look.first()).toBe('a')
  expect(look.after('a')).toBe('d')
})

test('another file under the same button has another address', () => {
  expect(lookAt(video('a', { version: '"1-2"' })).of('a')?.source).toBe('/media/a?v=%221-2%22')
})
