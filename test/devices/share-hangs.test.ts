// A share that hangs, pipes and endless devices as media: each harms its own buttons alone.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { realTimers } from '../../src/clock/real.js'
import { ForkedWaveLink } from '../../src/io/waves/wave-link.js'
import type { WaveAnswer } from '../../src/io/waves/wave-messages.js'
import { BindfsShare } from './bindfs-share.js'
import { writeCodedWav } from './media-files.js'
import { processesWith } from './media-processes.js'
import {
  button, CLI, Daemon, delay, freePort, type Answer, type ButtonJson,
} from './daemon-rig.js'

const EACH = 10
const isAble = spawnSync('bindfs', ['--version']).status === 0

const daemon = new Daemon()
const inFolder = (name: string): string => join(daemon.folder, name)
let share: BindfsShare
let buttons: readonly ButtonJson[] = []

/** Buttons are numbered from 1: local files, files of the share, pipes, devices. */
const KINDS = ['local', 'share', 'pipe', 'zero'] as const
const numberOf = (kind: (typeof KINDS)[number], n: number): number =>
  KINDS.indexOf(kind) * EACH + n + 1

/** Its timeline is on the share; it is the last button. */
const LIGHTS: ButtonJson = { kind: 'dmx', dmx: { timeline: 'share/lights.json' } }
/** Its file is a local one, but the link to it is on the share; behind the lights. */
const LINKED: ButtonJson = { media: 'share/linked.wav' }
const LINKED_NUMBER = KINDS.length * EACH + 2
const ARMED = 2 * EACH + 1

beforeAll(async () => {
  if (!isAble) return
  for (const folder of ['source', 'local']) mkdirSync(inFolder(folder))
  for (let n = 0; n < EACH; n += 1) {
    writeCodedWav(inFolder(`local/local-${n}.wav`), 480_000)
    writeCodedWav(inFolder(`source/${n}.wav`), 480_000)
    symlinkSync(`../share/${n}.wav`, inFolder(`local/share-${n}.wav`))
    execFileSync('mkfifo', [inFolder(`local/pipe-${n}.wav`)])
    symlinkSync('/dev/zero', inFolder(`local/zero-${n}.wav`))
  }
  symlinkSync(inFolder('local/local-0.wav'), inFolder('source/linked.wav'))
  const mounted = await BindfsShare.mount(inFolder('source'), inFolder('share'))
  if (mounted === null) throw new Error('bindfs is there and mounts nothing')
  share = mounted
  buttons = KINDS.flatMap((kind): ButtonJson[] =>
    Array.from({ length: EACH }, (_, n) => ({ media: `local/${kind}-${n}.wav` })))
  writeFileSync(inFolder('source/lights.json'), JSON.stringify({
    format: 'dmx-timeline', version: 1, durationMs: 60_000,
    tracks: [{ target: { universe: 0, channel: 1 }, keyframes: [[0, 255]] }],
  }))
  buttons = [...buttons, LIGHTS, LINKED]
  daemon.writeShow([{ buttons }])
  await daemon.start(['--sink', 'null'], {})
  await daemon.armed(ARMED)
})

afterAll(async () => {
  if (!isAble) return
  share.end()
  await daemon.clean()
})

const press = async (n: number): Promise<Answer & { readonly ms: number }> => {
  const begun = performance.now()
  const answer = await daemon.post(`/buttons/${button(n)}/play`)
  return { ...answer, ms: performance.now() - begun }
}

const pressAll = async (kind: (typeof KINDS)[number]) => {
  const answers = []
  for (let n = 0; n < EACH; n += 1) answers.push(await press(numberOf(kind, n)))
  return answers
}

