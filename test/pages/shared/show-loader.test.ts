// When a page reads the show: at its start, and whenever the daemon names another one.
import { expect, test } from 'vitest'
import type { ShowPage } from '../../../src/contract/show-page.js'
import { ShowLoader } from '../../../src/pages/shared/show-loader.js'

/** A daemon that answers when it is told to; what it was asked for, and the shows that came. */
const served = () => {
  const asked: ((answer: { etag: string; body: unknown } | null) => void)[] = []
  const titles: string[] = []
  const later: (() => void)[] = []
  const loader = new ShowLoader({
    read: (_path, signal) => new Promise((answer, reject) => {
      asked.push(answer)
      signal?.addEventListener('abort', () => reject(new Error('given up')))
    }),
    after: (_ms, call) => {
      later.push(call)
      return () => void later.splice(later.indexOf(call), 1)
    },
  }, ({ title }: ShowPage) => titles.push(title))
  const answer = async (etag: string | null): Promise<void> => {
    asked.at(-1)?.(etag === null ? null : { etag, body: { title: `show ${etag}` } })
    await new Promise(setImmediate)
  }
  const pause = (): void => later.shift()?.()
  return { loader, asked, titles, later, answer, pause }
}

test('it is read before the connection is there, and once where that names the same', async () => {
  const { loader, asked, titles, answer, pause } = served()
  loader.start()
  expect(asked).toHaveLength(1)
  loader.want('a')
  await answer('a')
  pause()
  loader.want('a')
  expect(titles).toEqual(['show a'])
  expect(asked).toHaveLength(1)
})

test('it is read again where the connection names a newer one', async () => {
  const { loader, asked, titles, answer, pause } = served()
  loader.start()
  await answer('a')
  pause()
  loader.want('b')
  expect(asked).toHaveLength(2)
  await answer('b')
  expect(titles).toEqual(['show a', 'show b'])
})

test('saved again while it is read, it is read again: the last one stays', async () => {
  const { loader, asked, titles, answer, pause } = served()
  loader.want('a')
  loader.want('b')
  loader.want('c')
  expect(asked).toHaveLength(1)
  await answer('a')
  pause()
  expect(asked).toHaveLength(2)
  await answer('c')
  loader.want('c')
  expect(titles).toEqual(['show a', 'show c'])
  expect(asked).toHaveLength(2)
})

test('a show that changes all the time is not read all the time', async () => {
  const { loader, asked, titles, answer, pause } = served()
  loader.start()
  await answer('a')
  for (const etag of ['b', 'c', 'd']) loader.want(etag)
  expect(asked).toHaveLength(1)
  pause()
  expect(asked).toHaveLength(2)
  await answer('d')
  pause()
  expect(titles).toEqual(['show a', 'show d'])
  expect(asked).toHaveLength(2)
})

test('a proxy that compresses, and marks the tag as weak, has it not read twice', async () => {
  const { loader, asked, answer, pause } = served()
  loader.start()
  loader.want('"a"')
  await answer('W/"a"')
  pause()
  loader.want('"a"')
  expect(asked).toHaveLength(1)
})

test('a daemon that does not answer yet is asked again once it is there', async () => {
  const { loader, asked, titles, answer, pause } = served()
  loader.start()
  await answer(null)
  pause()
  expect(asked).toHaveLength(1)
  loader.want('a')
  await answer('a')
  expect(titles).toEqual(['show a'])
})

test('a reading that failed is made again by itself, after a pause', async () => {
  const { loader, asked, titles, answer, pause } = served()
  loader.want('a')
  await answer(null)
  pause()
  expect(asked).toHaveLength(2)
  await answer('a')
  expect(titles).toEqual(['show a'])
})

test('one that is newer than what was named is not read again while that is named', async () => {
  const { loader, asked, answer, pause } = served()
  loader.want('a')
  await answer('b')
  pause()
  loader.want('b')
  expect(asked).toHaveLength(1)
})

test('a daemon that has no show to name is not asked for one', () => {
  const { loader, asked } = served()
  loader.want(null)
  expect(asked).toHaveLength(0)
})

test('an answer that never comes, as over a network that was left, is given up', async () => {
  const { loader, asked, titles, later, answer } = served()
  loader.start()
  loader.want('a')
  // Its time is over, and then the pause.
  for (let n = 0; n < 2; n += 1) {
    later.shift()?.()
    await new Promise(setImmediate)
  }
  expect(asked).toHaveLength(2)
  await answer('a')
  expect(titles).toEqual(['show a'])
  // Nothing is left to give up; the pause is.
  expect(later).toHaveLength(1)
})
