// Writes dist/client-package/: the package cartwall-client, the client of this build by itself.
//
// It is for apps: no daemon, no native addon, no dependency. What it has is what `cartwall/client`
// is made of, file by file, so that the two can never say different things.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const FROM = join(ROOT, 'dist/client')
const TARGET = join(ROOT, 'dist/client-package')

const IMPORT = /(?:from|import)\s*\(?'(\.\/[^']+)\.js'/g

/** Every file that the entry needs, as code or as types. */
const reachable = (entry) => {
  const found = new Set([entry])
  // A set that grows is walked to its end.
  for (const name of found) {
    for (const ending of ['.js', '.d.ts']) {
      const text = readFileSync(join(FROM, `${name}${ending}`), 'utf8')
      for (const [, path] of text.matchAll(IMPORT)) found.add(path.slice('./'.length))
    }
  }
  return found
}

const { version, license, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const MANIFEST = {
  name: 'cartwall-client',
  version,
  description: 'The typed client of cartwall, a media player daemon for live rooms, by itself.',
  type: 'module',
  license,
  keywords: ['cartwall', 'audio', 'playback', 'quiz'],
  engines,
  // For what does not look at `exports`: Parcel, older React Native, TypeScript's node10.
  main: './client.js',
  types: './client.d.ts',
  exports: {
    '.': { types: './client.d.ts', default: './client.js' },
    './package.json': './package.json',
  },
  sideEffects: false,
}

const README = `# cartwall-client

The typed client of [cartwall](https://www.npmjs.com/package/cartwall), a media player daemon for
live rooms, for apps that only talk to it. The same code as \`cartwall/client\`, without the daemon,
its packages and its sound addon; it has no dependency.

\`\`\`ts
import { createClient } from 'cartwall-client'

const client = createClient({ baseUrl: 'http://127.0.0.1:47831/api/v1' })
const { buttons } = await client.buttons()
\`\`\`

Take the version that the daemon has, or an older one. To test an app, take \`cartwall\` as a
development dependency: \`cartwall/testing\` is the real player on a clock that tests move.
`

rmSync(TARGET, { recursive: true, force: true })
for (const name of reachable('client')) {
  for (const ending of ['.js', '.d.ts']) {
    const path = join(TARGET, `${name}${ending}`)
    mkdirSync(dirname(path), { recursive: true })
    cpSync(join(FROM, `${name}${ending}`), path)
  }
}
writeFileSync(join(TARGET, 'package.json'), `${JSON.stringify(MANIFEST, null, 2)}\n`)
writeFileSync(join(TARGET, 'README.md'), README)
cpSync(join(ROOT, 'LICENSE'), join(TARGET, 'LICENSE'))
