// Wishes in any order over any network: in the end what sounds is what was wished for last.
import { expect, test } from 'vitest'
import { Background, createClient } from '../../src/client/client.js'
import { createPrng } from '../../src/engine/prng.js'
import type { TestPlayer } from '../../src/testing/test-player.js'
import { BED, quiz } from './quiz-show.js'

const SEEDS = 60
/** Longer than anything that is under way is followed. */
const AFTER_ALL_MS = 80_000
const NETWORKS = ['up', 'slow', 'down', 'hanging', 'lossy', 'mute'] as const
const BEDS = [BED.warm, BED.tense, BED.last]

type Wish = 'start' | 'pause' | 'resume' | 'stop'
type Dice = (sides: number) => number

const slowShow = (dice: Dice): TestPlayer => quiz({
  'warm.mp3': { durationMs: 600_000 },
  'tense.flac': { durationMs: 600_000, readyAfterMs: [0, 0, 700, 3_000][dice(4)]! },
  'last.flac': { durationMs: 600_000, ...(dice(4) === 0 && { failsAtMs: 1_000 }) },
}).player

/** The wish, and what is not answered yet. */
const wish = (of: Background, dice: Dice): readonly [Wish, Promise<unknown>] => {
  switch (dice(5)) {
    case 0: return ['pause', of.pause({ fadeOutMs: dice(2) * 800 })]
    case 1: return ['resume', of.resume({ fadeInMs: 0 })]
    case 2: return ['stop', of.stop({ fadeOutMs: 0 })]
    default: return ['start', of.start(dice(3))]
  }
}

const play = async (seed: number): Promise<string> => {
  const prng = createPrng(seed)
  const dice: Dice = (sides) => Math.floor(prng.next() * sides)
  const player = slowShow(dice)
  const isLive = dice(2) === 0
  const options = isLive ? player.clientOptions : { ...player.clientOptions, webSocket: null }
  const background = new Background(createClient(options), {
    beds: BEDS, events: isLive, runOptions: { pauseWhenReplaced: dice(3) === 0 },
  })
  let last: Wish | null = null
  let open = 0
  for (let left = 3 + dice(6); left > 0; left -= 1) {
    if (dice(5) === 0) player.setNetwork(NETWORKS[dice(NETWORKS.length)]!)
    else {
      const [what, answered] = wish(background, dice)
      last = what
      open += 1
      const settled = (): void => void (open -= 1)
      answered.then(settled, settled)
    }
    if (dice(3) === 0) player.loseNext((['answer', 'request', 'late'] as const)[dice(3)], 3_000)
    if (dice(4) > 0) await player.advance(dice(1_800))
  }
  player.setNetwork('up')
  await player.advance(AFTER_ALL_MS)
  const { state, executionId } = background
  background.close()
  const { active } = await createClient({ ...player.clientOptions, webSocket: null }).status()
  const ours = active.filter((item) => item.executionId === executionId)
  if (open > 0) return `${open} wishes have no answer`
  if (state === 'playing' && (active.length !== 1 || ours.length !== 1)) {
    return `it says playing, and ${active.map(({ title }) => title).join()} sound`
  }
  const isQuiet = state !== 'playing' || last === 'pause' || last === 'stop'
  return isQuiet && active.length > 0 ? `${last} was last, it says ${state}, and it sounds` : ''
}

test(`the last wish counts, in ${SEEDS} random rows of them`, async () => {
  const faults: Record<number, string> = {}
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const fault = await play(seed)
    if (fault !== '') faults[seed] = fault
  }
  expect(faults).toEqual({})
})
