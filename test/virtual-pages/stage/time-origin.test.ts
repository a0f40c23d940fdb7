// Videos whose time does not begin at 0: cuts of longer recordings, and those that begin with a
// wait. The daemon counts from the file's first moment, Chromium from where its time begins.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { anchor, ms, run } from '../../pages/stage/live-runs.js'
import { film } from '../../pages/stage/video-show.js'
import { pass } from '../virtual-page.js'
import { modelOf } from './model-media.js'
import { CLIP, VirtualStage } from './virtual-stage.js'

/** Where time begins in the file as the show tells, and as the browser counts. */
test.each([
  [100_000, 100_000, 'is told to begin at 100 s'],
  [3_000, 3_000, 'begins with a wait of 3 s'],
  [null, 100_000, 'was not looked into yet'],
  [100_000, 0, 'is counted from 0 by this browser'],
])('told %s, counted from %s: a video that %s is in step', async (told, beginsMs, _) => {
  const { video, ...media } = film('a', 25).media!
  const begins = told === null ? null : { ...video!, beginsMs: told }
  const button = { ...film('a', 25), startMs: 5_000, media: { ...media, video: begins } }
  const stage = await VirtualStage.open([button], { files: () => ({ ...CLIP, beginsMs }) })
  const seenMs = (): number => stage.topMs - beginsMs
  stage.daemon.tell({ runs: [run('a', {
    buttonId: 'a', range: { start: ms(5_000), end: ms(60_000) }, duration: ms(60_000),
    anchor: anchor({ at: stage.daemon.frame, position: ms(5_000), until: ms(60_000) }),
  })] })
  const seen: number[] = []
  for (let n = 0; n < 4; n += 1) {
    await pass(500)
    seen.push(seenMs() - 5_000 - (n + 1) * 500)
  }
  expect(Math.max(...seen.map(Math.abs))).toBeLessThan(60)
  expect(modelOf(stage.elements.at(-1)!).error).toBeNull()
})
