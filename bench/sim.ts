// How fast the simulation is: the year, the night, generated seeds, rendering, shrinking.
//
// Each figure but the rendering is the simulation's own command, as anyone would start it, in a
// process of its own.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hunt } from '../sim/mutants/mutant-hunt.js'
import { MUTANTS } from '../sim/mutants/mutant-list.js'
import { openTree, scopeOf } from '../sim/mutants/mutant-tree.js'
import { PLAIN_BUTTON, PLAIN_FILE, PLAIN_LIST, PLAIN_SCENARIO } from '../sim/scenario/scenario.js'
import { buttonId, PLAIN_NAMING } from '../sim/scenario/show.js'
import { PlayerUnderTest } from '../sim/world/player-under-test.js'
import { NO_OPTIONS } from '../src/engine/commands/commands.js'
import { conditions, quantile, table } from './report.js'

const ROOT = resolve(import.meta.dirname, '..')

/** The JSON that a command of the simulation prints last. */
const told = (...words: readonly string[]): Record<string, unknown> => {
  const start = resolve(ROOT, 'sim/start.mjs')
  const { stdout, stderr, status } = spawnSync(process.execPath, [start, ...words], {
    cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}\n${stderr}`)
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>
}

const seconds = (value: unknown): string => `${Number(value).toFixed(2)} s`
const times = (value: number): string => `${Math.round(value)} x`

told('run', '--seeds', '1', '--json')
const year = told('year', '--json')
const direct = told('night', '--json')
const http = told('night', '--http', '--json')
if (http['hash'] !== direct['hash']) {
  const nights = `${String(direct['hash'])} by direct calls, ${String(http['hash'])} through HTTP`
  throw new Error(`the two nights are not the same: ${nights}`)
}
const run = told('run', '--seeds', '3000', '--json')

/** Real time at which two voices are rendered, one of them looping, and every sample hashed. */
const renderSpeed = (simulatedSeconds: number): number => {
  const file = { ...PLAIN_FILE, frames: 48_000 * 3600 }
  const overlaps = { ...PLAIN_BUTTON, allowOverlap: true }
  const buttons = [{ ...overlaps, file: 0 }, { ...overlaps, file: 1, gainDb: -6 }]
  const player = new PlayerUnderTest({
    ...PLAIN_SCENARIO, ops: [], files: [file, { ...file, frames: 480_000 }],
    lists: [{ ...PLAIN_LIST, buttons }],
  }, PLAIN_NAMING, 0)
  for (const [n, loop] of [false, true].entries()) {
    const options = { ...NO_OPTIONS, loop, loopCrossfadeMs: loop ? 2_000 : null }
    player.submit({ kind: 'play', buttonId: buttonId(n, PLAIN_NAMING), options }, () => undefined)
  }
  const { left, right } = player.block
  const bits = [new Int32Array(left.buffer), new Int32Array(right.buffer)] as const
  let hash = 0x811c_9dc5
  const begin = performance.now()
  for (let frames = simulatedSeconds * 48_000; frames > 0; frames -= left.length) {
    player.renderBlock(left.length)
    for (const side of bits) {
      for (let i = 0; i < side.length; i += 1) hash = Math.imul(hash ^ side[i]!, 0x0100_0193)
    }
  }
  if (hash === 0) throw new Error('the sound hashed to nothing')
  return simulatedSeconds / ((performance.now() - begin) / 1000)
}

/** So many planted bugs of the list, from all over it. */
const BUGS = 24
const OPERATIONS = 200

interface Shrunk {
  readonly operations: number
  readonly wallSeconds: number
}

/** The first seed in which the oracle finds a bug, shrunk by the command line of its own copy. */
const shrunkIn = (copy: string, seed: number): Shrunk => {
  const main = pathToFileURL(join(copy, 'sim', 'main.js')).href
  const code = `import { main } from '${main}'; await main(process.argv.slice(1), '${ROOT}')`
  const words = ['shrink', `${seed}`, '--ops', `${OPERATIONS}`, '--json']
  const { stdout } = spawnSync(
    process.execPath, ['--input-type=module', '-e', code, '--', ...words], { encoding: 'utf8' })
  return JSON.parse(stdout) as Shrunk
}

const shrinkSpeed = async (): Promise<readonly Shrunk[]> => {
  const folder = join(ROOT, '.cache', `speed-${process.pid}`)
  const shrunk: Shrunk[] = []
  try {
    const tree = await openTree(ROOT, folder)
    const engineBugs = MUTANTS.filter((mutant) => scopeOf(mutant) === 'scenario')
    for (let n = 0; n < BUGS; n += 1) {
      const mutant = engineBugs[Math.floor((n * engineBugs.length) / BUGS)]!
      const copy = tree.plant(mutant)
      const verdict = await hunt({
        planted: copy, base: tree.base, rule: null, scope: 'scenario', from: 1, seeds: 2_000,
      }, 20_000)
      // Of a thread that died nothing can be shrunk.
      const found = verdict.kind === 'killed' && !['crash', 'hung'].includes(verdict.rule)
      if (found) shrunk.push(shrunkIn(copy, verdict.seed))
      else process.stderr.write(`${mutant.name}: no seed found it, nothing to shrink\n`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return shrunk
}

const render = renderSpeed(120)
const shrunk = await shrinkSpeed()
const operations = shrunk.map((one) => one.operations)
const walls = shrunk.map((one) => one.wallSeconds)
const asWanted = shrunk.filter((one) => one.operations <= 5 && one.wallSeconds <= 2).length
const pace = (Number(run['simulatedHours']) * 3600) / Number(run['wallSeconds'])

process.stdout.write(`${conditions()}\n${table(
  ['what', 'wanted', 'seen'],
  [
    ['a year of music and quizzes', '5 s', seconds(year['wallSeconds'])],
    [`four hours, ${String(direct['requests'])} requests, direct`, '1 s',
      seconds(direct['wallSeconds'])],
    ['the same through HTTP inject', '10 s',
      seconds(Number(http['wallSeconds']) - Number(direct['wallSeconds']))],
    ['two voices rendered and hashed', '500 x', times(render)],
    ['generated seeds, both runs and the oracle', '10000 x', times(pace)],
    [`200 operations, ${shrunk.length} planted bugs: shrunk to, median (most)`, '5',
      `${quantile(operations, 0.5)} (${quantile(operations, 1)})`],
    ['… in, median (most)', '2 s',
      `${seconds(quantile(walls, 0.5))} (${seconds(quantile(walls, 1))})`],
    ['… both as wanted', 'all', `${asWanted} of ${shrunk.length}`],
  ],
)}`)
