// Lights that follow a video on a page: rhythm, seeks, faults and ends, against the real service.
import { describe, expect, test } from 'vitest'
import { createClient, DmxSync, type SyncAnswer, type SyncBody } from '../../src/client/client.js'
import { BED, LIT, quiz, STROBE } from './quiz-show.js'

/** A media element as far as anybody looks; it plays on the player's clock. */
class Video extends EventTarget {
  paused = true
  ended = false
  readyState = 4
  /** How many listen to it. */
  listeners = 0
  #at = 0
  #since = 0

  constructor(private readonly nowMs: () => number) {
    super()
  }

  override addEventListener(type: string, listener: () => void): void {
    super.addEventListener(type, listener)
    this.listeners += 1
  }

  override removeEventListener(type: string, listener: () => void): void {
    super.removeEventListener(type, listener)
    this.listeners -= 1
  }

  get currentTime(): number {
    const isMoving = !this.paused && this.readyState > 2
    return this.#at + (isMoving ? (this.nowMs() - this.#since) / 1000 : 0)
  }

  set currentTime(seconds: number) {
    this.#at = seconds
    this.#since = this.nowMs()
    this.dispatchEvent(new Event('seeking'))
  }

  play(): void {
    this.#since = this.nowMs()
    this.paused = false
    this.dispatchEvent(new Event('play'))
  }

  /** It has nothing more to show, and stands until it has. */
  wait(): void {
    this.#at = this.currentTime
    this.readyState = 2
    this.dispatchEvent(new Event('waiting'))
  }

  goOn(): void {
    this.#since = this.nowMs()
    this.readyState = 4
    this.dispatchEvent(new Event('playing'))
  }

  pause(): void {
    this.#at = this.currentTime
    this.paused = true
    this.dispatchEvent(new Event('pause'))
  }
}

const scene = async (buttonId: string = LIT) => {
  const { player } = quiz()
  const sent: (SyncBody & { readonly at: number })[] = []
  const client = createClient({
    baseUrl: player.baseUrl,
    fetch: (url, init) => {
      if (url.endsWith('/dmx/sync')) {
        sent.push({ ...(JSON.parse(init.body as string) as SyncBody), at: player.now() })
      }
      return player.fetch(url, init)
    },
  })
  const video = new Video(() => player.now())
  const { dmxExecutionId } = await client.play(buttonId)
  const answers: SyncAnswer[] = []
  const ends: string[] = []
  const sync = new DmxSync(client, {
    buttonId, dmxExecutionId: dmxExecutionId ?? '', clock: video, sequence: 0, wait: player.wait,
    timeoutMs: 30, onSync: (it) => answers.push(it), onEnd: (end) => ends.push(end),
  })
  const positionMs = async (): Promise<number> =>
    (await client.status()).lights.timelines[0]?.positionMs ?? -1
  return { player, client, video, sync, sent, answers, ends, positionMs }
}

