// The setup script among programs of our own making: what it runs, and what it names.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync,
  utimesSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const SETUP = fileURLToPath(new URL('../../scripts/setup.mjs', import.meta.url))
/** Nobody in particular: a user who may install nothing. */
const NOBODY = 65_534

let root = ''
let bin = ''

/** A program for the PATH: it notes its arguments, then does `body`. */
const program = (name: string, body: string): void => {
  const path = join(bin, name)
  writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> ${join(root, 'ran')}\n${body}\n`)
  chmodSync(path, 0o755)
}

const programs = (...names: string[]): void => {
  for (const name of names) program(name, 'exit 0')
}

const put = (path: string, content: unknown): void => {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(join(root, path), text)
}

const LOCK = {
  packages: {
    '': {},
    'node_modules/a': { version: '1.0.0', integrity: 'x' },
    'node_modules/o': { version: '1.0.0', optional: true },
  },
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cartwall-setup-'))
  chmodSync(root, 0o777)
  bin = join(root, 'bin')
  for (const folder of ['bin', 'scripts', 'src', 'patches', 'node_modules/speaker', 'dist']) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  cpSync(SETUP, join(root, 'scripts', 'setup.mjs'))
  put('scripts/patch-dmxnet.mjs', '')
  put('scripts/patch-speaker.mjs', '')
  put('src/cli.ts', '')
  put('dist/cli.js', '')
  for (const name of ['package.json', 'tsconfig.json', 'tsconfig.build.json']) put(name, '{}')
  put('package-lock.json', LOCK)
  put('node_modules/.package-lock.json', LOCK)
  symlinkSync('/usr/bin/env', join(bin, 'env'))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

const setup = (
  uid: number | null, before: readonly string[] = [], after: readonly string[] = [],
): { code: number | null; err: string; ran: string } => {
  rmSync(join(root, 'ran'), { force: true })
  writeFileSync(join(root, 'ran'), '')
  chmodSync(join(root, 'ran'), 0o666)
  const user = uid !== null && process.getuid?.() === 0 ? { uid } : {}
  const result = spawnSync(process.execPath, [
    ...before, join(root, 'scripts', 'setup.mjs'), ...after,
  ], {
    env: { PATH: bin },
    encoding: 'utf8',
    ...user,
  })
  return { code: result.status, err: result.stderr, ran: readFileSync(join(root, 'ran'), 'utf8') }
}

/** Only there does the script install by itself; vitest lists what it passes over elsewhere. */
const onDebian = it.runIf(existsSync('/etc/debian_version'))

const COMPLETE = ['ffmpeg', 'ffprobe', 'g++', 'make', 'python3', 'npm']

describe('with all system packages there', () => {
  beforeEach(() => {
    programs(...COMPLETE)
  })

  it('builds what is stale, once, and is quiet where nothing is to do', () => {
    expect(setup(null)).toMatchObject({ code: 0, ran: 'npm run --silent build\n' })
    expect(setup(null)).toEqual({ code: 0, err: '', ran: '' })
    utimesSync(join(root, 'src', 'cli.ts'), 1, 1)
    expect(setup(null).ran).toBe('npm run --silent build\n')
    const read = ['package.json', 'tsconfig.json', 'tsconfig.build.json']
    for (const path of [...read, 'src/new.ts', 'scripts/pages.mjs', 'patches/dmxnet.patch']) {
      put(path, 'new')
      expect(setup(null).ran).toBe('npm run --silent build\n')
    }
    rmSync(join(root, 'dist', 'cli.js'))
    expect(setup(null).ran).toBe('npm run --silent build\n')
  })

  it('installs npm packages where they differ from the lockfile', () => {
    setup(null)
    const ci = 'npm ci --include=dev --include=optional --ignore-scripts\n'
    put('node_modules/.package-lock.json', { packages: {} })
    expect(setup(null).ran).toBe(ci)
    put('node_modules/.package-lock.json', {
      packages: { 'node_modules/a': { version: '1.0.1', integrity: 'x' } },
    })
    expect(setup(null).ran).toBe(ci)
    put('node_modules/.package-lock.json', {
      packages: { 'node_modules/a': { version: '1.0.0', integrity: 'y' } },
    })
    expect(setup(null).ran).toBe(ci)
    // One that may be lacking, as the sound addon may, is no older one either.
    const older = structuredClone(LOCK)
    older.packages['node_modules/o'].version = '0.9.0'
    put('node_modules/.package-lock.json', older)
    expect(setup(null).ran).toBe(ci)
    rmSync(join(root, 'node_modules', '.package-lock.json'))
    expect(setup(null).ran).toBe(ci)
  })

  it('builds anew where another package is locked, since it is joined with the program', () => {
    setup(null)
    const locked = structuredClone(LOCK)
    locked.packages['node_modules/a'].version = '1.0.10'
    put('package-lock.json', locked)
    put('node_modules/.package-lock.json', locked)
    expect(setup(null).ran).toBe('npm run --silent build\n')
  })

  it('tries once more for a sound addon that npm dropped, not each time', () => {
    setup(null)
    rmSync(join(root, 'node_modules', 'speaker'), { recursive: true })
    expect(setup(null).ran).toContain('npm ci')
    expect(setup(null).ran).toBe('')
    // So does one that was set up when npm compiled it: where that failed it was never tried so.
    const lock = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
    put('node_modules/.cartwall-setup', lock.digest('hex'))
    expect(setup(null).ran).toContain('npm ci')
  })

  it('ends with 1 when a step fails, and does that step again the next time', () => {
    program('npm', 'exit 3')
    const { code, err } = setup(null)
    expect(code).toBe(1)
    expect(err).toContain('the build failed: npm run --silent build')
    programs('npm')
    expect(setup(null)).toMatchObject({ code: 0, ran: 'npm run --silent build\n' })
    rmSync(join(bin, 'npm'))
    put('src/new.ts', 'new')
    expect(setup(null).err).toContain('the build: npm could not be run')
  })

  it('builds what a broken build left half done, be its sources as they were before', () => {
    setup(null)
    program('npm', 'exit 3')
    put('src/new.ts', 'new')
    expect(setup(null).code).toBe(1)
    rmSync(join(root, 'src', 'new.ts'))
    programs('npm')
    expect(setup(null).ran).toBe('npm run --silent build\n')
  })

  it('names what the tests need too where it is asked for', () => {
    programs('dnf')
    expect(setup(NOBODY, [], ['--test']).err).toMatch(/type: {2}sudo dnf install -y .*\bsox\b/)
  })

  it.each(['ffmpeg', 'ffprobe', 'g++', 'make', 'python3'])('needs each of them: %s', (name) => {
    programs('brew')
    rmSync(join(bin, name))
    const missing = (): string => /type: {2}(.*)/.exec(setup(NOBODY).err)?.[1] ?? ''
    const told = missing()
    // Homebrew refuses to run as root.
    expect(told).toMatch(/^brew install \S/)
    mkdirSync(join(bin, name))
    expect(missing()).toBe(told)
    rmSync(join(bin, name), { recursive: true })
    writeFileSync(join(bin, name), 'cannot be run')
    expect(missing()).toBe(told)
    if (name === 'g++') programs('c++')
    else programs(name)
    expect(missing()).toBe('')
  })
})

describe('with ffmpeg and a compiler missing', () => {
  it('names the one command to type, where it may not install by itself', () => {
    programs('npm', 'python3', 'dnf', 'sudo')
    const { code, err, ran } = setup(NOBODY)
    expect({ code, ran }).toEqual({ code: 1, ran: '' })
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(err).toContain('type:  sudo dnf install -y ffmpeg-free gcc-c++ make')
  })

  onDebian('does not try with a sudo that asks for a password', () => {
    programs('npm', 'python3', 'apt-get')
    program('sudo', 'exit 1')
    const { code, err, ran } = setup(NOBODY)
    expect({ code, ran }).toEqual({ code: 1, ran: 'sudo -n true\n' })
    expect(err).toContain('type:  sudo apt-get install -y ffmpeg build-essential')
  })

  onDebian('installs them on Debian where it may, and goes on', () => {
    programs('npm', 'python3')
    const made = ['ffmpeg', 'ffprobe', 'g++', 'make'].map((name) => join(bin, name)).join(' ')
    const apt = `for f in ${made}; do echo > $f; /bin/chmod +x $f; done`
    program('apt-get', apt)
    program('sudo', '[ "$2" = true ] && exit 0; shift; exec "$@"')
    const { code, ran } = setup(null)
    expect(code).toBe(0)
    expect(ran).toContain('install -y --no-install-recommends ffmpeg build-essential')
    expect(ran).toContain('npm run --silent build')
    expect(existsSync(join(root, 'dist', '.cartwall-build'))).toBe(true)
  })

  onDebian('asks for new lists of packages where they are old, and for what did not come', () => {
    programs('npm', 'python3')
    program('sudo', '[ "$2" = true ] && exit 0; shift; exec "$@"')
    const lists = join(root, 'lists')
    program('apt-get', `[ "$2" = update ] && echo > ${lists}; [ -f ${lists} ]`)
    const { code, err, ran } = setup(null)
    expect(ran).toMatch(/apt-get -q update\n(.*\n)*.*apt-get -q install/)
    expect({ code, err: err.trimEnd().split('\n').at(-1) }).toEqual({
      code: 1,
      err: 'setup: ffmpeg, build-essential installed, yet not found; is PATH complete?',
    })
  })

  onDebian('ends with 1 and the command when installing fails', () => {
    programs('npm', 'python3')
    program('apt-get', 'exit 100')
    program('sudo', '[ "$2" = true ] && exit 0; shift; exec "$@"')
    const { code, err, ran } = setup(null)
    expect(code).toBe(1)
    expect(ran).not.toContain('npm')
    expect(err.replaceAll('sudo ', '')).toContain(
      'type:  apt-get update && apt-get install -y ffmpeg build-essential',
    )
  })
})

it('where no package manager is known it says what is missing, and no command', () => {
  programs('npm', 'g++', 'make', 'python3')
  const { code, err, ran } = setup(NOBODY)
  expect({ code, ran }).toEqual({ code: 1, ran: '' })
  expect(err).toBe('setup: ffmpeg missing: install it with your package manager '
    + '(these are the names of Debian)\n')
})

it.each([
  ['20.18.3', 1], ['20.19.0', 0], ['21.0.0', 0],
])('Node %s: it ends with %d', (version, ends) => {
  programs(...COMPLETE)
  put('node.cjs', `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`)
  expect(setup(null, ['--require', join(root, 'node.cjs')]).code).toBe(ends)
})

describe('on Ubuntu 24.04', () => {
  it('says of its own Node where a newer one is told of', () => {
    programs(...COMPLETE)
    put('old.cjs', "Object.defineProperty(process, 'versions', { value: { node: '18.19.1' } })")
    const { code, err, ran } = setup(null, ['--require', join(root, 'old.cjs')])
    expect({ code, ran }).toEqual({ code: 1, ran: '' })
    expect(err).toContain('this is 18.19.1. README.md, "Start"')
  })

  onDebian('names the browser for the tests that apt has not', () => {
    programs(...COMPLETE, 'sox')
    program('apt-get', 'exit 100')
    program('sudo', '[ "$2" = true ] && exit 0; shift; exec "$@"')
    program('apt-cache', 'echo "$2:"; echo "  Candidate: (none)"')
    const { code, err, ran } = setup(null, [], ['--test'])
    expect(code).toBe(1)
    expect(ran).toContain('apt-cache policy chromium')
    expect(err.trimEnd().split('\n').at(-1)).toMatch(/no Chromium here .* Google Chrome too: /)
    program('apt-cache', 'echo "$2:"; echo "  Candidate: 150.0"')
    expect(setup(null, [], ['--test']).err).toMatch(/type: .*apt-get install -y .*chromium/)
  })
})
