// More videos than a stage has elements for: the one on top is seen, without a sound of its own.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { LiveRun } from '../../../src/contract/live.js'
import { anchor, ms, run } from '../../pages/stage/live-runs.js'
import { video } from '../../pages/stage/video-show.js'
import { pass } from '../virtual-page.js'
import { modelOf } from './model-media.js'
import { CLIP, VirtualStage } from './virtual-stage.js'

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const
const VIDEOS = IDS.map((id) => video(id, 0, {}))

const playing = (stage: VirtualStage, id: string): LiveRun => {
  const nth = IDS.findIndex((each) => each === id) + 1
  return run(id, {
    buttonId: id, range: { start: 0, end: ms(60_000) }, duration: ms(60_000), order: nth,
    serial: nth, anchor: anchor({ at: stage.daemon.frame }),
  })
}
const over = (of: LiveRun, stage: VirtualStage): LiveRun => ({
  ...of, state: 'stopped', endReason: 'explicit_stop',
  anchor: anchor({ at: stage.daemon.frame, moving: false }),
})
const onTop = (stage: VirtualStage): string | undefined => stage.shown.at(-1)?.buttonId

test('the latest of seven is seen, and each of the others once what covers it is stopped',
  async () => {
    const stage = await VirtualStage.open(VIDEOS)
    const runs: LiveRun[] = []
    for (const id of IDS) {
      runs.push(playing(stage, id))
      stage.daemon.tell({ runs: runs.slice(-1) })
      await pass(800)
      expect(onTop(stage)).toBe(id)
    }
    for (const [n, of] of [...runs.entries()].reverse()) {
      stage.daemon.tell({ runs: [over(of, stage)] })
      await pass(1_500)
      expect(onTop(stage)).toBe(IDS[n - 1])
    }
  })

test('none is seen before its first frame is there, however many follow each other', async () => {
  const stage = await VirtualStage.open(VIDEOS, { files: () => ({ ...CLIP, loadMs: 300 }) })
  let before: LiveRun | null = null
  // From the last one on: what follows in the list stands ready already.
  for (const id of IDS.toReversed()) {
    const now = playing(stage, id)
    stage.daemon.tell({ runs: [...(before === null ? [] : [over(before, stage)]), now] })
    before = now
    for (let n = 0; n < 30; n += 1) {
      await pass(20)
      expect(stage.elements.map((element) => modelOf(element).readyState)).not.toContain(0)
    }
    expect(onTop(stage)).toBe(id)
  }
})

test('what is on makes no sound, and no browser lays its own window or sign over it', async () => {
  const stage = await VirtualStage.open(VIDEOS)
  stage.daemon.tell({ runs: [playing(stage, 'a')] })
  await pass(500)
  const [element] = stage.elements as [HTMLVideoElement]
  const { muted, volume, playsInline, controls, disablePictureInPicture } = element
  expect({ muted, volume, playsInline, controls, disablePictureInPicture }).toEqual(
    { muted: true, volume: 0, playsInline: true, controls: false, disablePictureInPicture: true })
})
