// Sets up what a fresh clone is missing: system packages, npm packages, the sound addon, the build.
//
// Plain Node, no package needed; safe to run again, and fast where there is nothing to do.
// `--test` adds what only the tests need. Where it may not install by itself it names the one
// command to type, and ends with 1: nothing is passed over in silence.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const NODE_LEAST = [20, 19]
const forTests = process.argv.includes('--test')

const main = () => {
  checkNode()
  installSystemPackages()
  installNpmPackages()
  run(process.execPath, [join(ROOT, 'scripts', 'patch-dmxnet.mjs')], 'the patch of dmxnet')
  run(process.execPath, [join(ROOT, 'scripts', 'patch-speaker.mjs')], 'the sound addon')
  build()
}

const say = (line) => process.stderr.write(`setup: ${line}\n`)

const fail = (line) => {
  say(line)
  process.exit(1)
}

/** Runs a step whose output the person may see; a step that fails ends the setup. */
const run = (command, args, what) => {
  const result = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2] })
  if (result.error) fail(`${what}: ${command} could not be run (${result.error.message})`)
  if (result.status !== 0) fail(`${what} failed: ${command} ${args.join(' ')}`)
}

const quietly = (command, args) =>
  spawnSync(command, args, { stdio: 'ignore', timeout: 20_000 }).status === 0

const checkNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [leastMajor, leastMinor] = NODE_LEAST
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return
  fail(`Node ${NODE_LEAST.join('.')} or newer is needed; this is ${process.versions.node}. `
    + 'README.md, "Start", says where a newer one comes from')
}

// System packages

const onPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return statSync(join(folder, program)).isFile()
    } catch {
      return false
    }
  })

/** Administrators' programs are not on everyone's PATH. */
const installed = (program) =>
  onPath(program) || ['/usr/sbin', '/sbin'].some((folder) => existsSync(join(folder, program)))

const alsaHeaders = () =>
  existsSync('/usr/include/alsa/asoundlib.h') || quietly('pkg-config', ['--exists', 'alsa'])

const compiler = () => (onPath('g++') || onPath('c++')) && onPath('make')

const pulsePlugin = () =>
  ['x86_64', 'aarch64', 'arm', 'i386'].some((machine) =>
    readNames('/usr/lib').some(
      (folder) =>
        folder.startsWith(machine) &&
        existsSync(join('/usr/lib', folder, 'alsa-lib', 'libasound_module_pcm_pulse.so')),
    ),
  )

const readNames = (folder) => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** What is needed: how to see that it is there, and what brings it; elsewhere named as in apt. */
const NEEDS = [
  {
    there: () => onPath('ffmpeg') && onPath('ffprobe'),
    packages: { apt: 'ffmpeg', dnf: 'ffmpeg-free' },
  },
  {
    linux: true,
    there: alsaHeaders,
    packages: {
      apt: 'libasound2-dev',
      dnf: 'alsa-lib-devel',
      pacman: 'alsa-lib',
      apk: 'alsa-lib-dev',
    },
  },
  {
    linux: true,
    there: compiler,
    packages: {
      apt: 'build-essential',
      dnf: 'gcc-c++ make',
      pacman: 'base-devel',
      apk: 'build-base',
    },
  },
  {
    linux: true,
    there: () => onPath('python3'),
    packages: { apt: 'python3', pacman: 'python' },
  },
]

/** A sound server and its plugin, receivers of lighting data to hold ours against, a browser. */
const TEST_NEEDS = [
  ['pulseaudio', 'pulseaudio'],
  ['pactl', 'pulseaudio-utils'],
  ['sox', 'sox'],
  ['curl', 'curl'],
  ['olad', 'ola'],
  ['tshark', 'tshark'],
  ['tcpdump', 'tcpdump'],
  ['ip', 'iproute2'],
  ['runuser', 'util-linux'],
  ['patch', 'patch'],
  ['bindfs', 'bindfs'],
].map(([program, apt]) => ({ linux: true, there: () => installed(program), packages: { apt } }))
/** As `test/browser/chromium.ts` looks for it. */
const BROWSERS = ['chromium', 'google-chrome']
TEST_NEEDS.push({
  linux: true, there: () => BROWSERS.some(installed), packages: { apt: 'chromium' },
})
TEST_NEEDS.push({ linux: true, there: pulsePlugin, packages: { apt: 'libasound2-plugins' } })

const INSTALLERS = [
  ['apt', 'apt-get install -y'],
  ['dnf', 'dnf install -y'],
  ['pacman', 'pacman -S --needed'],
  ['apk', 'apk add'],
  ['brew', 'brew install'],
]

