// Armed buttons: how long until 1000 could sound at once, their memory, the sound thread's turns.
//
//   node --import tsx bench/armed.ts [--buttons N] [--seconds N]   (it needs the build)
//
// Every button begins somewhere else in its file, so that none shares its head with another. The
// decoders run at the lowest priority: on a busy machine they wait for all others. A turn of the
// sound thread shows as a late wake of its timer: arming must not make one long (--buttons 10000).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { BenchDaemon } from './daemon.js'
import { memoryOf } from './memory.js'
import { conditions, ms, quantile, table } from './report.js'
import { writeLargeShow } from './show.js'

const { values } = parseArgs({ options: {
  buttons: { type: 'string', default: '1000' },
  seconds: { type: 'string', default: '900' },
} })
const BUTTONS = Number(values.buttons)
const LOOK_MS = 250
/** Nothing more is armed when this long nothing was. */
const DONE_MS = 10_000
const UNTIL_MS = Number(values.seconds) * 1_000

interface Look {
  readonly atMs: number
  readonly heads: number
  readonly rssMb: number
}

const look = async (daemon: BenchDaemon, begun: number): Promise<Look> => ({
  heads: (await daemon.status()).audio.armedHeads,
  rssMb: memoryOf(daemon.pid)[0]?.rssMb ?? NaN,
  atMs: performance.now() - begun,
})

const main = async (folder: string): Promise<void> => {
  const show = writeLargeShow(folder, BUTTONS)
  const daemon = await BenchDaemon.start({
    folder, show, sink: 'null', port: 47_731, environment: {},
  })
  const begun = performance.now()
  const looks = [await look(daemon, begun)]
  let last = looks[0]
  while (last !== undefined && last.heads < BUTTONS) {
    await sleep(LOOK_MS)
    const next = await look(daemon, begun)
    if (next.heads > last.heads) {
      looks.push(next)
      last = next
    } else if (next.atMs - last.atMs > DONE_MS) break
    if (next.atMs > UNTIL_MS) break
  }
  const first = looks[0]
  await sleep(5_000)
  const rest = await look(daemon, begun)
  console.log(conditions())
  const milestones = [0.1, 0.25, 0.5, 1].flatMap((share) => {
    const met = looks.find(({ heads }) => heads >= share * (last?.heads ?? NaN))
    return met === undefined ? [] : [met]
  })
  console.log(table(
    [`armed of ${BUTTONS}`, 'after', 'RSS of the daemon'],
    milestones.map(({ heads, atMs, rssMb }) =>
      [String(heads), `${(atMs / 1_000).toFixed(1)} s`, `${rssMb.toFixed(0)} MB`]),
  ))
  const grown = rest.rssMb - (first?.rssMb ?? NaN)
  console.log(
    `at rest with ${rest.heads} armed: ${rest.rssMb.toFixed(0)} MB,`
    + ` ${((grown * 1024) / rest.heads).toFixed(0)} KB a button`,
  )
  console.log(table(
    ['then', 'RSS', 'share (PSS)'],
    memoryOf(daemon.pid).map(({ name, rssMb, ownMb }) =>
      [name, `${rssMb.toFixed(0)} MB`, `${ownMb.toFixed(0)} MB`]),
  ))
  const { late } = await daemon.watched()
  console.log(
    `the sound thread's timer woke late by ${ms(quantile(late, 0.5))} (median),`
    + ` ${ms(quantile(late, 0.99))} (99 %), ${ms(quantile(late, 1))} (most),`
    + ` of ${late.length} wakes`,
  )
  await daemon.stop()
}

const folder = mkdtempSync(join(tmpdir(), 'cartwall-armed-'))
try {
  await main(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
