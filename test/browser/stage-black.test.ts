// Never black and never wrong: layers, replacement and dissolves, as a camera sees them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { button, delay } from '../devices/daemon-rig.js'
import { GROUNDS, H264, type Ground } from './stage-clips.js'
import { orderOf, StageRig, type Shot, UNHEARD } from './stage-rig.js'

const rig = new StageRig(UNHEARD)
const FRAME_MS = 40
const DISSOLVE_MS = 600
/** Long enough for a page to be loaded anew in the middle of it. */
const SLOW_DISSOLVE_MS = 4_500

const svg = (ground: Ground): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360">'
  + `<rect width="640" height="360" fill="rgb(${GROUNDS[ground].join(',')})"/></svg>`

const clip = (ground: Ground) => ({ framesPerSecond: 25, seconds: 6, ground, coding: H264 })
const CLIPS = ['blue', 'green', 'grey'] as const
/** A part of each of these stays black: that of a telephone held upright, and of an old film. */
const SHAPES = ['9:16', '4:3'] as const

const RED_IMAGE = 1
const GREEN = 2
const BLUE_KEPT = 3
const GREY = 4
const GREY_IMAGE = 5
const BLUE_DISSOLVED = 6
const GREEN_DISSOLVED = 7
const GREEN_SLOW = 8
const BLUE_MIXED = 9
const GREEN_MIXED = 10
const SHAPED = 11

const dissolveMs = DISSOLVE_MS

beforeAll(async () => {
  await rig.clips(CLIPS.map(clip), CLIPS.map((ground) => `${ground}.mp4`))
  await rig.clips(SHAPES.map((shape) => ({
    ...clip('green'), coding: [...H264, '-aspect', shape],
  })), SHAPES.map((_, n) => `shape-${String(n)}.mp4`))
  for (const ground of ['red', 'grey'] as const) {
    writeFileSync(join(rig.daemon.folder, `${ground}.svg`), svg(ground))
  }
  await rig.open([
    {
      buttons: [
        { kind: 'image', media: 'red.svg' },
        { kind: 'video', media: 'green.mp4', endMs: 1_500 },
        { kind: 'video', media: 'blue.mp4', pauseWhenReplaced: true },
        { kind: 'video', media: 'grey.mp4', endMs: 1_800, dissolveMs },
        { kind: 'image', media: 'grey.svg', dissolveMs },
        { kind: 'video', media: 'blue.mp4', dissolveMs },
        { kind: 'video', media: 'green.mp4', dissolveMs },
        { kind: 'video', media: 'green.mp4', dissolveMs: SLOW_DISSOLVE_MS },
      ],
    },
    {
      mixOnTransition: true, crossfadeMs: 500,
      buttons: [
        { kind: 'video', media: 'blue.mp4' },
        { kind: 'video', media: 'green.mp4' },
      ],
    },
    { buttons: SHAPES.map((_, n) => ({ kind: 'video', media: `shape-${String(n)}.mp4` })) },
  ])
})

beforeEach(async () => {
  await rig.silence([RED_IMAGE, GREY_IMAGE])
  // What went may have gone slowly.
  await delay(DISSOLVE_MS)
})

afterAll(() => rig.close())

/** Without the black before the first picture. */
const fromFirst = (seen: readonly string[]): readonly string[] =>
  seen[0] === 'black' ? seen.slice(1) : seen

describe('layers', () => {
  test('image, a video over it, and the image again', async () => {
    const shots = await rig.film(async () => {
      await rig.daemon.post(`/buttons/${button(RED_IMAGE)}/play`)
      await delay(500)
      await rig.play(GREEN)
      await delay(2_000)
    })
    expect(fromFirst(orderOf(shots))).toEqual(['red', 'green', 'red'])
  })

  test('an image, and videos of other shapes than the screen over it', async () => {
    for (let n = 0; n < 3 * SHAPES.length; n += 1) {
      await rig.daemon.post(`/buttons/${button(RED_IMAGE)}/play`)
      await delay(500)
      const shots = await rig.film(async () => {
        await delay(100)
        await rig.play(SHAPED + n % SHAPES.length)
        await delay(500)
      })
      expect(fromFirst(orderOf(shots)), SHAPES[n % SHAPES.length]).toEqual(['red', 'green'])
      await rig.silence([RED_IMAGE])
    }
  })

  test('a pause for an image, and the video on top again after it', async () => {
    const shots = await rig.film(async () => {
      const executionId = await rig.play(BLUE_KEPT)
      await delay(700)
      await rig.daemon.post(`/buttons/${button(BLUE_KEPT)}/pause`, { executionId })
      await delay(300)
      await rig.daemon.post(`/buttons/${button(RED_IMAGE)}/play`)
      await delay(500)
      await rig.daemon.post(`/buttons/${button(BLUE_KEPT)}/resume`, { executionId })
      await delay(600)
    })
    expect(fromFirst(orderOf(shots))).toEqual(['blue', 'red', 'blue'])
  })
})

