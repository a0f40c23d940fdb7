// How soon a press and a panic of a quiz app are there: ten windows and two videos, one browser.
//
// node --import tsx bench/browser/app.ts [--rounds 20]; npm run build first.
import { parseArgs } from 'node:util'
import { AppWindows, evening } from '../../test/browser/app-rig.js'
import { launchChromium } from '../../test/browser/chromium.js'
import { conditions, ms, quantile, table } from '../report.js'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })

const app = new AppWindows()
const browser = await launchChromium()
try {
  await app.open(await browser.newContext())
  const { bare, presses, panics } = await evening(app, Number(values.rounds))
  const row = (what: string, times: readonly number[]): readonly string[] =>
    [what, String(times.length), ...[0.5, 0.95, 1].map((share) => ms(quantile(times, share)))]
  console.log(conditions())
  console.log(table(['', 'times', 'p50', 'p95', 'worst'], [
    row('a bare request of the same page, to another host', bare),
    row('a press, until it is accepted', presses),
    row('a panic, until every window was told that all is over', panics),
  ]))
} finally {
  await browser.close()
  await app.clean()
}
