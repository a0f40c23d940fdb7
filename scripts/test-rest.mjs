// What `npm test` runs after the unit tests. Tests of devices, and those that listen, wait a lot:
// what only computes runs beside them and yields to them. What is seen in a browser runs alone.
// The last lines name the tests that failed, however much was printed since.
//
//   node scripts/test-rest.mjs          all stages in order, up to the first that fails
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const vitest = (...args) => [VITEST, 'run', ...args]
const project = (...names) => names.flatMap((name) => ['--project', name])

/** From so many on every coincidence must have been met, and every rule tested. */
const FIXED_SEEDS = '10000'

/** What only computes: all of it begins with the first stage, at a low priority. */
const BESIDE = [
  [join(ROOT, 'sim', 'start.mjs'), 'run', '--seeds', FIXED_SEEDS, '--from', '1', '--json'],
  vitest(...project('house-rules', 'sim'), '--maxWorkers', '2'),
]
/** One after another; a stage that is `alone` waits until nothing computes beside it any more. */
const STAGES = [
  { test: vitest(...project('devices'), '--maxWorkers', '4'), isAlone: false },
  { test: vitest(...project('sound')), isAlone: false },
  { test: vitest(...project('pages'), '--maxWorkers', '3'), isAlone: true },
  { test: vitest(...project('pages-timed')), isAlone: true },
]

const results = mkdtempSync(join(tmpdir(), 'cartwall-tests-'))
let started = 0

/** What failed in one run of vitest, by the file that it wrote; none where it wrote none. */
const failuresIn = (file) => {
  try {
    const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
    return testResults.filter(({ status }) => status === 'failed').flatMap((result) => {
      const path = relative(ROOT, result.name)
      const failed = result.assertionResults.filter(({ status }) => status === 'failed')
      return failed.length === 0
        ? [`${path}: ${result.message.split('\n', 1)[0]}`]
        : failed.map(({ fullName }) => `${path}: ${fullName}`)
    })
  } catch {
    return []
  }
}

/** Resolves with what failed, a line each: none where it ended with 0. */
const run = (args, stdio) => {
  const isVitest = args[0] === VITEST
  const file = join(results, `${started++}.json`)
  const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const all = isVitest ? [...args, ...report] : args
  const child = spawn(process.execPath, all, { cwd: ROOT, stdio })
  const failures = new Promise((resolve) => {
    const end = (how) => {
      const named = isVitest ? failuresIn(file) : []
      const command = ['node', relative(ROOT, args[0]), ...args.slice(1)].join(' ')
      resolve(how === 0 ? [] : [...named, `${command} ended with ${how}`])
    }
    child.on('error', ({ message }) => end(message))
    child.on('close', (code, signal) => end(signal ?? code))
  })
  return { child, failures }
}

const runBeside = async (args) => {
  const { child, failures } = run(args, ['ignore', 'pipe', 'pipe'])
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (some) => said.push(some))
  const failed = await failures
  process.stdout.write(Buffer.concat(said))
  return failed
}

const beside = Promise.all(BESIDE.map(runBeside)).then((all) => all.flat())
let failed = []
for (const { test, isAlone } of STAGES) {
  if (isAlone) failed = await beside
  if (failed.length === 0) failed = await run(test, 'inherit').failures
  if (failed.length > 0) break
}
// Of a stage that failed it is told at the end, with what was found beside it.
failed = [...new Set([...failed, ...await beside])]
if (failed.length > 0) {
  process.exitCode = 1
  console.error(`\nFailed:\n${failed.map((line) => `  ${line}`).join('\n')}`)
}
rmSync(results, { recursive: true, force: true })
