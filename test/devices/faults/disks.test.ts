// A disk that takes no more, for what is recorded: the show plays on, says so, and ends in order.
//
// The disk is a limit on the size of files, which every system has: writes beyond it fail.
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { daemonForEach } from '../daemon-each.js'
import { button, CLI, type Daemon, freePort } from '../daemon-rig.js'
import { writeSilence } from './fault-rig.js'

const make = daemonForEach(null)

/** A daemon whose files may have so many KiB each, with a button of 10 s. */
const limited = async (
  kib: number, argsFor: (daemon: Daemon) => readonly string[],
): Promise<Daemon> => {
  const daemon = make()
  writeSilence(join(daemon.folder, 'mute.wav'), 480_000)
  daemon.writeShow([{ buttons: [{ media: 'mute.wav' }] }])
  const port = await freePort()
  const serve = [process.execPath, CLI, 'serve', '--show', daemon.show, '--port', String(port)]
  const limit = `ulimit -f ${String(kib * 2)}; exec "$@"`
  daemon.adopt(spawn('sh', ['-c', limit, 'sh', ...serve, ...argsFor(daemon)], {
    env: { ...process.env, XDG_CACHE_HOME: daemon.folder }, stdio: ['ignore', 'ignore', 'pipe'],
  }), `http://127.0.0.1:${port}/api/v1`)
  await daemon.until(() => daemon.status().then(() => true, () => false), 10_000)
  return daemon
}

const endsInOrder = async (daemon: Daemon): Promise<void> => {
  const { code, ms } = await daemon.end('SIGTERM')
  expect({ code, inTime: ms < 3_000 }).toEqual({ code: 0, inTime: true })
}

describe('a full disk', () => {
  it('under the WAV: starts are 503 while it lasts, what was recorded is whole', async () => {
    const daemon = await limited(1_024, ({ wav }) => ['--sink', `wav:${wav}`])
    await daemon.until(async () => (await daemon.status()).audio.state === 'unavailable', 15_000)
    const { status, body } = await daemon.post(`/buttons/${button(1)}/play`)
    expect([status, body['error']]).toEqual([503, 'playback_unavailable'])
    await endsInOrder(daemon)
    const { left } = daemon.heard()
    expect(left.length).toBeGreaterThan(48_000)
  })

  it('under the flight recorder: the show plays on', async () => {
    const daemon = await limited(8, ({ folder }) =>
      ['--sink', 'null', '--record', join(folder, 'night.jsonl')])
    for (let n = 0; n < 60; n += 1) {
      const run = await daemon.play(1)
      expect((await daemon.run(run)).executionId).toBe(run)
      await daemon.post(`/buttons/${button(1)}/stop`)
    }
    const run = await daemon.play(1)
    await daemon.state(run, ['playing'])
    await endsInOrder(daemon)
  })

  it('under a new show: nothing is left of it, and it is made once there is room', () => {
    const daemon = make()
    writeSilence(join(daemon.folder, 'mute.wav'), 4_800)
    const made = [process.execPath, CLI, 'new', daemon.folder]
    const full = spawnSync('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...made])
    expect([full.status, String(full.stderr)]).toEqual([1, expect.stringMatching(/be written/)])
    expect(readdirSync(daemon.folder)).toEqual(['mute.wav'])
    expect(spawnSync(made[0]!, made.slice(1)).status).toBe(0)
    expect(readFileSync(daemon.show, 'utf8')).toContain('"$schema"')
  })
})
