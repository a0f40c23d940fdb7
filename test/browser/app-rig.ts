// A quiz app in ten windows of one browser, on an origin of its own, with the client as built; and
// a window with videos of the daemon, each of which holds a connection.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { build } from 'tsdown'
import type { Background, Client, WatchMode } from '../../src/client/client.js'
import { delay } from '../devices/daemon-rig.js'
import { WallShow } from './wall-rig.js'

const CLIENT = resolve(import.meta.dirname, '../../dist/client/client.js')
export const WINDOWS = 10
/** As the kernel counts states. */
const ESTABLISHED = '01'
/** More than any answer but a video leaves unread. */
const HELD_BYTES = 500_000
/** More than a browser reads ahead of a video that rests: the rest stays on its connection. */
const VIDEO_BYTES_MIN = 30_000_000

interface App {
  readonly client: Client
  readonly background: Background
  mode: WatchMode | null
  /** What this window heard of each run's end, on the clock that all windows share. */
  readonly ended: { readonly executionId: string; readonly at: number }[]
}

declare global {
  interface Window {
    app: App
  }
}

const pageOf = (baseUrl: string, bed: string): string => `<!doctype html><title>Quiz</title>
<script type="module">
  import { Background, createClient, watch } from '/client.js'
  const client = createClient({ baseUrl: '${baseUrl}' })
  const app = { client, mode: null, ended: [] }
  watch(client, {
    onMode: (mode) => { app.mode = mode },
    onRun: ({ executionId, endReason }) => {
      if (endReason === null) return
      app.ended.push({ executionId, at: performance.timeOrigin + performance.now() })
    },
  })
  app.background = new Background(client, { beds: ['${bed}'] })
  window.app = app
</script>`

const bundled = async (folder: string): Promise<string> => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'client.js'), `export * from ${JSON.stringify(CLIENT)}`)
  await build({
    config: false, cwd: folder, entry: ['client.js'], outDir: 'out', format: 'esm', dts: false,
    platform: 'browser', minify: true, logLevel: 'error', fixedExtension: false,
  })
  return readFileSync(join(folder, 'out/client.js'), 'utf8')
}

/** Noise in a picture cannot be made smaller: a few seconds of it are many bytes. */
const makeVideo = (path: string): void => {
  const part = `${path}.part.mp4`
  const noise = 'color=gray:s=160x120:r=25,noise=alls=100:allf=t'
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-pix_fmt', 'yuv420p']
  const run = (...args: string[]): void => {
    const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-y', ...args])
    if (status !== 0) throw new Error(`ffmpeg: ${stderr.toString()}`)
  }
  run('-f', 'lavfi', '-i', noise, '-t', '2', ...coding, part)
  const loops = Math.ceil(VIDEO_BYTES_MIN / readFileSync(part).length)
  run('-stream_loop', String(loops), '-i', part, '-c', 'copy', '-movflags', '+faststart', path)
  rmSync(part)
}

