// The daemon dies and comes back: the stage goes on by itself, says nothing, and is right again.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { delay } from '../devices/daemon-rig.js'
import { launchChromium } from './chromium.js'
import { H264 } from './stage-clips.js'
import { epochMs } from './stage-judge.js'
import { groundOf, percentile, StageRig, UNHEARD } from './stage-rig.js'

const rig = new StageRig(UNHEARD)
const SECONDS = 12

beforeAll(async () => {
  const clip = { framesPerSecond: 25, seconds: SECONDS, coding: H264 } as const
  await rig.clips([{ ...clip, ground: 'blue' }, { ...clip, ground: 'green' }], ['b.mp4', 'g.mp4'])
  await rig.open([{
    buttons: [{ kind: 'video', media: 'b.mp4', endMs: 3_000 }, { kind: 'video', media: 'g.mp4' }],
  }])
})

// What a take that failed left playing would be in the way of the next.
afterEach(() => rig.silence([]))
afterAll(() => rig.close())

const loadedAt = (): Promise<number> => rig.page.evaluate(() => performance.timeOrigin)

/** The daemon listens again: a second later a video that was started is in step. */
const isRightAgain = async (): Promise<void> => {
  await rig.daemon.armed(2)
  const listening = epochMs()
  const executionId = await rig.play(2)
  await delay(1_000 - (epochMs() - listening))
  await rig.glimpses()
  await delay(1_500)
  const offset = await rig.heardOffset(executionId)
  const errors = (await rig.glimpses()).map(({ at, number }) => Math.abs(at + offset - number * 40))
  expect(errors.length).toBeGreaterThan(15)
  expect(percentile(errors, 0.95)).toBeLessThan(40)
}

const seen = async (): Promise<string> => groundOf((await rig.seen()).colour)

/** Another daemon: the page is right again, and the same one. */
const isThereAgain = async (pageLoaded: number): Promise<void> => {
  expect((await rig.page.innerText('body')).trim()).toBe('')
  await rig.again()
  await isRightAgain()
  expect(await loadedAt()).toBe(pageLoaded)
}

test('killed in a video: it runs on to its End, without a word, and is right again', async () => {
  await delay(500)
  const pageLoaded = await loadedAt()
  await rig.play(1)
  await delay(1_000)
  await rig.daemon.end('SIGKILL')
  await delay(800)
  expect(await seen()).toBe('blue')
  await delay(1_500)
  expect(await seen()).toBe('black')
  await isThereAgain(pageLoaded)
})

test('ended in a video: black with the sound, without a word, and is right again', async () => {
  const pageLoaded = await loadedAt()
  await rig.play(2)
  await delay(800)
  expect(await seen()).toBe('green')
  const { code } = await rig.daemon.end('SIGTERM')
  expect(code).toBe(0)
  await delay(300)
  expect(await seen()).toBe('black')
  await isThereAgain(pageLoaded)
})

test('a page of another origin reads no media', async () => {
  const browser = await launchChromium()
  const page = await browser.newPage()
  await page.goto('data:text/html,<p>elsewhere')
  const read = await page.evaluate(async (url) => {
    try {
      return (await fetch(url)).status
    } catch {
      return 'refused'
    }
  }, `${rig.address}/media/00000000-0000-4000-8000-000000000001`)
  expect(read).toBe('refused')
  await browser.close()
})
