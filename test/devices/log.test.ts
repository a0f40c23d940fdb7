// A log that nobody reads, or that cannot be written, and what it may not do to the show.
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { writeCodedWav } from './media-files.js'
import { daemonForEach } from './daemon-each.js'
import { button, type Daemon } from './daemon-rig.js'

const make = daemonForEach(null)
const descriptors: number[] = []
afterEach(() => {
  for (const fd of descriptors.splice(0)) closeSync(fd)
})

const opened = (path: string, flags: number): number => {
  const fd = openSync(path, flags)
  descriptors.push(fd)
  return fd
}

const daemonOn = async (stderr: number | 'pipe'): Promise<Daemon> => {
  const daemon = make()
  writeCodedWav(join(daemon.folder, 'coded.wav'), 960_000)
  daemon.writeShow([{ buttons: [{ media: 'coded.wav' }, { media: 'coded.wav' }] }])
  await daemon.start(['--sink', 'null', '--log-level', 'debug'], {}, stderr)
  return daemon
}

/** Commands that are logged with a few hundred characters each. */
const press = async (daemon: Daemon, times: number): Promise<void> => {
  const one = async (): Promise<void> => {
    for (let n = 0; n < times / 8; n += 1) await daemon.post(`/buttons/${button(2)}/stop`)
  }
  await Promise.all(Array.from({ length: 8 }, one))
}

const stillServes = async (daemon: Daemon): Promise<void> => {
  const run = await daemon.play(1)
  await daemon.state(run, ['playing'])
  expect((await daemon.post('/stop')).status).toBe(200)
  const { code, ms } = await daemon.end('SIGTERM')
  expect({ code, inTime: ms < 2_000 }).toEqual({ code: 0, inTime: true })
}

/** The daemon's log process. */
const logProcess = (daemon: Daemon): number | null => {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, 'latin1')
      const status = readFileSync(`/proc/${name}/status`, 'latin1')
      const [, parent] = /^PPid:\s*(\d+)/m.exec(status) ?? []
      if (line.includes('log-process') && Number(parent) === daemon.pid) return Number(name)
    } catch {
      // It ended in the meantime.
    }
  }
  return null
}

describe('a log that nobody reads', () => {
  it('a full pipe: all answers, panic and SIGTERM too; what is lost is told later', async () => {
    const pipe = join(make().folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const fd = opened(pipe, constants.O_RDWR | constants.O_NONBLOCK)
    const daemon = await daemonOn(opened(pipe, constants.O_RDWR))
    await press(daemon, 4_000)
    await daemon.until(async () => (await daemon.status()).log.state === 'failing', 5_000)
    const { log } = await daemon.status()
    expect(log.message).toMatch(/nobody reads/)
    expect(log.lost).toBeGreaterThan(0)
    let text = ''
    const bytes = Buffer.alloc(65_536)
    const read = (): void => {
      try {
        text += bytes.toString('utf8', 0, readSync(fd, bytes))
      } catch {
        // Empty for now.
      }
    }
    // Each place where lines are missing has a line of its own that tells their number.
    const told = (): number => Array.from(text.matchAll(/"lost":(\d+)/g))
      .reduce((sum, [, count]) => sum + Number(count), 0)
    await daemon.until(() => {
      read()
      return Promise.resolve(told() >= log.lost)
    }, 5_000)
    expect(text).toMatch(/of this log could not be written/)
    // Each look at the status is a line of this log too.
    const after = (await daemon.status()).log
    expect(after).toEqual({ state: 'ok', message: null, lost: told() })
    await press(daemon, 1_000)
    await stillServes(daemon)
  })
})

describe('a log that cannot be written', () => {
  it('a full disk: the show plays on and the status tells it', async () => {
    const daemon = await daemonOn(opened('/dev/full', constants.O_WRONLY))
    await press(daemon, 20)
    await daemon.until(async () => (await daemon.status()).log.state === 'failing', 5_000)
    const { log } = await daemon.status()
    expect(log.message).toMatch(/ENOSPC/)
    expect(log.lost).toBeGreaterThan(0)
    await stillServes(daemon)
  })

  it('a reader that went away', async () => {
    const daemon = await daemonOn('pipe')
    daemon.child?.stderr?.destroy()
    await press(daemon, 20)
    await daemon.until(async () => (await daemon.status()).log.state === 'failing', 5_000)
    expect((await daemon.status()).log.message).toMatch(/EPIPE/)
    await stillServes(daemon)
  })

  it('a log process that is killed: another one goes on', async () => {
    const daemon = await daemonOn('pipe')
    process.kill(logProcess(daemon) ?? 0, 'SIGKILL')
    await daemon.until(async () => (await daemon.status()).log.state === 'failing', 2_000)
    await press(daemon, 3)
    await daemon.until(() => Promise.resolve(daemon.log.split('stop').length > 3), 5_000)
    await daemon.until(async () => (await daemon.status()).log.state === 'ok', 5_000)
    await stillServes(daemon)
    expect(daemon.log.trimEnd()).toMatch(/"msg":"stopped"\}$/)
  })
})