describe.skipIf(!isAble)('media that hang', () => {
  it('pipes and devices are refused at once', async () => {
    for (const kind of ['pipe', 'zero'] as const) {
      for (const { status, body } of await pressAll(kind)) {
        expect(status).toBe(422)
        expect(body['message']).toMatch(/no readable file is there/)
      }
    }
  })

  // The kernel asks the share for the link each time: whoever asked by himself would hang with it.
  it('a link on a share that hangs holds up nothing, though its file is a local one', async () => {
    await delay(2_500)
    const bed = (await press(numberOf('local', 1))).body['executionId'] as string
    share.hang()
    await delay(1_200)
    const { status, body } = await press(LINKED_NUMBER)
    expect([status, body['error']]).toEqual([422, 'media_file_missing'])
    expect(await daemon.state(bed, ['playing'], 1_000)).toMatchObject({ state: 'playing' })
    share.answer()
    await vi.waitFor(async () => expect((await press(LINKED_NUMBER)).status).toBe(202), 5_000)
    await daemon.post('/stop')
  })

  it('while the share hangs local buttons play within their usual time', async () => {
    await delay(2_500)
    share.hang()
    await delay(2_500)
    const times: number[] = []
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < EACH; n += 1) {
        const away = press(numberOf('share', n))
        const { status, body } = await away
        expect(status).toBe(422)
        expect(body).toMatchObject({ error: 'media_file_missing' })
        expect(body['message']).toMatch(/its disk does not answer/)
        const local = await press(numberOf('local', n))
        expect(local.status).toBe(202)
        times.push(local.ms)
        await daemon.state(local.body['executionId'] as string, ['playing'], 5_000)
      }
    }
    // Behind a look at the share each of them would have waited for half a second.
    expect(times.filter((ms) => ms > 400).length).toBeLessThan(times.length / 2)
  })

  it('while it hangs an edited show is taken, with the timelines that are known', async () => {
    share.hang()
    const more = Array.from({ length: 6 }, (_, n) => ({
      kind: 'dmx', dmx: { timeline: `share/more-${n}.json` },
    }))
    daemon.writeShow([{ buttons: [...buttons, ...more] }])
    const told = async () => (await daemon.buttons()).buttons
    await daemon.until(async () => (await told()).length === buttons.length + more.length, 8_000)
    expect((await told())[4 * EACH]).toMatchObject({ kind: 'dmx', durationMs: 60_000 })
    expect(await press(4 * EACH + 1)).toMatchObject({ status: 202 })
    const refused = await press(4 * EACH + 2)
    expect(refused).toMatchObject({ status: 422 })
    expect(refused.body['message']).toMatch(/its disk does not answer/)
  })

  it('while it hangs files of other disks get their waveforms', async () => {
    const options = { timers: realTimers(), folder: inFolder('waves'), env: process.env }
    const link = new ForkedWaveLink(options)
    const ask = (path: string): Promise<WaveAnswer> =>
      link.ask({ path: inFolder(path), makes: true, ranges: [], picturesEnd: 0 })
    try {
      const away = Array.from({ length: EACH }, (_, n) => ask(`share/${n}.wav`))
      for (const answer of await Promise.all(away)) expect(answer).toEqual({ kind: 'away' })
      expect((await ask('local/local-0.wav')).kind).toBe('wave')
    } finally {
      await link.rest()
    }
  })

  it('after its return every button plays within five seconds', async () => {
    share.answer()
    await delay(1_000)
    for (const { status } of await pressAll('share')) expect(status).toBe(202)
    await daemon.until(async () => (await daemon.status()).audio.armedHeads === ARMED, 4_000)
  })

  it('SIGTERM ends it within two seconds, and nothing is left', async () => {
    // A timeline that was refused is looked for by the daemon itself, as its show is (below).
    daemon.writeShow([{ buttons }])
    const isTaken = async () => (await daemon.buttons()).buttons.length === buttons.length
    await daemon.until(isTaken, 8_000)
    await pressAll('share')
    share.hang()
    void press(numberOf('share', 3)).catch(() => undefined)
    await delay(3_000)
    void press(numberOf('share', 4)).catch(() => undefined)
    const hosts = processesWith('-host.', daemon.pid)
    expect(hosts.length).toBeGreaterThan(0)
    const { code, ms } = await daemon.end('SIGTERM')
    expect(code).toBe(0)
    expect(ms).toBeLessThan(2_000)
    await delay(1_000)
    expect(processesWith('-host.', null).filter((pid) => hosts.includes(pid))).toEqual([])
    expect(processesWith(daemon.folder, null).filter((pid) => pid !== share.pid)).toEqual([])
  })
})

