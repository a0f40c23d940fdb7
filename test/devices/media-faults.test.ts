// Files that are damaged, missing or no media, and decoders that die: a clear answer to each.
import { realTimers } from '../../src/clock/real.js'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import type { MediaStream, OpenRequest } from '../../src/engine/ports.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { DecoderJob } from '../../src/io/media/decoder/decoder-job.js'
import { DecoderLink } from '../../src/io/media/decoder/decoder-link.js'
import type { JobMessage } from '../../src/io/media/decoder/decoder-messages.js'
import { lookAtFile } from '../../src/io/media/look/file-look.js'
import { FfmpegMedia, MEDIA_DEFAULTS } from '../../src/io/media/media-port.js'
import {
  convert,
  fullDecode,
  mediaFolder,
  type Sound,
  writePicture,
  writeSweep,
  writeVideo,
} from './media-files.js'
import { firstDifference, MediaListener, part } from './media-listener.js'
import { processesWith } from './media-processes.js'

/** What the daemon runs with. */
const AS_DAEMON = { ...MEDIA_DEFAULTS, timers: realTimers() }

const folder = mediaFolder()
const file = (name: string): string => join(folder, name)
const listener = new MediaListener()
let media: FfmpegMedia

beforeAll(() => {
  writeSweep(file('s48.wav'), 48_000, 30)
  convert(file('s48.wav'), file('good.flac'), [])
  convert(file('s48.wav'), file('good.mp3'), ['-b:a', '128k'])
  convert(file('s48.wav'), file('good.m4a'), ['-c:a', 'aac'])
  const flac = readFileSync(file('good.flac'))
  writeFileSync(file('truncated.flac'), flac.subarray(0, flac.length >> 1))
  const m4a = readFileSync(file('good.m4a'))
  writeFileSync(file('truncated.m4a'), m4a.subarray(0, m4a.length >> 1))
  const mp3 = readFileSync(file('good.mp3'))
  writeFileSync(file('truncated.mp3'), mp3.subarray(0, mp3.length >> 1))
  writeFileSync(file('corrupt.mp3'), Buffer.alloc(200_000, 'no music at all '))
  writeFileSync(file('text.mp3'), 'this is a text, not music\n'.repeat(3))
  writeFileSync(file('empty.mp3'), '')
  writePicture(file('picture.mp3'))
  writeVideo(file('silent.mp4'), 3, null)
  mkdirSync(file('folder.mp3'))
  media = new FfmpegMedia({ post: listener.post, env: process.env, ...AS_DAEMON })
})

afterAll(async () => {
  await media.closeAll()
  rmSync(folder, { recursive: true })
})

const play = (name: string, from: number, to: number | null) =>
  listener.hear(media, file(name), from, to)

describe('files that cannot play', () => {
  it.each([
    ['corrupt.mp3', /corrupt\.mp3: /],
    ['text.mp3', /text\.mp3: /],
    ['empty.mp3', /empty\.mp3: /],
    ['picture.mp3', /neither sound nor moving pictures/],
    ['truncated.m4a', /moov atom not found/],
    ['nothing.mp3', /the file is missing/],
    ['folder.mp3', /not a file|unreadable/],
  ])('%s breaks with a reason', async (name, reason) => {
    const heard = await play(name, 0, null)
    expect(heard.broken).toMatch(reason)
    expect(heard.broken).not.toContain(folder)
    expect(heard.sound.left.length).toBe(0)
  })

  it('a protocol is only a file name', async () => {
    for (const path of ['http://127.0.0.1:9/a.mp3', 'concat:a.wav|b.wav', 'pipe:0']) {
      const heard = await listener.play(media, listener.request(path, 0, null), 480)
      expect(heard.broken).toMatch(/the file is missing/)
      expect(await listener.check(media, path)).toBe(false)
    }
  })

  it('a file that was cut off plays what is there and is not taken for a whole one', async () => {
    const heard = await play('truncated.flac', 0, null)
    const oracle = fullDecode(file('good.flac'))
    expect(heard.sound.left.length).toBeGreaterThan(480_000)
    const whole = part(oracle, 0, heard.sound.left.length)
    expect(firstDifference(heard.sound, whole)).toBeNull()
    expect(heard.ended).toBeNull()
    expect(heard.broken).toMatch(/truncated\.flac: /)
  })

  it('a file that is short without a fault ends by itself where its sound does', async () => {
    const heard = await play('truncated.mp3', 0, null)
    expect(heard.broken).toBeNull()
    expect(heard.ended?.end).toBe(heard.sound.left.length)
    expect(heard.sound.left.length).toBeGreaterThan(700_000)
  })

  it('a damaged file does not break the part of it that is whole', async () => {
    const heard = await play('truncated.flac', 48_000, 240_000)
    expect(heard.broken).toBeNull()
    expect(heard.ended?.end).toBe(240_000)
  })
})

