// A stage that nobody sees for a while, e.g. a source of a mixer whose scene is off: seen again,
// it is right at once.
// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { anchor, ms, run } from '../pages/stage/live-runs.js'
import { video } from '../pages/stage/video-show.js'
import { hide, pass } from './virtual-page.js'
import { modelOf } from './model-media.js'
import { DrawnStage } from './virtual-stage.js'

const LENGTH = ms(60_000)

/** As browsers do with a page that nobody sees: it draws nothing, and its video is held. */
const unseenFor = async (stage: DrawnStage, forMs: number): Promise<void> => {
  const [top] = stage.elements
  if (top === undefined) throw new Error('nothing is seen')
  const waiting: FrameRequestCallback[] = []
  const draws = vi.spyOn(globalThis, 'requestAnimationFrame')
    .mockImplementation((call) => waiting.push(call))
  await hide(true)
  modelOf(top).pause()
  await pass(forMs)
  await modelOf(top).play()
  draws.mockRestore()
  for (const call of waiting) requestAnimationFrame(call)
  await hide(false)
}

test('its video is where it is heard, however often the scene is changed', async () => {
  const stage = await DrawnStage.open([video('a', 0, {})])
  const at = stage.daemon.frame
  stage.daemon.tell({ runs: [run('a', {
    buttonId: 'a', range: { start: 0, end: LENGTH }, duration: LENGTH, anchor: anchor({ at }),
  })] })
  await pass(2_000)
  const off: number[] = []
  for (let n = 0; n < 6; n += 1) {
    await unseenFor(stage, 1_500)
    await pass(150)
    off.push(Math.round(Math.abs((stage.daemon.frame - at) / 48 - stage.topMs)))
    await pass(400)
  }
  expect(off.filter((error) => error > 60), `off by ${off.join(', ')} ms`).toEqual([])
  await pass(2_000)
  expect(stage.report).toMatchObject({ pace: 'in_step', visible: true })
})
