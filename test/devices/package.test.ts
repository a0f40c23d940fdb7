// What is published, tried as an app gets it: installed, compiled, bundled, run, in a browser.
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync,
  writeFileSync,
} from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { build } from 'tsdown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../browser/chromium.js'
import { buttonOf, ServedShow } from './client-daemon.js'

const ROOT = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'cartwall-package-'))
const app = join(folder, 'app')
/** An app that has the client's files and no package besides. */
const bare = join(folder, 'bare')
const installed = join(app, 'node_modules/cartwall')

const run = (command: string, args: readonly string[], cwd: string) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  return { status, says: `${stdout}${stderr}` }
}

const write = (path: string, text: string): void => {
  mkdirSync(resolve(path, '..'), { recursive: true })
  writeFileSync(path, text)
}

let install = { status: null as number | null, says: '' }
let tarball = ''

beforeAll(() => {
  const packed = run('npm', ['pack', '--json', '--pack-destination', folder], ROOT)
  tarball = join(folder, /cartwall-[\d.]+\.tgz/.exec(packed.says)?.[0] ?? 'nothing')
  write(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }')
  // Without the sound addon, which takes a compiler half a minute.
  const args = ['install', tarball, '--omit=optional', '--prefer-offline', '--no-audit']
  install = run('npm', args, app)
  const target = join(bare, 'node_modules/cartwall')
  mkdirSync(join(target, 'dist'), { recursive: true })
  cpSync(join(installed, 'package.json'), join(target, 'package.json'))
  cpSync(join(installed, 'dist/client'), join(target, 'dist/client'), { recursive: true })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the tarball', () => {
  test('installs by a plain npm install, and no peer is unhappy', () => {
    expect(install.status, install.says).toBe(0)
    expect(install.says).not.toMatch(/ERESOLVE|peer/i)
    expect(run('npm', ['ls', '--all'], app).status).toBe(0)
  })

  test('holds what it says it exports, and nothing that only we need', () => {
    const there = [
      'dist/client/client.d.ts', 'dist/testing/test-player.js', 'demo/show.json',
      'examples/quiz/quiz.ts',
    ]
    for (const path of there) {
      expect(existsSync(join(installed, path)), path).toBe(true)
    }
    for (const path of ['src', 'test', 'node_modules', 'dist/cli.js.map']) {
      expect(existsSync(join(installed, path)), path).toBe(false)
    }
  })

  test('names no source map, since none is in it: Vite and webpack complain of each', () => {
    const found = run('grep', ['-rl', 'sourceMappingURL', '--include=*.js', 'dist'], installed)
    expect(found.says).toBe('')
  })

  test('publint has nothing to say', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true })
    expect(messages).toEqual([])
  })

  test('the types resolve for every kind of app that can load it', () => {
    const attw = join(ROOT, 'node_modules/.bin/attw')
    const { status, says } = run(attw, [tarball, '--profile', 'esm-only'], ROOT)
    expect(status, says).toBe(0)
  })

  test('the command works', () => {
    const { status, says } = run(join(app, 'node_modules/.bin/cartwall'), ['--version'], app)
    expect(status).toBe(0)
    expect(says).toContain('0.1.0')
    const check = [join(installed, 'dist/cli.js'), 'check', join(installed, 'demo/show.json')]
    expect(run(process.execPath, check, app).status).toBe(0)
    // Without the addon nothing is known of devices, which is not to say that there is none.
    const { status: code, says: why } = run(process.execPath, [check[0] ?? '', 'devices'], app)
    expect(code).toBe(1)
    expect(why).toMatch(/^cartwall: the sound addon .* does not load .*patch-speaker.* it lacks$/m)
    // What is to be typed is right in every folder: in an app's, and in any after `npm install -g`.
    expect(why).toContain(`\`node '${join(installed, 'scripts/patch-speaker.mjs')}'\``)
    // Nor with one that npm built as it is, where it left our own script out.
    const speaker = join(app, 'node_modules/speaker')
    write(join(speaker, 'package.json'), '{ "name": "speaker", "main": "index.js" }')
    write(join(speaker, 'index.js'), 'exports.binding = { open() {}, write() {} }')
    const plain = run(process.execPath, [check[0] ?? '', 'devices'], app)
    rmSync(speaker, { recursive: true })
    expect(plain.status).toBe(1)
    expect(plain.says)
      .toMatch(/^cartwall: the sound addon is not patched: .*patch-speaker.* it lacks$/m)
  })
})

