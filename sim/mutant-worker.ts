// One mutant's life: runs seeds against the engine beside it until a rule is broken.
import { parentPort, workerData } from 'node:worker_threads'
import { tallySeeds } from './seeds.js'

interface Order {
  readonly from: number
  readonly seeds: number
  readonly ops: number
}

/** Seeds between two looks: a mutant that is never found must not fill memory with failures. */
const BATCH = 50

const hunt = ({ from, seeds, ops }: Order): { seed: number; told: string } | null => {
  for (let seed = from; seed < from + seeds; seed += BATCH) {
    const { wrong } = tallySeeds(seed, Math.min(BATCH, from + seeds - seed), ops, 1)
    const [first] = wrong
    if (first !== undefined) return first
  }
  return null
}

parentPort?.postMessage(hunt(workerData as Order))
