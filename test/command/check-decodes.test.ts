// What `cartwall check` has decoded of each file, and how it tells what came of it.
import { beforeEach, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { decodeFaults, type Depth } from '../../src/command/check-decodes.js'
import type {
  DecodeListener, DecodeRequest,
} from '../../src/io/media/decoder/decoder-messages.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

const asked: DecodeRequest[] = []
/** What comes of a decode. */
let decode = (_listener: DecodeListener): void => undefined
vi.mock('../../src/io/media/decoder/decoder-link.js', () => ({
  DecoderLink: class {
    decode(request: DecodeRequest, listener: DecodeListener): number {
      asked.push(request)
      decode(listener)
      return asked.length
    }

    close(): Promise<void> {
      return Promise.resolve()
    }
  },
}))

beforeEach(() => {
  asked.length = 0
  decode = (listener) => {
    listener.pcm(new Float32Array(48_000), new Float32Array(48_000))
    listener.done(48_000, null)
  }
})

const fileAt = (startMs: number, path = '/show/gong.wav') =>
  ({ place: '', path, button: { kind: 'audio', startMs, title: 'Gong' } as const })

const faultsOf = async (
  files: readonly ReturnType<typeof fileAt>[], depth: Depth,
): Promise<readonly string[]> => {
  const found = await decodeFaults(files, depth, new VirtualTimers(0))
  return files.flatMap((file) => [...found(file)])
}

it('a second from each Start on, once for all buttons that begin there', async () => {
  const files = [fileAt(0), fileAt(5_000), fileAt(5_000), fileAt(0, '/show/bed.wav')]
  expect(await faultsOf(files, 'start')).toEqual([])
  expect(asked.map(({ path, from, to }) => [path, from, to])).toEqual([
    ['/show/gong.wav', 0, 48_000], ['/show/gong.wav', 240_000, 288_000],
    ['/show/bed.wav', 0, 48_000],
  ])
})

it('or all of each file from its beginning, once, wherever buttons begin', async () => {
  expect(await faultsOf([fileAt(0), fileAt(5_000)], 'whole')).toEqual([])
  expect(asked.map(({ from, to }) => [from, to])).toEqual([[0, null]])
})

it('where a file breaks off is told as a player shows it, and its name once', async () => {
  decode = (listener) => {
    listener.pcm(new Float32Array(24_000), new Float32Array(24_000))
    listener.failed('gong.wav: Invalid data found')
  }
  expect(await faultsOf([fileAt(5_000)], 'start'))
    .toEqual(['breaks off at 5.5 s: Invalid data found'])
  decode = (listener) => { listener.failed('gong.wav: Invalid data found') }
  expect(await faultsOf([fileAt(5_000)], 'start')).toEqual(['cannot be played: Invalid data found'])
})

it('a pause that a file begins with is sound; nothing at all is none', async () => {
  decode = (listener) => {
    listener.silence(48_000)
    listener.done(48_000, null)
  }
  expect(await faultsOf([fileAt(0)], 'start')).toEqual([])
  decode = (listener) => { listener.done(0, 0) }
  expect(await faultsOf([fileAt(0)], 'start'))
    .toEqual(['cannot be played: there is no sound in it'])
})
