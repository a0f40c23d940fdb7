// An hour of the wall: what its heap holds after collection, while lists, loops and pauses go round
// and the show is loaded anew.
//
// node --import tsx bench/browser/wall-hour.ts [MINUTES]. It runs in real time, an action a second.
// Every minute garbage is collected twice and the rest counted. What is told begins at minute
// three: until then the browser compiles, and the page sees each of its states for the first time.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession } from 'playwright-core'
import { launchChromium } from '../../test/browser/chromium.js'
import { WallPage, WallShow } from '../../test/browser/wall-rig.js'
import { memoryOf } from '../memory.js'
import { conditions, table } from '../report.js'
import { heapSlope } from './heap-slope.js'

const MINUTES = Number(process.argv[2] ?? 60)
const BEGIN_MINUTE = 3
const ACTION_MS = 1_000
const RELOAD_EVERY_MINUTES = 5
const MOST_MB = 5

const sounds = (count: number, word: string, settings: object): readonly { title: string }[] =>
  Array.from({ length: count }, (_each, n) => ({ title: `${word} ${n + 1}.`, ...settings }))

const show = new WallShow('All night', [
  { title: 'Loops', buttons: sounds(4, 'Loop', { ms: 3_000, isLoopEnabled: true }) },
  { title: 'Stings', buttons: sounds(8, 'Sting', { ms: 2_500, allowOverlap: true }) },
  {
    title: 'List', mode: 'sequence', wrap: true, mixOnTransition: true, crossfadeMs: 500,
    buttons: sounds(5, 'Item', { ms: 4_000 }),
  },
])

interface Held {
  readonly minute: number
  readonly heapMb: number
  readonly nodes: number
  readonly listeners: number
  readonly daemonMb: number
}

const held = async (minute: number, session: CDPSession): Promise<Held> => {
  for (let n = 0; n < 2; n += 1) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  const [daemon] = memoryOf(show.pid)
  return {
    minute, heapMb: usedSize / 1e6, nodes, listeners: jsEventListeners,
    daemonMb: daemon?.rssMb ?? Number.NaN,
  }
}

const LISTS = ['Loops', 'Stings', 'List'] as const
const WORDS = { Loops: 'Loop', Stings: 'Sting', List: 'Item' } as const

/** One thing that an operator does; which one goes by the count alone, so that hours are alike. */
const act = async (wall: WallPage, n: number): Promise<void> => {
  const list = LISTS[Math.floor(n / 8) % LISTS.length] ?? 'Loops'
  if (n % 8 === 0) return wall.tab(list).click()
  const press = wall.page.locator('.press', { hasText: `${WORDS[list]} ${1 + (n % 4)}.` })
  if (n % 24 === 23) return wall.page.keyboard.press('Escape')
  if (n % 40 === 15) {
    await press.click({ button: 'right' })
    return wall.page.keyboard.press('Escape')
  }
  return press.click({ modifiers: n % 5 === 4 ? ['Shift'] : [] })
}

const reload = (): void => {
  const file = join(show.folder, 'show.json')
  writeFileSync(file, `${readFileSync(file, 'utf8').trimEnd()}\n`)
}

const hour = async (wall: WallPage, session: CDPSession): Promise<readonly Held[]> => {
  const begun = performance.now()
  const seen: Held[] = []
  let minute = 0
  for (let n = 0; minute < MINUTES; n += 1) {
    await act(wall, n)
    const nextAt = begun + (n + 1) * ACTION_MS
    await sleep(Math.max(0, nextAt - performance.now()))
    if (performance.now() - begun < (minute + 1) * 60_000) continue
    minute += 1
    const now = await held(minute, session)
    seen.push(now)
    process.stderr.write(`${JSON.stringify(now)}\n`)
    if (minute % RELOAD_EVERY_MINUTES === 0) reload()
  }
  return seen
}

const browser = await launchChromium()
try {
  await show.start()
  const context = await browser.newContext({ viewport: { width: 1_366, height: 768 } })
  const wall = await WallPage.open(context, show.url)
  const session = await context.newCDPSession(wall.page)
  await session.send('HeapProfiler.enable')
  const seen = await hour(wall, session)
  const counted = seen.filter(({ minute }) => minute >= BEGIN_MINUTE)
  const rows = counted.filter((_each, n) => n % 5 === 0 || n === counted.length - 1)
  process.stdout.write(`${conditions()}\n`)
  const head = ['minute', 'heap', 'nodes', 'listeners', 'daemon']
  process.stdout.write(table(head, rows.map((each) => [
    `${each.minute}`, `${each.heapMb.toFixed(2)} MB`, `${each.nodes}`, `${each.listeners}`,
    `${each.daemonMb.toFixed(0)} MB`,
  ])))
  const grown = (counted.at(-1)?.heapMb ?? 0) - (counted[0]?.heapMb ?? 0)
  process.stdout.write(`heap ${grown.toFixed(2)} MB, ${heapSlope(counted).toFixed(2)} MB an hour; `)
  process.stdout.write(`faults of the page: ${wall.errors.length}\n`)
  if (grown > MOST_MB || wall.errors.length > 0) process.exitCode = 1
} finally {
  await browser.close()
  await show.clean()
}
