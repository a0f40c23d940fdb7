// A start in odd surroundings: it plays, or it ends with 1 and one line that says what to do.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { daemonForEach } from '../daemon-each.js'
import { button, CLI, type Daemon, delay, freePort } from '../daemon-rig.js'
import { processesWith } from '../media-processes.js'
import { writeSilence } from './fault-rig.js'

const make = daemonForEach(null)

const OTHER_ACCOUNT = { uid: 54_321, gid: 54_321 }
/** A clone in a folder that is its owner's alone, e.g. /root, is run by nobody else. */
const othersMayRun = process.getuid?.() === 0
  && spawnSync(process.execPath, [CLI, '--version'], OTHER_ACCOUNT).status === 0
if (!othersMayRun) process.stderr.write('starts as another account are not tried\n')

const withShow = (): Daemon => {
  const daemon = make()
  writeSilence(join(daemon.folder, 'mute.wav'), 9_600)
  daemon.writeShow([{ buttons: [{ media: 'mute.wav' }] }])
  return daemon
}

const playsAndEnds = async (daemon: Daemon): Promise<void> => {
  const run = await daemon.play(1)
  await daemon.state(run, ['completed'])
  const { code, ms } = await daemon.end('SIGTERM')
  expect({ code, inTime: ms < 2_000 }).toEqual({ code: 0, inTime: true })
}

/** What stands where the cache of lengths and waveforms should be. */
const CACHES: readonly (readonly [what: string, make: (path: string) => void])[] = [
  ['a file', (path) => writeFileSync(path, 'no folder')],
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a link to itself', (path) => symlinkSync(path, path)],
]

describe('it plays', () => {
  it.each(CACHES)('where the cache folder is %s', async (_what, put) => {
    const daemon = withShow()
    const cache = join(daemon.folder, 'cache')
    put(cache)
    await daemon.start(['--sink', 'null'], { XDG_CACHE_HOME: cache })
    await playsAndEnds(daemon)
  })

  it('where what is kept in the cache is a pipe and a file', async () => {
    const daemon = withShow()
    const cache = join(daemon.folder, 'cache', 'cartwall')
    mkdirSync(cache, { recursive: true })
    execFileSync('mkfifo', [join(cache, 'media-facts.json')])
    writeFileSync(join(cache, 'waves'), 'no folder')
    await daemon.start(['--sink', 'null'], { XDG_CACHE_HOME: join(daemon.folder, 'cache') })
    await playsAndEnds(daemon)
  })

  it('without a home, a runtime folder or a locale', async () => {
    const daemon = withShow()
    const none = { HOME: '', XDG_CACHE_HOME: '', XDG_RUNTIME_DIR: '', LANG: '', LC_ALL: 'C' }
    await daemon.start(['--sink', 'null'], none)
    await playsAndEnds(daemon)
  })

  it.runIf(othersMayRun)('as an account that the system does not know', async () => {
    const daemon = withShow()
    chmodSync(daemon.folder, 0o755)
    const port = await freePort()
    const args = [CLI, 'serve', '--show', daemon.show, '--sink', 'null', '--port', String(port)]
    daemon.adopt(spawn(process.execPath, args, {
      ...OTHER_ACCOUNT, env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'pipe'],
    }), `http://127.0.0.1:${port}/api/v1`)
    await daemon.until(() => daemon.status().then(() => true, () => false), 10_000)
    await playsAndEnds(daemon)
  })

  it('with a module of the user, seen from the folder that it is started in', async () => {
    const daemon = withShow()
    writeFileSync(join(daemon.folder, 'trace.mjs'), '')
    daemon.workingFolder = daemon.folder
    daemon.nodeArguments = ['--import', './trace.mjs']
    await daemon.start(['--sink', 'null'], {})
    await playsAndEnds(daemon)
  })

  it('with a module of the user that NODE_OPTIONS names from that folder', async () => {
    const daemon = withShow()
    writeFileSync(join(daemon.folder, 'trace.cjs'), '')
    daemon.workingFolder = daemon.folder
    await daemon.start(['--sink', 'null'], { NODE_OPTIONS: '--require ./trace.cjs' })
    await playsAndEnds(daemon)
  })

  it('with few descriptors: what does not fit is refused, and nothing ends', async () => {
    const daemon = withShow()
    const port = await freePort()
    const args = [process.execPath, CLI, 'serve', '--show', daemon.show, '--sink', 'null',
      '--port', String(port)]
    const child = spawn('sh', ['-c', 'ulimit -n 128; exec "$@"', 'sh', ...args], {
      env: { ...process.env, XDG_CACHE_HOME: daemon.folder }, stdio: 'ignore',
    })
    const status = (): Promise<boolean> => fetch(`http://127.0.0.1:${port}/api/v1/status`)
      .then(({ ok }) => ok, () => false)
    await daemon.until(status, 10_000)
    const signal = AbortSignal.timeout(2_000)
    const open = Array.from({ length: 120 }, () =>
      fetch(`http://127.0.0.1:${port}/api/v1/events`, { signal }).catch(() => null))
    await Promise.all(open)
    await daemon.until(status, 10_000)
    expect(child.exitCode).toBeNull()
    child.kill('SIGTERM')
    await daemon.until(() => Promise.resolve(child.exitCode !== null), 5_000)
    expect(child.exitCode).toBe(0)
  })

  it('none left when its processes die: it goes on, and has others once there are', async () => {
    const daemon = withShow()
    await daemon.start(['--sink', 'speaker'], {})
    const ours = ['speaker-process', 'log-process', 'decoder-host']
    const pids = (): number[] => ours.flatMap((name) => processesWith(name, daemon.pid))
    const limit = (most: string): void => {
      execFileSync('prlimit', ['--pid', String(daemon.pid), `--nofile=${most}:`])
    }
    await daemon.until(() => Promise.resolve(pids().length >= ours.length), 10_000)
    const before = pids()
    limit('10')
    for (const pid of before) process.kill(pid, 'SIGKILL')
    // Each of them is tried again within a second.
    await delay(2_500)
    limit('1024')
    await daemon.until(async () => {
      // There is no device; its file is looked at all the same.
      await daemon.post(`/buttons/${button(1)}/play`)
      const now = pids()
      return now.length >= ours.length && now.every((pid) => !before.includes(pid))
    }, 10_000)
    expect((await daemon.status()).state).toBe('ready')
    expect((await daemon.end('SIGTERM')).code).toBe(0)
  })
})