describe('rhythm', () => {
  test('every 225 ms, each message with a fresh position and a higher sequence', async () => {
    const { player, video, sync, sent, answers } = await scene()
    video.play()
    sync.start()
    await player.advance(2000)
    expect(sent.map((it) => it.at)).toEqual([0, 225, 450, 675, 900, 1125, 1350, 1575, 1800])
    expect(sent.map((it) => it.positionMs)).toEqual(sent.map((it) => it.at))
    expect(sent.map((it) => it.sequence)).toEqual(sent.map((_it, n) => n + 1))
    expect(answers.map((it) => it.corrected)).toEqual(sent.map(() => false))
    sync.stop()
  })

  test('numbers are whole where the app brings a clock of its own that tells parts of ms',
    async () => {
      const { player, client } = quiz()
      const { dmxExecutionId } = await client.play(LIT)
      const wait = Object.assign(
        (ms: number, signal: AbortSignal) => player.wait(ms, signal),
        { now: () => player.now() + 0.25 },
      )
      const sync = new DmxSync(client, {
        buttonId: LIT, dmxExecutionId: dmxExecutionId ?? '', wait,
        clock: { positionMs: 0, isPlaying: false },
      })
      sync.start()
      await player.advance(1000)
      expect(sync.end).toBeNull()
      expect(sync.answer).not.toBeNull()
      // Also those after a higher one of somebody else.
      await client.dmxSync(LIT, {
        executionId: dmxExecutionId ?? '', sequence: sync.sequence + 5, positionMs: 0,
        isPlaying: false,
      })
      await player.advance(3000)
      expect(sync.end).toBeNull()
      sync.stop()
    })

  test('at once on pause and resume, and the lights hold and go on', async () => {
    const { player, video, sync, sent, positionMs } = await scene()
    video.play()
    sync.start()
    await player.advance(1000)
    video.pause()
    await player.advance(10)
    expect(sent.at(-1)).toMatchObject({ at: 1000, isPlaying: false, positionMs: 1000 })
    await player.advance(5000)
    expect(await positionMs()).toBe(1000)
    video.play()
    await player.advance(500)
    expect(await positionMs()).toBe(1500)
    sync.stop()
  })

  test('a video that waits for its data: the lights wait with it, and do not flicker', async () => {
    const { player, video, sync, positionMs } = await scene()
    video.play()
    sync.start()
    await player.advance(1000)
    video.wait()
    await player.advance(10)
    const seen = new Set<number>()
    for (let n = 0; n < 60; n += 1) {
      await player.advance(50)
      seen.add(await positionMs())
    }
    expect([...seen]).toEqual([1000])
    video.goOn()
    await player.advance(500)
    expect(await positionMs()).toBe(1500)
    sync.stop()
  })

  test('at once on a seek, by force', async () => {
    const { player, video, sync, sent, positionMs } = await scene()
    video.play()
    sync.start()
    await player.advance(1000)
    video.currentTime = 1.05
    await player.advance(1)
    expect(sent.at(-1)).toMatchObject({ at: 1000, forceSeek: true, positionMs: 1050 })
    expect(await positionMs()).toBe(1051)
    await player.advance(1000)
    expect(sent.filter((it) => it.forceSeek === true)).toHaveLength(1)
    sync.stop()
  })

  test('a clock that is no media element tells of its changes by hand', async () => {
    const { player, client } = quiz()
    const { dmxExecutionId } = await client.play(STROBE)
    const clock = { positionMs: 400, isPlaying: false }
    const sync = new DmxSync(client, {
      buttonId: STROBE, dmxExecutionId: dmxExecutionId ?? '', clock: () => clock,
      wait: player.wait,
    })
    sync.start()
    await player.advance(1)
    expect(sync.answer).toMatchObject({ positionMs: 400, isPlaying: false })
    clock.positionMs = 420
    sync.seeked()
    await player.advance(1)
    expect(sync.answer).toMatchObject({ positionMs: 420, corrected: true })
    sync.stop()
    expect(sync.end).toBe('stopped')
  })
})

