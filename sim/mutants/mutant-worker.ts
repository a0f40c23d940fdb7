// One mutant's life: runs seeds against the engine it was planted in until its own rule is broken.
import { parentPort, workerData } from 'node:worker_threads'
import { drawDeviceScenario } from '../devices/draw-device.js'
import { playDevice } from '../devices/play-device.js'
import { Judge, type Violation } from '../oracle/judge.js'
import { judgeScenario, OPS } from '../play/seeds.js'
import { generate } from '../scenario/generate.js'
import { drawThreadsScenario } from '../threads/draw-threads.js'
import { playThreads } from '../threads/play-threads.js'
import type { Scope } from './mutant-tree.js'

/** Which seeds are played, and against what. */
export interface Hunt {
  /** The tree with the bug, and the same tree without it. */
  readonly planted: string
  readonly base: string
  /** The rule that must find the bug; null where any will do. */
  readonly rule: string | null
  /** What is played of each seed. */
  readonly scope: Scope
  readonly from: number
  readonly seeds: number
}

export type Verdict =
  /** The rule is `crash` where the thread died, `hung` where a seed never ended. */
  | { readonly kind: 'killed'; readonly seed: number; readonly rule: string; readonly told: string }
  /** `found` by other rules than its own, or by none. */
  | { readonly kind: 'lives'; readonly found: string | null }
  /** It cannot be planted, does not load, or the seed that finds it fails without it as well. */
  | { readonly kind: 'unfit'; readonly told: string }

const PLAYS = {
  scenario: (seed) => judgeScenario(generate(seed, OPS), new Judge()),
  device: (seed) => playDevice(drawDeviceScenario(seed)),
  threads: (seed) => playThreads(drawThreadsScenario(seed)),
} as const satisfies Record<Scope, (seed: number) => { readonly violation: Violation | null }>

const wrongIn = (seed: number, { scope }: Hunt): { rule: string; told: string } | null => {
  try {
    const { violation } = PLAYS[scope](seed)
    return violation === null ? null : { rule: violation.rule, told: violation.message }
  } catch (error) {
    return { rule: 'crash', told: (error as Error).message }
  }
}

/** Each seed that begins is told, so that others can see one stand still. */
const hunted = (hunt: Hunt): Verdict => {
  const { rule, from, seeds } = hunt
  let found: string | null = null
  for (let seed = from; seed < from + seeds; seed += 1) {
    parentPort?.postMessage(seed)
    const wrong = wrongIn(seed, hunt)
    if (wrong === null) continue
    if (/ \w+ is not defined/.test(` ${wrong.told}`)) return { kind: 'unfit', told: wrong.told }
    if (rule === null || [rule, 'crash'].includes(wrong.rule)) {
      return { kind: 'killed', seed, ...wrong }
    }
    found ??= wrong.rule
  }
  return { kind: 'lives', found }
}

parentPort?.postMessage(hunted(workerData as Hunt))
