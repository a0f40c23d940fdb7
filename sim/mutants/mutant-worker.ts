// One mutant's life: runs seeds against the engine it was planted in until its own rule is broken,
// which holds without it.
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

type Play = (seed: number) => { readonly rule: string; readonly told: string } | null

const player = async (tree: string, { ops, device }: Hunt): Promise<Play> => {
  const load = async (name: string): Promise<unknown> =>
    import(pathToFileURL(join(tree, 'sim', name)).href)
  if (device) {
    const { playDevice } = await load('devices/play-device.js') as typeof Playing
    const { drawDeviceScenario } = await load('devices/draw-device.js') as typeof Drawing
    return guarded((seed) => playDevice(drawDeviceScenario(seed)).violation?.message ?? null)
  }
  const { judgeScenario } = await load('play/seeds.js') as typeof Seeds
  const { generate } = await load('scenario/generate.js') as typeof Generating
  const { Judge } = await load('oracle/judge.js') as typeof Judging
  const judge = new Judge()
  return guarded((seed) => judgeScenario(generate(seed, ops), judge).wrong)
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

const guarded = (play: (seed: number) => string | null): Play => (seed) => {
  try {
    const wrong = play(seed)
    return wrong === null ? null : { rule: wrong.split(' at frame ')[0] ?? '', told: wrong }
  } catch (error) {
    return { rule: 'crash', told: messageOf(error) }
  }
}

/** `beat` is told each seed that begins, so that others can see one stand still. */
const hunted = async (hunt: Hunt, beat: Int32Array): Promise<Verdict> => {
  const { planted, base, rule, from, seeds } = hunt
  const play = await player(planted, hunt)
  let found: string | null = null
  for (let seed = from; seed < from + seeds; seed += 1) {
    Atomics.store(beat, 0, seed)
    const wrong = play(seed)
    if (wrong === null) continue
    if (/ \w+ is not defined/.test(` ${wrong.told}`)) return { kind: 'unfit', told: wrong.told }
    if (rule !== null && wrong.rule !== rule && wrong.rule !== 'crash') {
      found ??= wrong.rule
      continue
    }
    const without = (await player(base, hunt))(seed)
    return without === null ? { kind: 'killed', seed, ...wrong }
      : { kind: 'unfit', told: `seed ${seed} fails without it too: ${without.told}` }
  }
  return { kind: 'lives', found }
}

const { hunt, beat } = workerData as { hunt: Hunt; beat: SharedArrayBuffer }
parentPort?.postMessage(await hunted(hunt, new Int32Array(beat)).catch(
  (error: unknown): Verdict => ({ kind: 'unfit', told: messageOf(error) })))
