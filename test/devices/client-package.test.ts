// cartwall-client as an app gets it: packed, unpacked, and alone.
import { spawnSync } from 'node:child_process'
import {
  mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'cartwall-client-'))
const installed = join(folder, 'node_modules/cartwall-client')

const run = (command: string, args: readonly string[], cwd: string) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  return { status, says: `${stdout}${stderr}` }
}

beforeAll(() => {
  const built = join(ROOT, 'dist/client-package')
  const packed = run('npm', ['pack', '--pack-destination', folder], built)
  const tarball = /cartwall-client-[\d.]+\.tgz/.exec(packed.says)?.[0] ?? packed.says
  mkdirSync(installed, { recursive: true })
  run('tar', ['xzf', join(folder, tarball), '-C', installed, '--strip-components=1'], folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
})
afterAll(() => rmSync(folder, { recursive: true }))

test('it needs nothing, and is as small as it says', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as object
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string
    engines: object
  }
  const { version, engines } = own
  expect(manifest).toMatchObject({ name: 'cartwall-client', version, engines })
  for (const key of ['dependencies', 'peerDependencies', 'scripts']) {
    expect(manifest).not.toHaveProperty(key)
  }
  const files = readdirSync(installed)
  expect(files).toContain('LICENSE')
  // What npm shows of it.
  expect(readFileSync(join(installed, 'README.md'), 'utf8')).toContain("from 'cartwall-client'")
  const bytes = files.reduce((sum, name) => sum + statSync(join(installed, name)).size, 0)
  expect(bytes).toBeLessThan(151_000)
  for (const name of files.filter((it) => it.endsWith('.js'))) {
    expect(readFileSync(join(installed, name), 'utf8')).not.toMatch(/from '(?!\.\/)|node:/)
  }
})

test('it is what cartwall/client is', () => {
  const names = (from: string): string => `Object.keys(await import('${from}')).sort().join(' ')`
  const code = `console.log(${names('cartwall-client')}); console.log(${names(
    join(ROOT, 'dist/client/client.js'),
  )})`
  const { status, says } = run(process.execPath, ['--input-type=module', '-e', code], folder)
  expect(status, says).toBe(0)
  const [alone, daemons] = says.trim().split('\n')
  expect(alone).toBe(daemons)
  expect(alone).toContain('createClient')
})

test('it is found where `exports` are not looked at (Parcel, moduleResolution node10)', () => {
  const files = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    main?: string
    types?: string
  }
  expect(readFileSync(join(installed, files.main ?? ''), 'utf8')).toContain('createClient')
  expect(readFileSync(join(installed, files.types ?? ''), 'utf8')).toContain('createClient')
})

test('an app compiles against it without the DOM', () => {
  writeFileSync(join(folder, 'app.ts'), `
import { createClient, watch, type Execution } from 'cartwall-client'
const client = createClient({ baseUrl: 'http://127.0.0.1:47831/api/v1' })
export const first = async (): Promise<Execution | null> => {
  const { buttons } = await client.buttons()
  const id = buttons[0]?.executionId ?? null
  return id === null ? null : client.execution(id)
}
watch(client, { onRun: ({ endReason }) => void endReason })
`)
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023']
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
  const args = [tsc, ...strict, '--lib', 'es2023', ...types, 'app.ts']
  const { status, says } = run(process.execPath, args, folder)
  expect(status, says).toBe(0)
}, 60_000)

test('publint has nothing to say', async () => {
  const { messages } = await publint({ pkgDir: installed, pack: false, strict: true })
  expect(messages).toEqual([])
})