describe('videos without sound', () => {
  it('play as silence of their length', async () => {
    const heard = await play('silent.mp4', 0, null)
    expect(heard.broken).toBeNull()
    expect(heard.ended).toMatchObject({ end: 144_000, source: 144_000 })
    expect(heard.sound.left.length).toBe(144_000)
    expect(heard.sound.left.every((sample) => sample === 0)).toBe(true)
    const middle = await play('silent.mp4', 48_001, 96_000)
    expect(middle.ended).toMatchObject({ end: 96_000, source: null })
    expect((await play('silent.mp4', 144_000, null)).ended?.end).toBe(144_000)
  })

  it('of which nothing could be learnt once, e.g. on a share that hung, play later', async () => {
    const usual = process.env['PATH'] ?? ''
    const script = `#!/bin/sh\ntest -e ${file('hung')} || PATH=${usual} exec ffprobe "$@"\nexit 1\n`
    mkdirSync(file('programs'))
    writeFileSync(file('programs/ffprobe'), script, { mode: 0o755 })
    writeFileSync(file('hung'), '')
    const env = { ...process.env, PATH: `${file('programs')}:${usual}` }
    const port = new FfmpegMedia({ post: listener.post, ...AS_DAEMON, env })
    const request = () => listener.request(file('silent.mp4'), 0, null)
    expect((await listener.play(port, request(), 480)).broken).toMatch(/neither sound nor/)
    rmSync(file('hung'))
    const later = await listener.play(port, request(), 480)
    expect([later.broken, later.sound.left.length]).toEqual([null, 144_000])
    await port.closeAll()
  })
})

describe('check', () => {
  it('finds readable files and nothing else', async () => {
    expect(await listener.check(media, file('good.mp3'))).toBe(true)
    expect(await listener.check(media, file('nothing.mp3'))).toBe(false)
    expect(await listener.check(media, file('folder.mp3'))).toBe(false)
    if (process.getuid?.() !== 0) {
      writeFileSync(file('secret.mp3'), 'x')
      chmodSync(file('secret.mp3'), 0)
      expect(await listener.check(media, file('secret.mp3'))).toBe(false)
    }
  })
})

