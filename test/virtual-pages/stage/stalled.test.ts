// A connection that brings nothing more and never ends, as of a network that was left.
// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { LiveRun } from '../../../src/contract/live.js'
import { anchor, ms, run } from '../../pages/stage/live-runs.js'
import { video } from '../../pages/stage/video-show.js'
import { modelOf, type Files } from './model-media.js'
import { pass } from '../virtual-page.js'
import { CLIP, VirtualStage } from './virtual-stage.js'

const PLAYED_MS = 5_000

const playing = (stage: VirtualStage): LiveRun => run('clip', {
  buttonId: 'clip', range: { start: 0, end: ms(60_000) }, duration: ms(60_000),
  anchor: anchor({ at: stage.daemon.frame }),
})

const opened = async (
  files: Files = () => CLIP,
): Promise<{ readonly stage: VirtualStage; readonly run: LiveRun }> => {
  const stage = await VirtualStage.open([video('clip', 0, {}), video('other', 0, {})], { files })
  const told = playing(stage)
  stage.daemon.tell({ runs: [told] })
  await pass(PLAYED_MS)
  return { stage, run: told }
}

const starve = (stage: VirtualStage): void => {
  const top = stage.elements.at(-1)
  if (top === undefined) throw new Error('nothing is on')
  modelOf(top).starve()
}

const frames = (stage: VirtualStage, ofMs: number): number => Math.abs(stage.topMs - ofMs) / 40

test('a video that it leaves standing is asked for anew, and in step again', async () => {
  const { stage } = await opened()
  starve(stage)
  await pass(2_000)
  expect(frames(stage, PLAYED_MS)).toBeLessThan(2)
  await pass(3_000)
  expect(frames(stage, PLAYED_MS + 5_000)).toBeLessThan(2)
})

const SLOW_MS = 4_000
const slowAgain: Files = (source) =>
  source.includes('again=') ? { ...CLIP, loadMs: SLOW_MS } : CLIP
const videos = (): number => document.querySelectorAll('video').length

test('what it stands at is seen until the other one is there, never black', async () => {
  const { stage } = await opened(slowAgain)
  const before = videos()
  starve(stage)
  for (let n = 0; n < 60; n += 1) {
    await pass(100)
    expect(stage.elements).toHaveLength(1)
    expect(frames(stage, PLAYED_MS)).toBeLessThan(2)
  }
  await pass(3_000)
  expect(frames(stage, PLAYED_MS + 9_000)).toBeLessThan(2)
  expect(videos()).toBe(before)
})

test('another video that is played meanwhile is not covered by it', async () => {
  const { stage, run: told } = await opened(slowAgain)
  starve(stage)
  await pass(4_000)
  const { frame } = stage.daemon
  const other = run('other', {
    buttonId: 'other', range: { start: 0, end: ms(60_000) }, duration: ms(60_000),
    anchor: anchor({ at: frame }),
  })
  const ended = { ...told, state: 'stopped', endReason: 'replaced' } as const
  stage.daemon.tell({ runs: [{ ...ended, anchor: anchor({ at: frame, moving: false }) }, other] })
  await pass(2_000)
  expect(stage.shown.map(({ buttonId }) => buttonId)).toEqual(['other'])
  expect(frames(stage, 2_000)).toBeLessThan(2)
})

test('without a daemon the frame stays that was seen; once it is back all is right', async () => {
  const { stage } = await opened()
  starve(stage)
  stage.daemon.die()
  await pass(10_000)
  expect(frames(stage, PLAYED_MS)).toBeLessThan(2)
  stage.daemon.isThere = true
  await pass(2_000)
  expect(frames(stage, PLAYED_MS + 12_000)).toBeLessThan(2)
})

test('the still of a pause is not touched; a resume is asked for anew', async () => {
  const { stage, run: told } = await opened()
  const { frame } = stage.daemon
  const at = { at: frame, position: ms(PLAYED_MS), moving: false }
  stage.daemon.tell({ runs: [{ ...told, state: 'paused', anchor: anchor(at) }] })
  await pass(1_000)
  const [still] = stage.elements
  starve(stage)
  for (let n = 0; n < 100; n += 1) {
    await pass(100)
    expect(stage.elements).toEqual([still])
    expect(frames(stage, PLAYED_MS)).toBeLessThan(2)
  }
  const resumed = { at: stage.daemon.frame, position: ms(PLAYED_MS) }
  stage.daemon.tell({ runs: [{ ...told, anchor: anchor(resumed) }] })
  await pass(2_000)
  expect(frames(stage, PLAYED_MS + 2_000)).toBeLessThan(2)
})
