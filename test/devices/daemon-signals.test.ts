// Signals to a daemon and to every process that it owns: what ends it, what must not, how fast.
import { spawn } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { daemonForEach } from './daemon-each.js'
import { CLI, delay, freePort } from './daemon-rig.js'
import { writeCodedWav } from './media-files.js'
import { PulseServer } from './pulse.js'

const INSPECTOR_PORT = 9229

const make = daemonForEach([{ buttons: [{ media: 'none.wav' }] }])

/** All processes below one, itself included. */
const familyOf = (pid: number): readonly number[] => {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It ended while we looked.
    }
  }
  const family = [pid]
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child)
  }
  return family
}

const words = (pid: number): string => {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, 'latin1').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

const answers = (port: number): Promise<boolean> => new Promise((done) => {
  const socket = connect(port, '127.0.0.1')
  const end = (yes: boolean) => () => {
    socket.destroy()
    done(yes)
  }
  socket.once('connect', end(true)).once('error', end(false))
})

describe('SIGTERM', () => {
  it('after a flight recorder that failed: 0, at once', async () => {
    const daemon = make()
    // Longer than any file system takes, which is found out only where the file is made.
    const record = join(daemon.folder, 'n'.repeat(300))
    await daemon.start(['--sink', 'null', '--record', record], {})
    await daemon.until(() => Promise.resolve(daemon.log.includes('flight recorder')), 3_000)
    const { code, ms } = await daemon.end('SIGTERM')
    expect({ code, quick: ms < 2_000 }).toEqual({ code: 0, quick: true })
  })

  it('to what `npm start` runs reaches the daemon: no shell stays between', async () => {
    const { scripts } = JSON.parse(
      readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'),
    ) as { scripts: { start: string } }
    const daemon = make()
    const port = await freePort()
    // As npm does it: the script's text and the arguments behind it, to a shell.
    const line = `${scripts.start} --show ${daemon.show} --sink null --port ${String(port)}`
    const child = spawn('sh', ['-c', line], {
      cwd: resolve(CLI, '../..'), stdio: ['ignore', 'pipe', 'ignore'],
    })
    daemon.child = child
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    await daemon.until(() => Promise.resolve(out.includes('ready on')), 20_000)
    expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 })
    expect(await answers(port)).toBe(false)
  })
})

describe('what must not end or open anything', () => {
  it('SIGHUP in the first moments', async () => {
    const daemon = make()
    const starting = daemon.start(['--sink', 'null'], {})
    const catches = (): boolean => {
      const status = readFileSync(`/proc/${String(daemon.pid)}/status`, 'utf8')
      return (BigInt(`0x${/^SigCgt:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`) & 1n) !== 0n
    }
    await daemon.until(() => Promise.resolve(daemon.pid > 0 && catches()), 10_000)
    process.kill(daemon.pid, 'SIGHUP')
    await starting
    // It asked for the show to be read again, and that is done once there is one.
    await daemon.until(() => Promise.resolve(daemon.log.includes('show replaced')), 5_000)
    await daemon.until(async () => (await daemon.status()).state === 'ready', 5_000)
  })

  it('SIGUSR1, SIGUSR2 to the daemon and each process of it, the sound process too', async () => {
    const pulse = new PulseServer()
    await pulse.start()
    const daemon = make()
    writeCodedWav(join(daemon.folder, 'none.wav'), 48_000)
    try {
      await daemon.start(['--sink', 'speaker'], pulse.environment)
      // Then the process that looks at files and the one that decodes have both done something: a
      // process that has only just begun hears no signal yet.
      await daemon.armed(1)
      const programs = ['cli', 'log-process', 'speaker-process', 'decoder-host', 'look-host']
      // Not an ffmpeg that looks at a file, which ends by itself, nor a fork that becomes one.
      const family = programs.map((program) =>
        familyOf(daemon.pid).find((pid) => words(pid).includes(`/${program}.js`)) ?? 0)
      expect(family).not.toContain(0)
      for (const pid of family) {
        process.kill(pid, 'SIGUSR1')
        process.kill(pid, 'SIGUSR2')
        await delay(100)
        expect([words(pid), await answers(INSPECTOR_PORT)]).toEqual([words(pid), false])
      }
      expect(daemon.log).not.toMatch(/[Dd]ebugger/)
      expect(familyOf(daemon.pid)).toEqual(expect.arrayContaining([...family]))
    } finally {
      await daemon.clean()
      await pulse.stop()
    }
  })
})