describe('decoders that die', () => {
  it('ffmpeg missing names the remedy, and works once it is there', async () => {
    const port = new FfmpegMedia({ post: listener.post, ...AS_DAEMON, env: { PATH: folder } })
    const heard = await listener.play(port, listener.request(file('good.mp3'), 0, null), 480)
    expect(heard.broken).toMatch(/ffmpeg was not found on the PATH; install it/)
    const script = `#!/bin/sh\nPATH=${process.env['PATH'] ?? ''} exec ffmpeg "$@"\n`
    writeFileSync(file('ffmpeg'), script, { mode: 0o755 })
    const later = await listener.play(port, listener.request(file('good.mp3'), 0, 48_000), 480)
    expect(later.broken).toBeNull()
    expect(later.sound.left.length).toBe(48_000)
    rmSync(file('ffmpeg'))
    const gone = await listener.play(port, listener.request(file('good.mp3'), 0, 48_000), 480)
    expect(gone.broken).toMatch(/ffmpeg was not found/)
    await port.closeAll()
  })

  it('one that works for long before it gives anything, as on a busy machine, is waited for',
    async () => {
      const usual = process.env['PATH'] ?? ''
      const busy = 'until [ $SECONDS -ge 7 ]; do :; done'
      const script = `#!/bin/bash\n${busy}\nPATH=${usual} exec ffmpeg "$@"\n`
      mkdirSync(file('busy'))
      writeFileSync(file('busy/ffmpeg'), script, { mode: 0o755 })
      const env = { ...process.env, PATH: `${file('busy')}:${usual}` }
      const port = new FfmpegMedia({ post: listener.post, ...AS_DAEMON, env })
      port.setArmed([{ buttonId: 'b', path: file('good.mp3'), from: 0, to: null }])
      await expect.poll(() => port.armedHeads, { timeout: 40_000 }).toBe(1)
      await port.closeAll()
    })

  it.each([
    ['ffmpeg is killed', (path: string) => processesWith(path, null), 'SIGKILL', 2],
    ['the decoding process is killed', () => hosts(), 'SIGKILL', 2],
    // Each time it takes seconds to be told from one that is slow.
    ['the decoding process hangs', () => hosts(), 'SIGSTOP', 1],
  ] as const)('%s: the stream goes on at its frame, once', async (_, find, signal, files) => {
    for (const name of ['good.m4a', 'good.flac'].slice(0, files)) {
      const whole = (await play(name, 0, null)).sound
      const older = new Set(hosts())
      const reader = new Reader(file(name))
      await until(() => reader.supplied > 48_000)
      const strike = (): void => {
        const [pid] = find(file(name)).filter((each) => !older.has(each))
        if (pid === undefined) throw new Error('no decoder runs')
        process.kill(pid, signal)
      }
      strike()
      const heard = await reader.rest()
      expect(reader.broken).toBeNull()
      expect(heard.left.length).toBe(1_440_000)
      expect(firstDifference(heard, whole)).toBeNull()
      await reader.port.closeAll()
      const second = new Reader(file(name))
      await until(() => second.supplied > 48_000)
      strike()
      await until(() => {
        second.read(400_000)
        return second.supplied > 400_000
      })
      strike()
      await until(() => second.broken !== null)
      expect(second.broken).toMatch(/was killed \(SIGKILL\)|ended unexpectedly/)
      await second.port.closeAll()
      // One that was stopped and killed is gone a moment later.
      await until(() => hosts().every((each) => older.has(each)))
    }
  })

  it('one that hangs after a pause is told as soon as one that hangs at once', async () => {
    const timers = new VirtualTimers(0)
    const told: JobMessage[] = []
    const frames = (): number =>
      told.reduce((sum, each) => each.kind === 'pcm' ? sum + each.left.length : sum, 0)
    const path = file('s48.wav')
    const request = { path, origin: 0, from: 0, to: null, until: 48_000, background: false }
    const job = new DecoderJob(1, request, {
      timers, looks: { lookLately: lookAtFile }, send: (message) => told.push(message),
      factsOf: () => Promise.resolve({ ok: false, message: 'nobody asks' }),
    }, () => undefined)
    await job.run()
    await until(() => frames() >= 48_000)
    // A question that is thought about for a while: nothing more is wanted, and nothing is wrong.
    timers.pass(60_000)
    const [pid] = processesWith(path, process.pid)
    process.kill(pid ?? NaN, 'SIGSTOP')
    job.want(1_440_000)
    await new Promise((wake) => setTimeout(wake, 200))
    timers.pass(19_000)
    const said = () => told.filter(({ kind }) => kind !== 'pcm')
    expect(said()).toEqual([])
    timers.pass(2_000)
    const message = 's48.wav: the decoder gives nothing'
    expect(said()).toEqual([{ kind: 'failed', job: 1, message }])
    await until(() => processesWith(path, process.pid).length === 0)
  })

  it('a hung process: looks and probes that were under way are answered by the next', async () => {
    const link = new DecoderLink({ env: process.env, timers: AS_DAEMON.timers })
    const older = new Set(hosts())
    expect((await link.look(file('good.mp3'))).kind).toBe('file')
    const [pid] = hosts().filter((each) => !older.has(each))
    process.kill(pid ?? NaN, 'SIGSTOP')
    const answers = await Promise.all([
      link.look(file('good.mp3')), link.look(file('none.mp3')), link.probe(file('good.mp3')),
    ])
    expect(answers).toMatchObject([{ kind: 'file' }, { kind: 'missing' }, { ok: true }])
    await link.close()
  })

  it('nothing is left behind: not by a closed stream, not by closeAll in mid-decode', async () => {
    const port = new FfmpegMedia({ post: () => undefined, ...AS_DAEMON, env: process.env })
    const path = file('good.mp3')
    const open = () => port.open(listener.request(path, 0, null))
    const first = open()
    await until(() => processesWith(path, null).length === 1)
    first.close()
    await until(() => processesWith(path, null).length === 0)
    for (let i = 0; i < 5; i += 1) open()
    await until(() => processesWith(path, null).length === 5)
    await port.closeAll()
    expect(processesWith(path, null)).toEqual([])
  })
})

const until = async (is: () => boolean): Promise<void> => {
  const deadline = performance.now() + 20_000
  while (!is()) {
    if (performance.now() > deadline) throw new Error('waited 20 s in vain')
    await new Promise((wake) => setTimeout(wake, 5))
  }
}

const hosts = (): number[] => processesWith('decoder-host', process.pid)

/** Opens a file on a port of its own and reads as far as it is told to. */
class Reader {
  supplied = 0
  broken: string | null = null
  readonly port: FfmpegMedia
  readonly #request: OpenRequest
  readonly #stream: MediaStream
  readonly #heard: Sound = { left: new Float32Array(2_000_000), right: new Float32Array(2_000_000) }
  #end: number | null = null
  #at = 0

  constructor(path: string) {
    this.port = new FfmpegMedia({
      ...{ ...AS_DAEMON, env: process.env },
      post: (fact) => {
        if (fact.kind === 'supplied') this.supplied = fact.until
        if (fact.kind === 'ended') this.#end = fact.end
        if (fact.kind === 'broken') this.broken = fact.message
      },
    })
    this.#request = listener.request(path, 0, null)
    this.#stream = this.port.open(this.#request)
  }

  /** Reads what there is, up to `to`. */
  read(to: number): void {
    const end = Math.min(to, this.supplied)
    for (; this.#at < end; this.#at += Math.min(480, end - this.#at)) {
      const count = Math.min(480, end - this.#at)
      this.#stream.read(frame(this.#at), this.#heard, this.#at, count)
      this.#stream.passed(frame(this.#at + count))
    }
  }

  async rest(): Promise<Sound> {
    await until(() => {
      this.read(Infinity)
      return this.broken !== null || this.#at === this.#end
    })
    return part(this.#heard, 0, this.#at)
  }
}
