// Builds the pages that the daemon serves, the wall and the stage, into dist/pages.
//
// Each folder of src/pages that has an index.html is a page. What comes out is what the listener
// serves as it stands: index.html for the wall, NAME.html for every other page, and its script and
// its style as assets/NAME-HASH.EXT with a .br and a .gz beside each, so that nothing is compressed
// while a show runs. Each page is built by itself: what pages share is small, and a file of its own
// for it would be one more request before anything is seen.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { licencesText, notedIn } from './licences.mjs'

const ROOT = join(import.meta.dirname, '..')
const SOURCE = join(ROOT, 'src', 'pages')
const TARGET = join(ROOT, 'dist', 'pages')

const pages = readdirSync(SOURCE).filter((name) => existsSync(join(SOURCE, name, 'index.html')))

/** No newer than docs/stage.md promises; `src/pages/tsconfig.json` allows no newer words either. */
const BROWSERS = ['chrome109', 'firefox115', 'safari16']

// As tests and some shells have it, `test` or `development`: the pages would be those for a
// developer, a seventh larger and with the paths of this machine in them.
process.env.NODE_ENV = 'production'

/** What the pages are made of; their scripts have no comment left. */
const packages = new Set()

rmSync(TARGET, { recursive: true, force: true })
for (const name of pages) {
  await build({
    configFile: false,
    root: SOURCE,
    base: '/',
    publicDir: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: TARGET,
      emptyOutDir: false,
      target: BROWSERS,
      // The pages' policy allows no code in the page itself; what is small stays a file too.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        plugins: [notedIn(packages)],
        input: { [name]: join(SOURCE, name, 'index.html') },
        output: {
          entryFileNames: 'assets/[name]-[hash].js',
          chunkFileNames: 'assets/[name]-[hash].js',
          assetFileNames: 'assets/[name]-[hash][extname]',
        },
      },
    },
  })
  const page = name === 'wall' ? 'index.html' : `${name}.html`
  renameSync(join(TARGET, name, 'index.html'), join(TARGET, page))
  rmSync(join(TARGET, name), { recursive: true })
}
writeFileSync(join(TARGET, 'LICENCES'), licencesText(packages))

const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })

for (const folder of [TARGET, join(TARGET, 'assets')]) {
  for (const name of readdirSync(folder).filter((each) => /\.(html|js|css|svg)$/.test(each))) {
    const path = join(folder, name)
    const bytes = readFileSync(path)
    writeFileSync(`${path}.br`, brotli(bytes))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
