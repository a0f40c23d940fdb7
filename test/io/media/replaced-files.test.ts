// What is told of media that are replaced on disk: the looks at armed files find it by the way, and
// images are looked at for nothing else.
import { expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import type { Look } from '../../../src/io/media/look/file-look.js'
import { FileWatch } from '../../../src/io/media/look/file-watch.js'
import { ImageWatch } from '../../../src/io/media/look/image-watch.js'
import { HeadStore } from '../../../src/io/media/preroll.js'

const LOOK_MS = 2_000

const seen = (stamp: string): Look =>
  ({ kind: 'file', stamp, disk: 1, own: null, isMp4: false, seeking: 'exact', type: '' })

const disk = () => {
  const timers = new VirtualTimers(0)
  const looks = new Map<string, Look>()
  const lookAround = async (ms = LOOK_MS): Promise<void> => {
    timers.pass(ms)
    await new Promise((done) => setImmediate(done))
  }
  return { timers, looks, lookAround }
}

/** A watch over some files, and what it asked of their disk. */
const watching = (
  paths: Iterable<string>, look: (path: string) => Promise<Look> = async () => seen('first'),
) => {
  const { timers, lookAround } = disk()
  const asked: string[] = []
  const watch = new FileWatch({
    timers, everyMs: LOOK_MS,
    looking: { look: (path) => {
      asked.push(path)
      return look(path)
    } },
  })
  for (const path of paths) watch.add(path)
  const turns = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) await lookAround()
  }
  return { watch, asked, lookAround, turns }
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `${n}.wav`)

it('a file that is another one now, is gone, or is back; not one that is seen first', async () => {
  const { timers, looks, lookAround } = disk()
  const replaced: string[] = []
  const first: (readonly [string, string | null])[] = []
  const store = new HeadStore({
    timers,
    // Whether anything is decoded makes no difference.
    decoding: { decode: () => 1, want: () => undefined, drop: () => undefined },
    looking: { look: (path) => Promise.resolve(looks.get(path) as Look) },
    budgetBytes: 1e6, mostBytes: 1e6, growFrames: [], headFrames: 100, leastHeadFrames: 100,
    recheckMs: LOOK_MS,
    replaced: (path) => replaced.push(path),
    firstSeen: (...seenFirst) => first.push(seenFirst),
  })
  for (const path of ['same.wav', 'other.wav', 'gone.wav']) looks.set(path, seen('first'))
  looks.set('later.wav', { kind: 'missing', message: 'the file is missing' })
  store.setArmed([...looks.keys()].map((path) => ({ buttonId: path, path, from: 0, to: null })))
  await lookAround()
  await lookAround()
  expect(replaced).toEqual([])
  const told = [
    ['same.wav', 'first'], ['other.wav', 'first'], ['gone.wav', 'first'], ['later.wav', null],
  ]
  expect(first).toEqual(told)
  looks.set('other.wav', seen('second'))
  looks.set('gone.wav', { kind: 'missing', message: 'the file is missing' })
  looks.set('later.wav', seen('first'))
  // A disk that does not answer says nothing about its files.
  looks.set('same.wav', { kind: 'unavailable', message: 'its disk does not answer' })
  await lookAround()
  await lookAround()
  expect(replaced.sort()).toEqual(['gone.wav', 'later.wav', 'other.wav'])
  expect(first).toEqual(told)
})

it('an image that is another one now, by a press or soon; none that left the show', async () => {
  const { timers, looks, lookAround } = disk()
  const asked: string[] = []
  const replaced: string[] = []
  const watch = new ImageWatch({
    timers, everyMs: LOOK_MS,
    looking: { look: (path) => {
      asked.push(path)
      return Promise.resolve(looks.get(path) as Look)
    } },
    replaced: (path) => replaced.push(path),
  })
  for (const path of ['scores.png', 'logo.png', 'old.png']) looks.set(path, seen('first'))
  watch.set(looks.keys())
  await lookAround()
  watch.set(['logo.png', 'scores.png', 'scores.png'])
  expect(replaced).toEqual([])
  looks.set('scores.png', seen('second'))
  looks.set('old.png', seen('second'))
  await lookAround()
  expect(replaced).toEqual(['scores.png'])
  watch.files.seen('logo.png', seen('second'))
  expect(replaced).toEqual(['scores.png', 'logo.png'])
  // A disk that was not plugged in.
  watch.files.seen('logo.png', { kind: 'missing', message: 'the file is missing' })
  watch.files.seen('logo.png', { kind: 'missing', message: 'the file is missing' })
  watch.files.seen('logo.png', seen('second'))
  expect(replaced.slice(2)).toEqual(['logo.png', 'logo.png'])
  expect(asked.filter((path) => path === 'old.png')).toHaveLength(1)
  // One that comes back to the show is watched again.
  watch.set(['logo.png', 'scores.png', 'old.png'])
  await lookAround()
  watch.files.seen('old.png', seen('third'))
  expect(replaced.at(-1)).toBe('old.png')
  const { length } = asked
  watch.close()
  await lookAround()
  expect(asked).toHaveLength(length)
})

it('fifty files each two seconds, those first that were looked at longest ago', async () => {
  const paths = numbered(120)
  const { watch, asked, lookAround } = watching(paths)
  const course: number[] = []
  for (let turn = 0; turn < 6; turn += 1) {
    await lookAround()
    course.push(asked.length)
  }
  expect(course).toEqual([50, 100, 150, 200, 250, 300])
  expect(asked).toEqual([...paths, ...paths, ...paths].slice(0, 300))
  // One that somebody else saw waits for its next turn.
  watch.seen('60.wav', seen('first'))
  watch.leave('61.wav')
  await lookAround()
  expect(asked.slice(300)).toEqual(paths.slice(62, 112))
})

it('few at one moment, so that no press falls into the work of many', async () => {
  const { asked, lookAround } = watching(numbered(120))
  const moments: number[] = []
  for (let ms = 0; ms < 4 * LOOK_MS; ms += 50) {
    const before = asked.length
    await lookAround(50)
    moments.push(asked.length - before)
  }
  expect(asked).toHaveLength(200)
  expect(Math.max(...moments)).toBeLessThanOrEqual(7)
})

it('a single file each two seconds, and not more often', async () => {
  const { asked, turns } = watching(['one.wav'])
  await turns(10)
  expect(asked).toHaveLength(10)
})

it('those of other disks while one hangs, and of that fifty at most', async () => {
  const { watch, asked, turns } = watching(
    ['share/a.wav', 'own.wav', 'share/b.wav'],
    async (path) => path.startsWith('share') ? new Promise(() => undefined) : seen('first'))
  await turns(10)
  const of = (path: string): number => asked.filter((each) => each === path).length
  expect([of('share/a.wav'), of('share/b.wav')]).toEqual([1, 1])
  expect(of('own.wav')).toBeGreaterThanOrEqual(10)
  for (const path of numbered(100)) watch.add(`share/${path}`)
  await turns(10)
  expect(asked.filter((path) => path.startsWith('share'))).toHaveLength(50)
})

it('none twice at one time, however long its disk hangs', async () => {
  let answer = (): void => undefined
  const { asked, turns } = watching(['on-a-share.wav'], () => new Promise((settle) => {
    answer = () => settle(seen('first'))
  }))
  await turns(5)
  expect(asked).toHaveLength(1)
  answer()
  await turns(2)
  expect(asked).toHaveLength(2)
})
