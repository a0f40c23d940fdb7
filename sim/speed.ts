// How fast the machinery is: rendering with hashing, and shrinking. The rest is timed by its
// commands.
import { Booth } from './booth.js'
import { generate } from './generate.js'
import { Judge } from './judge.js'
import { playPlainly } from './play.js'
import { PLAIN_BUTTON, PLAIN_FILE, PLAIN_LIST, type Scenario } from './scenario.js'
import { judgeScenario } from './seeds.js'
import { buttonId, PLAIN_NAMING } from './show.js'
import { shrinkScenario } from './shrink.js'
import { NO_OPTIONS } from '../src/engine/commands.js'

const seconds = (work: () => void): number => {
  const begin = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - begin) / 1e9
}

/**
 * Times real time at which two voices are rendered, one of them looping, and every sample hashed.
 */
const renderSpeed = (simulatedSeconds: number): number => {
  const file = { ...PLAIN_FILE, frames: 48_000 * 3600 }
  const overlaps = { ...PLAIN_BUTTON, allowOverlap: true }
  const scenario: Scenario = {
    version: 1, seed: 1, note: '', dmxAllowed: false, retentionMs: 600_000,
    loopHeadBytes: 33_554_432, calm: true, ops: [],
    files: [file, { ...file, frames: 480_000 }],
    lists: [{
      ...PLAIN_LIST, buttons: [{ ...overlaps, file: 0 }, { ...overlaps, file: 1, gainDb: -6 }],
    }],
  }
  const booth = new Booth(scenario, PLAIN_NAMING, 0, () => undefined)
  const play = (n: number, loop: boolean): void => {
    const options = { ...NO_OPTIONS, loop, loopCrossfadeMs: loop ? 2_000 : null }
    booth.submit({ kind: 'play', buttonId: buttonId(n, PLAIN_NAMING), options }, () => undefined)
  }
  play(0, false)
  play(1, true)
  const { left, right } = booth.block
  const bits = [new Int32Array(left.buffer), new Int32Array(right.buffer)] as const
  let hash = 0x811c_9dc5
  const wall = seconds(() => {
    for (let frames = simulatedSeconds * 48_000; frames > 0; frames -= left.length) {
      booth.render(left.length)
      for (const side of bits) {
        for (let i = 0; i < side.length; i += 1) hash = Math.imul(hash ^ side[i]!, 0x0100_0193)
      }
    }
  })
  if (hash === 0) throw new Error('the sound hashed to nothing')
  return simulatedSeconds / wall
}

/** A stand-in for a fault: a button is started anew while its old run fades out. */
const restartsWhileFading = (scenario: Scenario): string | null => {
  judgeScenario(scenario, new Judge())
  const { records } = playPlainly(scenario, null)
  let fading: string | null = null
  for (const record of records) {
    const [, , button, , state] = record.split(' ')
    if (state === 'fading_out') fading = button ?? null
    else if (state === 'starting' && button === fading) return 'a restart while it fades'
  }
  return null
}

/** Shrinks scenarios of 200 operations; answers how many are left and how long it took at most. */
const shrinkSpeed = (
  scenarios: number,
): { readonly operations: number; readonly wallSeconds: number } => {
  let operations = 0
  let wallSeconds = 0
  let found = 0
  for (let seed = 1; found < scenarios && seed < 1_000; seed += 1) {
    const scenario = generate(seed, 200)
    if (restartsWhileFading(scenario) === null) continue
    found += 1
    const wall = seconds(() => {
      const small = shrinkScenario(scenario, restartsWhileFading)
      operations = Math.max(operations, small.ops.length)
    })
    wallSeconds = Math.max(wallSeconds, wall)
  }
  return { operations, wallSeconds }
}

export const speed = (): number => {
  const render = renderSpeed(120)
  const shrinking = shrinkSpeed(10)
  process.stdout.write(`${JSON.stringify({ render, shrinking })}\n`)
  return 0
}
