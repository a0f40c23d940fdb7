// The sound addon of an app: patched before npm compiles it, and made anew at an upgrade.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync,
  symlinkSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'cartwall-addon-'))
const app = join(folder, 'app')
const cartwall = join(app, 'node_modules/cartwall')
const speaker = join(app, 'node_modules/speaker')
const binary = join(speaker, 'build/Release/binding.node')
const SOURCE = 'deps/mpg123/src/output/alsa.c'
const PATCH = [
  `--- a/node_modules/speaker/${SOURCE}`, `+++ b/node_modules/speaker/${SOURCE}`,
  '@@ -1,2 +1,3 @@', ' first', '+try_write_alsa as now', ' last', '',
].join('\n')
const HASH = createHash('sha256').update(PATCH).digest('hex')
const MACHINE = `${process.platform} ${process.arch} ${process.versions.modules}`

const write = (path: string, text: string): void => {
  mkdirSync(resolve(path, '..'), { recursive: true })
  writeFileSync(path, text)
}

/**
 * Packs the package as it came, and builds by a copy of the source; each may be made to fail. Its
 * `rebuild` is that of npm 12, whose scripts the app has not allowed: nothing, and all is well.
 */
const NPM = `#!/bin/sh
echo "$1" >> ${folder}/calls
test -e ${folder}/no-"$1" && { echo "$1 fails"; exit 1; }
test -e ${folder}/idle && exit 0
case "$1" in
  pack) test "$2" = speaker@0.5.5 && tar -czf "$5/speaker-0.5.5.tgz" -C ${folder}/fresh package ;;
  exec) rm -rf ${speaker}/build; mkdir -p ${speaker}/build/Release
    cp ${speaker}/${SOURCE} ${binary} ;;
esac
`

/** With these commands alone, else with all that this machine has; by this user, or another one. */
const install = (commands: readonly string[] | null = null, as: { uid?: number } = {}): string => {
  const [bin, temporary, few] = ['bin', 'temporary', 'few'].map((name) => join(folder, name))
  for (const path of [temporary!, few!]) mkdirSync(path, { recursive: true })
  for (const name of commands ?? []) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()
    const own = join(bin!, name)
    symlinkSync(existsSync(own) ? own : found, join(few!, name))
  }
  const path = commands === null ? `${bin!}:${process.env['PATH'] ?? ''}` : few!
  const env = { PATH: path, TMPDIR: temporary! }
  const script = join(cartwall, 'scripts/patch-speaker.mjs')
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8', env, ...as })
  expect([status, readdirSync(temporary!)]).toEqual([0, []])
  rmSync(few!, { recursive: true })
  return stderr
}

const BUILDING = 'sound: building the sound addon (once)\n'
const built = (): string => readFileSync(binary, 'utf8')
const calls = (): string[] => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')

/** As a cartwall of before left it: its patch, and the stamp of what was built. */
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  write(join(cartwall, 'package.json'), '{ "name": "cartwall" }')
  write(join(cartwall, 'patches/speaker+0.5.5.patch'), PATCH)
  mkdirSync(join(cartwall, 'scripts'))
  const script = 'scripts/patch-speaker.mjs'
  cpSync(join(ROOT, script), join(cartwall, script))
  for (const name of ['cc', 'gcc', 'make', 'python3', 'pkg-config', 'npm']) {
    write(join(folder, 'bin', name), name === 'npm' ? NPM : '#!/bin/sh\n')
    chmodSync(join(folder, 'bin', name), 0o755)
  }
  for (const [to, text] of [
    [join(folder, 'fresh/package'), 'first\nlast\n'],
    [speaker, 'first\ntry_write_alsa as it was\nlast\n'],
  ] as const) {
    write(join(to, 'package.json'), '{ "name": "speaker", "version": "0.5.5" }')
    write(join(to, SOURCE), text)
  }
  write(join(folder, 'calls'), '')
  write(join(speaker, 'node_modules/bindings/package.json'), '{}')
  write(join(speaker, 'build/.cartwall-patch'), `${'0'.repeat(64)} ${MACHINE}`)
  write(binary, 'as it was')
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const needed = spawnSync('patch', ['--version']).status === 0

const canRun = process.platform === 'linux' && needed

test.runIf(canRun)('an addon whose scripts npm left out is patched and built all the same', () => {
  fresh()
  expect(install()).toBe(BUILDING)
  expect(built()).toBe('first\ntry_write_alsa as now\nlast\n')
  expect(calls()).toEqual(['exec'])
})

