// What a button draws and counts is true: its waveform, its playhead, and the time that is left,
// to a tenth of a second, through pauses, loops and crossfades.
//
// The judge is the position that the API tells, asked for and stamped on the page's own clock.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { LOUDNESS } from '../../src/pages/wall/show/wave-path.js'
import { tone } from '../devices/client-daemon.js'
import { launchChromium } from './chromium.js'
import { WallPage, WallShow } from './wall-rig.js'
import { msOf, watchTime, wrongBy } from './wall-time-watch.js'

const show = new WallShow('Times', [
  {
    title: 'Beds',
    buttons: [
      { title: 'Steps', startMs: 2_000, endMs: 7_000 },
      { title: 'Span', startMs: 1_000, endMs: 10_500 },
      { title: 'Round', startMs: 500, endMs: 2_000, isLoopEnabled: true },
      { title: 'Long', endMs: 45_000 },
      { title: 'Gone', ms: null },
    ],
  },
  {
    title: 'List', mode: 'sequence', mixOnTransition: true, crossfadeMs: 3_000,
    buttons: [{ title: 'First', endMs: 4_000 }, { title: 'Second', endMs: 20_000 }],
  },
])
const TENTH_MS = 100
const TONE_RATE = 8_000
const WAV_HEAD_BYTES = 44
/** A tick of a busy machine comes late: the text before it then stands for longer. */
const ONCE_LATE_MS = 400
let browser: Browser
let wall: WallPage

/** Ten seconds, in each the next tenth of full scale: a tone's file with other samples. */
const stepsWav = (): Buffer => {
  const bytes = tone(10_000)
  for (let n = 0; n < 10 * TONE_RATE; n += 1) {
    const size = ((Math.floor(n / TONE_RATE) + 1) / 10) * 32_000
    bytes.writeInt16LE(Math.round(Math.sin(n / 3) * size), WAV_HEAD_BYTES + 2 * n)
  }
  return bytes
}

beforeAll(async () => {
  writeFileSync(join(show.folder, '1.wav'), stepsWav())
  browser = await launchChromium()
  await show.start()
  const context = await browser.newContext({ viewport: { width: 1_366, height: 768 } })
  wall = await WallPage.open(context, show.url)
})

beforeEach(() => show.post('/stop', { fadeOutMs: 0 }))

afterAll(async () => {
  await browser.close()
  await show.clean()
})

const play = async (title: string): Promise<string> => {
  const answer = await show.post(`/buttons/${show.idOf(title)}/play`, {})
  return (answer as { executionId: string }).executionId
}

interface Expected {
  readonly endMs: number
  /** How long a pass is. */
  readonly loopMs?: number
  readonly ms: number
  /** So many texts are to come up in that time. */
  readonly least: number
}

/**
 * Nine of ten texts are right to a tenth, and none is off for long. A machine that stands still for
 * a moment sets the page's clock wrong, and it is right again within seconds: so four looks.
 */
const expectRight = async (executionId: string, expected: Expected): Promise<void> => {
  const { endMs, loopMs = null, ms, least } = expected
  let told = ''
  for (let n = 0; n < 4; n += 1) {
    const watched = await watchTime(wall.page, executionId, ms)
    const wrong = [...wrongBy(watched, endMs, loopMs)].sort((a, b) => a - b)
    const most = wrong[Math.floor(0.9 * (wrong.length - 1))] ?? Infinity
    if (wrong.length >= least && most <= TENTH_MS && (wrong.at(-1) ?? 0) < ONCE_LATE_MS) return
    told += `${wrong.length} texts, wrong by ${wrong.map(Math.round).join(' ')}\n`
  }
  expect.fail(told)
}

