// Lights that follow a clock, in each state of their follower, while the service is killed, ends in
// order, or reads its show again: right again within 3 s.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createClient, DmxSync, type SyncEnd } from '../../src/client/client.js'
import { LEAVINGS } from './app-page.js'
import { LIT, quiz, STROBE } from './quiz-show.js'

// Nothing here may go by real time, however fast the machine: its time of day stands still.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

/** A stopwatch on the player's time. */
class Stopwatch {
  isPlaying = true
  isKnown = true
  #at = 0
  #since = 0

  constructor(private readonly nowMs: () => number) {}

  get positionMs(): number {
    return this.isKnown ? this.#at + (this.isPlaying ? this.nowMs() - this.#since : 0) : NaN
  }

  set(positionMs: number, isPlaying = this.isPlaying): void {
    this.#at = positionMs
    this.#since = this.nowMs()
    this.isPlaying = isPlaying
  }
}

const scene = async (buttonId: string) => {
  const { player } = quiz()
  const client = createClient(player.clientOptions)
  const clock = new Stopwatch(() => player.now())
  const follow = async () => {
    const { dmxExecutionId } = await client.play(buttonId)
    const sync = new DmxSync(client, {
      buttonId, dmxExecutionId: dmxExecutionId ?? '', clock: () => clock,
    })
    sync.start()
    return sync
  }
  const positionMs = async (): Promise<number | null> =>
    (await client.status()).lights.timelines[0]?.positionMs ?? null
  return { player, client, clock, follow, positionMs, sync: await follow() }
}
type Scene = Awaited<ReturnType<typeof scene>>

interface Case {
  readonly name: string
  readonly buttonId?: string
  come(it: Scene): Promise<unknown>
  /** How it has ended; null: it follows. Where the service is new, it ends unless this says so. */
  readonly end?: SyncEnd | null
  readonly endWhenLost?: SyncEnd | null
}

const CASES: readonly Case[] = [
  {
    name: 'waiting for a clock that knows nothing yet',
    come: async ({ player, clock }) => {
      await player.advance(1000)
      clock.isKnown = false
      await player.advance(1000)
    },
    endWhenLost: null,
  },
  { name: 'following', come: ({ player }) => player.advance(2000) },
  { name: 'following by a loop', buttonId: STROBE, come: ({ player }) => player.advance(2400) },
  {
    name: 'holding with a clock that is paused',
    come: async ({ player, clock, sync }) => {
      await player.advance(2000)
      clock.set(2000, false)
      sync.changed()
      await player.advance(1000)
    },
  },
  {
    name: 'with a seek that was not told yet',
    come: async ({ player, clock, sync }) => {
      await player.advance(2000)
      player.setNetwork('lossy')
      clock.set(30_000)
      sync.seeked()
      await player.advance(50)
    },
  },
  {
    name: 'waiting for the sound of the button',
    come: async ({ player, client, follow }) => {
      await client.stop(LIT, { fadeOutMs: 0 })
      player.addFile('one.flac', { durationMs: 10_000, readyAfterMs: 1200 })
      await player.advance(1000)
      return follow()
    },
    end: 'dmx_not_active',
  },
  {
    name: 'away',
    come: async ({ player }) => {
      await player.advance(1000)
      player.setNetwork('down')
      await player.advance(4000)
    },
  },
  {
    name: 'over',
    come: async ({ player, client }) => {
      await client.stop(LIT, { fadeOutMs: 0 })
      await player.advance(1000)
    },
    end: 'dmx_not_active',
  },
  {
    name: 'stopped',
    come: async ({ player, sync }) => {
      await player.advance(1000)
      sync.stop()
    },
    end: 'stopped', endWhenLost: 'stopped',
  },
]

describe.each(LEAVINGS)('$name', (leaving) => {
  test.each(CASES)('$name: right again within 3 s', async (each) => {
    const { buttonId = LIT, end = null, endWhenLost = 'dmx_not_active' } = each
    const it = await scene(buttonId)
    await each.come(it)
    await leaving.happen(it.player)
    await it.player.advance(3000)
    expect(it.sync.end).toBe(leaving.isLost ? endWhenLost : end)
    it.clock.isKnown = true
    if (it.sync.end === null) await it.player.advance(500)
    // A timeline that is over begins again only when the app says so, and is followed at once.
    let sync = it.sync
    if (sync.end !== null) {
      if (leaving.isLost) expect(await it.positionMs()).toBeNull()
      sync = await it.follow()
      await it.player.advance(2000)
    }
    const loopMs = buttonId === STROBE ? 1000 : Infinity
    expect(sync.end).toBeNull()
    const apart = Math.abs((await it.positionMs() ?? NaN) - it.clock.positionMs % loopMs)
    expect(Math.min(apart, loopMs - apart)).toBeLessThan(50)
    expect(sync.answer?.isPlaying).toBe(it.clock.isPlaying)
    sync.stop()
  })
})
