// The stage under test: a daemon with numbered clips, a Chromium before it, and an independent eye.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { button, Daemon, delay, type ListJson } from '../devices/daemon-rig.js'
import { launchChromium } from './chromium.js'
import { CLIP, makeClip, type ClipOptions, type Ground } from './stage-clips.js'
import { openEye, type Glimpse } from './stage-eye.js'
import { aheadBy, epochMs, Judge, type Answered, type Asked } from './stage-judge.js'

/** What a camera before the screen saw. */
export interface Shot {
  readonly at: number
  readonly number: number
  readonly colour: readonly [number, number, number]
}

/** How the daemon under test is heard, if at all. */
export interface Sounding {
  readonly sink: string
  readonly environment: NodeJS.ProcessEnv
}

export const UNHEARD: Sounding = { sink: 'null', environment: {} }

export class StageRig {
  readonly daemon = new Daemon()
  readonly #sounding: Sounding
  #browser: Browser | null = null
  #page: Page | null = null

  constructor(sounding: Sounding) {
    this.#sounding = sounding
  }

  get browser(): Browser {
    if (this.#browser === null) throw new Error('no browser is open')
    return this.#browser
  }

  get page(): Page {
    if (this.#page === null) throw new Error('no stage is open')
    return this.#page
  }

  async clips(clips: readonly Omit<ClipOptions, 'path'>[], names: readonly string[]) {
    const made = clips.map((clip, n) =>
      makeClip({ ...clip, path: join(this.daemon.folder, names[n] ?? '') }))
    await Promise.all(made)
  }

  async open(lists: readonly ListJson[]): Promise<void> {
    this.daemon.writeShow(lists)
    const [browser] = await Promise.all([
      launchChromium(),
      this.daemon.start(['--sink', this.#sounding.sink], this.#sounding.environment),
    ])
    this.#browser = browser
    const viewport = { width: CLIP.width, height: CLIP.height }
    this.#page = await this.#browser.newPage({ viewport })
    // esbuild's loader wraps functions in this one, which a page does not have.
    await this.page.addInitScript('globalThis.__name = (of) => of')
    await this.page.addInitScript(openEye, CLIP.bits)
    await this.load()
  }

  async load(): Promise<void> {
    const reported = this.page.waitForRequest(/\/media\//, { timeout: 10_000 }).catch(() => null)
    await this.page.goto(`${this.address}/stage?name=eye`)
    await reported
  }

  get address(): string {
    return this.daemon.base.replace('/api/v1', '')
  }

  /** The daemon once more, at the port that it had. */
  again(): Promise<void> {
    const { sink, environment } = this.#sounding
    const args = ['--sink', sink, '--port', new URL(this.address).port]
    return this.daemon.start(args, environment)
  }

  /** Starts a button; answers its run when it is heard. A busy machine takes its time. */
  async play(n: number, options: unknown = null): Promise<string> {
    const executionId = await this.daemon.play(n, options)
    await this.daemon.state(executionId, ['playing'])
    return executionId
  }

  /** All off, at once, and seen to be. */
  async silence(images: readonly number[]): Promise<void> {
    await this.daemon.post('/stop', { fadeOutMs: 0 })
    for (const n of images) await this.daemon.post(`/buttons/${button(n)}/stop`)
    await delay(300)
  }

  /** What is seen at this moment. */
  async seen(): Promise<Shot> {
    const shots = await this.film(() => delay(120))
    const last = shots.at(-1)
    if (last === undefined) throw new Error('the camera saw nothing')
    return last
  }

  /** The frames that were shown since it was last asked. */
  glimpses(): Promise<Glimpse[]> {
    return this.page.evaluate(() => {
      const eye = (window as unknown as { stageEye: Promise<Glimpse>[] }).stageEye
      return Promise.all(eye.splice(0))
    })
  }

  /**
   * Where a run is heard, by this process's clock: position minus time, in ms. A position is what
   * the output took, told between two writes, so the least late of a hundred is the true one.
   */
  async heardOffset(executionId: string): Promise<number> {
    const { run, latencyMs } = this.#asked(executionId)
    const latency = await latencyMs()
    const answers: Answered[] = []
    for (let n = 0; n < 100; n += 1) answers.push(await run())
    return aheadBy(answers) - latency
  }

  /** A clock of its own that follows a run until it is ended. */
  judge(executionId: string): Judge {
    return new Judge(this.#asked(executionId))
  }

  #asked(executionId: string): Asked {
    return {
      run: async () => {
        const beforeMs = epochMs()
        const { positionMs, state } = await this.daemon.run(executionId)
        const afterMs = epochMs()
        if (state !== 'playing') throw new Error(`the run is ${state}`)
        return { positionMs, beforeMs, afterMs }
      },
      latencyMs: async () => (await this.daemon.status()).audio.latencyMs,
    }
  }

  /** A camera: what the compositor put on the screen while `during` went on. */
  async film(during: () => Promise<void>): Promise<readonly Shot[]> {
    const session = await this.page.context().newCDPSession(this.page)
    const taken: { readonly at: number; readonly jpeg: Buffer }[] = []
    session.on('Page.screencastFrame', ({ sessionId, metadata, data }) => {
      taken.push({ at: (metadata.timestamp ?? 0) * 1000, jpeg: Buffer.from(data, 'base64') })
      session.send('Page.screencastFrameAck', { sessionId }).catch(() => null)
    })
    await session.send('Page.startScreencast', {
      format: 'jpeg', quality: 90, maxWidth: FILM.width, maxHeight: FILM.height, everyNthFrame: 1,
    })
    await during()
    await session.send('Page.stopScreencast')
    await session.detach()
    return developed(taken)
  }

  async close(): Promise<void> {
    await this.#browser?.close()
    await this.daemon.clean()
  }
}

const FILM = { width: 320, height: 180 } as const

const developed = (taken: readonly { at: number; jpeg: Buffer }[]): readonly Shot[] => {
  const { width, height } = FILM
  const args = ['-v', 'error', '-f', 'mjpeg', '-i', '-', '-fps_mode', 'passthrough']
  const output = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-']
  const { stdout } = spawnSync('ffmpeg', [...args, ...output], {
    input: Buffer.concat(taken.map(({ jpeg }) => jpeg)), maxBuffer: 2 ** 31,
  })
  const pixel = (n: number, x: number, y: number): readonly [number, number, number] => {
    const at = (n * width * height + y * width + x) * 3
    return [stdout[at] ?? 0, stdout[at + 1] ?? 0, stdout[at + 2] ?? 0]
  }
  const block = width / 16
  return taken.map(({ at }, n) => {
    let number = 0
    for (let bit = 0; bit < CLIP.bits; bit += 1) {
      if (pixel(n, (bit + 0.5) * block, block / 2)[0] > 128) number |= 1 << bit
    }
    return { at, number, colour: pixel(n, width / 2, height / 2) }
  })
}

/** Which ground a colour is, within what JPEG does to it; black is none. */
export const groundOf = ([r, g, b]: Shot['colour']): Ground | 'black' => {
  if (Math.max(r, g, b) < 24) return 'black'
  if (Math.max(r, g, b) - Math.min(r, g, b) < 24) return 'grey'
  if (r > g && r > b) return 'red'
  return g > b ? 'green' : 'blue'
}

/** What was seen, one after the other. */
export const orderOf = (shots: readonly Shot[]): readonly string[] => {
  const seen: string[] = []
  for (const shot of shots) {
    const ground = groundOf(shot.colour)
    if (seen.at(-1) !== ground) seen.push(ground)
  }
  return seen
}

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
