// What follows in a list is started before it is told; here it never comes, or comes much later.
// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest'
import type { LiveRun } from '../../../src/contract/live.js'
import { anchor, ms, run } from '../../pages/stage/live-runs.js'
import { video } from '../../pages/stage/video-show.js'
import { pass } from '../virtual-page.js'
import { modelOf } from './model-media.js'
import { VirtualStage } from './virtual-stage.js'

const END = { until: ms(60_000), then: { kind: 'end' } } as const
const at = (stage: VirtualStage, id: string, position: number, more: Partial<LiveRun> = {}) =>
  run(id, {
    buttonId: id, range: { start: 0, end: ms(60_000) }, duration: ms(60_000),
    anchor: anchor({ at: stage.daemon.frame, position: ms(position), ...END }), ...more,
  })
const later = (stage: VirtualStage): LiveRun => at(stage, 'b', 0, { order: 2, serial: 2 })

/** `a` is two seconds before its End, where `b` follows. */
const nearEnd = async () => {
  const stage = await VirtualStage.open([video('a', 0, {}), video('b', 0, {})])
  const a = at(stage, 'a', 57_000, { next: 'b' })
  stage.daemon.tell({ runs: [a] })
  await pass(1_000)
  return { stage, a }
}
const over = (stage: VirtualStage, of: LiveRun, more: Partial<LiveRun>): LiveRun => ({
  ...of, next: null, anchor: anchor({ at: stage.daemon.frame, moving: false }), ...more,
})

/** Of all elements, seen or not. */
const movingOnes = (): number =>
  [...document.querySelectorAll('video')].filter((element) => !modelOf(element).isPaused).length

describe('a list\'s video is cut in its last seconds', () => {
  test.each([
    ['is stopped', { state: 'stopped', endReason: 'explicit_stop' }, 10_000],
    ['is stopped, a minute before', { state: 'stopped', endReason: 'explicit_stop' }, 70_000],
    ['lost its device', { state: 'failed', endReason: 'playback_error' }, 70_000],
  ] as const)('it %s: the next one, played later, is where it is heard', async (_, how, restMs) => {
    const { stage, a } = await nearEnd()
    stage.daemon.tell({ runs: [over(stage, a, how)] })
    await pass(restMs)
    expect(movingOnes()).toBe(0)
    stage.daemon.tell({ runs: [later(stage)] })
    await pass(5_000)
    expect(stage.topMs).toBeGreaterThan(4_900)
    expect(stage.topMs).toBeLessThan(5_100)
  })

  test('by the daemon\'s end: nothing runs on unseen, and the next one is right', async () => {
    const { stage } = await nearEnd()
    const { daemon } = stage
    daemon.die()
    await pass(5_000)
    expect(movingOnes()).toBe(0)
    Object.assign(daemon, { boot: 'two', isThere: true, sleptMs: -performance.now() })
    daemon.parts = { ...daemon.parts, runs: [] }
    await pass(70_000)
    daemon.tell({ runs: [later(stage)] })
    await pass(5_000)
    expect(stage.topMs).toBeGreaterThan(4_900)
    expect(stage.topMs).toBeLessThan(5_100)
  })
})

test('a list\'s video ends and nothing follows: nothing runs on unseen', async () => {
  const { stage, a } = await nearEnd()
  await pass(2_000)
  const how = { state: 'completed', endReason: 'natural_end' } as const
  stage.daemon.tell({ runs: [over(stage, a, how)] })
  await pass(1_500)
  expect(movingOnes()).toBe(0)
})

test('what was foreseen while the page drew nothing begins anew when it is played', async () => {
  const { stage, a } = await nearEnd()
  await pass(2_100)
  const how = { state: 'completed', endReason: 'natural_end' } as const
  stage.daemon.tell({ runs: [over(stage, a, how)] })
  const held: FrameRequestCallback[] = []
  const drawing = vi.spyOn(window, 'requestAnimationFrame')
    .mockImplementation((callback) => held.push(callback))
  await pass(70_000)
  stage.daemon.tell({ runs: [later(stage)] })
  drawing.mockRestore()
  for (const callback of held) callback(performance.now())
  await pass(3_000)
  expect(stage.topMs).toBeGreaterThan(2_900)
  expect(stage.topMs).toBeLessThan(3_100)
})

test('each next one of a list that is told late is waited for, and nothing is black between them',
  async () => {
    const ids = ['a', 'b', 'c', 'd'] as const
    const stage = await VirtualStage.open(ids.map((id) => video(id, 0, {})))
    let begins = stage.daemon.frame
    const nth = (n: number): LiveRun => run(ids[n] ?? '', {
      buttonId: ids[n] ?? '', range: { start: 0, end: ms(2_000) }, duration: ms(60_000),
      next: ids[n + 1] ?? null, order: n + 1, serial: n + 1,
      anchor: anchor({ at: begins, until: ms(2_000), then: { kind: 'end' } }),
    })
    stage.daemon.tell({ runs: [nth(0)] })
    await pass(500)
    for (const n of [1, 2, 3]) {
      const before = nth(n - 1)
      begins += ms(2_000)
      const dark: boolean[] = []
      while (stage.daemon.frame < begins + ms(100)) {
        dark.push(stage.shown.length === 0)
        await pass(10)
      }
      const completed = { state: 'completed', endReason: 'natural_end' } as const
      const at = anchor({ at: begins, moving: false })
      stage.daemon.tell({ runs: [{ ...before, ...completed, anchor: at }, nth(n)] })
      // It was foreseen, and runs already: it is there, where it is heard, in the next frames.
      await pass(40)
      expect(dark).not.toContain(true)
      expect(stage.shown.map(({ buttonId }) => buttonId)).toEqual([ids[n]])
      expect(Math.abs(stage.topMs - (stage.daemon.frame - begins) / 48)).toBeLessThanOrEqual(40)
      await pass(60)
    }
  })
