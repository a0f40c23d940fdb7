// What `npm test` runs after the unit tests. Tests of devices, and those that listen, wait a lot:
// what only computes runs beside them and yields to them. What is seen in a browser runs alone.
//
//   node scripts/test-rest.mjs          all stages in order, up to the first that fails
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const vitest = (...args) =>
  [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args]
const project = (...names) => names.flatMap((name) => ['--project', name])

/** From so many on every coincidence must have been met, and every rule tested. */
const FIXED_SEEDS = '10000'

/** What is `beside` a stage runs with it, at a low priority, and is printed when it is over. */
const STAGES = [
  {
    test: vitest(...project('devices'), '--maxWorkers', '4'),
    beside: [
      [join(ROOT, 'sim', 'start.mjs'), 'run', '--seeds', FIXED_SEEDS, '--from', '1', '--json'],
      vitest(...project('house-rules'), '--maxWorkers', '2'),
    ],
  },
  {
    test: vitest(...project('sound')),
    beside: [vitest(...project('sim'), '--maxWorkers', '2')],
  },
  { test: vitest(...project('pages'), '--maxWorkers', '2'), beside: [] },
  { test: vitest(...project('pages-timed')), beside: [] },
]

/** Resolves with true where it ended with 0. */
const run = (args, stdio) => {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio })
  const passed = new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
  return { child, passed }
}

const runBeside = (args) => {
  const { child, passed } = run(args, ['ignore', 'pipe', 'pipe'])
  setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (some) => said.push(some))
  return passed.then((isFine) => {
    process.stdout.write(Buffer.concat(said))
    return isFine
  })
}

for (const { test, beside } of STAGES) {
  const passed = await Promise.all([run(test, 'inherit').passed, ...beside.map(runBeside)])
  if (passed.every(Boolean)) continue
  process.exitCode = 1
  break
}
