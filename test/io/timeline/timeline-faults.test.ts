// What a timeline file with a great many mistakes is told: as many as anybody mends in one go.
import { expect, it } from 'vitest'
import { compileText } from '../../../src/io/timeline/timeline-file.js'

const fileOf = (keyframes: readonly unknown[], more: object = {}): string => JSON.stringify({
  format: 'dmx-timeline', version: 1, durationMs: 8_000, ...more,
  tracks: [{ target: { universe: 0, channel: 1 }, keyframes }],
})
const placesOf = (found: readonly { readonly place: string }[]): readonly string[] =>
  found.map(({ place }) => place)

it('the first thousand faults, however many there are', () => {
  const wrong = (count: number): readonly unknown[] =>
    Array.from({ length: count }, (_, n) => [n, 256])
  const faultsIn = (count: number): readonly string[] => {
    const file = compileText(fileOf(wrong(count)))
    return file.ok ? [] : placesOf(file.faults)
  }
  expect(faultsIn(999)).toHaveLength(999)
  const most = faultsIn(1_002)
  expect([most.length, most[0], most.at(-1)])
    .toEqual([1_000, 'tracks[0].keyframes[0][1]', 'tracks[0].keyframes[999][1]'])
})

it('the first twenty notes, and every fault beside them', () => {
  const keys = Array.from({ length: 22 }, (_, n) => `speed${n}`)
  const unknown = Object.fromEntries(keys.map((key) => [key, 1]))
  const file = compileText(fileOf([[0, 1]], unknown))
  expect(file.ok && placesOf(file.notes)).toEqual(keys.slice(0, 20))
  const broken = compileText(fileOf([[0, 256]], unknown))
  expect(broken.ok ? [] : placesOf(broken.faults)).toEqual(['tracks[0].keyframes[0][1]'])
})
