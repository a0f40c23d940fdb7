// A daemon that was killed is started anew, and plays before the stage has come back to it.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { LiveRun } from '../../../src/contract/live.js'
import { anchor, image, ms, run } from '../../pages/stage/live-runs.js'
import { video } from '../../pages/stage/video-show.js'
import { aButton } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import type { ModelFile } from './model-media.js'
import { CLIP, VirtualStage } from './virtual-stage.js'

const media = {
  missing: null, version: 'v1', type: 'image/png', notShown: null, video: null, audio: null,
}
const logo = aButton({ id: 'logo', kind: 'image', media, dissolveMs: 3_000 })

const playing = (stage: VirtualStage, id: string, more: Partial<LiveRun> = {}): LiveRun => run(id, {
  buttonId: id, range: { start: 0, end: ms(60_000) }, duration: ms(60_000),
  anchor: anchor({ at: stage.daemon.frame }), ...more,
})

/** The new one counts its frames from 0 again, and these play from its first moment on. */
const anewWith = (stage: VirtualStage, ids: readonly string[]): void => {
  const { daemon } = stage
  Object.assign(daemon, { boot: 'two', isThere: true, sleptMs: -performance.now() })
  daemon.parts = { ...daemon.parts, image: null, runs: ids.map((id) => playing(stage, id)) }
}

/** What is seen from now on, one after the other, each with the moment from which it was. */
const seenFor = async (stage: VirtualStage, forMs: number) => {
  const seen: { readonly what: string; readonly at: number }[] = []
  for (let at = 0; at < forMs; at += 10) {
    const what = stage.shown.map(({ buttonId }) => buttonId).join(' ') || 'black'
    if (seen.at(-1)?.what !== what) seen.push({ what, at })
    await pass(10)
  }
  return seen
}

test('an image stays until the video is there, which comes over it in its time', async () => {
  const files = (source: string): ModelFile =>
    ({ ...CLIP, loadMs: source.includes('/b') ? 300 : 30 })
  const stage = await VirtualStage.open([logo, video('a', 0, {}), video('b', 0, {})], { files })
  await pass(20_000)
  stage.daemon.tell({ image: image('logo', stage.daemon.frame) })
  await pass(20_000)
  stage.daemon.die()
  await pass(1_000)
  anewWith(stage, ['b'])
  const seen = await seenFor(stage, 5_000)
  expect(seen.map(({ what }) => what)).toEqual(['logo', 'logo b', 'b'])
})

test('a video of a list goes: what was to follow it then is not waited for', async () => {
  const stage = await VirtualStage.open([video('a', 0, {}), video('b', 0, {})])
  await pass(20_000)
  stage.daemon.tell({ runs: [playing(stage, 'a', { next: 'b' })] })
  await pass(5_000)
  stage.daemon.die()
  await pass(1_000)
  anewWith(stage, [])
  const seen = await seenFor(stage, 3_000)
  expect(seen.map(({ what }) => what)).toEqual(['a', 'black'])
  expect(seen.at(-1)?.at).toBeLessThan(800)
})

test('a page that is opened amid a video shows it where it is heard, from its first moment on',
  async () => {
    const stage = await VirtualStage.open([video('a', 0, {}), video('b', 0, {})])
    const begun = stage.daemon.frame
    const amid = anchor({ at: begun - ms(30_000) })
    const told = run('b', {
      buttonId: 'b', range: { start: 0, end: ms(60_000) }, duration: ms(60_000), anchor: amid,
    })
    stage.daemon.tell({ runs: [told] })
    for (let n = 0; n < 50 && stage.shown.length === 0; n += 1) await pass(10)
    const off: number[] = []
    for (let n = 0; n < 20; n += 1) {
      await pass(40)
      off.push(Math.round(Math.abs((stage.daemon.frame - begun) / 48 + 30_000 - stage.topMs)))
    }
    expect(off.filter((error) => error > 60), `off by ${off.join(', ')} ms`).toEqual([])
  })
