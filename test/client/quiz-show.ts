// A small show for the tests of the client: beds in a manual list, a sequence, an image, lights.
import { createClient, type Client } from '../../src/client/client.js'
import {
  createTestPlayer, type TestPlayer, type TestPlayerOptions, type TestShow,
} from '../../src/testing/test-player.js'

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

export const BED = { warm: id(11), tense: id(12), last: id(13) } as const
export const SONG = { first: id(21), second: id(22) } as const
export const LOGO = id(31)
export const STROBE = id(32)
export const LIT = id(33)
export const GONE = id(34)

export const SHOW: TestShow = {
  title: 'Quiz',
  playlists: [
    {
      id: id(1), title: 'Beds', mixOnTransition: true, crossfadeMs: 2000,
      buttons: [
        { id: BED.warm, title: 'Warm', kind: 'audio', media: 'warm.mp3' },
        { id: BED.tense, title: 'Tense', kind: 'audio', media: 'tense.flac', fadeOutMs: 1000 },
        {
          id: BED.last, title: 'Last', kind: 'audio', media: 'last.flac',
          startMs: 1000, endMs: 5000,
        },
        { id: GONE, title: 'Gone', kind: 'audio', media: 'gone.mp3' },
      ],
    },
    {
      id: id(2), title: 'Songs', mode: 'sequence',
      buttons: [
        { id: SONG.first, title: 'One', kind: 'audio', media: 'one.flac' },
        { id: SONG.second, title: 'Two', kind: 'audio', media: 'two.flac', gainDb: -20 },
      ],
    },
    {
      id: id(3), title: 'Rest',
      buttons: [
        { id: LOGO, title: 'Logo', kind: 'image', media: 'logo.png' },
        { id: STROBE, title: 'Strobe', kind: 'dmx', dmx: { timeline: 'strobe.json', loop: true } },
        {
          id: LIT, title: 'Lit', kind: 'audio', media: 'one.flac', allowOverlap: true,
          dmx: { timeline: 'lit.json' },
        },
      ],
    },
  ],
}

export const MEDIA = {
  'warm.mp3': { durationMs: 180_000 },
  'tense.flac': { durationMs: 60_000 },
  'last.flac': { durationMs: 30_000 },
  'one.flac': { durationMs: 10_000 },
  'two.flac': { durationMs: 20_000 },
  'logo.png': { durationMs: 0 },
} as const

export interface Quiz {
  readonly player: TestPlayer
  readonly client: Client
}

/** A player and a client that reaches it without msw; some of its files may be others. */
export const quiz = (files: TestPlayerOptions['media'] = {}): Quiz => {
  const timelines = { 'strobe.json': { durationMs: 1000 }, 'lit.json': { durationMs: 60_000 } }
  const player = createTestPlayer(SHOW, { media: { ...MEDIA, ...files }, timelines })
  return { player, client: createClient({ baseUrl: player.baseUrl, fetch: player.fetch }) }
}