const installSystemPackages = () => {
  const needs = [...NEEDS, ...(forTests ? TEST_NEEDS : [])]
  const missing = needs.filter(
    (need) => !(need.linux === true && process.platform !== 'linux') && !need.there(),
  )
  if (missing.length === 0) return
  const installer = findInstaller()
  const names = missing.map((need) => need.packages[installer?.[0]] ?? need.packages.apt)
  if (installer === null) {
    const them = names.length === 1 ? 'it' : 'them'
    fail(`${names.join(', ')} missing: install ${them} with your package manager `
      + '(these are the names of Debian)')
  }
  const isRoot = process.getuid?.() === 0
  const mayInstall = installer[0] === 'apt' && (isRoot || quietly('sudo', ['-n', 'true']))
  if (!mayInstall) {
    const sudo = isRoot || installer[0] === 'brew' ? '' : 'sudo '
    fail(`${names.join(', ')} missing; type:  ${sudo}${installer[1]} ${names.join(' ')}`)
  }
  say(`installing ${names.join(', ')}`)
  aptInstall(names.join(' ').split(' '), isRoot)
  const left = missing.filter((need) => !need.there()).map((need) => need.packages.apt)
  if (left.length > 0) fail(`${left.join(', ')} installed, yet not found; is PATH complete?`)
}

/** Only Debian's family is installed on by itself; the others are told what to type, if known. */
const findInstaller = () => {
  const isDebian = existsSync('/etc/debian_version') && onPath('apt-get')
  const found = INSTALLERS.filter(([name]) => (name === 'apt' ? isDebian : onPath(name)))
  return found[0] ?? null
}

const aptInstall = (names, isRoot) => {
  const apt = (...args) => {
    const setting = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...args]
    const [command, ...rest] = isRoot ? setting : ['sudo', '-n', ...setting]
    return spawnSync(command, rest, { stdio: ['ignore', 2, 2], timeout: 900_000 }).status === 0
  }
  const install = () => apt('install', '-y', '--no-install-recommends', ...names)
  // The package lists may be absent or old: then once more with new ones.
  if (readNames('/var/lib/apt/lists').length > 2 && install()) return
  if (apt('update') && install()) return
  if (names.includes('chromium') && !aptOffers('chromium')) {
    fail('apt has no Chromium here (Ubuntu has it as a snap alone); the tests take Google Chrome '
      + 'too: install its package from https://www.google.com/chrome/, then type this again')
  }
  const sudo = isRoot ? '' : 'sudo '
  const what = names.join(' ')
  fail(`could not install; type:  ${sudo}apt-get update && ${sudo}apt-get install -y ${what}`)
}

const aptOffers = (name) => {
  const asked = spawnSync('env', ['LC_ALL=C', 'apt-cache', 'policy', name], { encoding: 'utf8' })
  return /Candidate: (?!\(none\))/.test(asked.stdout ?? '')
}

// npm packages

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/** What npm says it installed, held against the lockfile, package by package. */
const packagesMatch = (lock) => {
  const there = readJson(join(ROOT, 'node_modules', '.package-lock.json'))
  if (there === null) return false
  return Object.entries(lock.packages).every(([path, wanted]) => {
    const found = there.packages[path]
    const mayLack = wanted.optional === true || wanted.devOptional === true
    if (path === '' || (mayLack && found === undefined)) return true
    return found?.version === wanted.version && found.integrity === wanted.integrity
  })
}

/**
 * The addon's own install script would compile it without the patch, without which it does not
 * compile on arm64, and what fails to compile npm drops. The others' scripts are not needed.
 */
const CI = ['ci', '--include=dev', '--include=optional', '--ignore-scripts']

const installNpmPackages = () => {
  const lockText = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  const stampFile = join(ROOT, 'node_modules', '.cartwall-setup')
  const stamp = createHash('sha256').update(lockText).update(CI.join(' ')).digest('hex')
  const speaker = existsSync(join(ROOT, 'node_modules', 'speaker'))
  // `speaker` is optional: npm drops it in silence where it cannot be had. Tried once a lockfile.
  const tried = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
  if (packagesMatch(JSON.parse(lockText)) && (speaker || tried)) return
  say('installing npm packages')
  run('npm', CI, 'npm packages')
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, stamp)
}

// The build

/**
 * Every file that the build reads, with size and time: cheap to ask, right after a checkout. Of the
 * packages, which are joined into it, the lockfile tells which they are.
 */
const sourcesState = () => {
  const hash = createHash('sha256')
  const add = (path) => {
    const facts = statSync(join(ROOT, path))
    hash.update(`${path}\0${facts.size}\0${facts.mtimeMs}\n`)
  }
  const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
  for (const path of files) add(path)
  const walk = (folder) => {
    const entries = readdirSync(join(ROOT, folder), { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) walk(path)
      else add(path)
    }
  }
  for (const folder of ['src', 'scripts', 'patches']) walk(folder)
  return hash.digest('hex')
}

const build = () => {
  const dist = join(ROOT, 'dist')
  const stampFile = join(dist, '.cartwall-build')
  const state = sourcesState()
  const isFresh =
    existsSync(stampFile) &&
    readFileSync(stampFile, 'utf8') === state &&
    existsSync(join(dist, 'cli.js'))
  if (isFresh) return
  say('building')
  rmSync(stampFile, { force: true })
  run('npm', ['run', '--silent', 'build'], 'the build')
  writeFileSync(stampFile, state)
}

main()
