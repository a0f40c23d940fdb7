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

const FIXTURE = 'tracks[0].target.fixture'

it('a name that is none is told with those that there are', () => {
  const fixtures = [
    { id: 'wash', universe: 0, address: 1, channels: [{ name: 'red' }, { name: 'blue' }] },
    { id: 'spot', universe: 0, address: 9, channels: [{ name: 'dimmer' }] },
  ]
  const told = (target: unknown, more: object = { fixtures }): readonly unknown[] => {
    const tracks = [{ target, keyframes: [[0, 1]] }]
    const file = compileText(JSON.stringify({
      format: 'dmx-timeline', version: 1, durationMs: 8_000, ...more, tracks,
    }))
    return file.ok ? [] : file.faults
  }
  expect(told({ fixture: 'whas', channel: 'red' })).toEqual([
    { place: FIXTURE, message: '"whas" is no fixture of this file (wash, spot)' },
  ])
  expect(told({ fixture: 'wash', channel: 1 })).toEqual([
    { place: 'tracks[0].target.channel', message: 'it is no channel of this fixture (red, blue)' },
  ])
  expect(told({ fixture: 'wash', channel: 'red' }, {})).toEqual([
    { place: FIXTURE, message: '"wash" is no fixture of this file' },
  ])
  const many = Array.from({ length: 500 }, (_, n) => ({ ...fixtures[0], id: `wash ${n}` }))
  const words = /^"\\n" is no fixture of this file \(wash 0, wash 1, .{90,110}…\)$/
  expect(told({ fixture: '\n', channel: 'red' }, { fixtures: many }))
    .toEqual([{ place: FIXTURE, message: expect.stringMatching(words) as string }])
})

it('a file without a track is noted: no lamp would obey it', () => {
  const file = compileText(JSON.stringify({
    format: 'dmx-timeline', version: 1, durationMs: 8_000, tracks: [],
  }))
  expect(file.ok && file.notes)
    .toEqual([{ place: 'tracks', message: 'is empty: no lamp obeys this timeline' }])
})

it.each(['1e400', '1e15', '-1', '"5"'])('a time of %s is told which times there are', (time) => {
  const file = compileText(fileOf([['time', 1]]).replace('"time"', time))
  expect(file.ok ? [] : file.faults).toEqual([{
    place: 'tracks[0].keyframes[0][0]',
    message: 'must be a time in milliseconds from 0 to 93824992236885',
  }])
})