describe.skipIf(!isAble)('what the daemon itself reads or writes, on a share that hangs', () => {
  const other = new Daemon()
  const inShare = join(other.folder, 'share')
  let around: BindfsShare

  /** Serves a show and answers what becomes of it after SIGTERM, a while after the share hung. */
  const ended = async (
    show: string, sink: string, hangsAfterMs: number, more: readonly string[] = [],
  ) => {
    const port = String(await freePort())
    const args = ['serve', '--show', show, '--sink', sink, '--port', port, ...more]
    if (hangsAfterMs === 0) around.hang()
    const env = { ...process.env, XDG_CACHE_HOME: other.folder }
    const child = spawn(process.execPath, [CLI, ...args], { env, stdio: 'ignore' })
    const gone = once(child, 'exit')
    await delay(hangsAfterMs)
    around.hang()
    // A regular look at the show file falls into this time.
    await delay(3_000)
    return terminated(child, gone)
  }

  const terminated = async (child: ChildProcess, gone = once(child, 'exit')) => {
    const begun = performance.now()
    child.kill('SIGTERM')
    const cancel = setTimeout(() => child.kill('SIGKILL'), 12_000)
    const [, signal] = await gone as [number | null, NodeJS.Signals | null]
    clearTimeout(cancel)
    around.answer()
    return { signal, ms: performance.now() - begun }
  }

  /** Serves a show whose media it remembers in the share. */
  const withCacheInShare = async (): Promise<Daemon> => {
    const cached = new Daemon()
    copyFileSync(inFolder('local/local-0.wav'), join(cached.folder, '0.wav'))
    cached.writeShow([{ buttons: [{ media: '0.wav' }] }])
    await cached.start(['--sink', 'null'], { XDG_CACHE_HOME: join(inShare, 'cache') })
    return cached
  }

  beforeAll(async () => {
    mkdirSync(join(other.folder, 'source'))
    other.writeShow([{ buttons: [{ media: '0.wav' }] }])
    copyFileSync(other.show, join(other.folder, 'source', 'show.json'))
    const mounted = await BindfsShare.mount(join(other.folder, 'source'), inShare)
    if (mounted === null) throw new Error('bindfs is there and mounts nothing')
    around = mounted
  })
  afterAll(async () => {
    around.end()
    await other.clean()
  })

  it('its show: SIGTERM ends it within two seconds', async () => {
    const { signal, ms } = await ended(join(inShare, 'show.json'), 'null', 3_000)
    expect(signal).toBe('SIGTERM')
    expect(ms).toBeLessThan(2_000)
  })

  it('its show, which it waits for at its start: SIGTERM ends it', async () => {
    const { signal, ms } = await ended(join(inShare, 'show.json'), 'null', 0)
    expect(signal).toBe('SIGKILL')
    expect(ms).toBeLessThan(8_000)
  })

  it('its configuration, which it waits for at its start: SIGTERM ends it', async () => {
    const config = ['--config', join(inShare, 'config.json')]
    const { signal, ms } = await ended(other.show, 'null', 0, config)
    expect(signal).toBe('SIGTERM')
    expect(ms).toBeLessThan(2_000)
  })

  it.each([0, 3_000])('its cache, after %s ms: SIGTERM ends it within 2 s', async (after) => {
    if (after === 0) around.hang()
    const cached = await withCacheInShare()
    await delay(after)
    around.hang()
    await delay(3_000)
    const { signal, ms } = await terminated(cached.child!)
    expect(['SIGTERM', null]).toContain(signal)
    expect(ms).toBeLessThan(2_000)
    await cached.clean()
  })

  it('its cache: lengths are known without it, and nothing is refused', async () => {
    around.hang()
    const cached = await withCacheInShare()
    const known = async (): Promise<boolean> =>
      (await cached.buttons()).buttons[0]?.durationMs === 10_000
    await cached.until(known, 20_000)
    const media = await fetch(new URL(`/media/${button(1)}`, cached.base), { method: 'HEAD' })
    expect(media.status).toBe(200)
    await cached.state(await cached.play(1), ['playing'])
    cached.child?.kill('SIGHUP')
    await cached.until(() => Promise.resolve(cached.log.includes('show replaced')), 5_000)
    around.answer()
    await cached.clean()
  })

  it('its recording: SIGTERM ends it', async () => {
    const { signal, ms } = await ended(other.show, `wav:${join(inShare, 'heard.wav')}`, 3_000)
    expect(signal).toBe('SIGKILL')
    expect(ms).toBeLessThan(8_000)
  })

  it('its show, which it is to read anew: commands are obeyed, and it is read later', async () => {
    const linked = new Daemon()
    symlinkSync(join(inShare, 'show.json'), linked.show)
    await linked.start(['--sink', 'null'], {})
    const showError = async (): Promise<unknown> => (await linked.status()).showError
    around.hang()
    linked.child?.kill('SIGHUP')
    for (let n = 0; n < 6; n += 1) {
      await delay(500)
      expect((await linked.post(`/buttons/${button(1)}/stop`)).status).toBe(200)
    }
    expect(await showError()).toContain('its disk does not answer')
    around.answer()
    await linked.until(async () => (await showError()) === null, 5_000)
    await linked.clean()
  })
})
