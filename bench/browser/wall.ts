// How fast the wall is: the budgets of a page with 1000 buttons, 20 of them playing.
//
// node --import tsx bench/browser/wall.ts --part first | press | busy; npm run build first.
//   first: until it is painted and until a press is possible, the processor slowed four times
//   press: from a finger to the request, to a visible sign, and to the state on another wall
//   busy:  frames, long tasks and the main thread with 20 runs and levels on; at rest; the daemon
//          with five walls and two stages
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { launchChromium } from '../../test/browser/chromium.js'
import { WallPage, WallShow } from '../../test/browser/wall-rig.js'
import { conditions, ms, quantile, table } from '../report.js'

const { values } = parseArgs({ options: { part: { type: 'string', default: 'first' } } })

const RUNS = 20
const BUTTONS = 1_000
const SLOWED = 4
const VIEWPORT = { width: 1_366, height: 768 } as const
const LOADS = 5
const LOADED_MS = 2_500
const PRESSES = 30
const WATCH_MS = 10_000
/** By then the daemon has made the show's heads and waves. */
const SETTLED_MS = 15_000
/** The kernel's ticks a second, as /proc counts them. */
const TICKS = 100

const title = (n: number): string => `Sound ${String.fromCharCode(65 + n)}`

const show = new WallShow('Bench', [
  {
    title: 'Sounds',
    buttons: Array.from({ length: RUNS }, (_each, n) => ({ title: title(n), allowOverlap: true })),
  },
  {
    title: 'Pictures',
    buttons: Array.from({ length: BUTTONS - RUNS }, (_each, n) => ({
      title: `Picture ${n + 1}`, kind: 'image',
    })),
  },
])

/** What a page noted of itself; moments are its own milliseconds. */
interface Notes {
  usable: number
  /** From a finger's event to its request, and to the paint after it. */
  readonly toRequest: number[]
  readonly toSign: number[]
  readonly longTasks: number[]
}

declare global {
  interface Window {
    notes: Notes
  }
}

/** Runs in the page before its own scripts; needs nothing from around it. */
const takeNotes = (): void => {
  const notes: Notes = { usable: 0, toRequest: [], toSign: [], longTasks: [] }
  window.notes = notes
  let pressedAt: number | null = null
  document.addEventListener('pointerdown', ({ timeStamp }) => (pressedAt = timeStamp), true)
  const fetched = window.fetch.bind(window)
  window.fetch = (...args) => {
    if (pressedAt !== null && args[1]?.method === 'POST') {
      notes.toRequest.push(performance.now() - pressedAt)
      pressedAt = null
    }
    return fetched(...args)
  }
  // From the event to the end of the frame that shows what it did, to 8 ms.
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) {
      if (name === 'pointerdown') notes.toSign.push(duration)
    }
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) notes.longTasks.push(duration)
  }).observe({ type: 'longtask' })
  const frame = (): void => {
    if (document.querySelector('.wall[data-connection="live"] .cell') === null) {
      requestAnimationFrame(frame)
    } else notes.usable = performance.now()
  }
  requestAnimationFrame(frame)
}

/** In a page: the time between its frames. To ask for each is work, so only when it is wanted. */
const framesFor = (forMs: number): Promise<readonly number[]> =>
  new Promise((resolve) => {
    const found: number[] = []
    let [began, last] = [0, 0]
    const frame = (at: number): void => {
      if (last > 0) found.push(at - last)
      else began = at
      last = at
      if (at - began < forMs) requestAnimationFrame(frame)
      else resolve(found)
    }
    requestAnimationFrame(frame)
  })

const slowed = async (page: Page, rate: number): Promise<CDPSession> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  return session
}

const first = async (browser: Browser): Promise<Rows> => {
  const paints: number[] = []
  const usable: number[] = []
  for (let n = 0; n < LOADS; n += 1) {
    const context = await newContext(browser)
    const page = await context.newPage()
    await slowed(page, SLOWED)
    await page.goto(show.url)
    // Whoever looks for something in a page gives it a script to read: not before it is usable.
    await sleep(LOADED_MS)
    paints.push(await page.evaluate(() =>
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN))
    usable.push(await page.evaluate(() => window.notes.usable))
    await context.close()
  }
  return [
    ['first paint, slowed 4 times, median', ms(quantile(paints, 0.5)), '500 ms'],
    ['first press possible, slowed 4 times, median', ms(quantile(usable, 0.5)), '1000 ms'],
  ]
}

const newContext = async (browser: Browser): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: VIEWPORT })
  // esbuild's loader wraps functions in this one, which a page does not have.
  await context.addInitScript('globalThis.__name = (of) => of')
  await context.addInitScript(takeNotes)
  return context
}

/** Fingers at a wall that a browser presses for real; each button once, then silence. */
const pressed = async (wall: WallPage, other: WallPage | null): Promise<readonly number[]> => {
  const seen: number[] = []
  for (let n = 0; n < PRESSES; n += 1) {
    const name = title(n % RUNS)
    if (n > 0 && n % RUNS === 0) await silence(wall)
    const box = await wall.button(name).boundingBox()
    if (box === null) throw new Error(`${name} is not on the page`)
    const watched = other?.page.evaluate(shownAt, name)
    // The pointer is where it is wanted before a finger goes down.
    await wall.page.mouse.move(box.x + box.width / 3, box.y + box.height / 2)
    await sleep(60)
    const at = performance.timeOrigin + performance.now()
    await wall.page.mouse.down()
    await wall.page.mouse.up()
    if (watched !== undefined) seen.push(await watched - at)
    await sleep(400)
  }
  await silence(wall)
  return seen
}

