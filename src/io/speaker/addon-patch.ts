// Whether the sound addon was patched for this version: an upgrade whose install script was left
// out keeps the one of the version before. It plays, and lacks what has come since.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ADDON_CURE } from './speaker-addon.js'

export const OTHER_PATCH =
  `the sound addon was built for another version of cartwall; ${ADDON_CURE}`

/** The folder of a package; throws where there is none. */
type Find = (name: 'speaker' | 'cartwall') => string

/** By the stamp that scripts/patch-speaker.mjs leaves; false where nothing can be told. */
export const isOfOtherPatch = (find: Find = installed): boolean => {
  try {
    const addon = find('speaker')
    const { version } = JSON.parse(readFileSync(join(addon, 'package.json'), 'utf8')) as {
      readonly version: string
    }
    const name = `speaker+${version}.patch`
    const patch = readFileSync(join(find('cartwall'), 'patches', name))
    const hash = createHash('sha256').update(patch).digest('hex')
    return !readFileSync(join(addon, 'build', '.cartwall-patch'), 'utf8').startsWith(hash)
  } catch {
    return false
  }
}

const installed: Find = (name) =>
  dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