test.runIf(process.platform === 'linux')('what an app lacks for the sound addon is named', () => {
  const bin = join(folder, 'bin')
  for (const name of ['cc', 'make', 'python3', 'pkg-config']) {
    write(join(bin, name), '#!/bin/sh\n')
    chmodSync(join(bin, name), 0o755)
  }
  const script = join(installed, 'scripts/patch-speaker.mjs')
  const says = (): string =>
    spawnSync(process.execPath, [script], { encoding: 'utf8', env: { PATH: bin } }).stderr
  expect(says()).toMatch(/: patch missing; .* type: apt-get install .* make patch /)
  // With all of it there, npm has hidden why it could not be built, e.g. away from nodejs.org.
  write(join(bin, 'patch'), '#!/bin/sh\n')
  chmodSync(join(bin, 'patch'), 0o755)
  expect(says()).toMatch(/: `speaker` is not installed; `npm install --foreground-scripts` /)
})

const APP = `
import { Background, CartwallError, createClient, DmxSync, watch } from 'cartwall/client'
import type { Execution, RunState } from 'cartwall/client'

const client = createClient({ baseUrl: 'http://127.0.0.1:47831/api/v1', fetch })
export const use = async (): Promise<RunState | 409 | null> => {
  const { buttons } = await client.buttons()
  const first = buttons[0]
  if (first === undefined) return null
  const start = await client.play(first.id, { externalSequencing: true }, { idempotencyKey: 'k' })
  if (start.executionId === null) return null
  const body = { executionId: start.executionId, fadeOutMs: 500 }
  const run: Execution = await client.pause(first.id, body, { signal: AbortSignal.timeout(5) })
  // @ts-expect-error the id is required
  await client.resume(first.id, { fadeInMs: 1 })
  // @ts-expect-error no such option
  await client.restart(first.id, { looop: true })
  try { await client.panic() } catch (error) {
    if (error instanceof CartwallError && error.code === 'app_busy') return error.status
  }
  new Background(client, { beds: [first.id], onChange: ({ state }) => void state })
  watch(client, { onRun: ({ endReason }) => void endReason })
  return run.state
}
`
const PAGE = `${APP}
new DmxSync(client, { buttonId: '', dmxExecutionId: '', clock: document.createElement('video') })
`

describe('the types of the client alone', () => {
  test.each([
    ['a page', PAGE, { lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [], module: 'ESNext',
      moduleResolution: 'bundler' }],
    ['Node', APP, { lib: ['ES2022'], types: ['node'], module: 'NodeNext',
      moduleResolution: 'NodeNext', typeRoots: [join(ROOT, 'node_modules/@types')] }],
  ])('compile strictly in %s, without any other package', (_what, text, options) => {
    write(join(bare, 'app.ts'), text)
    write(join(bare, 'package.json'), '{ "type": "module" }')
    const compilerOptions = {
      target: 'ES2022', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false,
      noEmit: true, ...options,
    }
    write(join(bare, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }))
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const { status, says } = run(process.execPath, [tsc, '-p', '.'], bare)
    expect(says).toBe('')
    expect(status).toBe(0)
  })
})

const TESTED = `
import { createClient } from 'cartwall'
import { createTestPlayer } from 'cartwall/testing'

export const heard = async (): Promise<readonly string[]> => {
  const player = createTestPlayer(
    { version: 1, title: 't', playlists: [] }, { media: { 'a.wav': { durationMs: 5 } } },
  )
  createClient({ baseUrl: player.baseUrl, fetch: player.fetch })
  await player.advance(100)
  // @ts-expect-error it takes milliseconds
  await player.advance('100')
  return player.heard().map(({ media }) => media)
}
`

test('the types of the test player need no browser', () => {
  write(join(app, 'tested.ts'), TESTED)
  symlinkSync(join(ROOT, 'node_modules/msw'), join(app, 'node_modules/msw'))
  const compilerOptions = {
    target: 'ES2023', lib: ['ES2023'], types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    module: 'NodeNext', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false,
    noEmit: true,
  }
  write(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['tested.ts'] }))
  const { says } = run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')], app)
  // What msw declares about browsers is not ours; it lies in this clone, whatever that is called.
  const ofOurs = /^(tested\.ts|(.*\/)?node_modules\/cartwall\/)/
  const ours = says.split('\n').filter((line) => ofOurs.test(line))
  expect(ours).toEqual([])
  rmSync(join(app, 'node_modules/msw'))
})

test('the test player runs where a test has browser builds of other packages (Svelte)', () => {
  symlinkSync(join(ROOT, 'node_modules/msw'), join(app, 'node_modules/msw'))
  const name = "import { createTestPlayer } from 'cartwall/testing'"
  const made = "createTestPlayer({ title: 't', playlists: [] }, {}).now()"
  write(join(app, 'in-svelte.mjs'), `${name}\nconsole.log(${made})`)
  // From Node 25 on msw's look for a localStorage is warned of.
  const quiet = '--disable-warning=ExperimentalWarning'
  const { says } = run(process.execPath, [quiet, '-C', 'browser', 'in-svelte.mjs'], app)
  expect(says.trim()).toBe('0')
  rmSync(join(app, 'node_modules/msw'))
})

