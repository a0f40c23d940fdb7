// What the stage takes from the show: which videos it tries, and which it does not.
import { expect, test } from 'vitest'
import type { ShowMedia } from '../../../src/contract/show-page.js'
import { ShowLook } from '../../../src/pages/stage/show-look.js'
import { lookAt, showOf, video } from './video-show.js'

test('a file that was not found when it was looked for is tried all the same', () => {
  const look = lookAt(video('a', 0, { missing: 'its disk does not answer' }))
  expect(look.of('a')?.notShown).toBeNull()
})

test('one that a browser cannot show is not tried, and the reason is known', () => {
  const look = lookAt(video('a', 0, { notShown: 'browsers do not show prores' }))
  expect(look.of('a')?.notShown).toBe('browsers do not show prores')
})

test('an image is tried all the same: another file may have taken its place by now', () => {
  const image = { ...video('a', 0, { notShown: 'it is no image' }), kind: 'image' } as const
  expect(lookAt(image).of('a')?.notShown).toBeNull()
})

test('what stands ready next is neither missing nor impossible', () => {
  const look = lookAt(
    video('a', 0, {}), video('b', 0, { missing: 'gone' }),
    video('c', 0, { notShown: 'no' }), video('d', 0, {}),
  )
  expect(look.first()).toEqual(['a'])
  // Behind the last one the list may come round.
  expect([look.after('a'), look.after('d')]).toEqual([['d', 'a'], ['a', 'd']])
})

test('the only video that can be played is likely to be played again', () => {
  const look = lookAt(video('a', 0, { missing: 'gone' }), video('b', 0, {}))
  expect([look.after('a'), look.after('b')]).toEqual([['b'], ['b']])
})

test('a frame is as long as its file says, and unknown where that says nothing', () => {
  const frameMs = (framesPerSecond: number | null) =>
    lookAt(video('a', 0, { video: { framesPerSecond } as ShowMedia['video'] })).of('a')?.frameMs
  expect([50, 0, null].map(frameMs)).toEqual([20, null, null])
})

test('another file under the same button has another address', () => {
  expect(lookAt(video('a', 0, { version: '"1-2"' })).of('a')?.source).toBe('/media/a?v=%221-2%22')
})

test('a button that left the show looks as it did, and is nothing that comes next', () => {
  const before = lookAt(video('a', 0, { version: '1' }), video('b', 0, {}))
  const look = new ShowLook(showOf(video('b', 0, {})), before)
  expect(look.of('a')).toEqual(before.of('a'))
  expect([look.first(), look.after('a'), look.after('b')]).toEqual([['b'], ['b'], ['b']])
})

test('of a button that no show has named yet the file is asked for by its id alone', () => {
  expect(new ShowLook(null, null).sourceOf('a')).toBe('/media/a')
  expect(lookAt(video('a', 0, { version: '2' })).sourceOf('a')).toBe('/media/a?v=2')
})
