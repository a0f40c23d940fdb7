// A message for apps names a file, and none of the folders of the machine that it lies in.
import { expect, it } from 'vitest'
import { withoutFolder } from '../../src/contract/errors.js'

it.each([
  ['/shows/dj/quiz/bed.mp3 is gone', '/shows/dj/quiz/bed.mp3', 'bed.mp3 is gone'],
  ['/q/a.mp3: open /q/a.mp3: no such file', '/q/a.mp3', 'a.mp3: open a.mp3: no such file'],
  ['C:\\quiz\\bed.mp3 is gone', 'C:\\quiz\\bed.mp3', 'bed.mp3 is gone'],
  ['/q/a.b(c).mp3 $& is gone', '/q/a.b(c).mp3', 'a.b(c).mp3 $& is gone'],
  ['/q/Ca$$h $& $`.mp3 is gone', '/q/Ca$$h $& $`.mp3', 'Ca$$h $& $`.mp3 is gone'],
  ['bed.mp3 is gone', 'bed.mp3', 'bed.mp3 is gone'],
  ['the disk is gone', '/shows/dj/quiz/bed.mp3', 'the disk is gone'],
])('%j of %j', (message, path, told) => {
  expect(withoutFolder(message, path)).toBe(told)
})
