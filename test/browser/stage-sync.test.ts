// The picture is in step with what is heard: numbers read from pixels against an independent clock.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { button, delay } from '../devices/daemon-rig.js'
import { AV1, H264, VP9, type ClipOptions } from './stage-clips.js'
import { epochMs } from './stage-judge.js'
import { percentile, StageRig, UNHEARD } from './stage-rig.js'

/** The bound where other things run too; the bench holds it to 20. */
const IN_STEP_MS = 40
const PLAYED_MS = 3_500
/** Of the first clip. */
const PAUSES = 4
/** From here on after a start it is in step for good; after a resume or a load anew, from there. */
const STARTED_MS = 1_000
const RESUMED_MS = 1_500

const CLIPS: readonly (readonly [name: string, clip: Omit<ClipOptions, 'path'>])[] = [
  ['25.mp4', { framesPerSecond: 25, seconds: 12, ground: 'blue', coding: H264, sound: true }],
  ['30.webm', { framesPerSecond: 30, seconds: 12, ground: 'green', coding: VP9 }],
  ['60.mp4', { framesPerSecond: 60, seconds: 12, ground: 'red', coding: H264, sound: true }],
  ['25.av1.mp4', { framesPerSecond: 25, seconds: 12, ground: 'grey', coding: AV1 }],
]

const rig = new StageRig(UNHEARD)

beforeAll(async () => {
  await rig.clips(CLIPS.map(([, clip]) => clip), CLIPS.map(([name]) => name))
  await rig.open([{ buttons: CLIPS.map(([media]) => ({ kind: 'video', media })) }])
})

beforeEach(() => rig.silence([]))

afterAll(() => rig.close())

/** Errors of the frames that were shown from `from` on, in ms; positive is behind. */
const errorsFrom = async (
  executionId: string, rate: number, from: number,
): Promise<readonly number[]> => {
  const offset = await rig.heardOffset(executionId)
  const glimpses = await rig.glimpses()
  return glimpses
    .filter(({ at }) => at >= from)
    .map(({ at, number }) => at + offset - (number * 1000) / rate)
}

/** A pause: the still is the frame that was heard, within half of one. */
const expectStill = async (executionId: string, n: number, rate: number): Promise<void> => {
  await rig.daemon.post(`/buttons/${button(n)}/pause`, { executionId })
  const { positionMs } = await rig.daemon.state(executionId, ['paused'])
  await delay(500)
  const { number: still } = await rig.seen()
  expect(Math.abs((still * 1000) / rate - positionMs)).toBeLessThan(500 / rate + 1)
}

describe.each(CLIPS.map(([name, clip], n) => [name, clip.framesPerSecond, n + 1] as const))(
  '%s', (_name, rate, n) => {
    test('plays in step, and its still after a pause is the one that was heard', async () => {
      await rig.glimpses()
      const executionId = await rig.play(n)
      const began = epochMs()
      await delay(PLAYED_MS)
      const errors = await errorsFrom(executionId, rate, began + STARTED_MS)
      const sizes = errors.map(Math.abs)
      expect(errors.length).toBeGreaterThan(1.5 * rate)
      expect(percentile(sizes, 0.5)).toBeLessThan(IN_STEP_MS / 2)
      expect(percentile(sizes, 0.95)).toBeLessThan(IN_STEP_MS)

      // Every other pause falls nearer to the next frame than to the one that is on.
      await expectStill(executionId, n, rate)
      for (let again = 1; again < (n === 1 ? PAUSES : 1); again += 1) {
        await rig.daemon.post(`/buttons/${button(n)}/resume`, { executionId })
        await delay(400 + again * 17)
        await expectStill(executionId, n, rate)
      }

      await rig.glimpses()
      const resumed = epochMs()
      await rig.daemon.post(`/buttons/${button(n)}/resume`, { executionId })
      await delay(RESUMED_MS + 1_000)
      const after = (await errorsFrom(executionId, rate, resumed + RESUMED_MS)).map(Math.abs)
      expect(after.length).toBeGreaterThan(rate / 2)
      expect(percentile(after, 0.95)).toBeLessThan(IN_STEP_MS)
    })
  },
)

test('loaded anew in mid-video it is at the right place within 1.5 s', async () => {
  const executionId = await rig.play(1)
  await delay(1_500)
  const began = epochMs()
  await rig.load()
  await delay(began + RESUMED_MS + 1_500 - epochMs())
  const errors = (await errorsFrom(executionId, 25, began + RESUMED_MS)).map(Math.abs)
  expect(errors.length).toBeGreaterThan(20)
  expect(percentile(errors, 0.95)).toBeLessThan(IN_STEP_MS)
})
