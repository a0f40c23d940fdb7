// How one picture gives way to the next: weights that add up to one, by the engine's frames.

/** From `at` on the picture `to` comes over what was there; null is black. */
export interface Transition {
  readonly to: string | null
  readonly at: number
  /** 0 is a cut. */
  readonly frames: number
}

/** Oldest first; the first one is complete, or nothing was there before it. */
export type Transitions = readonly Transition[]

export interface Weight {
  readonly key: string
  readonly weight: number
}

/** Dissolves that run into one another: far more than a hand begins. */
const AT_ONCE_MOST = 32

export const BLACK: Transitions = [{ to: null, at: Number.NEGATIVE_INFINITY, frames: 0 }]

/** What all is going towards. */
export const targetOf = (transitions: Transitions): string | null => transitions.at(-1)?.to ?? null

export const addTransition = (before: Transitions, next: Transition): Transitions => {
  const all = [...settledAt(before, next.at), next]
  if (all.length <= AT_ONCE_MOST) return all
  // Behind so many others it is seen no more: taken as complete, nothing gets darker by it.
  const [, oldest, ...newer] = all
  return oldest === undefined ? all : [{ ...oldest, frames: 0 }, ...newer]
}

/** As it will be in the end, at whichever frame that is. */
export const completed = (transitions: Transitions): Transitions =>
  [{ to: targetOf(transitions), at: Number.NEGATIVE_INFINITY, frames: 0 }]

/** Without those that others have covered fully by then. */
export const settledAt = (transitions: Transitions, frame: number): Transitions => {
  const last = transitions.findLastIndex((one) => shareAt(one, frame) === 1)
  return last <= 0 ? transitions : transitions.slice(last)
}

/** Each picture that is seen, from below, with its weight; what lacks to one is black. */
export const weightsAt = (transitions: Transitions, frame: number): readonly Weight[] => {
  let weights = new Map<string | null, number>([[null, 1]])
  for (const transition of transitions) {
    const share = shareAt(transition, frame)
    const mixed = new Map<string | null, number>()
    for (const [key, weight] of weights) {
      if (key !== transition.to) mixed.set(key, weight * (1 - share))
    }
    const own = weights.get(transition.to) ?? 0
    mixed.set(transition.to, own * (1 - share) + share)
    weights = mixed
  }
  const seen: Weight[] = []
  for (const [key, weight] of weights) {
    if (key !== null && weight > 0) seen.push({ key, weight })
  }
  return seen
}

const shareAt = ({ at, frames }: Transition, frame: number): number => {
  if (frames === 0) return 1
  return Math.min(Math.max((frame - at) / frames, 0), 1)
}
