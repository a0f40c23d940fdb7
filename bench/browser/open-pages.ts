// Five walls and two stages in one browser, open while another bench measures the daemon.
//
//   node --import tsx bench/browser/open-pages.ts --port 47711 & node --import tsx bench/go.ts
//
// They come once the daemon is there, and go when it is gone.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { launchChromium } from '../../test/browser/chromium.js'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '47711' },
    walls: { type: 'string', default: '5' },
    stages: { type: 'string', default: '2' },
  },
})
const address = `http://127.0.0.1:${values.port}`
const LOOK_MS = 500

const isThere = (): Promise<boolean> =>
  fetch(`${address}/api/v1/status`).then(({ ok }) => ok, () => false)

while (!await isThere()) await sleep(LOOK_MS)
const browser = await launchChromium()
try {
  const context = await browser.newContext({ viewport: { width: 1_366, height: 768 } })
  const paths = [
    ...Array.from({ length: Number(values.walls) }, () => '/'),
    ...Array.from({ length: Number(values.stages) }, (_, n) => `/stage?name=${n}`),
  ]
  for (const path of paths) await (await context.newPage()).goto(`${address}${path}`)
  console.log(`${values.walls} walls and ${values.stages} stages are open`)
  while (await isThere()) await sleep(LOOK_MS)
} finally {
  await browser.close()
}