/** In a page: the moment since 1970 at which a button is shown as on; a frame is the finest. */
const shownAt = (name: string): Promise<number> =>
  new Promise((resolve) => {
    const look = (): void => {
      const cell = [...document.querySelectorAll('.cell')]
        .find((each) => each.querySelector('.cell-title')?.textContent === name)
      const isOn = cell !== undefined && !cell.classList.contains('is-idle')
      if (isOn) resolve(performance.timeOrigin + performance.now())
      else requestAnimationFrame(look)
    }
    look()
  })

const silence = async (wall: WallPage): Promise<void> => {
  await show.post('/stop', { fadeOutMs: 0 })
  await wall.page.locator('.cell.is-playing').first().waitFor({ state: 'detached' })
}

const press = async (browser: Browser): Promise<Rows> => {
  const context = await newContext(browser)
  const wall = await WallPage.open(context, show.url)
  const noted = async (): Promise<Notes> => {
    const notes = await wall.page.evaluate(() => window.notes)
    await wall.page.evaluate(() => {
      window.notes.toRequest.length = 0
      window.notes.toSign.length = 0
    })
    return notes
  }
  await pressed(wall, null)
  const usual = await noted()
  const session = await slowed(wall.page, SLOWED)
  await pressed(wall, null)
  const slow = await noted()
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  // In a browser of its own: two pages of one window are not both drawn.
  const second = await launchChromium()
  try {
    const other = await WallPage.open(await newContext(second), show.url)
    const seen = await pressed(wall, other)
    const most = Math.max(16, ...usual.toSign)
    return [
      ['pointer-down to request, p95', ms(quantile(usual.toRequest, 0.95)), '8 ms'],
      ['the same, slowed 4 times, p95', ms(quantile(slow.toRequest, 0.95)), '16 ms'],
      ['pointer-down to a visible sign, p50 (to 8 ms)', ms(quantile(usual.toSign, 0.5)), '-'],
      ['the same, longest', ms(most), '32 ms'],
      ['a press to its state on another wall, p95', ms(quantile(seen, 0.95)), '100 ms'],
    ]
  } finally {
    await second.close()
  }
}

/** Seconds of processor that a process's first thread took. */
const mainThreadSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

type Rows = readonly (readonly string[])[]

interface Watched {
  readonly mainShare: number
  readonly frames: readonly number[]
  readonly longTasks: readonly number[]
}

const watched = async (page: Page): Promise<Watched> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const taken = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  await page.evaluate(() => (window.notes.longTasks.length = 0))
  const [before, began] = [await taken(), performance.now()]
  await sleep(WATCH_MS)
  const mainShare = (await taken() - before) / ((performance.now() - began) / 1_000)
  const { longTasks } = await page.evaluate(() => window.notes)
  const frames = await page.evaluate(framesFor, WATCH_MS)
  await session.detach()
  return { mainShare, frames, longTasks }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const busy = async (browser: Browser): Promise<Rows> => {
  const context = await newContext(browser)
  const wall = await WallPage.open(context, show.url)
  await sleep(1_000)
  const rest = await watched(wall.page)
  for (let n = 0; n < RUNS; n += 1) await wall.button(title(n)).click()
  await wall.page.locator('.cell.is-playing').nth(RUNS - 1).waitFor()
  await sleep(1_000)
  const full = await watched(wall.page)
  const daemon = await withOthers(context)
  return [
    ['at rest: main thread', percent(rest.mainShare), '-'],
    ['20 runs, levels on: frame interval, p95', ms(quantile(full.frames, 0.95)), '20 ms'],
    ['tasks over 50 ms', `${full.longTasks.length}`, '0'],
    ['main thread', percent(full.mainShare), '15 %'],
    ['the daemon\'s main thread, five walls and two stages', percent(daemon), '10 %'],
  ]
}

const withOthers = async (context: BrowserContext): Promise<number> => {
  for (let n = 0; n < 4; n += 1) await WallPage.open(context, show.url)
  for (const name of ['left', 'right']) {
    const stage = await context.newPage()
    await stage.goto(`${show.url}stage?name=${name}`)
  }
  await sleep(2_000)
  const [before, began] = [mainThreadSeconds(show.pid), performance.now()]
  await sleep(WATCH_MS)
  return (mainThreadSeconds(show.pid) - before) / ((performance.now() - began) / 1_000)
}

const PARTS: Readonly<Record<string, (browser: Browser) => Promise<Rows>>> = { first, press, busy }

const part = PARTS[values.part]
if (part === undefined) throw new Error(`there is no part ${values.part}`)
const browser = await launchChromium()
try {
  await show.start()
  await sleep(SETTLED_MS)
  const rows = await part(browser)
  console.log(conditions())
  console.log(table(['what', 'measured', 'budget'], rows))
} finally {
  await browser.close()
  await show.clean()
}