describe('the time that is left is right to a tenth of a second', () => {
  test('to the configured End, before and after a pause', async () => {
    const id = await play('Span')
    await expectRight(id, { endMs: 10_500, ms: 1_200, least: 4 })
    const address = `/buttons/${show.idOf('Span')}`
    await show.post(`${address}/pause`, { executionId: id, fadeOutMs: 0 })
    await expect.poll(() => wall.stateOf('Span')).toBe('paused')
    const answer = await fetch(`${show.baseUrl}/executions/${id}`)
    const { positionMs } = (await answer.json()) as { positionMs: number }
    const text = await wall.page.locator('.row-time').textContent()
    expect(Math.abs(msOf(text ?? '') - (10_500 - positionMs))).toBeLessThanOrEqual(TENTH_MS)
    await show.post(`${address}/resume`, { executionId: id })
    await expectRight(id, { endMs: 10_500, ms: 1_200, least: 4 })
  })

  test('round and round a loop', async () => {
    const expected = { endMs: 2_000, loopMs: 1_500, ms: 4_000, least: 10 }
    await expectRight(await play('Round'), expected)
  })

  test('in whole seconds, while there are many: each comes up when it begins', async () => {
    await expectRight(await play('Long'), { endMs: 45_000, ms: 4_000, least: 3 })
  })

  test('of both sides of a crossfade', async () => {
    const first = await play('First')
    const run = async (title: string): Promise<string> =>
      (await show.status()).active.find((each) => each.title === title)?.executionId ?? ''
    await expect.poll(() => run('Second'), { timeout: 10_000 }).not.toBe('')
    const second = await run('Second')
    const [gone, come] = await Promise.all([
      watchTime(wall.page, first, 3_000), watchTime(wall.page, second, 3_000),
    ])
    for (const [watched, endMs] of [[gone, 4_000], [come, 20_000]] as const) {
      const wrong = [...wrongBy(watched, endMs, null)].sort((a, b) => a - b)
      const told = `${wrong.length} texts, wrong by ${wrong.map(Math.round).join(' ')}`
      expect(wrong.length, told).toBeGreaterThanOrEqual(2)
      expect(wrong[Math.floor(wrong.length / 2)], told).toBeLessThanOrEqual(TENTH_MS)
    }
  })
})

describe('a waveform', () => {
  /** Heights of the drawing, 0 to 1, as loud as they stand for. */
  const drawn = async (title: string): Promise<readonly number[]> => {
    const path = wall.page.locator('.cell', { has: wall.button(title) }).locator('.wave path')
    const d = (await path.first().getAttribute('d')) ?? ''
    const points = d.slice(1, -1).split('L').map((point) => Number(point.split(' ')[1]))
    return points.slice(0, points.length / 2).map((y) => (1 - y) ** (1 / LOUDNESS))
  }

  test('is drawn as loud as the file from its Start to its End', async () => {
    const shapes = wall.page.locator('.cell', { has: wall.button('Steps') }).locator('.wave svg')
    await expect.poll(() => shapes.count(), { timeout: 20_000 }).toBe(1)
    const heights = await drawn('Steps')
    const tenths = [0, 1, 2, 3, 4].map((second) =>
      Math.round(10 * (heights[Math.floor(((second + 0.5) / 5) * heights.length)] ?? 0)))
    expect(tenths).toEqual([3, 4, 5, 6, 7])
  })

  test('is none where the file is not there, and nothing else is missing', async () => {
    const cell = wall.page.locator('.cell', { has: wall.button('Gone') })
    expect(await cell.locator('.wave svg').count()).toBe(0)
    await expect.poll(() => wall.stateOf('Gone')).toBe('missing')
    const wave = `${show.url}waves/`
    expect((await fetch(wave + show.idOf('Gone'))).status).toBe(404)
    expect((await fetch(wave + show.idOf('Steps'))).status).toBe(200)
  })

  test('has its playhead where the run is', async () => {
    const id = await play('Steps')
    await expect.poll(() => wall.stateOf('Steps')).toBe('playing')
    const shares = await wall.page.evaluate(async (executionId) => {
      const seen: { readonly bar: number; readonly run: number }[] = []
      for (let n = 0; n < 10; n += 1) {
        const cell = document.querySelector('.cell.is-playing')
        const whole = cell?.querySelector('.wave')?.getBoundingClientRect()
        const answer = await fetch(`/api/v1/executions/${executionId}`)
        const bar = cell?.querySelector('.wave-progress')?.getBoundingClientRect()
        const { positionMs } = (await answer.json()) as { positionMs: number }
        const at = ((bar?.right ?? 0) - (whole?.left ?? 0)) / (whole?.width ?? 1)
        seen.push({ bar: at, run: (positionMs - 2_000) / 5_000 })
        await new Promise((done) => setTimeout(done, 150))
      }
      return seen
    }, id)
    const wrong = shares.map(({ bar, run }) => Math.abs(bar - run)).toSorted((a, b) => a - b)
    // A hundredth of the way is 50 ms.
    expect(wrong[5], JSON.stringify(shares)).toBeLessThan(0.03)
    expect(new Set(shares.map(({ bar }) => bar)).size).toBe(10)
  })
})
