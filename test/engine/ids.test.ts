// Ids of runs: GUIDs as other programs know them, none twice, and drawn from the seed alone.
import { expect, it } from 'vitest'
import { guidSource } from '../../src/engine/ids.js'
import { createPrng } from '../../src/engine/prng.js'

const drawn = (seed: number, name: string, count: number): string[] => {
  const ids = guidSource(createPrng(seed).fork(name))
  return Array.from({ length: count }, () => ids.next())
}

it('are random GUIDs of version 4, each of its own in all of its digits', () => {
  const ids = drawn(1, 'ids', 20_000)
  const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  expect(ids.filter((id) => !shape.test(id))).toEqual([])
  // Also by parts: no digit but the version's stands still.
  for (const [from, to, most] of [[0, 8, 2 ** 32], [24, 36, 2 ** 48], [9, 23, 2 ** 48]] as const) {
    expect(new Set(ids.map((id) => id.slice(from, to))).size)
      .toBeGreaterThan(ids.length - 10 - ids.length ** 2 / most)
  }
  for (let at = 0; at < 36; at += 1) {
    const digits = new Set(ids.map((id) => id[at])).size
    expect([at, digits]).toEqual([at, '-4'.includes(ids[0]![at]!) && digits === 1 ? 1
      : at === 19 ? 4 : 16])
  }
})

it('are the same of the same seed, and others of another seed or for another purpose', () => {
  const known = drawn(7, 'ids', 100)
  expect(drawn(7, 'ids', 100)).toEqual(known)
  for (const [seed, name] of [[8, 'ids'], [7, 'lists']] as const) {
    expect(drawn(seed, name, 100).filter((id) => known.includes(id))).toEqual([])
  }
})
