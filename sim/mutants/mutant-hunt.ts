// Hunts one planted bug in a thread of its own, and sees where the thread itself dies or hangs.
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Hunt, Verdict } from './mutant-worker.js'

/** Far more than a seed needs: a bug that fills memory dies alone. */
const MEMORY_MB = 768

/**
 * A seed that fails without the bug too proves nothing.
 * @param hangMs a seed that takes longer hangs; the engine without a bug takes a few ms.
 */
export const hunt = async (order: Hunt, hangMs: number): Promise<Verdict> => {
  const verdict = await huntOnce(order, hangMs)
  if (verdict.kind !== 'killed') return verdict
  const { base: planted } = order
  const without = await huntOnce(
    { ...order, planted, rule: null, from: verdict.seed, seeds: 1 }, hangMs)
  if (without.kind === 'lives') return verdict
  return { kind: 'unfit', told: `seed ${verdict.seed} fails without it too: ${without.told}` }
}

/** The thread runs the code of the tree in which the bug is planted. */
const huntOnce = async (order: Hunt, hangMs: number): Promise<Verdict> => {
  const worker = new Worker(join(order.planted, 'sim', 'mutants', 'mutant-worker.js'), {
    workerData: order, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  let seed: number | null = null
  const verdict = await new Promise<Verdict>((resolve) => {
    const died = (rule: string, told: string): void =>
      resolve({ kind: 'killed', seed: seed ?? order.from, rule, told })
    const alarm = setTimeout(() => died('hung', `no end after ${hangMs / 1000} s`), hangMs)
    worker.on('message', (said: number | Verdict) => {
      if (typeof said !== 'number') return resolve(said)
      seed = said
      alarm.refresh()
    })
    // Before the first seed begins, it is the code that does not load.
    worker.on('error', ({ message }) =>
      seed === null ? resolve({ kind: 'unfit', told: message }) : died('crash', message))
    worker.on('exit', (code) => {
      clearTimeout(alarm)
      died('crash', `the thread went away with ${code}`)
    })
  })
  await worker.terminate()
  return verdict
}
