// One decode over an ffmpeg that does what a test wants: how it ends, and what that is told as.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import type { DecodeRequest } from '../../../src/io/media/decoder/decoder-messages.js'
import type { Look } from '../../../src/io/media/look/file-look.js'
import type { MediaFacts, ProbeAnswer } from '../../../src/io/media/probe/probe-file.js'
import {
  beginAnew, decoding, FILE, known, numbers, timers, UNASKED, VIDEO,
} from './decoder-rig.js'
import { running, turns } from './fake-ffmpeg.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())
vi.mock('../../../src/io/media/decoder/ffmpeg-process.js', async () =>
  (await import('./fake-ffmpeg.js')).ffmpegProcess)

beforeEach(beginAnew)

describe('a decode that ends', () => {
  it('with its range, or with its source, whose length is known then', async () => {
    const whole = await decoding()
    whole.ffmpeg.write(0, 100)
    await whole.ffmpeg.end(0)
    expect(whole.heard()).toEqual({
      frames: numbers(0, 100), silence: 0, overs: 1,
      end: { kind: 'done', job: 1, end: 100, source: 100 },
    })
    const part = await decoding({ from: 10, to: 60 })
    running[1]!.write(10, 100)
    await turns()
    expect(part.heard()).toMatchObject({
      frames: numbers(10, 50), end: { kind: 'done', end: 60, source: null }, overs: 1,
    })
    expect(running[1]!.isKilled).toBe(true)
  })

  it('cut anywhere, its bytes are the same frames', async () => {
    const { ffmpeg, heard } = await decoding()
    const bytes = Buffer.alloc(8 * 9)
    for (let n = 0; n < 9; n += 1) bytes.writeFloatLE(n, 8 * n)
    for (const [from, to] of [[0, 3], [3, 8], [8, 21], [21, 22], [22, 72]]) {
      ffmpeg.stdout.write(bytes.subarray(from, to))
      await turns()
    }
    await ffmpeg.end(0)
    expect(heard().frames).toEqual(numbers(0, 9))
  })

  it('is silent where a sample is no number or has no bound: the sum would be, too', async () => {
    const { ffmpeg, heard } = await decoding()
    const bytes = Buffer.alloc(8 * 5)
    for (const [n, sample] of [0.5, NaN, Infinity, -Infinity, 1e30].entries()) {
      bytes.writeFloatLE(sample, 8 * n)
    }
    ffmpeg.stdout.write(bytes)
    await ffmpeg.end(0)
    expect(heard().frames).toEqual([0.5, 0, 0, 0, Math.fround(1e30)])
  })

  it('in MP4 where the container says that the sound ends', async () => {
    const mp4: Look = { ...FILE, isMp4: true }
    for (const [soundEnd, end, source] of [[80, 80, 80], [null, 100, 100], [120, 100, 100]]) {
      running.length = 0
      const facts = known({ soundEnd: soundEnd === null ? null : frame(soundEnd!) })
      const { ffmpeg, heard } = await decoding({}, mp4, facts)
      ffmpeg.write(0, 100)
      await ffmpeg.end(0)
      expect(heard()).toMatchObject({
        frames: numbers(0, end!), end: { kind: 'done', end, source }, overs: 1,
      })
    }
    running.length = 0
    // All of it lies behind the end of the sound.
    const { heard } = await decoding({ from: 90, origin: 90 }, mp4, known({ soundEnd: frame(80) }))
    expect(heard()).toMatchObject({ frames: [], end: { kind: 'done', end: 90 }, overs: 1 })
  })

  it.each([
    ['missing', { kind: 'missing', message: 'the file is missing' }],
    ['away', { kind: 'unavailable', message: 'its disk does not answer' }],
  ] as const)('at once where the file is %s', async (_what, look) => {
    const { heard } = await decoding({}, look)
    expect(running).toHaveLength(0)
    const message = `bed.flac: ${look.message}`
    expect(heard()).toMatchObject({ end: { kind: 'failed', job: 1, message }, overs: 1 })
  })
})

