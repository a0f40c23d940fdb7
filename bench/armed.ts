// Armed buttons: how long until all could sound at once, beside a bed that plays; what that costs.
//
//   node --import tsx bench/armed.ts [--buttons N] [--seconds N] [--sink null]     (of the build)
//
// The files are WAV, FLAC, MP3, M4A, Opus and OGG by turns. Every button begins somewhere else in
// its file, so that none shares its head with another. The decoders run at the lowest priority: on
// a busy machine they wait for all others. A long turn of the sound thread shows as a late wake of
// its timer: arming must not make one (--buttons 10000). With a device it runs before all others,
// so that what is late is its own doing, or the machine's: a bare timer beside it tells. The bed
// plays all the while, and no frame may be missing.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { button } from '../test/devices/daemon-rig.js'
import { convert, writeCodedWav, writeSweep } from '../test/devices/media-files.js'
import { PulseServer } from '../test/devices/pulse.js'
import { BareTimer } from './bare-timer.js'
import { BenchDaemon } from './daemon.js'
import { memoryOf, rssMbOf } from './memory.js'
import { conditions, table, wakes } from './report.js'
import { writeShow } from './show.js'

const { values } = parseArgs({ options: {
  buttons: { type: 'string', default: '1000' },
  seconds: { type: 'string', default: '900' },
  sink: { type: 'string', default: 'speaker' },
} })
const BUTTONS = Number(values.buttons)
const LOOK_MS = 250
/** Nothing more is armed when this long nothing was. */
const DONE_MS = 10_000
const SETTLED_MS = 1_000
const UNTIL_MS = Number(values.seconds) * 1_000
const FORMATS: readonly (readonly [ending: string, ...options: string[]])[] = [
  ['wav'], ['flac'], ['mp3', '-b:a', '192k'], ['m4a', '-c:a', 'aac'],
  ['opus', '-c:a', 'libopus'], ['ogg', '-c:a', 'libvorbis'],
]
const FILES = 18
const FILE_SECONDS = 60

interface Look {
  readonly atMs: number
  readonly heads: number
  readonly rssMb: number
}

/** The bed comes first, then the buttons, none of which begins where another does. */
const writeFiles = (folder: string): string => {
  writeCodedWav(join(folder, 'bed.wav'), 20 * 48_000)
  writeSweep(join(folder, 'sweep.wav'), 44_100, FILE_SECONDS)
  const names = Array.from({ length: FILES }, (_, n) => {
    const [ending, ...options] = FORMATS[n % FORMATS.length] ?? ['wav']
    const name = `${n}.${ending}`
    convert(join(folder, 'sweep.wav'), join(folder, name), options)
    return name
  })
  const bed = { media: 'bed.wav', isLoopEnabled: true, allowOverlap: true }
  return writeShow(folder, [bed, ...Array.from({ length: BUTTONS }, (_, n) => ({
    media: names[n % FILES] ?? '',
    startMs: (Math.floor(n / FILES) * 40) % ((FILE_SECONDS - 5) * 1_000),
  }))])
}

const look = async (daemon: BenchDaemon, begun: number): Promise<Look> => ({
  // The bed is armed too.
  heads: (await daemon.status()).audio.armedHeads - 1,
  rssMb: rssMbOf(daemon.pid),
  atMs: performance.now() - begun,
})

/** Looks until all are armed, or nothing more is. */
const watch = async (daemon: BenchDaemon, begun: number): Promise<readonly Look[]> => {
  const first = await look(daemon, begun)
  const looks = [first]
  let last = first
  while (last.heads < BUTTONS) {
    await sleep(LOOK_MS)
    const next = await look(daemon, begun)
    if (next.heads > last.heads) {
      looks.push(next)
      last = next
    } else if (next.atMs - last.atMs > DONE_MS || next.atMs > UNTIL_MS) break
  }
  return looks
}

const tellArming = (looks: readonly Look[]): void => {
  const most = looks.at(-1)?.heads ?? NaN
  const milestones = [0.1, 0.25, 0.5, 1].flatMap((share) => {
    const met = looks.find(({ heads }) => heads >= share * most)
    return met === undefined ? [] : [met]
  })
  console.log(table(
    [`armed of ${BUTTONS}`, 'after', 'RSS of the daemon'],
    milestones.map(({ heads, atMs, rssMb }) =>
      [String(heads), `${(atMs / 1_000).toFixed(1)} s`, `${rssMb.toFixed(0)} MB`]),
  ))
}

const tellSound = async (daemon: BenchDaemon, bare: BareTimer, what: string): Promise<void> => {
  const { late } = await daemon.watched()
  const { audio } = await daemon.status()
  console.log(`${what}: the sound thread's timer ${wakes(late)};`
    + ` underruns ${audio.underruns}, starvations ${audio.starvations}`)
  console.log(`  a process that does nothing else ${wakes(await bare.late())}`)
}

const main = async (folder: string, environment: NodeJS.ProcessEnv): Promise<void> => {
  const daemon = await BenchDaemon.start({
    folder, show: writeFiles(folder), sink: values.sink, port: 47_731, environment,
  })
  const begun = performance.now()
  const bare = new BareTimer()
  // By then what a show is begun with, and the warm-up, are over.
  await sleep(SETTLED_MS)
  await tellSound(daemon, bare, 'until a second after it was ready')
  await daemon.ask('POST', `/buttons/${button(1)}/play`)
  const looks = await watch(daemon, begun)
  console.log(conditions())
  tellArming(looks)
  await tellSound(daemon, bare, 'while arming')
  await sleep(10_000)
  const rest = await look(daemon, begun)
  const grown = rest.rssMb - (looks[0]?.rssMb ?? NaN)
  console.log(
    `at rest with ${rest.heads} armed: ${rest.rssMb.toFixed(0)} MB,`
    + ` ${((grown * 1024) / rest.heads).toFixed(0)} KB a button`,
  )
  await tellSound(daemon, bare, 'afterwards')
  bare.close()
  console.log(table(
    ['then', 'RSS', 'share (PSS)'],
    memoryOf(daemon.pid).map(({ name, rssMb, ownMb }) =>
      [name, `${rssMb.toFixed(0)} MB`, `${ownMb.toFixed(0)} MB`]),
  ))
  await daemon.stop()
}

const folder = mkdtempSync(join(tmpdir(), 'cartwall-armed-'))
const pulse = values.sink === 'speaker' ? new PulseServer() : null
try {
  await pulse?.start()
  await main(folder, pulse?.environment ?? {})
} finally {
  await pulse?.stop()
  rmSync(folder, { recursive: true, force: true })
}
