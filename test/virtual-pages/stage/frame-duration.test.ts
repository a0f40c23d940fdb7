// How long a frame of a video is may become known only while it plays: a daemon that has just
// started still looks into its files.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { LiveRun } from '../../../src/contract/live.js'
import { anchor, ms, run } from '../../pages/stage/live-runs.js'
import { film } from '../../pages/stage/video-show.js'
import { pass } from '../virtual-page.js'
import { CLIP, VirtualStage } from './virtual-stage.js'

const FRAME_MS = 1_000 / 30
const at = (stage: VirtualStage, positionMs: number, isMoving: boolean): LiveRun => run('a', {
  buttonId: 'a', range: { start: 0, end: ms(60_000) }, duration: ms(60_000),
  state: isMoving ? 'playing' : 'paused',
  anchor: anchor({ at: stage.daemon.frame, position: ms(positionMs), moving: isMoving }),
})

test.each<[string, told: number | null]>([
  ['by a rate that came while it played', 30], ['by its own frames, where no rate comes', null],
])('the still of a pause is the nearest frame, %s', async (_, told) => {
  const files = () => ({ ...CLIP, framesPerSecond: 30 })
  const stage = await VirtualStage.open([film('a', null)], { files })
  stage.daemon.tell({ runs: [at(stage, 0, true)] })
  await pass(1_000)
  stage.save([film('a', told)])
  await pass(1_000)
  const off: number[] = []
  for (let n = 1; n <= 10; n += 1) {
    // Nearer to the next frame than to the one that is on, or to the one that comes still.
    const placeMs = stage.topMs + ((n % 2) + 0.55) * FRAME_MS
    stage.daemon.tell({ runs: [at(stage, placeMs, false)] })
    await pass(500)
    off.push(Math.abs(stage.topMs - placeMs))
    stage.daemon.tell({ runs: [at(stage, placeMs, true)] })
    await pass(1_000 + n)
  }
  expect(Math.max(...off)).toBeLessThan(FRAME_MS / 2)
})