/** What the stand-in for npm needs, and what a build does. */
const TO_BUILD = ['npm', 'mkdir', 'cp', 'rm', 'cc', 'make', 'python3', 'pkg-config']

const fresh = (): void => {
  cpSync(join(folder, 'fresh/package'), speaker, { recursive: true })
  rmSync(join(speaker, 'build'), { recursive: true })
}

describe.runIf(canRun)('what is built', () => {
  test('is built once more for another Node, or where it is gone; else it is left alone', () => {
    fresh()
    install()
    const stamp = join(speaker, 'build/.cartwall-patch')
    expect([install(), calls()]).toEqual(['', ['exec']])
    expect(readFileSync(stamp, 'utf8')).toBe(`${HASH} ${MACHINE}`)
    write(stamp, `${HASH} ${process.platform} ${process.arch} 1`)
    expect([install(), calls()]).toEqual([BUILDING, ['exec', 'exec']])
    rmSync(binary)
    expect([install(), calls()]).toEqual([BUILDING, ['exec', 'exec', 'exec']])
  })

  test('needs no patch(1) where the patch is in it', () => {
    fresh()
    install()
    rmSync(join(speaker, 'build'), { recursive: true })
    expect(install(TO_BUILD)).toBe(BUILDING)
    // As a cartwall that made no mark left it.
    rmSync(join(speaker, '.cartwall-patched'))
    expect([install(TO_BUILD), calls()]).toEqual(['', ['exec', 'exec']])
  })

  test.each([['no-exec', /\(exec fails\)$/], ['idle', /could not be rebuilt/]])(
    'is tried again after a build that came to nothing: %s', (how, told) => {
      fresh()
      write(join(folder, how), '')
      expect(install().trimEnd()).toMatch(told)
      rmSync(join(folder, how))
      install()
      expect(built()).toContain('as now')
    },
  )

  test('is nothing where its files cannot be written: that is said in one line', () => {
    fresh()
    mkdirSync(join(speaker, '.cartwall-patched'))
    expect(install()).toMatch(/^sound: `speaker` could not be rebuilt \(EISDIR: .*\)\n$/)
  })

  // E.g. by whom the service runs as, in a package that root installed.
  test.runIf(process.getuid?.() === 0)('is nothing for another user, who is told so', () => {
    fresh()
    install()
    rmSync(join(speaker, 'build'), { recursive: true })
    rmSync(join(speaker, '.cartwall-patched'))
    chmodSync(folder, 0o755)
    expect(install(null, { uid: 54_321 }))
      .toMatch(/ \(EACCES: .*\): run this as the user who installed it\n$/)
  })

  test('is nothing for an addon that no patch is for: it is said how it plays', () => {
    fresh()
    write(join(speaker, 'package.json'), '{ "name": "speaker", "version": "0.6.0" }')
    expect(install()).toBe('sound: no patch for `speaker` 0.6.0: it plays half a second late\n')
    expect(calls()).toEqual([''])
  })

  test('is nothing where commands are missing: each is named, and what to type', () => {
    fresh()
    const type = 'on Debian or Ubuntu type: apt-get install -y libasound2-dev gcc g++ make patch '
      + 'python3\n'
    const missing = (words: string): string =>
      `sound: \`speaker\` cannot be rebuilt: ${words} missing; ${type}`
    expect(install(['pkg-config'])).toBe(missing('a C compiler, make, python3, patch'))
    expect(install(['pkg-config', 'gcc', 'python3', 'patch'])).toBe(missing('make'))
    expect(calls()).toEqual([''])
  })
})

/** As npm gets them: cartwall with its own scripts, `speaker` with an `install` of its own. */
const packBoth = (compiles: string): string => {
  const manifest = readFileSync(join(ROOT, 'package.json'), 'utf8')
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> }
  const pack = (from: string, name: string, more: object): string => {
    write(join(from, 'package.json'), JSON.stringify({ name, version: '0.5.5', ...more }))
    const tarball = join(folder, `${name}.tgz`)
    const args = ['-czf', tarball, '-C', resolve(from, '..'), 'package']
    expect(spawnSync('tar', args).status).toBe(0)
    return tarball
  }
  const addon = pack(join(folder, 'fresh/package'), 'speaker', { scripts: { install: compiles } })
  const packed = join(folder, 'packed/package')
  cpSync(cartwall, packed, { recursive: true })
  const { preinstall, postinstall } = scripts
  return pack(packed, 'cartwall', {
    scripts: { preinstall, postinstall }, optionalDependencies: { speaker: `file:${addon}` },
  })
}

