// Hunts one planted bug in a thread of its own, and sees where the thread itself dies or hangs.
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Hunt, Verdict } from './mutant-worker.js'

/** Far more than a seed needs: a bug that fills memory dies alone. */
const MEMORY_MB = 768

/** @param hangMs a seed that takes longer hangs; the engine without a bug takes a few ms. */
export const hunt = async (order: Hunt, hangMs: number): Promise<Verdict> => {
  const verdict = await huntOnce(order, hangMs)
  if (verdict.kind !== 'killed' || !['crash', 'hung'].includes(verdict.rule)) return verdict
  const { base } = order
  const alone = { ...order, planted: base, rule: null, from: verdict.seed, seeds: 1 }
  const without = await huntOnce(alone, hangMs)
  return without.kind === 'lives' ? verdict
    : { kind: 'unfit', told: `seed ${verdict.seed} fails without it too: ${verdict.told}` }
}

const huntOnce = async (order: Hunt, hangMs: number): Promise<Verdict> => {
  const beat = new SharedArrayBuffer(4)
  const now = new Int32Array(beat)
  Atomics.store(now, 0, order.from)
  const worker = new Worker(join(order.base, 'sim', 'mutants', 'mutant-worker.js'), {
    workerData: { hunt: order, beat }, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  let [seed, since] = [order.from, Date.now()]
  const verdict = await new Promise<Verdict>((resolve) => {
    const died = (rule: string, told: string): void =>
      resolve({ kind: 'killed', seed: Atomics.load(now, 0), rule, told })
    const timer = setInterval(() => {
      if (Atomics.load(now, 0) !== seed) [seed, since] = [Atomics.load(now, 0), Date.now()]
      else if (Date.now() - since > hangMs) died('hung', `no end after ${hangMs / 1000} s`)
    }, Math.min(1000, hangMs / 4))
    worker.on('message', resolve)
    worker.on('error', (error) => died('crash', error.message))
    worker.on('exit', (code) => {
      clearInterval(timer)
      died('crash', `the thread went away with ${code}`)
    })
  })
  await worker.terminate()
  return verdict
}
