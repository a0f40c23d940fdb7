// A stage that nobody sees for a while, e.g. a source of a mixer whose scene is off: seen again,
// it is right at once.
// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { anchor, image, ms, run } from '../../pages/stage/live-runs.js'
import { video } from '../../pages/stage/video-show.js'
import { aButton } from '../../pages/wall/show-parts.js'
import { hide, pass } from '../virtual-page.js'
import { modelOf } from './model-media.js'
import { VirtualStage } from './virtual-stage.js'

const LENGTH = ms(60_000)
const media = {
  missing: null, version: 'v1', type: 'image/png', notShown: null, video: null, audio: null,
}

let painted: readonly string[] = []

/** As browsers do with a page that nobody sees: it draws nothing, and its video is held. */
const unseen = async (stage: VirtualStage, during: () => Promise<void>): Promise<void> => {
  const [top] = stage.elements
  const waiting: FrameRequestCallback[] = []
  const draws = vi.spyOn(globalThis, 'requestAnimationFrame')
    .mockImplementation((call) => waiting.push(call))
  await hide(true)
  if (top instanceof HTMLVideoElement) modelOf(top).hold(true)
  await during()
  if (top instanceof HTMLVideoElement) modelOf(top).hold(false)
  draws.mockRestore()
  const seen = hide(false)
  // What the browser paints before it asks for the next frame.
  painted = stage.shown.map(({ buttonId }) => buttonId)
  for (const call of waiting) requestAnimationFrame(call)
  await seen
}

const playing = (at: number) => run('a', {
  buttonId: 'a', range: { start: 0, end: LENGTH }, duration: LENGTH, anchor: anchor({ at }),
})

test('its video is where it is heard, however often the scene is changed', async () => {
  const stage = await VirtualStage.open([video('a', 0, {})])
  const at = stage.daemon.frame
  stage.daemon.tell({ runs: [playing(at)] })
  await pass(2_000)
  const off: number[] = []
  for (let n = 0; n < 6; n += 1) {
    await unseen(stage, () => pass(1_500))
    await pass(150)
    off.push(Math.round(Math.abs((stage.daemon.frame - at) / 48 - stage.topMs)))
    await pass(400)
  }
  expect(off.filter((error) => error > 60), `off by ${off.join(', ')} ms`).toEqual([])
  await pass(2_000)
  expect(stage.report).toMatchObject({ pace: 'in_step', visible: true })
  // Each return sought its place, and walls tell how often a stage had to.
  expect(stage.report.seeks).toBeGreaterThanOrEqual(6)
})

test('what came and went meanwhile is there, and gone, in what is painted first', async () => {
  const logo = aButton({ id: 'logo', kind: 'image', media })
  const stage = await VirtualStage.open([video('a', 0, {}), logo])
  const { daemon } = stage
  daemon.tell({ runs: [playing(daemon.frame)] })
  await pass(2_000)
  await unseen(stage, async () => {
    const over = anchor({ at: daemon.frame, moving: false })
    daemon.tell({ runs: [{
      ...playing(0), state: 'stopped', endReason: 'explicit_stop', anchor: over,
    }] })
    daemon.tell({ image: image('logo', daemon.frame) })
    await pass(5_000)
  })
  expect(painted).toEqual(['logo'])
  await unseen(stage, async () => {
    daemon.tell({ image: null })
    await pass(100)
  })
  expect(painted).toEqual([])
})
