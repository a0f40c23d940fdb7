// What the tests ask of the simulation: every scenario that ever failed, and a fixed range of
// seeds. Fresh ones are for `npm run sim -- fresh`: what the tests run is fixed by the commit.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const START = join(ROOT, 'sim', 'start.mjs')
const CORPUS = join(ROOT, 'sim', 'corpus')
/** From 10 000 on every coincidence must have been met; the others are for the second core. */
const RANGES = [{ from: 1, seeds: 10_000 }, { from: 10_001, seeds: 5_000 }]

const replayCorpus = () => {
  const files = existsSync(CORPUS)
    ? readdirSync(CORPUS).filter((name) => name.endsWith('.json')).toSorted()
    : []
  for (const name of files) {
    const args = [START, 'replay', join(CORPUS, name)]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status === 0) continue
    process.stdout.write(`sim: corpus ${name} fails again\n${stdout}${stderr}`)
    return false
  }
  process.stdout.write(`sim: corpus: ${String(files.length)} scenarios as they should be\n`)
  return true
}

/** One range in a process of its own; two fit side by side on two cores. */
const range = ({ from, seeds }) =>
  new Promise((resolve) => {
    process.stdout.write(`sim: fixed: ${String(seeds)} seeds from ${String(from)}\n`)
    const args = [START, 'run', '--seeds', String(seeds), '--from', String(from), '--json']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.on('close', (code) => {
      process.stdout.write(`sim: fixed: ${out.trimEnd()}\n`)
      resolve(code === 0)
    })
  })

const corpus = replayCorpus()
const fixed = await Promise.all(RANGES.map(range))
process.exitCode = corpus && fixed.every(Boolean) ? 0 : 1
