// Shrinks the failures of planted bugs: each is hunted in generated seeds with the real oracle.
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { hunt } from '../mutants/mutant-hunt.js'
import type { MutantTree, MutantCopy, PreparedMutant } from '../mutants/mutant-tree.js'
import type { ShrinkNews, ShrinkOrder } from './shrink-worker.js'

export interface PlantedShrink extends ShrinkNews {
  readonly name: string
  readonly seed: number
}

const SEEDS = 2_000
const HANG_MS = 20_000

/** Null: no seed found the bug, or it ended the whole thread, of which nothing can be shrunk. */
export const shrinkPlanted = async (
  tree: MutantTree, copy: MutantCopy, prepared: PreparedMutant, ops: number,
): Promise<PlantedShrink | null> => {
  const planted = copy.plant(prepared)
  try {
    const fate = await hunt({
      planted: copy.folder, base: tree.base, rule: null, device: false, from: 1, seeds: SEEDS,
      ops,
      hangMs: HANG_MS,
      onSpoiled: () => undefined,
    })
    if (fate.kind !== 'killed' || fate.rule === 'crash' || fate.rule === 'hung') return null
    const news = await shrinkIn(copy.folder, { seed: fate.seed, ops })
    return news === null ? null : { ...news, name: prepared.mutant.name, seed: fate.seed }
  } finally {
    planted.restore()
  }
}

/** A thread of its own for each: nothing is warm, as when a person starts the command. */
const shrinkIn = (folder: string, workerData: ShrinkOrder): Promise<ShrinkNews | null> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(join(folder, 'sim', 'shrink', 'shrink-worker.js'), { workerData })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the shrinking thread ended without a word')))
  })
