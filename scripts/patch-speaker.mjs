// Makes the sound addon `speaker` fit for live use: applies its patch and rebuilds it.
//
// Safe to run again: with nothing to do it reads three small files. `speaker` is optional, so what
// is missing is said in one line with its remedy and the exit code stays 0; `--strict` makes it 1.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const strict = process.argv.includes('--strict')
const MARK = 'try_write_alsa'
const DEBIAN = 'apt-get install -y libasound2-dev gcc g++ make patch python3'

const say = (line) => process.stderr.write(`sound: ${line}\n`)
const give = (line) => {
  say(line)
  process.exit(strict ? 1 : 0)
}
const run = (command, args, cwd) =>
  spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 300_000, maxBuffer: 16 << 20 })
const tail = (result) =>
  `${result.stdout ?? ''}\n${result.stderr ?? ''}\n${result.error?.message ?? ''}`
    .trim().split('\n').slice(-3).join(' | ')

/** Where npm put the addon: beside this package or, in a dependent's tree, above it. */
const findSpeaker = () => {
  try {
    const require = createRequire(join(ROOT, 'package.json'))
    return dirname(require.resolve('speaker/package.json'))
  } catch {
    return null
  }
}

const has = (command) => !run(command, ['--version'], ROOT).error

/** patch-package, which a clone has and an installed package has not: that takes patch(1). */
const PATCH_PACKAGE = join(ROOT, 'node_modules', 'patch-package', 'index.js')

const whatIsMissing = (isPatched = false) => {
  if (process.platform !== 'linux') return null
  const missing = []
  if (!existsSync('/usr/include/alsa/asoundlib.h')) {
    const asked = run('pkg-config', ['--exists', 'alsa'], ROOT)
    if (asked.error || asked.status !== 0) missing.push("ALSA's headers")
  }
  if (!has('cc') && !has('gcc')) missing.push('a C compiler')
  if (!has('make')) missing.push('make')
  if (!has('python3')) missing.push('python3')
  if (!isPatched && !existsSync(PATCH_PACKAGE) && !has('patch')) missing.push('patch')
  return missing.length === 0 ? null : missing.join(', ')
}

const applyPatch = (folder, patch) => {
  if (existsSync(PATCH_PACKAGE) && dirname(dirname(folder)) === ROOT) {
    const args = [PATCH_PACKAGE, '--patch-dir', relative(ROOT, dirname(patch))]
    return run(process.execPath, args, ROOT)
  }
  return run('patch', ['-p3', '-N', '-s', '-i', patch], folder)
}

const main = () => {
  const folder = findSpeaker()
  if (folder === null) {
    const missing = whatIsMissing()
    give(missing === null
      ? '`speaker` is not installed; run `npm install` again to build it'
      : `\`speaker\` could not be built: ${missing} missing; on Debian or Ubuntu type: ${DEBIAN}`)
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const patches = join(ROOT, 'patches')
  const name = readdirSync(patches).find((file) => file === `speaker+${version}.patch`)
  if (name === undefined) give(`no patch for \`speaker\` ${version}: it plays half a second late`)
  const patch = join(patches, name)

  const binary = join(folder, 'build', 'Release', 'binding.node')
  const stampFile = join(folder, 'build', '.cartwall-patch')
  const hash = createHash('sha256').update(readFileSync(patch)).digest('hex')
  const stamp = `${hash} ${process.platform} ${process.arch} ${process.versions.modules}`
  const built = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : ''
  if (existsSync(binary) && built === stamp) return
  if (built !== '' && !built.startsWith(hash)) {
    give('`speaker` carries an older patch; remove node_modules/speaker and run `npm ci`')
  }

  const alsa = join(folder, 'deps', 'mpg123', 'src', 'output', 'alsa.c')
  const isPatched = () => readFileSync(alsa, 'utf8').includes(MARK)
  const missing = whatIsMissing(isPatched())
  if (missing !== null) {
    give(`\`speaker\` cannot be rebuilt: ${missing} missing; on Debian or Ubuntu type: ${DEBIAN}`)
  }
  if (!isPatched()) {
    const applied = applyPatch(folder, patch)
    if (applied.error || applied.status !== 0 || !isPatched()) {
      give(`the patch of \`speaker\` does not apply (${tail(applied)})`)
    }
  }
  say('building the sound addon (once)')
  const tree = dirname(dirname(folder))
  const rebuilt = run('npm', ['rebuild', 'speaker', '--ignore-scripts=false'], tree)
  if (rebuilt.error || rebuilt.status !== 0 || !existsSync(binary)) {
    give(`\`speaker\` could not be rebuilt (${tail(rebuilt)})`)
  }
  writeFileSync(stampFile, stamp)
}

main()
