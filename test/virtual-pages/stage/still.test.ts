// The still of a pause, of a video whose frames come unevenly: a screen recording, a telephone's.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { LiveRun } from '../../../src/contract/live.js'
import { anchor, ms, run } from '../../pages/stage/live-runs.js'
import { film } from '../../pages/stage/video-show.js'
import { pass } from '../virtual-page.js'
import { CLIP, VirtualStage } from './virtual-stage.js'

const at = (stage: VirtualStage, positionMs: number, isMoving: boolean): LiveRun => run('a', {
  buttonId: 'a', range: { start: 0, end: ms(60_000) }, duration: ms(60_000),
  state: isMoving ? 'playing' : 'paused',
  anchor: anchor({ at: stage.daemon.frame, position: ms(positionMs), moving: isMoving }),
})

test('a pause 0.1 s before the next slide shows the one that was on', async () => {
  // A slide each second; by their mean, which counts its bursts too, a frame has 0.27 s.
  const files = () => ({ ...CLIP, framesPerSecond: 1 })
  const stage = await VirtualStage.open([film('a', 3.75)], { files })
  stage.daemon.tell({ runs: [at(stage, 0, true)] })
  await pass(4_900)
  stage.daemon.tell({ runs: [at(stage, 4_900, false)] })
  await pass(500)
  expect(stage.topMs).toBe(4_000)
})