describe('an ffmpeg that complains', () => {
  const COMPLAINT = '[flac @ 0x55d7] invalid sync code\n'

  it('and ends with a fault has failed, with its first complaint', async () => {
    const { ffmpeg, heard } = await decoding()
    ffmpeg.write(0, 10)
    await ffmpeg.end(1, COMPLAINT)
    expect(heard().end).toEqual({ kind: 'failed', job: 1, message: 'bed.flac: invalid sync code' })
  })

  it.each<[string, number, Partial<DecodeRequest>, ProbeAnswer, boolean]>([
    ['half a second short', 24_000, {}, known({}), true],
    ['a frame more than that', 23_999, {}, known({}), false],
    ['short of a length that is a guess', 100, {}, known({ isEstimate: true }), true],
    ['short of a length that nobody knows', 100, {}, UNASKED, true],
    ['whole as far as its range', 100, { to: 24_100 }, known({}), true],
    ['short of its range by more', 99, { to: 24_100 }, known({}), false],
    ['short of its pictures', 100, {},
      known({ soundEnd: frame(100), picturesEnd: frame(48_000) }), true],
    ['short of all that its container tells', 100, {}, known({ picturesEnd: frame(48_000) }),
      false],
    ['short of a sound that ends before its pictures', 23_999, {},
      known({ soundEnd: frame(48_000), picturesEnd: frame(96_000) }), false],
    ['without a frame from its beginning', 0, {}, known({ duration: frame(10) }), false],
  ])('and ends by itself, %s', async (_what, frames, change, facts, isWhole) => {
    const { ffmpeg, heard } = await decoding(change, FILE, facts)
    if (frames > 0) ffmpeg.write(0, frames)
    await ffmpeg.end(0, COMPLAINT)
    expect(heard()).toMatchObject({ end: { kind: isWhole ? 'done' : 'failed' }, overs: 1 })
  })

  it('of a trifle, and whose pictures go on after the sound, plays on in silence', async () => {
    const facts = known({ soundEnd: frame(24_100), picturesEnd: frame(48_000) })
    const { ffmpeg, heard } = await decoding({}, { ...FILE, type: 'video/mp2t' }, facts)
    ffmpeg.write(0, 24_000)
    await ffmpeg.end(0, COMPLAINT)
    const end = { kind: 'done', end: 48_000, source: 48_000 }
    expect(heard()).toMatchObject({ silence: 24_000, end, overs: 1 })
  })

  it.each<[string, Partial<MediaFacts>, number | null]>([
    ['a video is silence of its length', { audio: null, video: VIDEO }, 48_000],
    ['a picture is nothing', { audio: null }, null],
    ['nor is a video of no length', { audio: null, video: VIDEO, duration: frame(0) }, null],
    ['nor is one that has sound', { video: VIDEO }, null],
  ])('that there is no sound: %s', async (_what, facts, silence) => {
    const { ffmpeg, heard } = await decoding({}, FILE, known(facts))
    await ffmpeg.end(1, "Stream map '0:a:0' matches no streams.\n")
    expect(heard()).toMatchObject(silence === null
      ? { silence: 0, end: { kind: 'failed' }, overs: 1 }
      : { silence, end: { kind: 'done', end: silence, source: silence }, overs: 1 })
  })

  it('that the format changes is started anew, and what was heard is left out', async () => {
    const { ffmpeg, heard } = await decoding({ origin: 96_010, from: 96_010 })
    ffmpeg.write(96_010, 50)
    await ffmpeg.end(1, 'Changing audio frame properties on the fly is not supported\n')
    expect(running).toHaveLength(2)
    const [, second] = running
    // It begins a second early, counts nothing, and is cut here.
    expect(second!.args.join(' ')).not.toContain('atrim')
    second!.write(48_000, 48_100)
    await second!.end(0)
    expect(heard()).toMatchObject({
      frames: numbers(96_010, 90), end: { kind: 'done', end: 96_100, source: 96_100 }, overs: 1,
    })
  })
})

it('one that was started anew stops where no more is wanted, as the first did', async () => {
  const { job, ffmpeg, heard } = await decoding({ until: 20 })
  ffmpeg.write(0, 10)
  await ffmpeg.end(1, 'Changing audio frame properties on the fly is not supported\n')
  const [, second] = running
  second!.write(0, 20)
  await turns()
  second!.write(20, 10)
  await turns()
  expect(heard().frames).toEqual(numbers(0, 20))
  job.want(30)
  await turns()
  expect(heard().frames).toEqual(numbers(0, 30))
})

