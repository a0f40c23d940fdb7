// Takes the pictures of the documentation: the wall in full swing, at four sizes, and the stage.
//
// npx tsx scripts/screenshots.mjs, after npm run build; needs Chromium, and PulseAudio as a device
// to be heard on. The show is the demo, in a folder of its own, with one file taken away and an
// evening's playlist put together from the rest.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { CHROMIUM } from '../test/browser/chromium.ts'
import { PulseServer } from '../test/devices/pulse.ts'

const ROOT = join(import.meta.dirname, '..')
const IMAGES = join(ROOT, 'docs', 'images')
const MOST_BYTES = 600 * 1_024
const SIZES = [[1920, 1080], [1366, 768], [820, 1180], [390, 844]]
const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
]
const GONE = 'media/audience.flac'

/** Title, media, colour and what else the show says: one quiz night. */
const EVENING = [
  ['Warm bed', 'bed-warm.flac', 'blue', { isLoopEnabled: true, allowOverlap: true }],
  ['Thinking', 'bed-thinking.opus', 'blue', { isLoopEnabled: true, allowOverlap: true }],
  ['Tension', 'bed-tension.mp3', 'blue', { isLoopEnabled: true, allowOverlap: true }],
  ['The long one', 'evening.opus', 'teal', { fadeOutMs: 4000, allowOverlap: true }],
  ['Walk-in: first song', 'walk-in-1.opus', 'teal', { fadeOutMs: 20000, allowOverlap: true }],
  ['Walk-in: second song', 'walk-in-2.mp3', 'teal', {}],
  ['Correct', 'sting-correct.flac', 'green', { allowOverlap: true }],
  ['Wrong', 'sting-wrong.mp3', 'red', { allowOverlap: true }],
  ['Drum roll', 'sting-roll.opus', 'yellow', { allowOverlap: true }],
  ['And the winner of tonight’s quiz is', 'sting-fanfare.m4a', 'orange', { allowOverlap: true }],
  ['Applause', 'audience.flac', 'orange', {}],
  ['Lamps going round', 'clip.mp4', 'violet', { allowOverlap: true }],
]

const guid = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const freePort = () =>
  new Promise((done) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })

const folder = mkdtempSync(join(tmpdir(), 'cartwall-pictures-'))

const writeShow = () => {
  cpSync(join(ROOT, 'demo'), folder, { recursive: true })
  const show = JSON.parse(readFileSync(join(ROOT, 'demo', 'show.json'), 'utf8'))
  const buttons = EVENING.map(([title, file, color, settings], n) => ({
    id: guid(n + 1), title, kind: file === 'clip.mp4' ? 'video' : 'audio',
    media: `media/${file}`, color, ...settings,
  }))
  const more = [
    { id: guid(101), title: 'Title', kind: 'image', media: 'media/title.png', color: 'violet' },
    { id: guid(102), title: 'Slow colours', kind: 'dmx', color: 'grey',
      dmx: { timeline: 'lights/slow-colours.json', loop: true } },
    { id: guid(103), title: 'To the beds', kind: 'navigation', target: show.playlists[0].id },
  ]
  const all = [...buttons, ...more]
  const night = { id: guid(900), title: 'Quiz night', mode: 'sequence', buttons: all }
  rmSync(join(folder, GONE), { force: true })
  const playlists = [night, ...show.playlists]
  const evening = { ...show, title: 'Friday quiz', playlists }
  writeFileSync(join(folder, 'show.json'), JSON.stringify(evening))
}

const startDaemon = async () => {
  const port = await freePort()
  const show = join(folder, 'show.json')
  const args = ['serve', '--show', show, '--port', `${port}`, '--sink', 'speaker']
  const child = spawn(process.execPath, [join(ROOT, 'dist', 'cli.js'), ...args], {
    env: { ...process.env, ...pulse.environment, XDG_CACHE_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((done, fail) => {
    child.stdout.on('data', (text) => {
      if (String(text).includes('ready on')) done()
    })
    child.once('exit', () => fail(new Error('the daemon ended')))
  })
  return { child, url: `http://127.0.0.1:${port}/` }
}

const WHOLE_EVENING = ['The long one', 'Thinking', 'Walk-in: first song', 'Title', 'Slow colours']

/** Two runs, one in pause, one that fades, one that is missing, a picture, lights. */
const inFullSwing = async (page) => {
  const button = (title) => page.getByRole('button', { name: new RegExp(`^${title}`) })
  for (const title of ['Correct', 'Warm bed']) await button(title).click()
  await page.locator('.end').nth(0).waitFor()
  await page.locator('.row.is-playing').first().waitFor()
  await button('Warm bed').click({ modifiers: ['Shift'] })
  for (const title of WHOLE_EVENING) await button(title).click()
  await page.waitForTimeout(6_000)
  await button('Thinking').click()
  await button('Drum roll').click()
  await button('Walk-in: first song').click({ modifiers: ['Shift'] })
  await page.waitForTimeout(1_200)
}

/** In 256 colours of its own: a third of the bytes, and no eye tells the difference. */
const COLOURS = 'split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=dither=none'

const take = async (page, name) => {
  const whole = join(folder, `${name}.png`)
  const path = join(IMAGES, `${name}.png`)
  await page.screenshot({ path: whole })
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', whole, '-lavfi', COLOURS, path])
  return statSync(path).size
}

/** The title, as the room sees it; what the wall's evening left on would lie over it. */
const takeStage = async () => {
  await globalThis.fetch(`${url}api/v1/stop`, { method: 'POST' })
  const page = await browser.newPage({ viewport: { width: 800, height: 450 } })
  await page.goto(`${url}stage`)
  const { playlists } = JSON.parse(readFileSync(join(folder, 'show.json'), 'utf8'))
  const buttons = playlists.flatMap((playlist) => playlist.buttons)
  const { id } = buttons.find(({ title }) => title === 'Title')
  await globalThis.fetch(`${url}api/v1/buttons/${id}/play`, { method: 'POST' })
  await page.locator('img:not(.hidden)').waitFor()
  await page.waitForTimeout(2_000)
  const path = join(IMAGES, 'stage.jpg')
  await page.screenshot({ path, type: 'jpeg', quality: 70 })
  return statSync(path).size
}

mkdirSync(IMAGES, { recursive: true })
writeShow()
const pulse = new PulseServer()
await pulse.start()
const { child, url } = await startDaemon()
const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
let bytes = 0
try {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } })
  await page.goto(url)
  await page.locator('.wall[data-connection="live"] .cell').first().waitFor()
  const drawn = () => globalThis.document.querySelectorAll('.wave svg').length > 10
  await page.waitForFunction(drawn, null, { timeout: 60_000 })
  await inFullSwing(page)
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(300)
    bytes += await take(page, `wall-${width}`)
  }
  await page.setViewportSize({ width: 1366, height: 768 })
  await page.keyboard.press('F1')
  bytes += await take(page, 'wall-keys')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Lights/ }).click()
  await page.waitForTimeout(400)
  bytes += await take(page, 'wall-lights')
  bytes += await takeStage()
} finally {
  await browser.close()
  child.kill('SIGTERM')
  await new Promise((done) => child.once('exit', done))
  await pulse.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`${Math.round(bytes / 1024)} KB in docs/images\n`)
if (bytes > MOST_BYTES) process.exitCode = 1
