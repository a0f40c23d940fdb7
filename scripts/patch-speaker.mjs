// Makes the sound addon `speaker` fit for live use: applies its patch and rebuilds it.
//
// Safe to run again: with nothing to do it reads a few small files. `speaker` is optional, so what
// is missing is said in one line with its remedy, and the exit code stays 0.
//
// npm shows nothing of what an install script says, and an upgrade of cartwall leaves `speaker` as
// it was patched for the version before. So what carries another patch is fetched anew.
//
// `--sources` patches what came unpatched, and no more, in silence: npm runs it in an app before it
// compiles `speaker`, which on arm64 does not compile without the patch; npm takes away what fails.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const sourcesOnly = process.argv.includes('--sources')
const MARK = 'try_write_alsa'
/** Names the patch that the sources carry. */
const MARK_FILE = '.cartwall-patched'
const DEBIAN = 'apt-get install -y libasound2-dev gcc g++ make patch python3'

const say = (line) => {
  if (!sourcesOnly) process.stderr.write(`sound: ${line}\n`)
}
const give = (line) => {
  say(line)
  process.exit(0)
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

/**
 * Whether the sources carry this very patch. A rebuild by npm takes `build` away with its stamp,
 * and leaves the mark beside the sources. Earlier ones of cartwall made no mark, and stamped what
 * an earlier patch had changed with a later one: whether this one can be taken back tells.
 */
const carries = ({ folder, patch, hash }, built) => {
  const mark = join(folder, MARK_FILE)
  if (existsSync(mark)) return readFileSync(mark, 'utf8') === hash
  const undone = run('patch', ['-p3', '-R', '-f', '-s', '--dry-run', '-i', patch], folder)
  return undone.error ? built.startsWith(hash) : undone.status === 0
}

const isPatched = (folder) =>
  readFileSync(join(folder, 'deps', 'mpg123', 'src', 'output', 'alsa.c'), 'utf8').includes(MARK)

/** Puts files in the place of all that is in a folder, but of what npm has installed there. */
const replace = (folder, files) => {
  for (const name of readdirSync(folder)) {
    if (name !== 'node_modules') rmSync(join(folder, name), { recursive: true })
  }
  cpSync(files, folder, { recursive: true })
}

/** The package's own files instead of those that another patch has changed; why not, else null. */
const renew = ({ folder, version }, scratch) => {
  const what = ['pack', `speaker@${version}`, '--prefer-offline', '--pack-destination', scratch]
  const packed = run('npm', what, scratch)
  const tarball = readdirSync(scratch).find((file) => file.endsWith('.tgz'))
  const unpacked = tarball === undefined ? packed : run('tar', ['-xzf', tarball], scratch)
  const files = join(scratch, 'package')
  if (!existsSync(join(files, 'package.json'))) {
    return '`speaker` carries the patch of another cartwall and cannot be fetched anew '
      + `(${tail(unpacked)}): run \`npm ci\``
  }
  replace(folder, files)
  return null
}

/** Patches what is not patched; why not, else null. */
const patchSources = ({ folder, patch, hash }) => {
  if (!isPatched(folder)) {
    const applied = applyPatch(folder, patch)
    if (applied.error || applied.status !== 0 || !isPatched(folder)) {
      return `the patch of \`speaker\` does not apply (${tail(applied)})`
    }
  }
  writeFileSync(join(folder, MARK_FILE), hash)
  return null
}

/** Patches what is not patched, and builds it; why not, else null. */
const build = (addon) => {
  const { folder, binary } = addon
  const trouble = patchSources(addon)
  if (trouble !== null) return trouble
  say('building the sound addon (once)')
  // By npm's own node-gyp. `npm rebuild` asks whether scripts are allowed, and npm 12 says nothing
  // is until the app allows it: whoever runs this one has.
  const rebuilt = run('npm', ['exec', '-c', 'node-gyp rebuild'], folder)
  const isBuilt = !rebuilt.error && rebuilt.status === 0 && existsSync(binary)
  return isBuilt ? null : `\`speaker\` could not be rebuilt (${tail(rebuilt)})`
}

/** Why it came to nothing, else null: a full disk, or files of another user, are no crash. */
const troubleOf = (work) => {
  try {
    return work()
  } catch (error) {
    const cure = error.code === 'EACCES' ? ': run this as the user who installed it' : ''
    return `\`speaker\` could not be rebuilt (${error.message})${cure}`
  }
}

/** As `build`; where it comes to nothing the addon of before is there again: it plays. */
const buildAnew = (addon) => {
  const { folder } = addon
  const scratch = mkdtempSync(join(tmpdir(), 'cartwall-speaker-'))
  try {
    const before = join(scratch, 'before')
    const own = (path) => path !== join(folder, 'node_modules')
    cpSync(folder, before, { recursive: true, filter: own })
    const trouble = troubleOf(() => renew(addon, scratch) ?? build(addon))
    if (trouble !== null) replace(folder, before)
    return trouble
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const main = () => {
  const folder = findSpeaker()
  if (folder === null) {
    const missing = whatIsMissing()
    const again = existsSync(PATCH_PACKAGE) ? 'npm run setup' : 'npm install --foreground-scripts'
    give(missing === null
      ? `\`speaker\` is not installed; \`${again}\` builds it, or shows why not`
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
  /** The addon where it stands, what it is to carry, and what is built of it. */
  const addon = { folder, version, patch, hash, binary }
  if (sourcesOnly) {
    if (!isPatched(folder)) troubleOf(() => patchSources(addon))
    return
  }
  const isOther = isPatched(folder) && !carries(addon, built)
  if (!isOther && existsSync(binary) && built === stamp) return
  const missing = whatIsMissing(isPatched(folder) && !isOther)
  if (missing !== null) {
    give(`\`speaker\` cannot be rebuilt: ${missing} missing; on Debian or Ubuntu type: ${DEBIAN}`)
  }
  const trouble = troubleOf(() => {
    const failed = isOther ? buildAnew(addon) : build(addon)
    if (failed === null) writeFileSync(stampFile, stamp)
    return failed
  })
  if (trouble !== null) give(trouble)
}

main()