const bundleOf = async (text: string, cwd = bare): Promise<string> => {
  const name = `entry-${text.length}`
  write(join(cwd, `${name}.js`), text)
  await build({
    config: false, cwd, entry: [`${name}.js`], outDir: 'out', format: 'esm', dts: false,
    platform: 'browser', minify: true, clean: false, logLevel: 'error', fixedExtension: false,
    deps: { alwaysBundle: [/./] },
  })
  return readFileSync(join(cwd, 'out', `${name}.js`), 'utf8')
}

test('the test player says in a browser that it cannot be there', async () => {
  const name = "import { createTestPlayer, TestPlayer } from 'cartwall/testing'"
  const text = await bundleOf(`${name}\nconsole.log(createTestPlayer, TestPlayer)`, app)
  write(join(app, 'in-browser.mjs'), text)
  const { status, says } = run(process.execPath, ['in-browser.mjs'], app)
  expect(status).toBe(1)
  expect(says).toMatch(/Error: cartwall\/testing .* need Node: use it in .* node, jsdom/)
})

const zipped = (text: string): number => gzipSync(text, { level: 9 }).length

describe('the bundle', () => {
  test('of the bare client is under 2 KB, and has nothing of the rest', async () => {
    const text = await bundleOf("export { createClient, CartwallError } from 'cartwall/client'")
    expect(zipped(text)).toBeLessThan(2048)
    expect(text).not.toContain('externalSequencing')
  })

  test('of everything is under 11.6 KB', async () => {
    const text = await bundleOf("export * from 'cartwall/client'")
    expect(text).toContain('externalSequencing')
    expect(zipped(text)).toBeLessThan(11_878)
  })
})

const SESSION = `
const session = async (createClient, watch, baseUrl, id) => {
  const client = createClient({ baseUrl })
  const modes = []
  const stop = watch(client, { onMode: (mode) => modes.push(mode) })
  const { executionId } = await client.play(id, { externalSequencing: true })
  const refused = await client.resume(id, { executionId: id }).catch((error) => error)
  await client.pause(id, { executionId, fadeOutMs: 0 }, { idempotencyKey: executionId })
  await client.resume(id, { executionId })
  const stopped = await client.stop(id, { executionId, fadeOutMs: 0 })
  const run = await client.execution(executionId)
  for (let n = 0; n < 100 && modes.length === 0; n += 1) await new Promise((r) => setTimeout(r, 20))
  stop()
  const told = [refused.status, refused.code, stopped.result, run.state, run.endReason, ...modes]
  return told.join(' ')
}
`
const TOLD = '404 execution_not_found stopped stopped explicit_stop events'

describe('against the daemon', () => {
  const show = new ServedShow([60_000])
  beforeAll(() => show.start())
  afterAll(() => show.clean())
  const call = (): string => `session(createClient, watch, '${show.baseUrl}', '${buttonOf(1)}')`

  test('the client runs in Node as it was installed', () => {
    const script = `import { createClient, watch } from 'cartwall/client'\n${SESSION}
      console.log(await ${call()})\nprocess.exit(0)`
    write(join(bare, 'session.mjs'), script)
    const { says } = run(process.execPath, ['session.mjs'], bare)
    const hasSockets = 'WebSocket' in globalThis
    expect(says.trim()).toBe(hasSockets ? TOLD.replace(/events$/, 'live') : TOLD)
  })

  test('the client runs in a browser, from a page of another origin', async () => {
    const library = await bundleOf("export { createClient, watch } from 'cartwall/client'")
    const page = `<!doctype html><title>client</title><script type="module">
      import { createClient, watch } from '/library.js'\n${SESSION}
      const told = await ${call()}.catch((error) => String(error))
      await fetch('/told', { method: 'POST', body: told })</script>`
    // A browser has WebSockets.
    expect(await browse(page, library)).toBe(TOLD.replace(/events$/, 'live'))
  }, 90_000)
})

/** Opens the page in headless Chromium; answers what it posts to /told. */
const browse = async (page: string, library: string): Promise<string> => {
  let tell: (told: string) => void = () => undefined
  const told = new Promise<string>((done) => (tell = done))
  const server = http.createServer((request, response) => {
    if (request.url === '/told') {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () => tell(text))
      response.end()
      return
    }
    const isPage = request.url === '/'
    const type = isPage ? 'text/html' : 'text/javascript'
    response.writeHead(200, { 'content-type': type }).end(isPage ? page : library)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const profile = join(folder, 'profile')
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`]
  const browser = spawn(CHROMIUM, [...flags, `http://127.0.0.1:${port}/`], { stdio: 'ignore' })
  try {
    const failed = new Promise<string>((_done, fail) => browser.once('error', fail))
    return await Promise.race([told, failed])
  } finally {
    const gone = new Promise((done) => browser.once('exit', done))
    if (browser.pid !== undefined && browser.exitCode === null) {
      browser.kill('SIGTERM')
      await gone
    }
    server.close()
    server.closeAllConnections()
  }
}
