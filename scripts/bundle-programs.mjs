// Joins each of the daemon's programs with all that it imports, packages too, into dist/run.
//
// Node finds, reads and compiles some 600 files one by one where `serve` starts; joined it is ready
// in about half the time. What the compiler wrote stays for everything else: a program's own file
// then only imports its joined form, so that all who start it find it where it was.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { joinModules, specifier } from './join-modules.mjs'
import { licencesText, notedIn } from './licences.mjs'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
const RUN = join(DIST, 'run')

const PROGRAMS = [
  'cli',
  'sound/sound-thread',
  'io/lights/lights-thread',
  'io/log/log-process',
  'io/media/decoder/decoder-host',
  'io/media/look/look-host',
  'io/show/show-thread',
  'io/speaker/speaker-process',
  'io/timeline/timeline-thread',
  'io/waves/wave-host',
]

/**
 * One is native, one loads what it needs by name as it runs, one dmxnet never asks for here; the
 * others fastify loads where somebody needs them, which the daemon does not.
 */
const APART = [
  'speaker', 'prism-media', 'winston',
  '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request',
]

/** A module that asks where it is gets the answer it got before it was joined with others. */
const wherePlaced = {
  name: 'where-placed',
  transform: {
    filter: { id: /[\\/]dist[\\/].*\.js$/, code: /import\.meta/ },
    handler: (code, id) => {
      const own = `new URL('../${relative(DIST, id).replaceAll('\\', '/')}', import.meta.url)`
      const placed = { url: `${own}.href`, dirname: `placedAt(new URL('.', ${own}))` }
      return "import { fileURLToPath as placedAt } from 'node:url'\n" +
        code.replaceAll(/import\.meta\.(url|dirname)/g, (_all, what) => placed[what])
    },
  },
}

/** All of zod's languages come with it, and its messages are shown in one. */
const oneLanguage = {
  name: 'one-language',
  load: {
    filter: { id: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ },
    handler: () => "export { default as en } from './en.js'",
  },
}

/** What the joined files are made of. */
const packages = new Set()

const joined = (program) => program.replaceAll('/', '-')

rmSync(RUN, { recursive: true, force: true })
const entry = Object.fromEntries(PROGRAMS.map((one) => [joined(one), join(DIST, `${one}.js`)]))
await joinModules(ROOT, RUN, entry, {
  plugins: [wherePlaced, oneLanguage, notedIn(packages)],
  deps: { alwaysBundle: [/./], neverBundle: APART },
})

for (const program of PROGRAMS) {
  const path = join(DIST, `${program}.js`)
  const shebang = readFileSync(path, 'utf8').startsWith('#!') ? '#!/usr/bin/env node\n' : ''
  const target = join(RUN, `${joined(program)}.js`)
  writeFileSync(path, `${shebang}import '${specifier(path, target)}'\n`)
}
const vendored = join(DIST, 'vendor/LICENCE')
writeFileSync(join(RUN, 'LICENCES'), licencesText(packages, [readFileSync(vendored, 'utf8')]))