describe('faults', () => {
  test('a service that is away is asked ever more rarely; no seek is forgotten', async () => {
    const { player, video, sync, sent, positionMs } = await scene()
    video.play()
    sync.start()
    await player.advance(225)
    player.setNetwork('down')
    video.currentTime = 30
    await player.advance(3000)
    // Nor does whoever presses pause and play all the while make it ask more often.
    for (let n = 0; n < 30; n += 1) {
      if (n % 2 === 0) video.pause()
      else video.play()
      await player.advance(100)
    }
    const gaps = sent.slice(2).map((it, n) => it.at - (sent[n + 1]?.at ?? 0))
    expect(Math.max(...gaps)).toBe(1800)
    expect(sent.length).toBeLessThan(12)
    player.setNetwork('up')
    await player.advance(2000)
    expect(sent.findLast((it) => it.forceSeek === true)?.at).toBeGreaterThan(6000)
    expect(sent.at(-1)?.forceSeek).toBeUndefined()
    expect(Math.abs((await positionMs()) - video.currentTime * 1000)).toBeLessThan(1)
    sync.stop()
  })

  test('answers that get lost do not shake it', async () => {
    const { player, video, sync, answers, ends } = await scene()
    video.play()
    player.setNetwork('lossy')
    sync.start()
    await player.advance(5000)
    player.setNetwork('up')
    await player.advance(3000)
    expect(ends).toEqual([])
    expect(answers.at(-1)?.driftMs).toBe(0)
    sync.stop()
  })

  test('it waits while the sound of the button is being prepared', async () => {
    const { player, client } = quiz()
    player.addFile('one.flac', { durationMs: 60_000, readyAfterMs: 700 })
    const { dmxExecutionId } = await client.play(LIT)
    const sync = new DmxSync(client, {
      buttonId: LIT, dmxExecutionId: dmxExecutionId ?? '', wait: player.wait,
      clock: () => ({ positionMs: player.now(), isPlaying: true }),
    })
    sync.start()
    await player.advance(600)
    expect(sync).toMatchObject({ answer: null, end: null })
    await player.advance(3000)
    expect(sync.answer?.isPlaying).toBe(true)
    sync.stop()
  })

  test('somebody else’s higher sequence is passed by the time of day', async () => {
    const { player, client, video, sync, sent, ends } = await scene()
    video.play()
    sync.start()
    await player.advance(500)
    const executionId = sent[0]?.executionId ?? ''
    await client.dmxSync(LIT, { executionId, sequence: 1000, positionMs: 500, isPlaying: true })
    await player.advance(2000)
    expect(ends).toEqual([])
    expect(sync.answer?.sequence).toBeGreaterThan(1000)
    // And once more: each time anew by as little as will do, or two pages would outbid each other.
    const { sequence } = sync
    const body = { executionId, sequence: sequence + 3, positionMs: 2500, isPlaying: true }
    await client.dmxSync(LIT, body)
    await player.advance(2000)
    expect(sync.answer?.sequence).toBeGreaterThan(sequence + 3)
    expect(sync.sequence).toBeLessThan(sequence + 60_000)
    sync.stop()
  })

  test('of one who counts the microseconds of the day too, within nine seconds', async () => {
    const { player, client, video, sync, sent, ends } = await scene()
    video.play()
    sync.start()
    await player.advance(500)
    const executionId = sent[0]?.executionId ?? ''
    const sequence = 1.8e15
    await client.dmxSync(LIT, { executionId, sequence, positionMs: 500, isPlaying: true })
    await player.advance(9_000)
    expect(ends).toEqual([])
    expect(sync.answer?.sequence).toBeGreaterThan(sequence)
    sync.stop()
  })
})

describe('ends', () => {
  test('when the lights are stopped, and sends no more', async () => {
    const { player, client, video, sync, sent, ends } = await scene()
    video.play()
    sync.start()
    await player.advance(1000)
    await client.stop(LIT)
    await player.advance(5000)
    expect(ends).toEqual(['dmx_not_active'])
    const count = sent.length
    await player.advance(5000)
    expect(sent).toHaveLength(count)
  })

  test('when the service begins again', async () => {
    const { player, video, sync, ends } = await scene()
    video.play()
    sync.start()
    await player.advance(1000)
    player.restart()
    await player.advance(1000)
    expect(ends).toEqual(['dmx_not_active'])
  })

  test.each([
    [BED.warm, 'media_file_missing'], [STROBE, 'stale_execution'],
    ['00000000-0000-4000-8000-00000000ffff', 'button_not_found'], ['nonsense', 'refused'],
  ])('on button %s, which is wrong: %s', async (buttonId, end) => {
    const { player, client } = quiz()
    const { dmxExecutionId } = await client.play(LIT)
    const ends: string[] = []
    const sync = new DmxSync(client, {
      buttonId, dmxExecutionId: dmxExecutionId ?? '', clock: { positionMs: 0, isPlaying: true },
      onEnd: (it) => ends.push(it), wait: player.wait,
    })
    sync.start()
    await player.advance(1000)
    expect(ends).toEqual([end])
  })

  test('by a stop; a later start sends nothing, and nobody listens to the video', async () => {
    const { player, video, sync, sent, ends } = await scene()
    sync.stop()
    sync.start()
    expect(video.listeners).toBe(0)
    await player.advance(1000)
    expect([sent, ends]).toEqual([[], ['stopped']])
  })
})
