// How often the stage asks the daemon's time: its picture follows what wanders.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { film } from '../../pages/stage/video-show.js'
import { pass } from '../virtual-page.js'
import { VirtualStage } from './virtual-stage.js'

test('the time is asked four times in the second', async () => {
  const stage = await VirtualStage.open([film('a', 25)])
  await pass(5_000)
  const before = stage.daemon.timesAsked
  await pass(10_000)
  expect(stage.daemon.timesAsked - before).toBe(40)
})
