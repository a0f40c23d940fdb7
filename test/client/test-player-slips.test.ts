// Slips that no compiler finds in JavaScript: the test player names them, and no test passes for
// another reason than it meant.
import { describe, expect, test } from 'vitest'
import { createTestPlayer, type Loss, type Network } from '../../src/testing/test-player.js'
import { MEDIA, quiz, SHOW } from './quiz-show.js'

interface Stated {
  readonly durationMs: number
}

describe('a length that is none is told with its name', () => {
  test.each<readonly [string, unknown]>([
    ['nothing', {}], ['a bare number', 5_000], ['seconds as a text', { durationMs: '5' }],
    ['what is below 0', { durationMs: -1 }],
  ])('of a file: %s', (_what, file) => {
    const media = { ...MEDIA, 'warm.mp3': file as Stated }
    expect(() => createTestPlayer(SHOW, { media })).toThrow(/^warm\.mp3: durationMs is .+, and no/)
  })

  test.each(['readyAfterMs', 'failsAtMs'] as const)('of a fault of a file: %s', (fault) => {
    const file = { durationMs: 1, [fault]: '5' as unknown as number }
    expect(() => quiz().player.addFile('warm.mp3', file))
      .toThrow(`warm.mp3: ${fault} is 5, and no number of milliseconds`)
  })

  test('of a timeline', () => {
    const timelines = { 'lights/dawn.json': {} as Stated }
    expect(() => createTestPlayer(SHOW, { media: MEDIA, timelines }))
      .toThrow('lights/dawn.json: durationMs is undefined, and no number of milliseconds')
  })
})

test('a network and a loss that there are not are told with those that there are', () => {
  const { player } = quiz()
  expect(() => player.setNetwork('off' as Network))
    .toThrow('off is none of up, down, hanging, lossy, mute, slow')
  expect(() => player.loseNext('reply' as Loss)).toThrow('reply is none of request, answer, late')
})

test('a show that breaks a rule which compares is refused, as by `cartwall check`', () => {
  const button = { ...SHOW.playlists![0]!.buttons![0]!, startMs: 5_000, endMs: 5_000 }
  const show = { ...SHOW, playlists: [{ ...SHOW.playlists![0]!, buttons: [button] }] }
  expect(() => createTestPlayer(show, { media: MEDIA })).toThrow(
    'the show is refused: playlists[0].buttons[0].endMs: must be greater than startMs (5000)')
})
