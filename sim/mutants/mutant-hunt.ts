// Hunts one planted bug in a thread of its own, and sees where the thread itself dies or hangs.
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { News, Order } from './mutant-worker.js'

export type Fate =
  /** The rule is `crash` where the thread died, `hung` where a seed never ended. */
  | { readonly kind: 'killed'; readonly seed: number; readonly rule: string; readonly told: string }
  /** `found` by other rules than its own, or by none. */
  | { readonly kind: 'lives'; readonly found: string | null }
  | { readonly kind: 'unfit'; readonly told: string }

export interface Hunt {
  readonly planted: string
  readonly base: string
  /** The rule that must find the bug; null where any will do. */
  readonly rule: string | null
  /** The sound path with a virtual device is played, and no scenario. */
  readonly device: boolean
  readonly from: number
  readonly seeds: number
  readonly ops: number
  /** A seed that takes longer hangs; the engine without a bug takes a few milliseconds. */
  readonly hangMs: number
  /** Hears of seeds that fail without the bug too. */
  readonly onSpoiled: (seed: number, told: string) => void
}

/** Far more than a night needs: a bug that fills memory dies alone. */
const MEMORY_MB = 768

export const hunt = async (order: Hunt): Promise<Fate> => {
  const end = order.from + order.seeds
  // Each turn but the last one moves on by a seed.
  for (let from = order.from; from < end;) {
    const fate = await huntOnce({ ...order, from, seeds: end - from })
    if (fate.kind !== 'killed' || (fate.rule !== 'crash' && fate.rule !== 'hung')) return fate
    const alone = { planted: order.base, rule: null, from: fate.seed, seeds: 1 }
    const without = await huntOnce({ ...order, ...alone })
    if (without.kind === 'lives') return fate
    order.onSpoiled(fate.seed, fate.told)
    from = fate.seed + 1
  }
  return { kind: 'lives', found: null }
}

const huntOnce = async (order: Hunt): Promise<Fate> => {
  const { planted, base, rule, device, from, seeds, ops, hangMs, onSpoiled } = order
  const beat = new SharedArrayBuffer(4)
  const now = new Int32Array(beat)
  Atomics.store(now, 0, from)
  const workerData: Order = { planted, base, rule, device, from, seeds, ops, beat }
  const worker = new Worker(join(base, 'sim', 'mutants', 'mutant-worker.js'), {
    workerData, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  const watch = { seed: from, since: Date.now() }
  const fate = await new Promise<Fate>((resolve) => {
    const timer = setInterval(() => {
      const seed = Atomics.load(now, 0)
      if (seed !== watch.seed) Object.assign(watch, { seed, since: Date.now() })
      else if (Date.now() - watch.since > hangMs) {
        const told = `no end after ${String(hangMs / 1000)} s`
        settle({ kind: 'killed', seed, rule: 'hung', told })
      }
    }, Math.min(1000, hangMs / 4))
    const settle = (fate: Fate): void => {
      clearInterval(timer)
      resolve(fate)
    }
    const died = (told: string): void =>
      settle({ kind: 'killed', seed: Atomics.load(now, 0), rule: 'crash', told })
    worker.on('message', (news: News) => {
      if (news.kind === 'spoiled') onSpoiled(news.seed, news.told)
      else settle(news)
    })
    worker.on('error', (error) => died(error instanceof Error ? error.message : String(error)))
    worker.on('exit', (code) => died(`the thread went away with ${String(code)}`))
  })
  await worker.terminate()
  return fate
}
