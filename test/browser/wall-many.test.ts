// Many: a thousand buttons, twenty runs, five walls and two stages in one browser, which has six
// connections to a host for all of its tabs together, and three more that listen from elsewhere:
// everyone hears of every press, and every press gets through, once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { knownFrom, applyChange } from '../../src/pages/shared/live-state.js'
import { delay } from '../devices/daemon-rig.js'
import { connected, type Listener } from '../devices/live-rig.js'
import { launchChromium } from './chromium.js'
import { expectAgreement, WallPage, WallShow } from './wall-rig.js'

const WALLS = 5
/** What a wall elsewhere costs this machine is its connection: so that is all they are here. */
const OTHERS = 3
const STAGES = ['left', 'right'] as const
const RUNS = 20
const BUTTONS = 1_000
/** All sound from the first one's file, which is long enough for a busy machine. */
const SOUND_MS = 60_000
const SOUND_FILE = '1.wav'
/** Seven pages are drawn and twenty decoders start here, on two cores. */
const WITHIN = { timeout: 15_000 }

const title = (n: number): string => `Sound ${String.fromCharCode(65 + n)}`

let show: WallShow
let browser: Browser
const walls: WallPage[] = []
const others: Listener[] = []

beforeAll(async () => {
  show = new WallShow('Many', [
    {
      title: 'Sounds',
      buttons: Array.from({ length: RUNS }, (_each, n) => ({
        title: title(n), ms: n === 0 ? SOUND_MS : null, media: SOUND_FILE, allowOverlap: true,
      })),
    },
    {
      title: 'Pictures',
      buttons: Array.from({ length: BUTTONS - RUNS }, (_each, n) => ({
        title: `Picture ${n + 1}`, kind: 'image',
      })),
    },
  ])
  const [launched] = await Promise.all([launchChromium(), show.start()])
  browser = launched
  // A press on a machine that has still to look at a thousand files is another test's.
  const armed = async (): Promise<number> => (await show.status()).audio.armedHeads
  while (await armed() < RUNS) await delay(100)
  const context = await browser.newContext({ viewport: { width: 1_366, height: 768 } })
  for (let n = 0; n < WALLS; n += 1) walls.push(await WallPage.open(context, show.url))
  for (const name of STAGES) await (await context.newPage()).goto(`${show.url}stage?name=${name}`)
  const live = `${show.baseUrl.replace('http', 'ws')}/live`
  for (let n = 0; n < OTHERS; n += 1) others.push(await connected(live))
})

afterAll(async () => {
  for (const { socket } of others) socket.close()
  await browser.close()
  await show.clean()
})

/** How many runs one that only listens knows to be playing; it missed nothing. */
const playing = ({ state, changes }: Listener): number => {
  let known = knownFrom(state)
  for (const change of changes) {
    const next = applyChange(known, change)
    if (next === null) throw new Error(`after ${known.n} came ${change.n}`)
    known = next
  }
  return known.runs.filter((run) => run.state === 'playing').length
}

const everyoneSees = async (runs: number): Promise<void> => {
  for (const { page } of walls) {
    await expect.poll(() => page.locator('.cell.is-playing').count(), WITHIN).toBe(runs)
  }
  for (const other of others) await expect.poll(() => playing(other), WITHIN).toBe(runs)
}

const wallAt = (n: number): WallPage => {
  const wall = walls[n % WALLS]
  if (wall === undefined) throw new Error(`there is no wall ${n}`)
  return wall
}

test('every wall hears of both stages', async () => {
  for (const { page } of walls) {
    await page.getByRole('button', { name: 'Stages: 2 in step' }).waitFor(WITHIN)
  }
})

test('what an app or any wall starts is seen by everyone, and there once', async () => {
  for (let n = WALLS; n < RUNS; n += 1) {
    // A machine that is short of processors may take its own disk for one that hangs.
    const play = () => show.post(`/buttons/${show.idOf(title(n))}/play`, null)
    await expect.poll(play, WITHIN).toHaveProperty('executionId')
  }
  await everyoneSees(RUNS - WALLS)
  for (let n = 0; n < WALLS; n += 1) await wallAt(n).button(title(n)).click()
  await everyoneSees(RUNS)
  for (const { page } of walls) {
    expect(await page.locator('.row').count()).toBe(8)
    expect(await page.locator('.now-more').textContent()).toBe(`${RUNS - 8} more`)
  }
  expect((await show.status()).active.length).toBe(RUNS)
})

test('a panic on one wall is silence for everyone', async () => {
  await wallAt(2).panic.click()
  await wallAt(3).panic.click()
  await wallAt(2).panic.click()
  await everyoneSees(0)
  for (const wall of walls) expect(wall.errors).toEqual([])
  await expectAgreement(wallAt(0), show)
})
