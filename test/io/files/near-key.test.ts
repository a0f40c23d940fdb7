// Which key was likely meant by one that no file has: a question to whoever wrote it, no more.
import { describe, expect, test } from 'vitest'
import { faultText } from '../../../src/io/files/fault.js'
import { nearKey } from '../../../src/io/files/near-key.js'
import { parseConfig } from '../../../src/io/config.js'
import { parseShape } from '../../../src/io/show/show-shape.js'

const KEYS = [
  'id', 'title', 'kind', 'media', 'startMs', 'endMs', 'fadeInMs', 'fadeOutMs', 'fadeOutAtEnd',
  'isLoopEnabled', 'gainDb', 'color', 'fit',
]

describe('the key that was meant', () => {
  test.each([
    ['colour', 'color'], ['Color', 'color'], ['tilte', 'title'], ['fadeoutMs', 'fadeOutMs'],
    ['fadeInMS', 'fadeInMs'], ['gain', 'gainDb'], ['loopEnabled', 'isLoopEnabled'], ['ids', 'id'],
    // As a part of one alone, of three letters at least.
    ['Enabled', 'isLoopEnabled'], ['abl', 'isLoopEnabled'],
  ])('%s: %s', (key, meant) => {
    expect(nearKey(key, KEYS)).toBe(meant)
  })

  test.each([
    ['volume', 'is like none'], ['fade', 'is in several'], ['x', 'is too short to tell'],
    ['bl', 'is too short to tell'],
    ['', 'is nothing'],
  ])('%s %s', (key) => {
    expect(nearKey(key, KEYS)).toBeNull()
  })
})

const ID = '11111111-2222-3333-4444-aaaaaaaaaaaa'

test('a show asks for it at every level, and only among the keys of that place', () => {
  const button = { id: ID, title: 'b', kind: 'audio', media: 'm.wav', gain: 3, volume: 1, mod: 1 }
  const lights = { id: ID, title: 'l', kind: 'dmx', dmx: { timeline: 't.json', lopp: true } }
  const list = { id: ID, title: 'p', crossfade: 2, gain: 1, buttons: [button, lights] }
  const { faults } = parseShape({ title: 'T', playlist: [], playlists: [list] })
  expect(faults.map(faultText).sort()).toEqual([
    'playlist: is an unknown key; did you mean playlists?',
    'playlists[0].buttons[0].gain: is an unknown key; did you mean gainDb?',
    'playlists[0].buttons[0].mod: is an unknown key; a key of your own begins with x-',
    'playlists[0].buttons[0].volume: is an unknown key; a key of your own begins with x-',
    'playlists[0].buttons[1].dmx.lopp: is an unknown key; did you mean loop?',
    // Two letters from `crossfadeMs`; `crossfadeCurve` only holds it.
    'playlists[0].crossfade: is an unknown key; did you mean crossfadeMs?',
    'playlists[0].gain: is an unknown key; a key of your own begins with x-',
  ])
})

test('a configuration does so too', () => {
  const answer = parseConfig({ api: { prot: 1 }, sound: {}, stage: { offset: 5 } }, '/')
  expect(answer.ok ? [] : answer.faults.map(faultText)).toEqual([
    'api.prot: is an unknown key; did you mean port?',
    'stage.offset: is an unknown key; did you mean offsetMs?',
    'sound: is an unknown key',
  ])
})
