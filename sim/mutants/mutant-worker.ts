// One mutant's life: runs seeds against the engine it was planted in until its own rule is broken.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type * as Generating from '../scenario/generate.js'
import type * as Judging from '../oracle/judge.js'
import type * as Seeds from '../play/seeds.js'
import type * as Drawing from '../devices/draw-device.js'
import type * as Playing from '../devices/play-device.js'

/** Which seeds are played, and against what. */
export interface Hunt {
  /** The tree with the bug, and the same tree without it. */
  readonly planted: string
  readonly base: string
  /** The rule that must find the bug; null where any will do. */
  readonly rule: string | null
  /** The sound path with a virtual device is played, and no scenario. */
  readonly device: boolean
  readonly from: number
  readonly seeds: number
  readonly ops: number
}

export type Verdict =
  /** The rule is `crash` where the thread died, `hung` where a seed never ended. */
  | { readonly kind: 'killed'; readonly seed: number; readonly rule: string; readonly told: string }
  /** `found` by other rules than its own, or by none. */
  | { readonly kind: 'lives'; readonly found: string | null }
  /** It cannot be planted, does not load, or the seed that finds it fails without it as well. */
  | { readonly kind: 'unfit'; readonly told: string }

type Play = (seed: number) => Judging.Violation | null

const playerOf = async ({ planted, ops, device }: Hunt): Promise<Play> => {
  const load = async (name: string): Promise<unknown> =>
    import(pathToFileURL(join(planted, 'sim', name)).href)
  if (device) {
    const { playDevice } = await load('devices/play-device.js') as typeof Playing
    const { drawDeviceScenario } = await load('devices/draw-device.js') as typeof Drawing
    return (seed) => playDevice(drawDeviceScenario(seed)).violation
  }
  const { judgeScenario } = await load('play/seeds.js') as typeof Seeds
  const { generate } = await load('scenario/generate.js') as typeof Generating
  const { Judge } = await load('oracle/judge.js') as typeof Judging
  const judge = new Judge()
  return (seed) => judgeScenario(generate(seed, ops), judge).violation
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

const wrongIn = (play: Play, seed: number): { rule: string; told: string } | null => {
  try {
    const violation = play(seed)
    return violation === null ? null : { rule: violation.rule, told: violation.message }
  } catch (error) {
    return { rule: 'crash', told: messageOf(error) }
  }
}

/** Each seed that begins is told, so that others can see one stand still. */
const hunted = async (hunt: Hunt): Promise<Verdict> => {
  const { rule, from, seeds } = hunt
  const play = await playerOf(hunt)
  let found: string | null = null
  for (let seed = from; seed < from + seeds; seed += 1) {
    parentPort?.postMessage(seed)
    const wrong = wrongIn(play, seed)
    if (wrong === null) continue
    if (/ \w+ is not defined/.test(` ${wrong.told}`)) return { kind: 'unfit', told: wrong.told }
    if (rule === null || [rule, 'crash'].includes(wrong.rule)) {
      return { kind: 'killed', seed, ...wrong }
    }
    found ??= wrong.rule
  }
  return { kind: 'lives', found }
}

parentPort?.postMessage(await hunted(workerData as Hunt).catch(
  (error: unknown): Verdict => ({ kind: 'unfit', told: messageOf(error) })))
