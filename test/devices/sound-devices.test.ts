// `cartwall devices` and `audio.device`: outputs by name, what one that is refused takes, and one
// that is taken away and comes again.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CLI, Daemon } from './daemon-rig.js'
import { writeSweep } from './media-files.js'
import { PulseServer } from './pulse.js'

const folder = mkdtempSync(join(tmpdir(), 'cartwall-devices-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** On a machine whose sound is set up like this, and in no other way. */
const devices = (setup: string) => {
  const path = join(folder, 'asound.conf')
  writeFileSync(path, setup)
  const env = { ...process.env, ALSA_CONFIG_PATH: path }
  const { status, stdout, stderr } =
    spawnSync(process.execPath, [CLI, 'devices'], { encoding: 'utf8', env })
  return { status, stdout, stderr }
}

const pcm = (name: string, hint: string): string => `pcm.${name} { type null ${hint} }\n`

it.runIf(process.platform === 'linux')('are listed, each with its description', () => {
  const setup = pcm('stage', 'hint { show on description "The stage\nleft and right" }')
    + pcm('hidden', '') + pcm('plain', 'hint { show on }')
  const { status, stdout, stderr } = devices(setup)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^stage\n {4}The stage, left and right\n/m)
  expect(stdout).toMatch(/^plain$/m)
  expect(stdout).not.toContain('hidden')
})

it.runIf(process.platform === 'linux')('none: it says so, and that is no fault', () => {
  expect(devices('')).toEqual({
    status: 0, stdout: '', stderr: 'cartwall: no sound device was found\n',
  })
})

/** Serves one button on a device that is named, while `act` looks on. */
const onDevice = async (
  device: string, environment: NodeJS.ProcessEnv, act: (daemon: Daemon) => Promise<void>,
): Promise<void> => {
  const daemon = new Daemon()
  try {
    writeSweep(join(daemon.folder, 'bed.wav'), 48_000, 30)
    daemon.writeShow([{ buttons: [{ media: 'bed.wav' }] }])
    const config = join(daemon.folder, 'config.json')
    writeFileSync(config, JSON.stringify({ audio: { sink: 'speaker', device } }))
    await daemon.start(['--config', config], environment)
    await act(daemon)
  } finally {
    await daemon.clean()
  }
}

const pactlOf = (server: PulseServer) => (...args: readonly string[]): string =>
  spawnSync('pactl', args, {
    encoding: 'utf8', env: { ...process.env, ...server.environment },
  }).stdout.trim()

/** Plays for a moment. */
const heard = async (daemon: Daemon): Promise<void> => {
  await daemon.until(async () => {
    const { state, armedHeads } = (await daemon.status()).audio
    return state === 'ok' && armedHeads > 0
  }, 20_000)
  const run = await daemon.play(1)
  await daemon.until(async () => (await daemon.run(run)).positionMs > 300, 10_000)
}

describe.runIf(process.platform === 'linux')('a device that is named', () => {
  it('and takes another format than is played: it says what it takes', async () => {
    const setup = join(folder, 'strict.conf')
    // As cards do that are opened by themselves: whole numbers only.
    const whole = 'type linear slave { pcm { type null } format S16_LE }'
    writeFileSync(setup, `pcm.whole { ${whole} }`)
    await onDevice('whole', { ALSA_CONFIG_PATH: setup }, async (daemon) => {
      await daemon.until(async () => daemon.log.includes('no sound output'), 10_000)
      const said = daemon.log.replaceAll('\\', '')
      expect(said).toMatch(/no sound output \("whole".*: it takes .* channels, .* Hz, S8 /)
      expect((await daemon.status()).audio.state).toBe('unavailable')
    })
  })

  it('at a sound server, is listed as people call it, and waited for when it goes', async () => {
    const server = new PulseServer()
    const pactl = pactlOf(server)
    const hall = ['sink_name=hall', 'sink_properties=device.description=Hall']
    const plugIn = (): string => pactl('load-module', 'module-null-sink', ...hall)
    try {
      await server.start()
      const card = plugIn()
      const env = { ...process.env, ...server.environment }
      const list = spawnSync(process.execPath, [CLI, 'devices'], { encoding: 'utf8', env })
      expect(list.stdout).toMatch(/^pulse:hall\n {4}Hall$/m)
      await onDevice('pulse:hall', server.environment, async (daemon) => {
        const isAt = (state: string) => async (): Promise<boolean> =>
          (await daemon.status()).audio.state === state
        await daemon.until(isAt('ok'), 10_000)
        const run = await daemon.play(1)
        await daemon.until(async () => (await daemon.run(run)).positionMs > 300, 10_000)
        // Another output is there; it is not what was named.
        pactl('unload-module', card)
        await daemon.until(isAt('unavailable'), 10_000)
        expect(await daemon.run(run)).toMatchObject({ endReason: 'playback_error' })
        plugIn()
        await daemon.until(isAt('ok'), 10_000)
        const again = await daemon.play(1)
        await daemon.until(async () => (await daemon.run(again)).positionMs > 300, 10_000)
      })
    } finally {
      await server.stop()
    }
  })

  it('is not muted with another daemon of this machine, whose output somebody muted', async () => {
    const server = new PulseServer()
    const pactl = pactlOf(server)
    try {
      await server.start()
      // As desktops have it: what was set for a program is set again when it comes back.
      pactl('load-module', 'module-stream-restore')
      for (const room of ['hall', 'foyer']) {
        pactl('load-module', 'module-null-sink', `sink_name=${room}`)
      }
      await onDevice('pulse:hall', server.environment, async (daemon) => {
        await heard(daemon)
        const [stream = ''] = /^[0-9]+/.exec(pactl('list', 'short', 'sink-inputs')) ?? []
        pactl('set-sink-input-mute', stream, '1')
        expect(pactl('list', 'sink-inputs')).toContain('Mute: yes')
      })
      await onDevice('pulse:foyer', server.environment, async (daemon) => {
        await heard(daemon)
        expect(pactl('list', 'sink-inputs')).toContain('Mute: no')
      })
      await onDevice('pulse:hall', server.environment, async (daemon) => {
        await heard(daemon)
        expect(pactl('list', 'sink-inputs')).toContain('Mute: yes')
      })
    } finally {
      await server.stop()
    }
  })
})
