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

export interface Order {
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
  /** One number: the seed that is being played, so that others can see it stand still. */
  readonly beat: SharedArrayBuffer
}

export type News =
  | { readonly kind: 'killed'; readonly seed: number; readonly rule: string; readonly told: string }
  /** `found` by other rules than its own, or by none. */
  | { readonly kind: 'lives'; readonly found: string | null }
  /** The planted code does not even load, or names what does not exist. */
  | { readonly kind: 'unfit'; readonly told: string }
  /** This seed fails without the bug as well: it proves nothing. */
  | { readonly kind: 'spoiled'; readonly seed: number; readonly told: string }

interface Wrong {
  readonly rule: string
  readonly told: string
}

type Play = (seed: number) => Wrong | null

const player = async (tree: string, ops: number, device: boolean): Promise<Play> => {
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

const guarded = (play: (seed: number) => string | null): Play => (seed) => {
  try {
    const wrong = play(seed)
    return wrong === null ? null : { rule: wrong.split(' at frame ')[0] ?? '', told: wrong }
  } catch (error) {
    return { rule: 'crash', told: error instanceof Error ? error.message : String(error) }
  }
}

const tell = (news: News): void => parentPort?.postMessage(news)

const hunt = async (order: Order): Promise<void> => {
  const { planted, base, rule, device, from, seeds, ops, beat } = order
  const now = new Int32Array(beat)
  let play: Play
  try {
    play = await player(planted, ops, device)
  } catch (error) {
    tell({ kind: 'unfit', told: error instanceof Error ? error.message : String(error) })
    return
  }
  let playBase: Play | null = null
  let found: string | null = null
  for (let seed = from; seed < from + seeds; seed += 1) {
    Atomics.store(now, 0, seed)
    const wrong = play(seed)
    if (wrong === null) continue
    if (/ \w+ is not defined/.test(` ${wrong.told}`)) {
      tell({ kind: 'unfit', told: wrong.told })
      return
    }
    if (rule !== null && wrong.rule !== rule && wrong.rule !== 'crash') {
      found ??= wrong.rule
      continue
    }
    playBase ??= await player(base, ops, device)
    const without = planted === base ? wrong : playBase(seed)
    if (without === null) {
      tell({ kind: 'killed', seed, ...wrong })
      return
    }
    tell({ kind: 'spoiled', seed, told: without.told })
  }
  tell({ kind: 'lives', found })
}

await hunt(workerData as Order)
