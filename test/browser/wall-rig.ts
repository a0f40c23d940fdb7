// The wall under test: a daemon with a show of its own, and the distribution's Chromium before it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { StatusAnswer } from '../../src/contract/schemas.js'
import { buttonOf, ServedShow, tone } from '../devices/client-daemon.js'
import { launchFrugalChromium } from './chromium.js'

/** The smallest PNG there is: one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

interface ButtonJson {
  readonly title: string
  readonly kind?: string
  /** Length of its tone; null: no media is written. */
  readonly ms?: number | null
  readonly [setting: string]: unknown
}

export interface ListJson {
  readonly title: string
  readonly buttons: readonly ButtonJson[]
  readonly [setting: string]: unknown
}

/** The id of a playlist; a show has fewer buttons than that. */
export const listOf = (n: number): string => buttonOf(90_000 + n)

/** Buttons are numbered from 1 through all lists, in order; their titles name them. */
export class WallShow extends ServedShow {
  readonly #ids = new Map<string, string>()

  constructor(title: string, lists: readonly ListJson[]) {
    super([])
    let n = 0
    const playlists = lists.map((list, at) => ({
      id: listOf(at + 1),
      ...list,
      buttons: list.buttons.map((button) => this.#written(button, (n += 1))),
    }))
    writeFileSync(join(this.folder, 'show.json'), JSON.stringify({ version: 1, title, playlists }))
  }

  get url(): string {
    return this.baseUrl.replace('/api/v1', '/')
  }

  idOf(title: string): string {
    return this.#ids.get(title) ?? ''
  }

  async status(): Promise<StatusAnswer> {
    return (await (await fetch(`${this.baseUrl}/status`)).json()) as StatusAnswer
  }

  /** Once all files are looked into: until then the show changes by what is learned of them. */
  async settled(): Promise<void> {
    let before: string | null = null
    await expect.poll(async () => {
      const now = (await fetch(`${this.url}show`, { method: 'HEAD' })).headers.get('etag')
      const isSame = now === before
      before = now
      return isSame
    }, { interval: 500, timeout: 20_000 }).toBe(true)
  }

  async post(path: string, body: unknown): Promise<unknown> {
    const answer = await fetch(`${this.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    })
    return answer.json()
  }

  /** Title and state of everything that is on, as the API tells it. */
  async states(): Promise<readonly string[]> {
    const { active, paused } = await this.status()
    return [...active, ...paused].map(({ title, state }) => `${title}: ${state ?? 'on'}`).toSorted()
  }

  #written({ ms = 60_000, ...settings }: ButtonJson, n: number): object {
    const { title, kind = 'audio' } = settings
    this.#ids.set(title, buttonOf(n))
    const media = kind === 'image' ? `${n}.png` : `${n}.wav`
    const hasMedia = kind === 'audio' || kind === 'image'
    if (kind === 'image') writeFileSync(join(this.folder, media), Buffer.from(PIXEL, 'base64'))
    if (kind === 'audio' && ms !== null) writeFileSync(join(this.folder, media), tone(ms))
    return { id: buttonOf(n), kind, ...(hasMedia ? { media } : {}), ...settings }
  }

  writeFile(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text)
  }
}
/** A browser, and the daemon of this show, for the tests of the calling file. */
export const browserBefore = (show: WallShow): (() => Browser) => {
  let browser: Browser | null = null
  beforeAll(async () => {
    const [launched] = await Promise.all([launchFrugalChromium(), show.start()])
    browser = launched
  })
  afterAll(async () => {
    await browser?.close()
    await show.clean()
  })
  return () => {
    if (browser === null) throw new Error('no browser is open yet')
    return browser
  }
}


/** What a page did that it must never do. */
export interface Trouble {
  readonly shifts: readonly { readonly value: number; readonly of: readonly string[] }[]
  readonly violations: readonly string[]
}

declare global {
  interface Window {
    trouble: { shifts: { value: number; of: string[] }[]; violations: string[] }
  }
}

/** Runs in the page before its own scripts: notes layout shifts and breaches of its policy. */
const watchPage = (): void => {
  window.trouble = { shifts: [], violations: [] }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const shift = entry as PerformanceEntry & {
        value: number
        sources: { node: Node | null }[]
      }
      const of = shift.sources.map(({ node }) =>
        node instanceof Element ? node.className : (node?.textContent ?? 'nothing'))
      window.trouble.shifts.push({ value: shift.value, of })
    }
  }).observe({ type: 'layout-shift', buffered: true })
  document.addEventListener('securitypolicyviolation', (event) => {
    window.trouble.violations.push(`${event.violatedDirective}: ${event.blockedURI}`)
  })
}

/** One wall in a browser, and what an operator does with it. */
export class WallPage {
  readonly page: Page
  readonly errors: string[] = []

  private constructor(page: Page) {
    this.page = page
    page.setDefaultTimeout(15_000)
    page.on('pageerror', (error) => this.errors.push(error.message))
  }

  static async open(context: BrowserContext, url: string): Promise<WallPage> {
    const page = await context.newPage()
    const wall = new WallPage(page)
    await page.addInitScript(watchPage)
    await page.goto(url)
    await wall.isLive()
    return wall
  }

  async isLive(): Promise<void> {
    await this.page.locator('.wall[data-connection="live"] .cell').first().waitFor()
  }

  /** As a screen reader finds it: a button whose name begins with its title. */
  button(title: string): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^${title}`) })
  }

  tab(title: string): Locator {
    return this.page.getByRole('tab', { name: title })
  }

  get panic(): Locator {
    return this.page.getByRole('button', { name: 'Panic', exact: true })
  }

  /** Title and state of every row of Now playing; what has no run is on. */
  rows(): Promise<readonly string[]> {
    return this.page.evaluate(() =>
      [...document.querySelectorAll('.row')]
        .map((row) => {
          const state = /is-(\w+)/.exec(row.className)?.[1] ?? ''
          const told = state === 'shown' ? 'on' : state
          return `${row.querySelector('.row-title')?.textContent}: ${told}`
        })
        .toSorted())
  }

  /** The state of a button that is on the page, as its class has it. */
  async stateOf(title: string): Promise<string> {
    const cell = this.page.locator('.cell', { has: this.button(title) })
    return /is-(\w+)/.exec((await cell.getAttribute('class')) ?? '')?.[1] ?? ''
  }

  async trouble(): Promise<Trouble> {
    return this.page.evaluate(() => window.trouble)
  }
}

/** The wall says what the API says of all that is on, as soon as both have it. */
export const expectAgreement = async (wall: WallPage, show: WallShow): Promise<void> => {
  await expect
    .poll(async () => {
      const told = await show.states()
      const rows = await wall.rows()
      return JSON.stringify(told) === JSON.stringify(rows) ? 'agree' : { told, rows }
    })
    .toBe('agree')
}
