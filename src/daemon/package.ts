// The version, as the package states it, and the places of what comes with the package.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The package's folder: two above this file, in src as in dist. */
const packagePath = (path: string): string => join(import.meta.dirname, '../..', path)

export const DEMO_SHOW = packagePath('demo/show.json')

export const version = (): string => {
  const manifest = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
    version: string
  }
  return manifest.version
}
