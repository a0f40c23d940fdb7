// The whole daemon as a newcomer runs it: what it plays, what broken files do to it, how it ends.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { positionOf, writeCodedWav, writeSweep } from './media-files.js'
import { processesWith } from './media-processes.js'
import { daemonForEach } from './daemon-each.js'
import { button, type Daemon, delay, type ListJson } from './daemon-rig.js'

const make = daemonForEach(null)

const START = { XDG_RUNTIME_DIR: '' }

const serve = async (
  lists: readonly ListJson[], files: (folder: string) => void,
): Promise<Daemon> => {
  const daemon = make()
  files(daemon.folder)
  daemon.writeShow(lists)
  await daemon.start(['--sink', `wav:${daemon.wav}`, '--log-level', 'info'], START)
  return daemon
}

/** The frame numbers that a recording of position-coded sound tells, silence left out. */
const frames = (daemon: Daemon): number[] => {
  const { left, right } = daemon.heard()
  const told: number[] = []
  left.forEach((value, n) => {
    if (value !== 0) told.push(Math.round(positionOf(value, right[n]!)))
  })
  return told
}

const upTo = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, n) => from + n)

describe('what the daemon plays', () => {
  it('every frame of a file once, from Start to End, over a pause and a resume', async () => {
    const daemon = await serve(
      [{ buttons: [{ media: 'coded.wav', startMs: 250, endMs: 1250 }] }],
      (folder) => {
        writeCodedWav(join(folder, 'coded.wav'), 96_000)
      },
    )
    await daemon.armed(1)
    const id = await daemon.play(1)
    await delay(300)
    const body = { executionId: id, fadeOutMs: 0 }
    const paused = await daemon.post(`/buttons/${button(1)}/pause`, body)
    expect(paused.body).toMatchObject({ state: 'paused', executionId: id })
    await delay(100)
    const resumed = await daemon.post(`/buttons/${button(1)}/resume`, { executionId: id })
    expect(resumed.body).toMatchObject({ state: 'playing', positionMs: paused.body['positionMs'] })
    const ended = await daemon.state(id, ['completed'])
    expect(ended).toMatchObject({ endReason: 'natural_end', positionMs: 1250, durationMs: 2000 })
    expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 })
    expect(frames(daemon)).toEqual(upTo(12_000, 60_000))
  })

  it('a list without a gap: each file follows on the very next frame', async () => {
    const daemon = await serve(
      [{ mode: 'sequence', buttons: [
        { media: 'coded.wav', endMs: 700 },
        { media: 'missing.wav' },
        { media: 'coded.wav', startMs: 700 },
      ] }],
      (folder) => {
        writeCodedWav(join(folder, 'coded.wav'), 67_201)
      },
    )
    await daemon.play(1)
    const active = async (): Promise<string[]> =>
      (await daemon.status()).active.map(({ id }) => id)
    await daemon.until(async () => (await active()).includes(button(3)), 8_000)
    await daemon.until(async () => (await active()).length === 0, 8_000)
    await daemon.end('SIGTERM')
    expect(frames(daemon)).toEqual(upTo(0, 67_201))
  })
})

