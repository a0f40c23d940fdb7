// A range of seeds, played one after another: what went wrong, and one hash of all of them.
import type { Violation } from '../oracle/judge.js'
import { Digest } from '../world/digest.js'
import { failureLines } from './plain-words.js'

/** More failures than these nobody reads. */
const WRONG_MAX = 20

export const tally = (
  from: number, seeds: number,
  play: (seed: number) => { readonly hash: string; readonly violation: Violation | null },
) => {
  const digest = new Digest()
  const wrong: { readonly seed: number; readonly violation: Violation }[] = []
  for (let seed = from; seed < from + seeds && wrong.length < WRONG_MAX; seed += 1) {
    const { hash, violation } = play(seed)
    digest.add(hash)
    if (violation !== null) wrong.push({ seed, violation })
  }
  return { hash: digest.hex, wrong }
}

/** Each failure in plain words, with the lines that play it again. */
export const tellWrong = (
  { wrong }: ReturnType<typeof tally>, again: (seed: number) => readonly string[],
): void => {
  for (const { seed, violation } of wrong) {
    const [first = '', ...more] = failureLines(violation)
    const lines = [`seed ${seed}: ${first}`, ...more, ...again(seed).map((line) => `  ${line}`)]
    process.stderr.write(lines.map((line) => `${line}\n`).join(''))
  }
}
