// A file that cannot be had: how soon a stage asks for it again.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { LiveRun } from '../../../src/contract/live.js'
import { anchor, ms, run } from '../../pages/stage/live-runs.js'
import { video } from '../../pages/stage/video-show.js'
import { pass } from '../virtual-page.js'
import { CLIP, VirtualStage } from './virtual-stage.js'

const playing = (stage: VirtualStage, id: string): LiveRun => run(id, {
  buttonId: id, range: { start: 0, end: ms(60_000) }, duration: ms(60_000),
  anchor: anchor({ at: stage.daemon.frame, position: 0 }),
})

test('soon, of one that stumbles once, however often those before it failed', async () => {
  const away = ['a', 'b', 'c', 'd', 'e', 'f']
  let isThere = false
  const stage = await VirtualStage.open(away.map((id) => video(id, 0, {})),
    { files: () => (isThere ? CLIP : null) })
  for (const id of away) {
    const of = playing(stage, id)
    stage.daemon.tell({ runs: [of] })
    await pass(id === 'f' ? 100 : 20_000)
    if (id === 'f') break
    stage.daemon.tell({ runs: [{
      ...of, state: 'stopped', endReason: 'explicit_stop',
      anchor: anchor({ at: stage.daemon.frame, moving: false }),
    }] })
  }
  isThere = true
  await pass(3_000)
  expect(stage.shown.map(({ buttonId }) => buttonId)).toEqual(['f'])
})
