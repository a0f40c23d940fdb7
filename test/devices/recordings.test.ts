// What the real daemon records into: an earlier recording is never touched, whatever goes wrong.
import { execFileSync, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { daemonForEach } from './daemon-each.js'
import { CLI, type Daemon, delay } from './daemon-rig.js'

const make = daemonForEach([{ buttons: [{ media: 'none.wav' }] }])

/** Runs a daemon that is expected to end by itself. */
const ending = (daemon: Daemon, args: readonly string[]) => {
  const { status, stderr } = spawnSync(
    process.execPath, [CLI, 'serve', '--show', daemon.show, ...args],
    { encoding: 'utf8', timeout: 20_000, env: { ...process.env, XDG_CACHE_HOME: daemon.folder } },
  )
  return { status, lines: stderr.trimEnd().split('\n') }
}

describe('a recording that is there', () => {
  it('is kept: the new ones get a number, and which is told', async () => {
    const daemon = make()
    const night = join(daemon.folder, 'night.jsonl')
    for (const file of [daemon.wav, night]) writeFileSync(file, 'the evening of the crash')
    await daemon.start(['--sink', `wav:${daemon.wav}`, '--record', night], {})
    await delay(300)
    const [wav2, night2] = ['heard.2.wav', 'night.2.jsonl'].map((name) => join(daemon.folder, name))
    expect((await daemon.status()).audio.sink).toBe(`wav:${wav2!}`)
    expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 })
    // Each line of the log is an object, these too.
    const told = daemon.log.trimEnd().split('\n')
      .map((line) => (JSON.parse(line) as { readonly msg: string }).msg)
    for (const [old, made] of [[daemon.wav, wav2], [night, night2]]) {
      expect(readFileSync(old!, 'utf8')).toBe('the evening of the crash')
      expect(told).toContain(`${old!} is there already and is kept: recording to ${made!}`)
    }
    expect(readFileSync(wav2!).length).toBeGreaterThan(92 + 8 * 4_800)
    expect(readFileSync(night2!, 'utf8')).toMatch(/^{"kind":"cartwall-recording"[^]*"end":true}\n$/)
  })

  it('a start that finds its port taken touches nothing, and tells it in one line', async () => {
    const daemon = make()
    const night = join(daemon.folder, 'night.jsonl')
    const lamps = createSocket('udp4')
    let frames = 0
    lamps.on('message', () => (frames += 1))
    await new Promise<void>((done) => lamps.bind(0, '127.0.0.1', done))
    await daemon.start(['--sink', 'null'], {})
    const config = join(daemon.folder, 'config.json')
    const dmx = { output: 'artnet', host: '127.0.0.1', port: lamps.address().port }
    writeFileSync(config, JSON.stringify({ dmx }))
    const port = new URL(daemon.base).port
    const { status, lines } = ending(daemon, [
      '--config', config, '--port', port, '--sink', `wav:${daemon.wav}`, '--record', night,
    ])
    expect({ status, lines }).toEqual({
      status: 1,
      lines: [expect.stringMatching(/^cartwall: 127\.0\.0\.1:\d+ is taken: another program/)],
    })
    expect([daemon.wav, night].map((file) => existsSync(file))).toEqual([false, false])
    await delay(50)
    lamps.close()
    expect(frames).toBe(0)
  })
})

describe('paths that are relative', () => {
  it('on the command line begin where it was typed, in the configuration beside that', async () => {
    const daemon = make()
    daemon.workingFolder = join(daemon.folder, 'here')
    const other = join(daemon.folder, 'configured')
    for (const folder of [daemon.workingFolder, other]) mkdirSync(folder)
    const show = JSON.stringify({ title: 'Found here' })
    writeFileSync(join(daemon.workingFolder, 'mine.json'), show)
    writeFileSync(join(other, 'config.json'), '{"audio":{"sink":"wav:heard.wav"}}')
    await daemon.start(
      ['--show', 'mine.json', '--config', '../configured/config.json', '--record', 'night.jsonl'],
      {})
    expect(await daemon.status()).toMatchObject({
      show: 'Found here', audio: { sink: `wav:${join(other, 'heard.wav')}` },
    })
    // It is still the file that is watched.
    writeFileSync(join(daemon.workingFolder, 'mine.json'), show.replace('here', 'again'))
    await daemon.until(async () => (await daemon.status()).show === 'Found again', 5_000)
    expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 })
    expect(existsSync(join(daemon.workingFolder, 'night.jsonl'))).toBe(true)
    expect(existsSync(join(other, 'heard.wav'))).toBe(true)
  })

  it('of a sink too', async () => {
    const daemon = make()
    daemon.workingFolder = daemon.folder
    await daemon.start(['--sink', 'wav:typed.wav'], {})
    expect((await daemon.status()).audio.sink).toBe(`wav:${join(daemon.folder, 'typed.wav')}`)
  })
})

describe('what cannot be recorded into', () => {
  it('a pipe, a folder, a device, a folder that is not there: one line, exit 1, at once', () => {
    const daemon = make()
    const pipe = join(daemon.folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const [args, why] of [
      [['--sink', 'null', '--record', pipe], /is a named pipe: name a file/],
      [['--sink', `wav:${pipe}`], /is a named pipe: name a file/],
      [['--sink', `wav:${daemon.folder}`], /is a folder: name a file in it/],
      [['--sink', 'null', '--record', '/dev/null'], /is a device: name a file/],
      [['--sink', `wav:${join(daemon.folder, 'gone', 'out.wav')}`], /there is no folder .*gone:/],
    ] as const) {
      const { status, lines } = ending(daemon, [...args, '--port', '47999'])
      expect(status).toBe(1)
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatch(why)
    }
  })
})
