// What goes stays for what comes, half a second at most: each time anew.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { ShowButton } from '../../../src/contract/show-page.js'
import { anchor, image, ms, run } from '../../pages/stage/live-runs.js'
import { video } from '../../pages/stage/video-show.js'
import { aButton } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { CLIP, VirtualStage } from './virtual-stage.js'

const shown = (version: string): readonly ShowButton[] => {
  const media = {
    missing: null, version, type: 'image/png', notShown: null, video: null, audio: null,
  }
  return [video('clip', 0, {}), aButton({ id: 'scores', kind: 'image', media })]
}

test('a clip stays for the scores below it that were saved anew as it ended', async () => {
  const files = () => ({ ...CLIP, loadMs: 300 })
  const stage = await VirtualStage.open(shown('v1'), { files })
  await pass(1_000)
  // The clip comes before the scores are there.
  stage.daemon.tell({ image: image('scores', stage.daemon.frame) })
  await pass(100)
  const clip = run('clip', {
    buttonId: 'clip', range: { start: 0, end: ms(60_000) }, duration: ms(60_000),
    anchor: anchor({ at: stage.daemon.frame }),
  })
  stage.daemon.tell({ runs: [clip] })
  await pass(3_000)
  stage.save(shown('v2'))
  await pass(50)
  stage.daemon.tell({ runs: [{
    ...clip, state: 'stopped', endReason: 'explicit_stop',
    anchor: anchor({ at: stage.daemon.frame, moving: false }),
  }] })
  const seen: string[] = []
  for (let n = 0; n < 50; n += 1) {
    await pass(20)
    const what = stage.shown.map(({ buttonId }) => buttonId).join(' ') || 'black'
    if (what !== seen.at(-1)) seen.push(what)
  }
  expect(seen).toEqual(['clip', 'scores'])
})
