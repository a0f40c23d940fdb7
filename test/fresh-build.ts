// Before tests of devices and pages: they mean what is shipped, so the build is that of the sources
// as they are now. Nothing is built where it is already.
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

export const setup = (): void => {
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'setup.mjs')], { stdio: 'inherit' })
}
