// What `npm test` runs after the unit tests. What listens to sound and what is timed in a browser
// leave the processors idle for much of the time, and must not be disturbed: what only computes
// runs in what they leave.
// The last lines name the tests that failed, however much was printed since.
//
// Where all has to be over by a moment (`CARTWALL_TESTS_END`, seconds since 1970, as CI sets it),
// the machine is one that others share. One that is too slow that day leaves out the pages and most
// seeds: cut off in the middle of them it would say nothing of the sound and of the rules. A few
// files that fail beside others are run once more by themselves: a decoder may wait there for a
// processor for longer than anybody's patience. Where even so too little is left for what is timed
// in a browser, that is left out too. All of this is told last.
//
//   node scripts/test-rest.mjs          all stages in order, up to the first that fails
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
/**
 * @param workers as many as the configuration says where null. @param words what is run of them, as
 * files or as `--shard`; all where empty.
 */
const vitest = (projects, workers = null, words = []) => [
  VITEST, 'run', ...projects.flatMap((name) => ['--project', name]), ...words,
  ...(workers === null ? [] : ['--maxWorkers', String(workers)]),
]

/** More files than this that fail are no coincidence. */
const AGAIN_FILES = 3

/** From so many on every coincidence must have been met, and every rule tested. */
const FIXED_SEEDS = '10000'

/** So many on a machine that is too slow that day. */
const FEW_SEEDS = '2000'

/** What only computes. */
const beside = (seeds) => [
  [join(ROOT, 'sim', 'start.mjs'), 'run', '--seeds', seeds, '--from', '1', '--json'],
  vitest(['house-rules', 'sim'], 2),
]
const PAGES = 'pages'
const TIMED = 'pages-timed'
/** Projects, one after another; beside the last two goes what only computes. */
const STAGES = [['devices', 4], [PAGES, 4], ['sound', null], [TIMED, null]]
const BESIDE_FROM = 2
/** What the pages take, and all that follows them. */
const PAGES_SECONDS = 420
const AFTER_SECONDS = 450
/** What is timed in a browser takes, on a machine that is slow. */
const TIMED_SECONDS = 220
/** Part of the pages is run where there is time for a sixth of them at least. */
const PARTS_MOST = 6
const END = Number(process.env.CARTWALL_TESTS_END ?? Infinity)
/** Before a command: it gets what no other process wants (`SCHED_IDLE`), and so do its children. */
const IDLE = ['chrt', '--idle', '0']
const mayIdle = spawnSync(IDLE[0], [...IDLE.slice(1), 'true']).status === 0

const results = mkdtempSync(join(tmpdir(), 'cartwall-tests-'))
let started = 0

/** The files that failed in one run of vitest, by what it wrote; none where it wrote nothing. */
const failuresIn = (file) => {
  try {
    const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
    return testResults.filter(({ status }) => status === 'failed').map((result) => {
      const path = relative(ROOT, result.name)
      const failed = result.assertionResults.filter(({ status }) => status === 'failed')
      const lines = failed.length === 0
        ? [`${path}: ${result.message.split('\n', 1)[0]}`]
        : failed.map(({ fullName }) => `${path}: ${fullName}`)
      return { path, lines }
    })
  } catch {
    return []
  }
}

const NOTHING = { files: [], lines: [] }

/** Resolves with what failed, the files and a line for each test: none where it ended with 0. */
const run = (args, stdio, before = []) => {
  const isVitest = args[0] === VITEST
  const file = join(results, `${started++}.json`)
  const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const all = isVitest ? [...args, ...report] : args
  const [program, ...rest] = [...before, process.execPath, ...all]
  const child = spawn(program, rest, { cwd: ROOT, stdio })
  const failures = new Promise((resolve) => {
    const end = (how) => {
      const named = isVitest ? failuresIn(file) : []
      const command = ['node', relative(ROOT, args[0]), ...args.slice(1)].join(' ')
      const lines = [...named.flatMap((each) => each.lines), `${command} ended with ${how}`]
      resolve(how === 0 ? NOTHING : { files: named.map(({ path }) => path), lines })
    }
    child.on('error', ({ message }) => end(message))
    child.on('close', (code, signal) => end(signal ?? code))
  })
  return { child, failures }
}

const runBeside = async (args) => {
  const { child, failures } = run(args, ['ignore', 'pipe', 'pipe'], mayIdle ? IDLE : [])
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (some) => said.push(some))
  const failed = await failures
  process.stdout.write(Buffer.concat(said))
  return failed.lines
}

/** Of a stage: what failed, and where that was beside others only, that alone. */
const runStage = async (project, workers, words) => {
  const { files, lines } = await run(vitest([project], workers, words), 'inherit').failures
  const isShared = END < Infinity && files.length > 0 && files.length <= AGAIN_FILES
  if (!isShared) return { failed: lines, once: [] }
  const again = await run(vitest([project], 1, files), 'inherit').failures
  if (again.lines.length > 0) return { failed: again.lines, once: [] }
  // Without the command, which is no test.
  return { failed: [], once: lines.slice(0, -1) }
}

/** So many parts are the pages run in, of which there is time for one; Infinity: for none. */
const partsFor = (secondsLeft) => {
  const parts = Math.ceil(PAGES_SECONDS / Math.max(0, secondsLeft - AFTER_SECONDS))
  return parts <= PARTS_MOST ? Math.max(1, parts) : Infinity
}

/** By the commit: two runs on one say the same, and several commits run all parts. */
const partOf = (parts) => {
  const words = ['rev-parse', '--short=8', 'HEAD']
  const { stdout } = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' })
  return (Number.parseInt(stdout ?? '', 16) || 0) % parts + 1
}

let seeds = FIXED_SEEDS
const compute = async () => (await Promise.all(beside(seeds).map(runBeside))).flat()

const indented = (lines) => lines.map((line) => `  ${line}`).join('\n')

let failed = []
let computed = null
const leftOut = []
const once = []
for (const [n, [project, workers]] of STAGES.entries()) {
  const secondsLeft = END - Date.now() / 1_000
  if (project === TIMED && secondsLeft < TIMED_SECONDS) {
    leftOut.push(`with ${secondsLeft.toFixed(0)} s left: --project ${TIMED}`)
    continue
  }
  const parts = project === PAGES ? partsFor(secondsLeft) : 1
  const words = parts > 1 && parts < Infinity ? [`--shard=${partOf(parts)}/${parts}`] : []
  if (parts > 1) {
    seeds = FEW_SEEDS
    const what = [`--project ${PAGES}`, ...words].join(', but for ')
    leftOut.push(`with ${secondsLeft.toFixed(0)} s left: ${what}; seeds above ${seeds}`)
    if (parts === Infinity) continue
  }
  if (mayIdle && n === BESIDE_FROM) computed = compute()
  const told = await runStage(project, workers, words)
  once.push(...told.once)
  failed = told.failed
  if (failed.length > 0) break
}
// Where one of the last stages failed, it is told too what was found beside it.
if (computed !== null || failed.length === 0) {
  failed = [...failed, ...await (computed ?? compute())]
}
if (failed.length > 0) {
  process.exitCode = 1
  console.error(`\nFailed:\n${indented(failed)}`)
}
if (once.length > 0) console.error(`\nFailed beside others, fine alone:\n${indented(once)}`)
if (leftOut.length > 0) console.error(`\nLeft out:\n${indented(leftOut)}`)
rmSync(results, { recursive: true, force: true })