describe('what broken media do', () => {
  const broken = ['corrupt.mp3', 'empty.wav', 'text.mp3']

  it('each ends failed, and the bed beside them loses no frame', async () => {
    const daemon = await serve(
      [{ buttons: [
        { media: 'coded.wav', allowOverlap: true },
        ...broken.map((media) => ({ media, allowOverlap: true })),
        { media: 'gone.wav', allowOverlap: true },
      ] }],
      (folder) => {
        writeCodedWav(join(folder, 'coded.wav'), 192_000)
        writeFileSync(join(folder, 'corrupt.mp3'), randomBytes(50_000))
        writeFileSync(join(folder, 'empty.wav'), '')
        writeFileSync(join(folder, 'text.mp3'), 'this is no music\n'.repeat(1000))
      },
    )
    const bed = await daemon.play(1)
    for (const n of [2, 3, 4]) {
      const id = await daemon.play(n)
      expect(await daemon.state(id, ['failed'])).toMatchObject({
        state: 'failed', endReason: 'playback_error',
      })
    }
    const missing = await daemon.post(`/buttons/${button(5)}/play`)
    expect(missing).toMatchObject({ status: 422, body: { error: 'media_file_missing' } })
    expect(await daemon.state(bed, ['completed'])).toMatchObject({ endReason: 'natural_end' })
    await daemon.end('SIGTERM')
    expect(frames(daemon)).toEqual(upTo(0, 192_000))
  })

  it('a decoder killed twice in mid-song: the run fails, the next start plays', async () => {
    const daemon = await serve(
      [{ buttons: [{ media: 'long.wav' }, { media: 'coded.wav' }] }],
      (folder) => {
        writeSweep(join(folder, 'long.wav'), 48_000, 120)
        writeCodedWav(join(folder, 'coded.wav'), 48_000)
      },
    )
    const id = await daemon.play(1)
    await daemon.state(id, ['playing'])
    // Those that somebody waits for: heads of the same file are decoded with a low priority.
    const isAwaited = (pid: number): boolean => {
      try {
        const words = readFileSync(`/proc/${String(pid)}/cmdline`, 'latin1')
        return words.startsWith('ffmpeg') && getPriority(pid) === getPriority()
      } catch {
        return false
      }
    }
    const decoders = (): number[] =>
      processesWith(join(daemon.folder, 'long.wav'), null).filter(isAwaited)
    const first = decoders()
    expect(first.length).toBeGreaterThan(0)
    for (const pid of first) process.kill(pid, 'SIGKILL')
    // Opened anew once, at the frame that was stored; then it is given up.
    // One that arms has its low priority a moment after it began.
    await daemon.until(async () => {
      const again = decoders().find((pid) => !first.includes(pid))
      await delay(100)
      return again !== undefined && isAwaited(again)
    }, 10_000)
    for (const pid of decoders()) process.kill(pid, 'SIGKILL')
    const failed = await daemon.state(id, ['failed'], 20_000)
    expect(failed).toMatchObject({ endReason: 'playback_error' })
    const next = await daemon.play(2)
    expect(await daemon.state(next, ['completed'])).toMatchObject({ endReason: 'natural_end' })
  })

  it('no ffmpeg on the PATH: the start fails and the log says what to install', async () => {
    const daemon = make()
    writeCodedWav(join(daemon.folder, 'coded.wav'), 48_000)
    daemon.writeShow([{ buttons: [{ media: 'coded.wav' }] }])
    const bin = join(daemon.folder, 'bin')
    mkdirSync(bin)
    symlinkSync(process.execPath, join(bin, 'node'))
    await daemon.start(['--sink', 'null'], { ...START, PATH: bin })
    const id = await daemon.play(1)
    expect(await daemon.state(id, ['failed'])).toMatchObject({ endReason: 'playback_error' })
    await daemon.until(async () => daemon.log.includes('ffmpeg'), 10_000)
    expect((await daemon.status()).state).toBe('ready')
  })

  it('a file that is gone when its turn comes is 422 and touches nothing', async () => {
    const buttons = [{ media: 'a.wav' }, { media: 'b.wav' }]
    const daemon = await serve([{ buttons }], (folder) => {
      writeCodedWav(join(folder, 'a.wav'), 480_000)
      writeCodedWav(join(folder, 'b.wav'), 48_000)
    })
    await daemon.armed(2)
    const bed = await daemon.play(1)
    rmSync(join(daemon.folder, 'b.wav'))
    const refused = await daemon.post(`/buttons/${button(2)}/play`)
    expect(refused).toMatchObject({ status: 422, body: { error: 'media_file_missing' } })
    expect((await daemon.run(bed)).state).toBe('playing')
  })
})

describe('how the daemon ends', () => {
  const ends = async (
    signal: NodeJS.Signals, act: (daemon: Daemon) => Promise<void>,
  ): Promise<void> => {
    const daemon = await serve([{ buttons: [{ media: 'long.wav' }] }], (folder) => {
      writeSweep(join(folder, 'long.wav'), 48_000, 60)
    })
    await act(daemon)
    const { code, ms } = await daemon.end(signal)
    expect({ code, inTime: ms < 2_000 }).toEqual({ code: 0, inTime: true })
    const bytes = statSync(daemon.wav).size
    const header = readFileSync(daemon.wav).readUInt32LE(4)
    expect(header).toBe(bytes - 8)
    execFileSync('ffmpeg', ['-v', 'error', '-xerror', '-i', daemon.wav, '-f', 'null', '-'])
    await expect.poll(() => processesWith(daemon.folder, null), { timeout: 2_000 }).toEqual([])
  }

  it('SIGTERM while playing: 0 in time, the WAV whole, no process left', async () => {
    await ends('SIGTERM', async (daemon) => {
      const id = await daemon.play(1)
      await daemon.state(id, ['playing'])
      await delay(300)
    })
  })

  it('SIGTERM in a fade', async () => {
    await ends('SIGTERM', async (daemon) => {
      const id = await daemon.play(1)
      await daemon.state(id, ['playing'])
      await daemon.post(`/buttons/${button(1)}/stop`, { fadeOutMs: 5_000 })
      await delay(200)
    })
  })

  it('SIGINT in the middle of a decode', async () => {
    await ends('SIGINT', async (daemon) => {
      await daemon.play(1)
    })
  })

  it('says shutting down to a command that comes too late, and ends all the same', async () => {
    const daemon = await serve([{ buttons: [{ media: 'coded.wav' }] }], (folder) => {
      writeCodedWav(join(folder, 'coded.wav'), 48_000)
    })
    const ending = daemon.end('SIGTERM')
    const late = await daemon.post(`/buttons/${button(1)}/play`).catch(() => null)
    expect([202, 503, null]).toContain(late?.status ?? null)
    expect((await ending).code).toBe(0)
  })
})
