// Never black and never wrong: lists and loops, each cut where it is heard, as a camera sees them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { button, delay } from '../devices/daemon-rig.js'
import { H264, type Ground } from './stage-clips.js'
import { epochMs } from './stage-judge.js'
import { groundOf, orderOf, StageRig, type Shot, UNHEARD } from './stage-rig.js'

const rig = new StageRig(UNHEARD)
const FRAME_MS = 40
/** The first one is longer: the clock is read while it plays. */
const ITEMS_MS = [2_400, 800, 800, 800, 800] as const
/** A camera's pictures are a refresh or two apart, more on a busy machine. */
const CAMERA_MS = 60
const LOOP = { startMs: 500, endMs: 1_100 } as const
const OVERLAP_MS = 150
const PASSES = 20

const clip = (ground: Ground) => ({ framesPerSecond: 25, seconds: 8, ground, coding: H264 })
const GROUNDS = ['blue', 'green', 'red'] as const

beforeAll(async () => {
  await rig.clips(GROUNDS.map(clip), GROUNDS.map((ground) => `${ground}.mp4`))
  await rig.open([
    {
      mode: 'sequence',
      buttons: ['blue', 'green', 'red', 'blue', 'green'].map((ground, n) => ({
        kind: 'video', media: `${ground}.mp4`, endMs: ITEMS_MS[n] ?? null,
      })),
    },
    { buttons: [{ kind: 'video', media: 'blue.mp4', isLoopEnabled: true, ...LOOP }] },
  ])
})

beforeEach(() => rig.silence([]))

afterAll(() => rig.close())

const sumOf = (values: readonly number[]): number => values.reduce((sum, ms) => sum + ms, 0)

/** Without the black before the first picture. */
const fromFirst = (shots: readonly Shot[]): readonly Shot[] =>
  shots.slice(shots.findIndex(({ colour }) => groundOf(colour) !== 'black'))

/** When each picture came. */
const cutsOf = (shots: readonly Shot[]): readonly number[] =>
  shots.filter(({ colour }, n) => {
    const before = shots[n - 1]
    return before === undefined || groundOf(before.colour) !== groundOf(colour)
  }).map(({ at }) => at)

test('videos in a list: each in its turn, nothing between, cut where it is heard', async () => {
  let heardFrom = Number.NaN
  await delay(500)
  const shots = fromFirst(await rig.film(async () => {
    const first = await rig.play(1)
    heardFrom = -(await rig.heardOffset(first))
    await delay(heardFrom + sumOf(ITEMS_MS) + 300 - epochMs())
  }))
  expect(orderOf(shots)).toEqual(['blue', 'green', 'red', 'blue', 'green', 'black'])
  const [, ...cuts] = cutsOf(shots)
  const endsMs = ITEMS_MS.map((_, n) => sumOf(ITEMS_MS.slice(0, n + 1)))
  const late = cuts.map((at, n) => at - heardFrom - (endsMs[n] ?? Number.NaN))
  for (const ms of late) {
    expect(ms, late.join(' ')).toBeGreaterThan(-FRAME_MS)
    expect(ms, late.join(' ')).toBeLessThan(2 * FRAME_MS + CAMERA_MS)
  }
})

test('a video of a list that is stopped goes at once: nothing comes after it', async () => {
  let stoppedAt = Number.NaN
  const shots = fromFirst(await rig.film(async () => {
    await rig.play(1)
    await delay(800)
    await rig.daemon.post(`/buttons/${button(1)}/stop`, { fadeOutMs: 0 })
    stoppedAt = epochMs()
    await delay(900)
  }))
  expect(orderOf(shots)).toEqual(['blue', 'black'])
  const [, wentAt = Number.NaN] = cutsOf(shots)
  expect(wentAt - stoppedAt).toBeLessThan(200 + CAMERA_MS)
})

describe.each([
  ['a hard loop', { loopCrossfadeMs: 0 }, LOOP.endMs - LOOP.startMs],
  ['a crossfaded loop', { loopCrossfadeMs: OVERLAP_MS }, LOOP.endMs - LOOP.startMs - OVERLAP_MS],
] as const)('twenty passes of %s', (_name, options, passMs) => {
  test('no black, and no frame from outside its range', async () => {
    await rig.play(6, options)
    await delay(600)
    const shots = await rig.film(() => delay(PASSES * passMs))
    expect(orderOf(shots)).toEqual(['blue'])
    const numbers = shots.map(({ number }) => number)
    const last = LOOP.endMs / FRAME_MS
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(Math.floor(LOOP.startMs / FRAME_MS))
    // At the seam two frames more at most; a third where the machine is busy, once in a while.
    const over = numbers.filter((number) => number > last + 2)
    expect(over.length).toBeLessThanOrEqual(numbers.length / 100)
    expect(Math.max(...numbers)).toBeLessThanOrEqual(last + 3)
    const seams = numbers.filter((number, n) => number < (numbers[n - 1] ?? 0) - 5).length
    expect(seams).toBeGreaterThanOrEqual(PASSES - 2)
    expect(seams).toBeLessThanOrEqual(PASSES + 1)
  })
})
