// A range of seeds, played one after another: one hash of all, and what went wrong in plain words.
import { frameText } from '../../src/clock/frame.js'
import { DEVICE_RULES } from '../devices/device-rules.js'
import type { Failure, Violation } from '../oracle/judge.js'
import { RULES } from '../oracle/rules.js'
import { THREADS_RULES } from '../threads/threads-rules.js'
import { digestOf } from '../world/digest.js'

/** More failures than these nobody reads. */
const WRONG_MAX = 20

export const tally = (
  from: number, seeds: number,
  play: (seed: number) => { readonly hash: string; readonly violation: Violation | null },
) => {
  const hashes: string[] = []
  const wrong: { readonly seed: number; readonly violation: Violation }[] = []
  for (let seed = from; seed < from + seeds && wrong.length < WRONG_MAX; seed += 1) {
    const { hash, violation } = play(seed)
    hashes.push(hash)
    if (violation !== null) wrong.push({ seed, violation })
  }
  return { hash: digestOf(hashes), wrong }
}

/** Ids of an ordinary scenario count their buttons and runs: `b3`, `x12`. */
const named = (text: string): string =>
  text.replace(/0000000([be])-0000-4000-8000-([0-9a-f]{12})/g, (_, space: string, n: string) =>
    `${space === 'b' ? 'b' : 'x'}${Number.parseInt(n, 16)}`)

const SENTENCES: Readonly<Record<string, string>> = { ...RULES, ...DEVICE_RULES, ...THREADS_RULES }

/** What broke, when, what was told; then the rule's sentence. */
export const failureLines = ({ rule, at, told }: Failure): readonly string[] => [
  `${rule} at frame ${at} (${frameText(at)}): ${named(told)}`,
  `  the rule: ${String(SENTENCES[rule])}`,
]

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
