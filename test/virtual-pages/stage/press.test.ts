// A press: what stood ready is in step with its first frames, though an element starts late.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { anchor, ms, run } from '../../pages/stage/live-runs.js'
import { film } from '../../pages/stage/video-show.js'
import { pass } from '../virtual-page.js'
import { modelOf } from './model-media.js'
import { CLIP, VirtualStage } from './virtual-stage.js'

type Case = [framesPerSecond: number, startMs: number, mostMs: number]

// What is left is what a start takes beyond the frame that is seen before it, and a refresh.
const CASES: readonly Case[] = [[25, 30, 17], [30, 30, 17], [60, 30, 33], [25, 60, 43]]

test.each([
  ...CASES.map((each) => [...each, 'before', true] as const),
  ...CASES.map((each) => [...each, 'after', false] as const),
])('%d in the second, a start of %d ms: %d ms behind at most; told %s it stood ready', async (
  rate, startMs, mostMs, _when, isToldAtOnce,
) => {
  const files = () => ({ ...CLIP, framesPerSecond: rate, startMs })
  const stage = await VirtualStage.open([film('a', isToldAtOnce ? rate : null)], { files })
  if (!isToldAtOnce) {
    stage.save([film('a', rate)])
    await pass(500)
  }
  const ready = modelOf(document.querySelector('video')!)
  expect(ready.shownMs).toBe(0)
  const pressedAt = stage.daemon.frame
  stage.daemon.tell({
    runs: [run('a', {
      buttonId: 'a', range: { start: 0, end: ms(60_000) }, duration: ms(60_000),
      anchor: anchor({ at: pressedAt }),
    })],
  })
  // Before a nudge could have mended it.
  await pass(120)
  const heardMs = (stage.daemon.frame - pressedAt) / 48
  const behind = heardMs - modelOf(stage.elements.at(-1)!).currentTime * 1_000
  expect(behind).toBeGreaterThan(-2)
  expect(behind).toBeLessThan(mostMs)
})
