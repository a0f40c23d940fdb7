// A background in each of its states while the service is killed, ends in order, or reads its show
// again: right again within 3 s, and the app can go on.
import { describe, expect, test } from 'vitest'
import type { BackgroundState } from '../../src/client/client.js'
import { HOW, leavingsBy, opened, type Leaving } from './app-page.js'
import { BED, SONG } from './quiz-show.js'

type Page = ReturnType<typeof opened>

/** What is to hold 3 s later: the state, and which button alone sounds. */
type Right = readonly [state: BackgroundState, sounds: string | null]

interface Case {
  readonly name: string
  /** From an idle background; those that play begin with the second bed. */
  come(page: Page): Promise<unknown>
  /** The service knows its runs no more; `whenLost` is `start`. */
  readonly lost: Right
  readonly kept: Right
}

const play = async (page: Page, index = 1, ms = 1500): Promise<void> => {
  await page.background.start(index)
  await page.player.advance(ms)
}
const startLosing = (what: 'request' | 'answer') => async (page: Page): Promise<void> => {
  page.player.loseNext(what)
  void page.background.start(1)
  await page.player.settled()
}
const PLAYS: Right = ['playing', BED.tense]
const QUIET: Right = ['paused', null]

const CASES: readonly Case[] = [
  { name: 'idle', come: async () => undefined, lost: ['idle', null], kept: ['idle', null] },
  {
    name: 'starting, while the file is slow',
    come: (page) => {
      page.player.addFile('tense.flac', { durationMs: 60_000, readyAfterMs: 900 })
      return page.background.start(1)
    },
    lost: PLAYS, kept: PLAYS,
  },
  {
    name: 'starting, with the request lost',
    come: startLosing('request'),
    lost: PLAYS, kept: PLAYS,
  },
  {
    name: 'starting, with its answer lost',
    come: startLosing('answer'),
    lost: PLAYS, kept: PLAYS,
  },
  {
    name: 'starting, while there is no device',
    come: async (page) => {
      page.player.loseDevice()
      void page.background.start(1)
      await page.player.advance(1000)
    },
    lost: PLAYS, kept: ['starting', null],
  },
  { name: 'playing', come: play, lost: PLAYS, kept: PLAYS },
  {
    name: 'pausing',
    come: async (page) => {
      await play(page)
      await page.background.pause({ fadeOutMs: 2500 })
    },
    lost: QUIET, kept: QUIET,
  },
  {
    name: 'paused',
    come: async (page) => {
      await play(page)
      await page.background.pause({ fadeOutMs: 0 })
    },
    lost: QUIET, kept: QUIET,
  },
  {
    name: 'resumed, fading in',
    come: async (page) => {
      await play(page)
      await page.background.pause({ fadeOutMs: 0 })
      await page.background.resume({ fadeInMs: 20_000 })
    },
    lost: PLAYS, kept: PLAYS,
  },
  {
    name: 'silent for a question in whose fade the bed ended',
    come: async (page) => {
      page.player.addFile('tense.flac', { durationMs: 3000 })
      await play(page, 1, 2000)
      await page.background.pause({ fadeOutMs: 2000 })
      await page.player.advance(1500)
    },
    lost: QUIET, kept: QUIET,
  },
  {
    name: 'replaced',
    come: async (page) => {
      await play(page)
      await page.client.play(SONG.first)
    },
    lost: PLAYS, kept: ['replaced', SONG.first],
  },
  {
    name: 'away',
    come: async (page) => {
      await play(page)
      page.player.setNetwork('down')
      await page.player.advance(4000)
      expect(page.background.state).toBe('away')
    },
    lost: PLAYS, kept: PLAYS,
  },
  {
    name: 'halted',
    come: async (page) => {
      await play(page)
      await page.client.stop(BED.tense, { fadeOutMs: 0 })
      await page.player.advance(1000)
    },
    lost: ['halted', null], kept: ['halted', null],
  },
  {
    name: 'halted, with a start taken back that may have happened',
    come: async (page) => {
      page.player.loseNext('answer')
      page.background.start(1, { deadlineMs: 1000 }).catch(() => undefined)
      await page.player.settled()
      page.player.setNetwork('hanging')
      await page.player.advance(2000)
    },
    lost: ['halted', null], kept: ['halted', null],
  },
  {
    name: 'finished', come: (page) => play(page, 2, 5000),
    lost: ['finished', null], kept: ['finished', null],
  },
  {
    name: 'stopped',
    come: async (page) => {
      await play(page)
      await page.background.stop({ fadeOutMs: 0 })
    },
    lost: ['stopped', null], kept: ['stopped', null],
  },
]

const soundsOf = async ({ client }: Page): Promise<string[]> =>
  (await client.status()).active.map(({ id }) => id)

/** What an app does next in this state; answers what then sounds. */
const goOn = async (page: Page): Promise<string> => {
  const { background, player } = page
  const { state, memory } = background
  player.restoreDevice()
  if (state === 'paused' || state === 'replaced') await background.resume()
  else if (state !== 'playing' && state !== 'starting') await background.start(1)
  await player.advance(2500)
  return memory.isDue && state === 'paused' && memory.index === 2 ? BED.last : BED.tense
}

describe.each(HOW)('by %s', (how) => {
  const leavings = leavingsBy(how)
  describe.each(leavings)('$name', (leaving: Leaving) => {
    test.each(CASES)('$name: right again within 3 s', async (each) => {
      const options = { whenLost: 'start', runOptions: { pauseWhenReplaced: true } } as const
      const page = opened(options, how)
      await each.come(page)
      await page.player.advance(300)
      const before = page.background.executionId
      await leaving.happen(page.player)
      await page.player.advance(3000)
      const [state, sounds] = leaving.isLost ? each.lost : each.kept
      // Why a run rests is told by events alone.
      const told = how === 'polling' && state === 'replaced' ? 'paused' : state
      expect([page.background.state, await soundsOf(page)])
        .toEqual([told, sounds === null ? [] : [sounds]])
      // A run that is still known is never given up for another.
      if (!leaving.isLost && before !== null) expect(page.background.executionId).toBe(before)
      const next = await goOn(page)
      expect([page.background.state, await soundsOf(page)]).toEqual(['playing', [next]])
      page.background.close()
    })
  })

  const losing = leavings.filter(({ isLost }) => isLost)
  test.each(losing)('halts as lost where the app decides: $name', async (leaving) => {
    const page = opened({}, how)
    await play(page)
    await leaving.happen(page.player)
    await page.player.advance(3000)
    expect(page.background).toMatchObject({ state: 'halted', reason: 'lost' })
    expect(page.player.heard().map(({ title }) => title)).toEqual(['Tense'])
    page.background.close()
  })
})