test.runIf(canRun)('one that compiles only with the patch is there after `npm install`', () => {
  const tarball = packBoth(`grep -q try_write_alsa ${SOURCE}`)
  rmSync(app, { recursive: true })
  write(join(app, 'package.json'), '{ "name": "app", "private": true }')
  const npm = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim()
  const { status, stderr } = spawnSync(npm, ['install', tarball, '--no-audit', '--offline'], {
    cwd: app, encoding: 'utf8',
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` },
  })
  expect(status, stderr).toBe(0)
  expect(built()).toBe('first\ntry_write_alsa as now\nlast\n')
})

test.runIf(canRun)('before npm compiles it, it is patched and no more, once', () => {
  const before = { encoding: 'utf8' as const }
  const script = [join(cartwall, 'scripts/patch-speaker.mjs'), '--sources']
  const source = (): string => readFileSync(join(speaker, SOURCE), 'utf8')
  expect(spawnSync(process.execPath, script, before).stderr).toBe('')
  expect(source()).toContain('as it was')
  write(join(speaker, SOURCE), 'first\nlast\n')
  expect(spawnSync(process.execPath, script, before)).toMatchObject({ status: 0, stderr: '' })
  expect(source()).toContain('as now')
  rmSync(speaker, { recursive: true })
  expect(spawnSync(process.execPath, script, before)).toMatchObject({ status: 0, stderr: '' })
  expect([calls(), existsSync(binary)]).toEqual([[''], false])
})

test.runIf(canRun)('for arm64 it is compiled with headers that are there', () => {
  const copy = join(folder, 'copy')
  const from = join(ROOT, 'node_modules/speaker')
  cpSync(from, copy, { recursive: true, filter: (path) => path !== join(from, 'build') })
  const made = ['exec', '-c', 'node-gyp configure --arch=arm64']
  const { status, stderr } = spawnSync('npm', made, { cwd: copy, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  const rules = readFileSync(join(copy, 'build/deps/mpg123/output.target.mk'), 'utf8')
  const folders = [...rules.matchAll(/-I\$\(srcdir\)\/(\S+)/g)].map(([, path]) => path ?? '')
  expect(folders).toContain('deps/mpg123/src')
  expect(folders.filter((path) => !existsSync(join(copy, path)))).toEqual([])
})

describe.runIf(canRun)('an addon with an earlier patch', () => {
  test('is fetched, patched and built anew, once', () => {
    install()
    expect(built()).toBe('first\ntry_write_alsa as now\nlast\n')
    expect(calls()).toEqual(['pack', 'exec'])
    expect(existsSync(join(speaker, 'node_modules/bindings/package.json'))).toBe(true)
    install()
    expect(calls()).toEqual(['pack', 'exec'])
  })

  test('so is one that was built anew with it, and stamped as if it were the present one', () => {
    write(join(speaker, 'build/.cartwall-patch'), `${HASH} ${MACHINE}`)
    install()
    expect(built()).toContain('as now')
  })

  test('after that a rebuild by npm needs no other sources', () => {
    install()
    rmSync(join(speaker, 'build'), { recursive: true })
    install()
    expect([built(), calls()]).toEqual([
      'first\ntry_write_alsa as now\nlast\n', ['pack', 'exec', 'exec'],
    ])
  })

  test('plays on as it was where what was fetched cannot be written', () => {
    mkdirSync(join(folder, 'fresh/package/.cartwall-patched'))
    expect(install()).toMatch(/could not be rebuilt \(EISDIR: /)
    expect([built(), existsSync(join(speaker, '.cartwall-patched'))]).toEqual(['as it was', false])
  })

  test.each([['pack', 'cannot be fetched anew'], ['exec', 'could not be rebuilt']])(
    'plays on as it was where npm %s fails, and that is said', (word, told) => {
      write(join(folder, `no-${word}`), '')
      expect(install()).toMatch(new RegExp(`${told} \\(.*${word} fails`))
      expect(built()).toBe('as it was')
      expect(readFileSync(join(speaker, SOURCE), 'utf8')).toContain('as it was')
    },
  )
})
