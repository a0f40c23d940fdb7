// Applies the patch of `dmxnet`, which the build then puts into the daemon: for clones only.
//
// Safe to run again: with nothing to do it reads one file.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const PATCHER = join(ROOT, 'node_modules', 'patch-package', 'index.js')
const isPatched = () =>
  readFileSync(join(ROOT, 'node_modules', 'dmxnet', 'lib.js'), 'utf8').includes('sendOnly')

// Without the tools of a build nothing is built that it would be part of.
if (existsSync(PATCHER) && !isPatched()) {
  // It applies all patches, and complains of what is not installed, as `speaker` may be.
  const args = [PATCHER, '--patch-dir', 'patches']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
  if (!isPatched()) {
    process.stderr.write(`lights: the patch of \`dmxnet\` does not apply\n${stdout}${stderr}`)
    process.exitCode = 1
  }
}
