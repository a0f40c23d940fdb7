// Which head is decoded next: an entry that waits already keeps its place, one that is likely goes
// first.
import { expect, it } from 'vitest'
import { Entry } from '../../../src/io/media/preroll-entry.js'
import { PrerollQueue } from '../../../src/io/media/preroll-queue.js'

const entry = (key: string): Entry =>
  new Entry(key, {} as ConstructorParameters<typeof Entry>[1], 0, null)

const orderOf = (queue: PrerollQueue): readonly string[] => {
  const found: string[] = []
  for (let next = queue.shiftBare(); next !== null; next = queue.shiftBare()) found.push(next.key)
  return found
}

it('an entry that is added once more keeps its place, unless it is to be the first', () => {
  const [a, b, c] = [entry('a'), entry('b'), entry('c')]
  const queue = new PrerollQueue([100])
  for (const one of [a, b, c, a, b]) queue.add(one, false)
  expect(orderOf(queue)).toEqual(['a', 'b', 'c'])
  for (const one of [a, b, c]) queue.add(one, false)
  queue.add(c, true)
  expect(orderOf(queue)).toEqual(['c', 'a', 'b'])
})

it('what follows a pressed button comes next, as far as its neighbours', () => {
  const all = Array.from({ length: 40 }, (_, n) => entry(String(n)))
  for (const [n, one] of all.entries()) one.after = all[n + 1] ?? null
  const queue = new PrerollQueue([100])
  for (const one of all) queue.add(one, false)
  queue.pressed(all[20]!)
  const order = orderOf(queue)
  expect(order.slice(0, 18)).toEqual([...all.slice(20, 37).map(({ key }) => key), '0'])
  expect(order).toHaveLength(40)
})
