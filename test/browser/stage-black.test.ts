// Never black and never wrong: what a camera before the screen sees while pictures change.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { button } from '../devices/daemon-rig.js'
import { GROUNDS, H264, type Ground } from './stage-clips.js'
import { groundOf, StageRig, type Shot } from './stage-rig.js'

const rig = new StageRig()

const svg = (ground: Ground): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360">'
  + `<rect width="640" height="360" fill="rgb(${GROUNDS[ground].join(',')})"/></svg>`

const clip = (ground: Ground, seconds: number) =>
  ({ framesPerSecond: 25, seconds, ground, coding: H264 })

beforeAll(async () => {
  await rig.clips(
    [clip('blue', 8), clip('green', 8), clip('red', 8), clip('grey', 4)],
    ['blue.mp4', 'green.mp4', 'red.mp4', 'grey.mp4'],
  )
  for (const ground of ['red', 'grey'] as const) {
    writeFileSync(join(rig.daemon.folder, `${ground}.svg`), svg(ground))
  }
  const endMs = 1_500
  await rig.open([
    {
      mode: 'sequence',
      buttons: ['blue', 'green', 'red', 'blue', 'green'].map((ground) => ({
        kind: 'video', media: `${ground}.mp4`, endMs,
      })),
    },
    {
      buttons: [
        { kind: 'video', media: 'blue.mp4', startMs: 500, endMs: 1_300, isLoopEnabled: true },
        { kind: 'image', media: 'red.svg' },
        { kind: 'video', media: 'green.mp4', endMs: 2_000 },
        { kind: 'video', media: 'grey.mp4', dissolveMs: 800 },
        { kind: 'image', media: 'grey.svg', dissolveMs: 800 },
        { kind: 'video', media: 'blue.mp4', pauseWhenReplaced: true },
      ],
    },
  ], [])
}, 60_000)

afterAll(() => rig.close())

const now = (): number => performance.timeOrigin + performance.now()
const after = (ms: number): Promise<void> =>
  rig.page.waitForFunction((end) => performance.timeOrigin + performance.now() >= end, now() + ms)
    .then(() => undefined)

/** What was seen, one after the other. */
const order = (shots: readonly Shot[]): readonly string[] => {
  const seen: string[] = []
  for (const shot of shots) {
    const ground = groundOf(shot.colour)
    if (seen.at(-1) !== ground) seen.push(ground)
  }
  return seen
}

/** Without the black before the first picture. */
const fromFirst = (seen: readonly string[]): readonly string[] =>
  seen[0] === 'black' ? seen.slice(1) : seen

const silence = async (): Promise<void> => {
  await rig.daemon.post('/stop', { fadeOutMs: 0 })
  for (const n of [7, 10]) await rig.daemon.post(`/buttons/${button(n)}/stop`)
  await after(300)
}

describe('lists and loops', () => {
  test('a list of videos: each at its place, nothing between them', async () => {
    await after(500)
    const shots = await rig.film(async () => {
      await rig.daemon.play(1)
      await after(5 * 1_500 + 400)
    })
    expect(fromFirst(order(shots))).toEqual(['blue', 'green', 'red', 'blue', 'green', 'black'])
    await silence()
  })

  test('twenty passes of a loop: no black, no frame from outside its range', async () => {
    await rig.daemon.play(6)
    await after(700)
    const shots = await rig.film(() => after(20 * 800))
    expect(order(shots)).toEqual(['blue'])
    const numbers = shots.map(({ number }) => number)
    // 500 to 1300 ms at 25 frames a second; at the seam two frames more at most.
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(12)
    expect(Math.max(...numbers)).toBeLessThanOrEqual(34)
    const seams = numbers.filter((number, n) => number < (numbers[n - 1] ?? 0) - 10).length
    expect(seams).toBeGreaterThanOrEqual(18)
    await silence()
  })
})

describe('layers', () => {
  test('image, a video over it, and the image again', async () => {
    const shots = await rig.film(async () => {
      await rig.daemon.post(`/buttons/${button(7)}/play`)
      await after(700)
      await rig.daemon.play(8)
      await after(2_600)
    })
    expect(fromFirst(order(shots))).toEqual(['red', 'green', 'red'])
    await silence()
  })

  test('a pause for an image, and the video on top again after it', async () => {
    const shots = await rig.film(async () => {
      const executionId = await rig.daemon.play(11)
      await after(800)
      await rig.daemon.post(`/buttons/${button(11)}/pause`, { executionId })
      await after(400)
      await rig.daemon.post(`/buttons/${button(7)}/play`)
      await after(600)
      await rig.daemon.post(`/buttons/${button(11)}/resume`, { executionId })
      await after(800)
    })
    expect(fromFirst(order(shots))).toEqual(['blue', 'red', 'blue'])
    await silence()
  })

  test('a dissolve of one grey into the same grey stays that grey', async () => {
    await rig.daemon.post(`/buttons/${button(10)}/play`)
    await after(1_200)
    const shots = await rig.film(async () => {
      await rig.daemon.play(9)
      await after(2_000)
    })
    const levels = shots.flatMap(({ colour }) => colour)
    expect(shots.length).toBeGreaterThan(10)
    expect(Math.min(...levels)).toBeGreaterThanOrEqual(124)
    expect(Math.max(...levels)).toBeLessThanOrEqual(132)
    await silence()
  })
})
