// Runs every test that generates its cases, with a seed that nobody has seen yet, and says which.
//
// `npm run fuzz` draws one; `npm run fuzz -- SEED` plays one again.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

const GENERATES = /from '(fast-check|\.\/hostile\.js)'/

const [word = `${randomInt(2 ** 31)}`, ...more] = process.argv.slice(2)
if (!/^\d+$/.test(word) || more.length > 0) {
  process.stderr.write('npm run fuzz draws a seed; npm run fuzz -- SEED, a whole number, ' +
    'plays one\n')
  process.exit(2)
}
const seed = Number(word)
const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name))
  .filter((name) => name.endsWith('.test.ts') && !name.startsWith(join('test', 'devices')))
  .filter((name) => GENERATES.test(readFileSync(join(ROOT, name), 'utf8')))

process.stdout.write(`again: npm run fuzz -- ${seed}\n`)
const { status } = spawnSync(
  join(ROOT, 'node_modules', '.bin', 'vitest'), ['run', '--project', 'unit', ...tests],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, CARTWALL_FUZZ_SEED: String(seed) } },
)
process.stdout.write(`again: npm run fuzz -- ${seed}\n`)
process.exitCode = status ?? 1
