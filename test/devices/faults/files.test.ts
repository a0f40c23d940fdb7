// Media that change, vanish or lie while a bed loops: each fault is its own button's, and the
// process that decodes all of them lives through it.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync,
  truncateSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { button } from '../daemon-rig.js'
import { FaultRig, writeSilence } from './fault-rig.js'

const rig = new FaultRig()
const { daemon } = rig
const file = (name: string): string => rig.file(name)

/** A button of its own for each file, behind the bed and the mute one. */
const NAMES = [
  'gone.wav', 'cut.wav', 'other.wav', 'folder.wav', 'pipe.wav', 'nowhere.wav', 'circle.wav',
  'socket.wav', 'line\nend.wav', '-i.wav', 'a%03d.wav', `${'n'.repeat(240)}.wav`, 'concat:a|b.wav',
  'long-head.mkv', 'long-head.wav', 'no-rate.wav', 'no-channels.wav', 'much.mp3', 'text.wav',
  'deep/down/x.wav',
] as const
type Name = (typeof NAMES)[number]
const numberOf = (name: Name): number => NAMES.indexOf(name) + 3
const HEALTHY: readonly Name[] = [
  'gone.wav', 'cut.wav', 'other.wav', 'line\nend.wav', '-i.wav', 'a%03d.wav',
  `${'n'.repeat(240)}.wav`, 'concat:a|b.wav', 'deep/down/x.wav',
]

/** The header of a WAV says what it likes. */
const lyingWav = (name: Name, place: number, value: number, bytes: 2 | 4): void => {
  const wav = readFileSync(file('mute.wav'))
  if (bytes === 2) wav.writeUInt16LE(value, place)
  else wav.writeUInt32LE(value, place)
  writeFileSync(file(name), wav)
}

/** The length in a Matroska header: eight bytes of a double, behind its id 0x4489. */
const lyingMatroska = (name: Name): void => {
  const plain = file('plain.mkv')
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', file('mute.wav'), plain])
  const bytes = readFileSync(plain)
  const at = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88]))
  expect(at).toBeGreaterThan(0)
  bytes.writeDoubleBE(1e300, at + 3)
  writeFileSync(file(name), bytes)
}

beforeAll(async () => {
  mkdirSync(file('deep/down'), { recursive: true })
  writeSilence(file('mute.wav'), 96_000)
  for (const name of HEALTHY) writeSilence(file(name), 480_000)
  mkdirSync(file('folder.wav'))
  execFileSync('mkfifo', [file('pipe.wav')])
  symlinkSync(join(daemon.folder, 'there-is-no-such'), file('nowhere.wav'))
  symlinkSync(file('circle.wav'), file('circle.wav'))
  execFileSync('python3', ['-c',
    'import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])', file('socket.wav')])
  lyingMatroska('long-head.mkv')
  lyingWav('long-head.wav', 40, 0xffff_fff0, 4)
  lyingWav('no-rate.wav', 24, 0, 4)
  lyingWav('no-channels.wav', 22, 0, 2)
  const tag = Buffer.from('ID3\u0004\u0000\u0000\u007f\u007f\u007f\u007f', 'latin1')
  writeFileSync(file('much.mp3'), Buffer.concat([tag, Buffer.alloc(4_000_000)]))
  writeFileSync(file('text.wav'), 'RIFF and no more\n'.repeat(500))
  await rig.begin(NAMES.map((media) => ({ media })), [])
}, 60_000)
afterAll(() => daemon.clean())

const press = (name: Name) =>
  rig.beside(() => daemon.post(`/buttons/${button(numberOf(name))}/play`))
const stop = (name: Name) => daemon.post(`/buttons/${button(numberOf(name))}/stop`)

describe('a medium that is none', () => {
  it.each(['folder.wav', 'pipe.wav', 'nowhere.wav', 'circle.wav', 'socket.wav'] as const)(
    '%s is 422, at once, and nothing else is touched', async (name) => {
      const { status, body } = await press(name)
      expect([status, body['error']]).toEqual([422, 'media_file_missing'])
      await rig.stillLoops()
    })
})

describe('a name that a shell or ffmpeg would take for something else', () => {
  it.each(NAMES.slice(8, 13))('%j plays as the file that it is', async (name) => {
    const { status, body } = await press(name)
    expect(status).toBe(202)
    await daemon.state(body['executionId'] as string, ['playing'])
    await stop(name)
  })
})

describe('a file that lies', () => {
  it.each([
    'long-head.mkv', 'long-head.wav', 'no-rate.wav', 'no-channels.wav', 'much.mp3', 'text.wav',
  ] as const)('%s ends by itself or fails; the process that decodes lives on', async (name) => {
    const hosts = rig.processes('decoder-host')
    const { status, body } = await press(name)
    expect(status).toBe(202)
    const ended = await daemon.state(body['executionId'] as string, ['completed', 'failed'])
    expect(ended.positionMs).toBeLessThanOrEqual(2_100)
    await rig.stillLoops()
    // Where it had died another one would be there now. (The one that reads lengths may have gone.)
    const next = await press('other.wav')
    await stop('other.wav')
    expect(next.status).toBe(202)
    expect(hosts).toEqual(expect.arrayContaining(rig.processes('decoder-host')))
  })
})

describe('a file that changes while it plays', () => {
  it.each([
    ['gone.wav', (path: string) => rmSync(path)],
    ['cut.wav', (path: string) => truncateSync(path, 800_000)],
    ['other.wav', (path: string) => {
      copyFileSync(file('text.wav'), `${path}.new`)
      renameSync(`${path}.new`, path)
      appendFileSync(path, 'more')
    }],
    ['deep/down/x.wav', () => renameSync(file('deep'), file('elsewhere'))],
  ] as const)('%s: it is stopped in order, the next start tells what is so', async (name, act) => {
    const { body } = await press(name)
    const run = body['executionId'] as string
    await daemon.state(run, ['playing'])
    await rig.beside(() => {
      act(file(name))
      return Promise.resolve()
    })
    await daemon.until(async () => (await daemon.run(run)).positionMs > 300, 5_000)
    expect((await stop(name)).status).toBe(200)
    const again = await press(name)
    if (again.status === 202) {
      const next = again.body['executionId'] as string
      await daemon.state(next, ['playing', 'failed'])
      await stop(name)
    } else expect([again.status, again.body['error']]).toEqual([422, 'media_file_missing'])
    await rig.stillLoops()
  })
})

describe('beside all of that', () => {
  it('the bed was heard without a break', () => rig.judge())
})
