// A voice and the decodes that it sounds from.
import { expect, it } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import type { MediaStream } from '../../../src/engine/ports.js'
import { Pass, Voice } from '../../../src/engine/sound/voice.js'

it('what comes in over a seam is decoded as far ahead as what goes out', () => {
  const asked: string[] = []
  const passOf = (name: string): Pass => {
    const media: MediaStream = {
      read: () => undefined, passed: () => undefined, close: () => undefined,
      keepAhead: () => {
        asked.push(name)
      },
    }
    const request = { stream: 1, path: name, from: frame(0) }
    return new Pass(request, media, () => undefined, () => undefined, frame(1))
  }
  const voice = new Voice(passOf('tail'), frame(0))
  voice.beginSeam(frame(10), passOf('head'), frame(0))
  voice.keepAhead(frame(5))
  expect(asked).toEqual(['tail', 'head'])
})
