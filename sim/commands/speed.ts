// How fast the machinery is: rendering with hashing, and shrinking failures of planted bugs. The
// rest is timed by its commands.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PlayerUnderTest } from '../world/player-under-test.js'
import { MUTANTS } from '../mutants/mutant-list.js'
import { MutantTree, scopeOf } from '../mutants/mutant-tree.js'
import { shrinkPlanted, type PlantedShrink } from '../shrink/planted.js'
import { PLAIN_BUTTON, PLAIN_FILE, PLAIN_LIST, type Scenario } from '../scenario/scenario.js'
import { buttonId, PLAIN_NAMING } from '../scenario/show.js'
import { NO_OPTIONS } from '../../src/engine/commands/commands.js'

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
  const player = new PlayerUnderTest(scenario, PLAIN_NAMING, 0)
  const play = (n: number, loop: boolean): void => {
    const options = { ...NO_OPTIONS, loop, loopCrossfadeMs: loop ? 2_000 : null }
    player.submit({ kind: 'play', buttonId: buttonId(n, PLAIN_NAMING), options }, () => undefined)
  }
  play(0, false)
  play(1, true)
  const { left, right } = player.block
  const bits = [new Int32Array(left.buffer), new Int32Array(right.buffer)] as const
  let hash = 0x811c_9dc5
  const wall = seconds(() => {
    for (let frames = simulatedSeconds * 48_000; frames > 0; frames -= left.length) {
      player.renderBlock(left.length)
      for (const side of bits) {
        for (let i = 0; i < side.length; i += 1) hash = Math.imul(hash ^ side[i]!, 0x0100_0193)
      }
    }
  })
  if (hash === 0) throw new Error('the sound hashed to nothing')
  return simulatedSeconds / wall
}

/** So many planted bugs of the list, from all over it. */
const BUGS = 24
const OPERATIONS = 200

/** The value below which `part` of the values lie. */
const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil((values.length - 1) * part)] ?? Number.NaN

/**
 * Shrinks the first scenario of 200 operations in which the oracle finds a planted bug, for bugs
 * from all over the list: how many operations are left, and how long it took.
 */
const shrinkSpeed = async (root: string, say: (line: string) => void) => {
  const folder = join(root, '.cache', `speed-${String(process.pid)}`)
  const found: PlantedShrink[] = []
  try {
    const tree = await MutantTree.open(root, folder)
    const copy = tree.copy(0)
    const engineBugs = MUTANTS.filter((mutant) => scopeOf(mutant) === 'scenario')
    for (let n = 0; n < BUGS; n += 1) {
      const mutant = engineBugs[Math.floor((n * engineBugs.length) / BUGS)]!
      const shrunk = await shrinkPlanted(tree, copy, tree.prepare(mutant), OPERATIONS)
      if (shrunk === null) {
        say(`${mutant.name}: no seed found it, nothing to shrink`)
        continue
      }
      const { seed, rule, operations, wallSeconds, name } = shrunk
      say(`${name}: seed ${String(seed)}, ${rule}, ${String(operations)} operations left in ` +
        `${wallSeconds.toFixed(2)} s`)
      found.push(shrunk)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const operations = found.map((one) => one.operations)
  const walls = found.map((one) => one.wallSeconds)
  return {
    bugs: found.length,
    asWanted: found.filter((one) => one.operations <= 5 && one.wallSeconds <= 2).length,
    operations: { median: quantile(operations, 0.5), most: quantile(operations, 1) },
    wallSeconds: { median: quantile(walls, 0.5), most: quantile(walls, 1) },
  }
}

export const speed = async (root: string): Promise<number> => {
  const render = renderSpeed(120)
  const shrinking = await shrinkSpeed(root, (line) => process.stderr.write(`${line}\n`))
  process.stdout.write(`${JSON.stringify({ render, shrinking })}\n`)
  return 0
}
