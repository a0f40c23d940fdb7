// What should be heard at a frame: the sum of the runs that sound, by their files' position code.
import { positionCode } from '../../../world/media.js'
import type { RuleName } from '../../rules.js'
import { gainOf } from './gain.js'
import { placeOf, sounds, type ModelRun } from '../shapes.js'

const isHeard = (run: ModelRun): boolean => run.moving && sounds(run)

/** Left and right of the sum at this frame. */
export const heardAt = (runs: readonly ModelRun[], now: number): readonly [number, number] => {
  let left = 0
  let right = 0
  for (const run of runs.filter(isHeard)) {
    const gain = gainOf(run.fade, now) * run.level
    const place = placeOf(run, now)
    let [l, r] = positionCode(place)
    if (run.seam !== null) {
      const into = place - run.seam.begin
      const part = into / run.seam.frames
      const [headLeft, headRight] = positionCode(run.start + into)
      l += (headLeft - l) * part
      r += (headRight - r) * part
    }
    left += l * gain
    right += r * gain
  }
  return [left, right]
}

/** The sentence that a wrong sound at this frame would break. */
export const soundRule = (runs: readonly ModelRun[], now: number): RuleName => {
  const heard = runs.filter(isHeard)
  if (heard.some(({ seam }) => seam !== null)) return '3.4.8/gains'
  return heard.findLast(({ fade }) => fade.begin + fade.frames > now)?.fade.rule ?? 'D3/sum'
}
