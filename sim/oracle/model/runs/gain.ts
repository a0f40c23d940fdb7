// Fades by the model's own arithmetic: what gain is heard at a frame.
import type { RuleName } from '../../rules.js'

export interface Fade {
  readonly begin: number
  readonly frames: number
  readonly from: number
  readonly to: number
  readonly curve: 'linear' | 'equal-power'
  /** The sentence that a wrong gain would break. */
  readonly rule: RuleName
}

export const resting = (gain: number, at: number): Fade => ({
  begin: at, frames: 0, from: gain, to: gain, curve: 'linear', rule: 'D3/sum',
})

export const gainOf = (fade: Fade, at: number): number => {
  const gone = at - fade.begin
  if (gone >= fade.frames) return fade.to
  if (gone <= 0) return fade.from
  if (fade.curve === 'linear') {
    return (fade.from * (fade.frames - gone) + fade.to * gone) / fade.frames
  }
  const angle = (gone / fade.frames) * (Math.PI / 2)
  return fade.to > fade.from
    ? fade.from + (fade.to - fade.from) * Math.sin(angle)
    : fade.to + (fade.from - fade.to) * Math.cos(angle)
}

/** A new fade leaves from the gain that is heard. */
export const fadeTo = (
  heard: Fade, to: number, at: number, frames: number, curve: Fade['curve'], rule: RuleName,
): Fade => {
  const midway = at < heard.begin + heard.frames
  return {
    begin: at, frames, from: gainOf(heard, at), to, curve,
    rule: midway ? '4.1/fade-from-now' : rule,
  }
}
