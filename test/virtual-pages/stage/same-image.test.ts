// An image that comes anew while it is still seen: the stage gets no darker by it.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { image } from '../../pages/stage/live-runs.js'
import { aButton } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { VirtualStage } from './virtual-stage.js'

const media = {
  missing: null, version: 'v1', type: 'image/png', notShown: null, video: null, audio: null,
}
const opened = (): Promise<VirtualStage> => VirtualStage.open(
  ['welcome', 'score'].map((id) => aButton({ id, kind: 'image', media, dissolveMs: 1_000 })))
const show = (stage: VirtualStage, id: string): void =>
  stage.daemon.tell({ image: image(id, stage.daemon.frame) })

/** The share of the screen that is no black, at its least over two seconds. */
const darkest = async (stage: VirtualStage): Promise<number> => {
  let least = 1
  for (let n = 0; n < 100; n += 1) {
    await pass(20)
    least = Math.min(least, stage.shown.reduce((sum, { weight }) => sum + weight, 0))
  }
  return least
}

test('back to the image that is going: it comes again over what had come', async () => {
  const stage = await opened()
  show(stage, 'welcome')
  await pass(2_000)
  show(stage, 'score')
  await pass(300)
  show(stage, 'welcome')
  expect(await darkest(stage)).toBeGreaterThan(0.99)
  expect(stage.shown).toEqual([{ buttonId: 'welcome', weight: 1 }])
})

test('a restart of the image that is seen dissolves it into itself', async () => {
  const stage = await opened()
  show(stage, 'welcome')
  await pass(2_000)
  show(stage, 'welcome')
  expect(await darkest(stage)).toBeGreaterThan(0.99)
  expect(stage.shown).toEqual([{ buttonId: 'welcome', weight: 1 }])
})
