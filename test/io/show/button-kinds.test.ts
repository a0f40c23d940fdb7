// What a button of each kind needs, and what means nothing in it; and the bounds of its numbers.
import { describe, expect, it } from 'vitest'
import { BUTTON_KINDS, type ButtonKind } from '../../../src/contract/vocabulary.js'
import { faultText } from '../../../src/io/files/fault.js'
import { ruleFaults } from '../../../src/io/show/show-rules.js'
import { parseShape } from '../../../src/io/show/show-shape.js'

const LIST = '11111111-2222-3333-4444-aaaaaaaaaaaa'
const BUTTON = '11111111-2222-3333-4444-bbbbbbbbbbbb'

const faultsOf = (button: object, playlist: object = {}): readonly string[] => {
  const buttons = [{ id: BUTTON, title: '', ...button }]
  const raw = { title: 'T', playlists: [{ id: LIST, title: 'P', ...playlist, buttons }] }
  return [...parseShape(raw).faults, ...ruleFaults(raw)].map(faultText)
    .map((text) => text.replace('playlists[0].buttons[0].', ''))
}

/** All that a button may have of its kind, and what it cannot be without. */
const PARTS = {
  media: 'a', dmx: { timeline: 'l.json' }, target: LIST, fit: 'cover', dissolveMs: 0,
} as const
type Part = keyof typeof PARTS
const NEEDED: Readonly<Record<ButtonKind, Part>> = {
  audio: 'media', video: 'media', image: 'media', dmx: 'dmx', navigation: 'target',
}
const ALLOWED: Readonly<Record<ButtonKind, readonly Part[]>> = {
  audio: ['media', 'dmx'], video: ['media', 'dmx', 'fit', 'dissolveMs'],
  image: ['media', 'dmx', 'fit', 'dissolveMs'], dmx: ['dmx'], navigation: ['target'],
}

describe.each(BUTTON_KINDS)('a button of kind %s', (kind) => {
  const needed = NEEDED[kind]
  const least = { kind, [needed]: PARTS[needed] }

  it(`needs ${needed}`, () => {
    const refusal = [`${needed}: is missing; a button of kind ${kind} needs it`]
    expect([faultsOf(least), faultsOf({ kind }), faultsOf({ kind, [needed]: null })])
      .toEqual([[], refusal, refusal])
  })

  it.each(Object.keys(PARTS) as Part[])('and %s is taken where it means something', (part) => {
    const isAllowed = ALLOWED[kind].includes(part)
    const refusal = isAllowed ? [] : [`${part}: has no meaning in a button of kind ${kind}`]
    expect(faultsOf({ ...least, [part]: PARTS[part] })).toEqual(refusal)
  })
})

it('what a kind means is not said of a kind that there is not', () => {
  for (const kind of ['cue', 'Audio', null, 7]) {
    expect(faultsOf({ kind, ...PARTS })).toEqual([expect.stringMatching(/^kind: must be /)])
    expect(faultsOf({ kind })).toEqual([expect.stringMatching(/^kind: must be /)])
  }
})

describe('bounds', () => {
  const AUDIO = { kind: 'audio', media: 'a' }
  const IMAGE = { kind: 'image', media: 'a' }

  it.each<[string, object, readonly number[], readonly number[]]>([
    ['fadeInMs', AUDIO, [0, 1, 60_000], [-1, 0.5, 60_001]],
    ['fadeOutMs', AUDIO, [0, 1, 60_000], [-1, 0.5, 60_001]],
    ['gainDb', AUDIO, [-60, -0.1, 12], [-60.1, 12.1]],
    ['startMs', AUDIO, [0, 0.5, 1e9], [-1, -0.5, 1e12]],
    ['endMs', AUDIO, [0.5, 1, 1e9], [-1, 0, 1e12]],
    ['dissolveMs', IMAGE, [0, 10_000], [-1, 0.5, 10_001]],
  ])('of %s', (key, button, good, bad) => {
    for (const value of good) expect([value, faultsOf({ ...button, [key]: value })])
      .toEqual([value, []])
    for (const value of bad) expect(faultsOf({ ...button, [key]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${key}: must be `)),
    ])
  })

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['columns', [null, 2, 12], [0, 1, 13, 2.5]],
    ['crossfadeMs', [0, 60_000], [-1, 0.5, 60_001, null]],
    ['crossfadeCurve', ['linear', 'equal-power'], ['smooth', null]],
    ['mode', ['manual', 'sequence', 'shuffle'], ['random', null]],
    ['wrap', [true, false], [null, 1]],
  ])('of a playlist’s %s', (key, good, bad) => {
    for (const value of good) expect(faultsOf(AUDIO, { [key]: value })).toEqual([])
    for (const value of bad) expect(faultsOf(AUDIO, { [key]: value })).toEqual([
      expect.stringMatching(new RegExp(`^playlists\\[0\\]\\.${key}: must be `)),
    ])
  })

  it('a Start that is no position is told alone, the last that is one is compared', () => {
    expect(faultsOf({ ...AUDIO, startMs: 1e12, endMs: 5 }))
      .toEqual(['startMs: must be a number of milliseconds, 0 or more'])
    expect(faultsOf({ ...AUDIO, startMs: 1e11, endMs: 5 }))
      .toEqual(['endMs: must be greater than startMs (100000000000)'])
  })
})

it('ids that are none are told as that, and not as ids that stand twice', () => {
  const button = { id: 'x', title: '', kind: 'audio', media: 'a' }
  const raw = { title: 'T', playlists: [{ id: LIST, title: 'P', buttons: [button, button] }] }
  expect(ruleFaults(raw)).toEqual([])
  expect(parseShape(raw).faults.map(({ place }) => place))
    .toEqual(['playlists[0].buttons[0].id', 'playlists[0].buttons[1].id'])
})