export class AppWindows {
  readonly show: WallShow
  readonly windows: Page[] = []
  readonly #folder = mkdtempSync(join(tmpdir(), 'cartwall-app-'))
  readonly #server = http.createServer((request, response) => {
    const [type, text] = request.url === '/client.js'
      ? ['text/javascript', this.#client] : ['text/html', pageOf(this.show.baseUrl, this.bed)]
    response.writeHead(200, { 'content-type': type }).end(text)
  })
  #client = ''

  constructor() {
    const stings = Array.from({ length: WINDOWS }, (_each, n) => ({
      title: `Sting ${n}`, allowOverlap: true, fadeOutMs: 5_000,
    }))
    const videos = ['One', 'Two'].map((title) => ({ title, kind: 'video', media: 'noise.mp4' }))
    this.show = new WallShow('Quiz', [
      { title: 'Beds', buttons: [{ title: 'Bed' }] },
      { title: 'Stings', buttons: stings }, { title: 'Videos', buttons: videos },
    ])
    makeVideo(join(this.show.folder, 'noise.mp4'))
  }

  get bed(): string {
    return this.show.idOf('Bed')
  }

  async open(context: BrowserContext): Promise<void> {
    const listening = new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    const [client] = await Promise.all([bundled(this.#folder), this.show.start(), listening])
    this.#client = client
    // A press on a machine that has still to look at its files is another test's.
    while ((await this.show.status()).audio.armedHeads <= WINDOWS) await delay(100)
    await this.#buffer(await context.newPage())
    const { port } = this.#server.address() as AddressInfo
    for (let n = 0; n < WINDOWS; n += 1) {
      const page = await context.newPage()
      await page.goto(`http://127.0.0.1:${port}/`)
      await page.waitForFunction(() => window.app.mode !== null)
      this.windows.push(page)
    }
  }

  /** Two videos at rest on a page of the daemon: the browser reads ten seconds ahead, no more. */
  async #buffer(page: Page): Promise<void> {
    await page.goto(`${this.show.url}stage?name=buffering`)
    await page.evaluate((sources) => {
      for (const src of sources) {
        const video = Object.assign(document.createElement('video'), { src, preload: 'auto' })
        document.body.append(video)
      }
    }, ['One', 'Two'].map((title) => `/media/${this.show.idOf(title)}`))
    while (this.held() < 2) await delay(50)
  }

  /** Connections on which the daemon would go on sending, had the browser room. */
  held(): number {
    const port = this.show.port.toString(16).toUpperCase().padStart(4, '0')
    const waiting = (line: string): number => {
      const [, local = '', , state, queues = ''] = line.trim().split(/\s+/)
      const isOurs = local.endsWith(`:${port}`) && state === ESTABLISHED
      return isOurs ? Number.parseInt(queues, 16) : 0
    }
    const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
    return lines.filter((line) => waiting(line) > HELD_BYTES).length
  }

  /** Milliseconds that a request of this window takes whose way nobody else uses. */
  bareMs(n: number): Promise<number> {
    return this.window(n).evaluate(async () => {
      const begun = performance.now()
      await (await fetch('/bare', { cache: 'no-store' })).text()
      return performance.now() - begun
    })
  }

  /** Presses a window's own sting; answers after how many milliseconds it was accepted. */
  press(n: number): Promise<number> {
    return this.window(n).evaluate(async (id) => {
      const begun = performance.now()
      await window.app.client.play(id)
      return performance.now() - begun
    }, this.show.idOf(`Sting ${n}`))
  }

  /** Milliseconds from a panic in one window until every window was told that each run is over. */
  async panicMs(n: number): Promise<number> {
    const { active } = await this.show.status()
    const ids = active.map(({ executionId }) => executionId ?? '')
    const begun = await this.window(n).evaluate(async () => {
      const at = performance.timeOrigin + performance.now()
      await window.app.client.panic({ fadeOutMs: 0 })
      return at
    })
    const told = await Promise.all(this.windows.map((page) => page.evaluate(async (all) => {
      for (;;) {
        const { ended } = window.app
        const moments = ended.filter((it) => all.includes(it.executionId)).map(({ at }) => at)
        if (moments.length >= all.length) return Math.max(...moments)
        await new Promise((done) => setTimeout(done, 10))
      }
    }, ids)))
    return Math.max(...told) - begun
  }

  window(n: number): Page {
    const page = this.windows[n % WINDOWS]
    if (page === undefined) throw new Error(`there is no window ${n}`)
    return page
  }

  async clean(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    rmSync(this.#folder, { recursive: true, force: true })
    await this.show.clean()
  }
}

export interface Evening {
  readonly bare: readonly number[]
  readonly presses: readonly number[]
  readonly panics: readonly number[]
}

/** Each round: a bed that all look after, a sting of each window, one that fades out, a panic. */
export const evening = async (app: AppWindows, rounds: number): Promise<Evening> => {
  const bare: number[] = []
  const presses: number[] = []
  const panics: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await app.window(round).evaluate(() => window.app.background.start())
    const adopt = (page: Page) => page.evaluate(() => window.app.background.adopt())
    await Promise.all(app.windows.map(adopt))
    for (let n = 0; n < WINDOWS; n += 1) {
      bare.push(await app.bareMs(n))
      presses.push(await app.press(n))
    }
    await app.window(round).evaluate(
      (id) => window.app.client.stop(id), app.show.idOf(`Sting ${round % WINDOWS}`),
    )
    panics.push(await app.panicMs(round + 3))
  }
  return { bare, presses, panics }
}
