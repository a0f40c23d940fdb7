// The picture is in step with what is heard: numbers read from pixels against an independent clock.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { button } from '../devices/daemon-rig.js'
import { AV1, H264, VP9, type ClipOptions } from './stage-clips.js'
import { percentile, StageRig } from './stage-rig.js'

/** The bound where other things run too; the bench holds it to 20. */
const IN_STEP_MS = 40
const PLAYED_MS = 5_000

const CLIPS: readonly (readonly [name: string, clip: Omit<ClipOptions, 'path'>])[] = [
  ['25.mp4', { framesPerSecond: 25, seconds: 12, ground: 'blue', coding: H264 }],
  ['30.webm', { framesPerSecond: 30, seconds: 12, ground: 'green', coding: VP9 }],
  ['60.mp4', { framesPerSecond: 60, seconds: 12, ground: 'red', coding: H264 }],
  ['25.av1.mp4', { framesPerSecond: 25, seconds: 12, ground: 'grey', coding: AV1 }],
]

const rig = new StageRig()

beforeAll(async () => {
  await rig.clips(CLIPS.map(([, clip]) => clip), CLIPS.map(([name]) => name))
  await rig.open(
    [{ buttons: CLIPS.map(([media]) => ({ kind: 'video', media })) }],
    ['--sink', 'null'],
  )
}, 60_000)

afterAll(() => rig.close())

const until = (at: number): Promise<void> =>
  rig.page.waitForFunction((end) => performance.timeOrigin + performance.now() >= end, at)
    .then(() => undefined)

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

const now = (): number => performance.timeOrigin + performance.now()

describe.each(CLIPS.map(([name, clip], n) => [name, clip.framesPerSecond, n + 1] as const))(
  '%s', (_name, rate, n) => {
    test('plays in step, and its still after a pause is the one that was heard', async () => {
      await rig.glimpses()
      const began = now()
      const executionId = await rig.daemon.play(n)
      await until(began + PLAYED_MS)
      const errors = await errorsFrom(executionId, rate, began + 1_500)
      const sizes = errors.map(Math.abs)
      expect(errors.length).toBeGreaterThan(1.5 * rate)
      expect(percentile(sizes, 0.5)).toBeLessThan(IN_STEP_MS / 2)
      expect(percentile(sizes, 0.95)).toBeLessThan(IN_STEP_MS)

      await rig.daemon.post(`/buttons/${button(n)}/pause`, { executionId })
      const { positionMs } = await rig.daemon.state(executionId, ['paused'])
      await until(now() + 600)
      const shots = await rig.film(() => until(now() + 200))
      const still = shots.at(-1)?.number ?? Number.NaN
      expect(Math.abs((still * 1000) / rate - positionMs)).toBeLessThan(500 / rate + 1)

      await rig.glimpses()
      const resumed = now()
      await rig.daemon.post(`/buttons/${button(n)}/resume`, { executionId })
      await until(resumed + 3_000)
      const after = (await errorsFrom(executionId, rate, resumed + 1_500)).map(Math.abs)
      expect(percentile(after, 0.95)).toBeLessThan(IN_STEP_MS)
      await rig.daemon.post('/stop')
    })
  },
)

test('loaded anew in mid-video it is at the right place within 1.5 s', async () => {
  const executionId = await rig.daemon.play(1)
  await until(now() + 2_000)
  const began = now()
  await rig.load()
  await until(began + 4_000)
  const errors = (await errorsFrom(executionId, 25, began + 1_500)).map(Math.abs)
  expect(errors.length).toBeGreaterThan(25)
  expect(percentile(errors, 0.95)).toBeLessThan(IN_STEP_MS)
  await rig.daemon.post('/stop')
})