describe('replacement', () => {
  test('what was kept is seen again after what replaced it, where it was left', async () => {
    let kept = ''
    const shots = await rig.film(async () => {
      kept = await rig.play(BLUE_KEPT)
      await delay(900)
      await rig.play(GREEN)
      await delay(2_000)
    })
    expect(fromFirst(orderOf(shots))).toEqual(['blue', 'green', 'blue'])
    const { state, positionMs } = await rig.daemon.run(kept)
    expect(state).toBe('paused')
    const still = (await rig.seen()).number * FRAME_MS
    expect(Math.abs(still - positionMs)).toBeLessThanOrEqual(FRAME_MS / 2 + 1)
  })

  test('a crossfade of the sound is a cut of the picture', async () => {
    const shots = await rig.film(async () => {
      await rig.play(BLUE_MIXED)
      await delay(800)
      await rig.play(GREEN_MIXED)
      await delay(1_000)
    })
    expect(fromFirst(orderOf(shots))).toEqual(['blue', 'green'])
  })
})

/** How green a shot is, from 0 (blue) to 1; both grounds are dark in red. */
const greenness = ({ colour: [, g, b] }: Shot): number => {
  const [, greenG, greenB] = GROUNDS.green
  const [, blueG, blueB] = GROUNDS.blue
  return ((g - blueG) / (greenG - blueG) + (b - blueB) / (greenB - blueB)) / 2
}

describe('dissolves', () => {
  test('one grey into the same grey and back stays that grey', async () => {
    await rig.daemon.post(`/buttons/${button(GREY_IMAGE)}/play`)
    await delay(DISSOLVE_MS + 300)
    const shots = await rig.film(async () => {
      await rig.play(GREY)
      await delay(1_800 + DISSOLVE_MS + 200)
    })
    const levels = shots.flatMap(({ colour }) => colour)
    expect(shots.length).toBeGreaterThan(20)
    expect(Math.min(...levels)).toBeGreaterThanOrEqual(126)
    expect(Math.max(...levels)).toBeLessThanOrEqual(130)
  })

  test('one video into another: evenly, as long as it says, and never darker', async () => {
    await rig.play(BLUE_DISSOLVED)
    await delay(DISSOLVE_MS + 400)
    const shots = await rig.film(async () => {
      await rig.play(GREEN_DISSOLVED)
      await delay(DISSOLVE_MS + 600)
    })
    const mixed = shots.filter((shot) => greenness(shot) > 0.04 && greenness(shot) < 0.96)
    const [first, last] = [mixed[0], mixed.at(-1)]
    const took = (last?.at ?? Number.NaN) - (first?.at ?? Number.NaN)
    expect(took).toBeGreaterThan(0.7 * DISSOLVE_MS)
    expect(took).toBeLessThan(1.3 * DISSOLVE_MS)
    for (const [n, shot] of mixed.entries()) {
      expect(greenness(shot)).toBeGreaterThanOrEqual(greenness(mixed[n - 1] ?? shot) - 0.02)
      const share = (shot.at - (first?.at ?? 0)) / took
      expect(Math.abs(greenness(shot) - share), `at ${share.toFixed(2)}`).toBeLessThan(0.2)
    }
  })

  test('a page that is loaded anew goes on in the middle of one', async () => {
    const executionId = await rig.play(GREEN_SLOW)
    await delay(1_000)
    await rig.load()
    await delay(500)
    const { at, colour: [, green] } = await rig.seen()
    const share = (at + await rig.heardOffset(executionId)) / SLOW_DISSOLVE_MS
    expect(share).toBeLessThan(0.95)
    expect(Math.abs(green / GROUNDS.green[1] - share), `at ${share.toFixed(2)}`).toBeLessThan(0.1)
  })
})
