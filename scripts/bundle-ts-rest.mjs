// Puts ts-rest into dist/vendor and makes the compiled files import it from there.
//
// ts-rest's peers name a fastify of long ago, which only an `overrides` entry settles; those do not
// travel to whoever installs this package, so what is published carries ts-rest within itself.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { joinModules, specifier } from './join-modules.mjs'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
const VENDOR = join(DIST, 'vendor')
const PACKAGES = { '@ts-rest/core': 'ts-rest-core', '@ts-rest/fastify': 'ts-rest-fastify' }

const entry = Object.fromEntries(Object.entries(PACKAGES).map(([name, file]) => [file, name]))
await joinModules(ROOT, VENDOR, entry, {
  deps: { alwaysBundle: [/^@ts-rest\//], neverBundle: ['fastify', 'zod'] },
})
copyFileSync(join(ROOT, 'node_modules/@ts-rest/fastify/LICENCE'), join(VENDOR, 'LICENCE'))

const IMPORT = /(from |import\()(['"])(@ts-rest\/\w+)\2/g

/** Only code: nothing that an app can import has ts-rest in its types. */
const rewrite = (folder) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (path === VENDOR) continue
    if (entry.isDirectory()) rewrite(path)
    else if (path.endsWith('.js')) rewriteFile(path)
  }
}

const rewriteFile = (path) => {
  const before = readFileSync(path, 'utf8')
  const after = before.replace(IMPORT, (_all, lead, quote, name) => {
    const target = join(VENDOR, `${PACKAGES[name]}.js`)
    return `${lead}${quote}${specifier(path, target)}${quote}`
  })
  if (after !== before) writeFileSync(path, after)
}

rewrite(DIST)