/** Exit code, and the lines on stderr, within ten seconds. */
const refused = (args: readonly string[], as: { readonly uid?: number } = {}) => {
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'serve', ...args], {
    encoding: 'utf8', timeout: 10_000, ...as,
  })
  return { status, lines: stderr.trimEnd().split('\n') }
}

describe('it ends with 1, and says in one line why', () => {
  it.each([
    ['a show that is a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a show that is a folder', (path: string) => mkdirSync(path)],
    ['a show that is a device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a show that is a link to itself', (path: string) => symlinkSync(path, path)],
    ['a show of zeros', (path: string) => writeFileSync(path, Buffer.alloc(1_000))],
  ])('%s', (_what, put) => {
    const daemon = make()
    put(daemon.show)
    const { status, lines } = refused(['--show', daemon.show, '--sink', 'null'])
    expect(status).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^cartwall: .*show\.json/)
  })

  it.each([
    ['a configuration that is a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a configuration that is a folder', (path: string) => mkdirSync(path)],
  ])('%s', (_what, put) => {
    const daemon = withShow()
    const config = join(daemon.folder, 'config.json')
    put(config)
    const { status, lines } = refused(['--show', daemon.show, '--config', config])
    expect(status).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/config\.json/)
  })

  it.runIf(othersMayRun).each([
    ['written and not read', 0o733], ['read and not written', 0o755],
  ])('a recording in a folder that may be %s', (_what, mode) => {
    const daemon = withShow()
    chmodSync(daemon.folder, 0o755)
    const nights = join(daemon.folder, 'nights')
    mkdirSync(nights)
    chmodSync(nights, mode)
    const args = ['--show', daemon.show, '--sink', 'null', '--record', join(nights, 'a.jsonl')]
    const { status, lines } = refused(args, OTHER_ACCOUNT)
    expect({ status, lines }).toEqual({ status: 1, lines: [
      `cartwall: cannot record: ${nights} cannot be read and written (EACCES)`,
    ] })
  })

  /** Newer ones read one file after the other: what is too few for that starts no thread. */
  const opensManyFiles = it.runIf(process.versions.node.startsWith('20.'))
  opensManyFiles('too few descriptors to be loaded', () => {
    const args = [process.execPath, CLI, 'serve', '--sink', 'null']
    const { status, stderr } = spawnSync('sh', ['-c', 'ulimit -n 40; exec "$@"', 'sh', ...args], {
      encoding: 'utf8', timeout: 10_000,
    })
    expect([status, stderr.trimEnd().split('\n').length]).toEqual([1, 1])
    expect(stderr).toMatch(/ulimit -n/)
  })

  it('a port that another one has, told once', async () => {
    const first = withShow()
    await first.start(['--sink', 'null'], {})
    const port = new URL(first.base).port
    const { status, lines } = refused(['--show', first.show, '--sink', 'null', '--port', port])
    expect(status).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(port)
    expect((await first.post(`/buttons/${button(1)}/play`)).status).toBe(202)
  })
})
