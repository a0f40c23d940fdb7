// Joins modules of the build with what they import, and names one file there from another.
import { dirname, relative } from 'node:path'
import { build } from 'tsdown'

/** Writes each of `entry` (name to module) into `outDir`; `options` as tsdown has them. */
export const joinModules = (cwd, outDir, entry, options) => build({
  config: false,
  cwd,
  entry,
  outDir,
  format: 'esm',
  platform: 'node',
  dts: false,
  clean: false,
  logLevel: 'warn',
  fixedExtension: false,
  ...options,
})

/** As an import in the file `from` names the file `to`. */
export const specifier = (from, to) => {
  const path = relative(dirname(from), to).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}
