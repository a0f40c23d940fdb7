// Shrinks one seed in a thread of its own, with the engine that stands beside this file.
import { parentPort, workerData } from 'node:worker_threads'
import { generate } from '../scenario/generate.js'
import { shortText } from '../scenario/scenario-text.js'
import { failingOf, shrinkScenario } from './shrink.js'

export interface ShrinkOrder {
  readonly seed: number
  readonly ops: number
}

export interface ShrinkNews {
  readonly rule: string
  readonly told: string
  readonly operations: number
  readonly plays: number
  readonly wallSeconds: number
  /** The shrunk scenario, as the command prints it. */
  readonly text: string
}

const shrinkSeed = ({ seed, ops }: ShrinkOrder): ShrinkNews | null => {
  const begin = process.hrtime.bigint()
  const whole = generate(seed, ops)
  const failing = failingOf(whole)
  if (failing === null) return null
  const { scenario, failure: { rule, told }, plays } = shrinkScenario(whole, failing)
  const wallSeconds = Number(process.hrtime.bigint() - begin) / 1e9
  const text = shortText({ ...scenario, note: told })
  return { rule, told, operations: scenario.ops.length, plays, wallSeconds, text }
}

parentPort?.postMessage(shrinkSeed(workerData as ShrinkOrder))