describe('a decoder that gives nothing', () => {
  it.each([
    ['that somebody waits for has failed after twenty seconds', false, 20_000, 'failed'],
    ['of a head has died after five: it is tried once more', true, 5_000, 'died'],
  ] as const)('%s', async (_what, background, patienceMs, kind) => {
    for (const fedAtMs of [0, 3_000]) {
      running.length = 0
      const { ffmpeg, heard } = await decoding({ background })
      if (fedAtMs > 0) {
        timers.pass(fedAtMs)
        ffmpeg.write(0, 10)
        await turns()
      }
      timers.pass(patienceMs - 1)
      expect([heard().end, ffmpeg.isKilled]).toEqual([null, false])
      timers.pass(1)
      const message = 'bed.flac: the decoder gives nothing'
      expect([heard().end, ffmpeg.isKilled]).toEqual([{ kind, job: 1, message }, true])
    }
  })

  it.each([false, true])('where all stood still is waited for: %s', async (background) => {
    const { ffmpeg, heard } = await decoding({ background })
    timers.stall(25_000)
    expect([heard().end, ffmpeg.isKilled]).toEqual([null, false])
    ffmpeg.write(0, 10)
    await turns()
    expect(heard()).toMatchObject({ frames: numbers(0, 10), end: null })
  })

  it('one that was killed has died, by the name of the signal', async () => {
    const { ffmpeg, heard } = await decoding()
    ffmpeg.write(0, 10)
    await ffmpeg.end(null, '', 'SIGKILL')
    const message = 'bed.flac: the decoder was killed (SIGKILL)'
    expect(heard()).toMatchObject({ end: { kind: 'died', message }, overs: 1 })
  })

  it.each([
    ['ENOENT', /^ffmpeg was not found on the PATH; install it/],
    ['EMFILE', /^ffmpeg: spawn EMFILE/],
  ])('one that could not be started is told: %s', async (code, words) => {
    const { ffmpeg, heard } = await decoding()
    ffmpeg.emit('error', Object.assign(new Error(`spawn ${code}`), { code }))
    await ffmpeg.end(null)
    expect(heard()).toMatchObject({
      end: { kind: 'failed', message: expect.stringMatching(words) as string }, overs: 1,
    })
  })

  it('one that was dropped tells nothing more', async () => {
    const { job, ffmpeg, heard } = await decoding()
    ffmpeg.write(0, 10)
    await turns()
    job.drop()
    await ffmpeg.end(1, 'Killed\n')
    timers.pass(60_000)
    expect(heard()).toMatchObject({ frames: numbers(0, 10), end: null, overs: 1 })
    expect(ffmpeg.isKilled).toBe(true)
  })
})

it('is waited for while it owes sound, for five seconds: then others go on', async () => {
  // Its file is still being looked at.
  const { job } = await decoding({ until: 0 }, null)
  expect(job.isAwaited).toBe(false)
  timers.pass(60_000)
  for (const until of [48_000, 96_000]) {
    job.want(until)
    expect(job.isAwaited).toBe(until === 48_000)
    timers.pass(4_999)
    expect(job.isAwaited).toBe(until === 48_000)
    timers.pass(1)
    expect(job.isAwaited).toBe(false)
  }
})

it('stops where no more is wanted, and goes on when it is', async () => {
  const { job, ffmpeg, heard } = await decoding({ until: 10 })
  ffmpeg.write(0, 10)
  await turns()
  ffmpeg.write(10, 10)
  await turns()
  expect([heard().frames.length, job.isAwaited]).toEqual([10, false])
  timers.pass(60_000)
  job.want(20)
  expect(job.isAwaited).toBe(true)
  await turns()
  expect([heard().frames, job.isAwaited]).toEqual([numbers(0, 20), false])
})

// A bed plays on for a while from what is decoded ahead of it, and asks for more all along.
it('one that hangs is found out in time however often more is wanted', async () => {
  const { job, ffmpeg, heard } = await decoding({ until: 20 })
  ffmpeg.write(0, 10)
  await turns()
  for (const until of [30, 40, 50]) {
    timers.pass(6_600)
    job.want(until)
  }
  expect(heard().end).toBeNull()
  timers.pass(200)
  expect(heard().end).toMatchObject({ kind: 'failed' })
})

// A bed that was paused for a minute goes on, and its share hangs by then.
it('one that hangs where more is wanted after a long rest has failed', async () => {
  const { job, ffmpeg, heard } = await decoding({ until: 10 })
  ffmpeg.write(0, 10)
  await turns()
  timers.pass(60_000)
  job.want(20)
  timers.pass(19_900)
  expect([heard().end, ffmpeg.isKilled]).toEqual([null, false])
  timers.pass(200)
  const message = 'bed.flac: the decoder gives nothing'
  expect(heard().end).toMatchObject({ kind: 'failed', message })
  expect(ffmpeg.isKilled).toBe(true)
})
