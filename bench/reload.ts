// A reload of a large show: how long answers take meanwhile, and the turns of the sound thread.
//
//   node --import tsx bench/reload.ts [--buttons N] [--megabytes N] [--reloads N]   (of the build)
//
// /status is asked every 10 ms while the show is replaced; no answer may take over 100 ms. Of an
// owner's `x-` keys --megabytes stand in the file: they mean nothing, but are read and checked. No
// turn of the sound thread is to take 2 ms: a bare timer beside it tells what is the machine's.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { BareTimer } from './bare-timer.js'
import { BenchDaemon, nowMs } from './daemon.js'
import { conditions, ms, quantile, table, wakes } from './report.js'
import { writeLargeShow } from './show.js'
import { withPulse } from './with-pulse.js'

const { values } = parseArgs({ options: {
  buttons: { type: 'string', default: '10000' },
  megabytes: { type: 'string', default: '0' },
  reloads: { type: 'string', default: '5' },
} })
const EVERY_MS = 10
/** A reload is over when its title is told; at most so long. */
const WITHIN_MS = 60_000
const KEY_BYTES = 100

interface ShowJson {
  readonly playlists: readonly object[]
}

/** The show with another first list, with as many bytes of somebody's own keys as asked for. */
const writeNext = (show: string, { playlists, ...first }: ShowJson, n: number): void => {
  const keys = Math.floor((Number(values.megabytes) * 1e6) / KEY_BYTES)
  const own = Array.from({ length: keys }, (_, key) => ({ 'x-n': key, 'x-s': 'y'.repeat(70) }))
  const lists = [{ ...playlists[0], title: `List of reload ${n}` }, ...playlists.slice(1)]
  writeFileSync(show, JSON.stringify({ ...first, playlists: lists, 'x-own': own }))
}

const main = async (folder: string, environment: NodeJS.ProcessEnv): Promise<void> => {
  const show = writeLargeShow(folder, Number(values.buttons))
  const first = JSON.parse(readFileSync(show, 'utf8')) as ShowJson
  const daemon = await BenchDaemon.start({
    folder, show, sink: 'speaker', port: 47_732, environment,
  })
  // Its own loading, at that priority, is over by then.
  const bare = new BareTimer()
  await sleep(2_000)
  const calm: number[] = []
  const asked = async (into: number[]): Promise<void> => {
    const begun = nowMs()
    await daemon.ask('GET', '/status')
    into.push(nowMs() - begun)
    await sleep(EVERY_MS)
  }
  for (let n = 0; n < 100; n += 1) await asked(calm)
  await Promise.all([daemon.watched(), bare.late()])
  const beside: number[] = []
  const took: number[] = []
  for (let n = 1; n <= Number(values.reloads); n += 1) {
    writeNext(show, first, n)
    const begun = nowMs()
    const title = (): Promise<string> => daemon.ask('GET', '/buttons')
    const before = await title()
    while (nowMs() - begun < WITHIN_MS) {
      await asked(beside)
      if (beside.length % 20 === 0 && (await title()) !== before) break
    }
    took.push(nowMs() - begun)
    for (let more = 0; more < 100; more += 1) await asked(beside)
  }
  const { late } = await daemon.watched()
  console.log(conditions())
  const row = (what: string, all: readonly number[]): readonly string[] =>
    [what, String(all.length), ...[0.5, 0.99, 1].map((share) => ms(quantile(all, share)))]
  console.log(table(['', 'of', 'p50', 'p99', 'most'], [
    row('/status at rest', calm), row('/status beside reloads', beside),
    row('a reload takes', took),
  ]))
  console.log(`the sound thread's timer ${wakes(late)}`)
  console.log(`  a process that does nothing else ${wakes(await bare.late())}`)
  bare.close()
  await daemon.stop()
}

const folder = mkdtempSync(join(tmpdir(), 'cartwall-reload-'))
await withPulse(folder, (pulse) => main(folder, pulse.environment))
