// The page of an app with a background, and what a service may do to it.
import { expect } from 'vitest'
import {
  Background, createClient, type BackgroundMemory, type BackgroundOptions,
} from '../../src/client/client.js'
import type { TestPlayer } from '../../src/testing/test-player.js'
import { BED, quiz, SHOW, type Quiz } from './quiz-show.js'

const BEDS = [BED.warm, BED.tense, BED.last]

export const HOW = ['live', 'polling'] as const
export type How = (typeof HOW)[number]

export const opened = (options: Partial<BackgroundOptions> = {}, how: How = 'live') => {
  const { player } = quiz()
  return { player, ...pageOf(player, options, how) }
}

/** What was heard, in its order. */
export const titles = (player: Quiz['player']): string[] => player.heard().map((it) => it.title)

/** What it rejects with; null: it resolves. */
export const failing = (what: Promise<unknown>): Promise<unknown> =>
  what.then(() => null, (error: unknown) => error)

/** A start of the second bed that is given up: its request, or its answer, was lost. */
export const startGivenUp = async (
  { player, background }: ReturnType<typeof opened>, lost: 'request' | 'answer',
): Promise<void> => {
  player.loseNext(lost)
  const outcome = failing(background.start(1, { deadlineMs: 4_000 }))
  await player.settled()
  player.setNetwork('hanging')
  await player.advance(6_000)
  expect(await outcome).toMatchObject({ outcome: 'not_answered' })
  player.setNetwork('up')
  await player.advance(5_000)
}

/** A client, and the addresses that it asks. */
export const watched = (player: Quiz['player']) => {
  const sent: string[] = []
  const client = createClient({
    ...player.clientOptions,
    fetch: (url, init) => {
      sent.push(url)
      return player.fetch(url, init)
    },
  })
  return { client, sent }
}

/** One life of a page: a client and a background of its own. */
export const pageOf = (
  player: Quiz['player'], options: Partial<BackgroundOptions> = {}, how: How = 'live',
) => {
  const all = player.clientOptions
  const client = createClient(how === 'live' ? all : { ...all, webSocket: null })
  const story: string[] = []
  const kept: { memory: BackgroundMemory | null } = { memory: null }
  const background = new Background(client, {
    beds: BEDS, events: how === 'live',
    onChange: ({ state, index, reason }) => story.push(`${index} ${reason ?? state}`),
    onMemory: (memory) => (kept.memory = JSON.parse(JSON.stringify(memory)) as BackgroundMemory),
    ...options,
  })
  return { client, background, story, kept }
}

/** How a service leaves: `isLost` is whether it knows its runs no more when it is back. */
export interface Leaving {
  readonly name: string
  readonly isLost: boolean
  readonly happen: (player: TestPlayer) => Promise<void>
}

/** It comes back two seconds later. */
const backAfter = (leave: Leaving['happen']): Leaving['happen'] => async (player) => {
  await leave(player)
  await player.advance(2000)
  player.restart()
  player.setNetwork('up')
}

/** After each of them the network is up. */
export const LEAVINGS: readonly Leaving[] = [
  {
    name: 'kill -9, back at once',
    isLost: true,
    happen: async (player) => {
      player.restart()
      player.setNetwork('up')
    },
  },
  {
    name: 'kill -9, back after 2 s',
    isLost: true,
    happen: backAfter(async (player) => player.setNetwork('down')),
  },
  {
    name: 'SIGTERM, back after 2 s',
    isLost: true,
    happen: backAfter((player) => player.shutDown()),
  },
  {
    name: 'a reload of the show',
    isLost: false,
    happen: async (player) => {
      player.replaceShow(SHOW)
      player.setNetwork('up')
    },
  },
]

/** A service that is back at once is another one only for a connection that stood. */
export const leavingsBy = (how: 'live' | 'events' | 'polling'): readonly Leaving[] =>
  how === 'live' ? LEAVINGS : LEAVINGS.slice(1)
