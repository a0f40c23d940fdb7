// Starts of files that were not decoded before: is what is heard whole, from its first frame on?
//
//   node --import tsx bench/cold.ts [--trials N] [--boots N] [--arming N]      (it needs the build)
//
// Each of six formats is played from its beginning and 50 minutes deep in an hour, again and again,
// as another file each time, so that no head holds; then as a list of half-second items right
// after a start of the daemon. The sound is a tone whose period is 48 frames: in what was recorded
// a hole is silence within a start or a list, and a jump is a frame unlike the one a period before.
// --arming N has so many other buttons armed meanwhile.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { button } from '../test/devices/daemon-rig.js'
import { BenchDaemon } from './daemon.js'
import { conditions, table } from './report.js'
import { writeLists, type ButtonSettings } from './show.js'

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '20' },
    boots: { type: 'string', default: '3' },
    arming: { type: 'string', default: '0' },
  },
})
const [TRIALS, BOOTS, ARMING] = [values.trials, values.boots, values.arming].map(Number) as
  [number, number, number]

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  wav: ['-c:a', 'pcm_s16le'], flac: ['-c:a', 'flac'], mp3: ['-b:a', '128k'],
  m4a: ['-c:a', 'aac', '-b:a', '128k'], opus: ['-c:a', 'libopus', '-b:a', '96k'],
  ogg: ['-c:a', 'libvorbis'],
}
const NAMES = Object.keys(FORMATS)
const DEEP_MS = 50 * 60_000
const ITEMS = 12
const ITEM_MS = 500

const PERIOD = 48
/** ffmpeg's tone has this amplitude. */
const LOUD = 1 / 8
/** A zero of the tone is one frame long. */
const SILENT_FRAMES = 24
/** What a coder makes of a beginning that it did not see the frames before of. */
const SETTLES_FRAMES = 2_400

const folder = mkdtempSync(join(tmpdir(), 'cartwall-cold-'))
const path = (name: string): string => join(folder, name)

const ffmpeg = (...args: readonly string[]): void => {
  const { status, stderr } = spawnSync(
    'ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

const writeHours = (): void => {
  ffmpeg('-f', 'lavfi', '-i', 'sine=frequency=1000:sample_rate=48000:duration=3600',
    ...FORMATS['wav'] ?? [], path('hour.wav'))
  for (const name of NAMES.slice(1)) {
    ffmpeg('-i', path('hour.wav'), ...FORMATS[name] ?? [], path(`hour.${name}`))
  }
}

/** First the starts, then a list of short items for each format, then those to be armed. */
const show = (): string => {
  const media = (name: string): string => `hour.${name}`
  const starts: readonly ButtonSettings[] = NAMES.flatMap((name) => [
    { media: media(name) }, { media: media(name), startMs: DEEP_MS },
  ])
  const items = NAMES.map((name) => ({
    mode: 'sequence',
    buttons: Array.from({ length: ITEMS }, (_, n) => ({
      media: media(name), startMs: 60_000 + n * ITEM_MS, endMs: 60_000 + (n + 1) * ITEM_MS,
    })),
  }))
  const others = Array.from({ length: ARMING }, (_, n) => ({
    media: media(NAMES[n % NAMES.length] ?? 'wav'), startMs: 120_000 + n * 100,
  }))
  return writeLists(folder, [{ buttons: starts }, ...items, { buttons: others }])
}

const itemOf = (format: number, n: number): number => 2 * NAMES.length + format * ITEMS + n + 1

const serve = (wav: string): Promise<BenchDaemon> => BenchDaemon.start({
  folder, show: join(folder, 'show.json'), sink: `wav:${wav}`, port: 47_712, environment: {},
})

/** Another time of change is another file: no head of it holds. */
const renew = (name: string): void => {
  const stamp = new Date(Date.now() - Math.floor(Math.random() * 1e9))
  utimesSync(path(`hour.${name}`), stamp, stamp)
}

interface Heard {
  /** Stretches of sound, each between two silences. */
  readonly stretches: number
  readonly jumps: number
}

const hear = (wav: string): Heard => {
  const bytes = readFileSync(wav)
  const from = bytes.indexOf('data') + 8
  const at = (frame: number): number => bytes.readFloatLE(from + frame * 8)
  const frames = Math.floor((bytes.length - from) / 8)
  let [stretches, jumps, silent, since] = [0, 0, SILENT_FRAMES, 0]
  for (let n = 0; n < frames; n += 1) {
    const sample = at(n)
    silent = sample === 0 ? silent + 1 : 0
    if (silent >= SILENT_FRAMES) {
      since = 0
      continue
    }
    since += 1
    if (since === 1) stretches += 1
    if (since < SETTLES_FRAMES || silent > 0) continue
    if (Math.abs(sample - at(n - PERIOD)) > LOUD / 3) {
      jumps += 1
      // One leap is unlike for a whole period.
      since = SETTLES_FRAMES - PERIOD
    }
  }
  return { stretches, jumps }
}

interface Row extends Heard {
  readonly what: string
  readonly wanted: number
  readonly told: number
}

const starvations = async (daemon: BenchDaemon): Promise<number> =>
  (await daemon.status()).audio.starvations

/** One recording a row, so that what is heard there is known by its count. */
const record = async (
  what: string, wanted: number, play: (daemon: BenchDaemon) => Promise<void>,
): Promise<Row> => {
  const wav = path('heard.wav')
  rmSync(wav, { force: true })
  const daemon = await serve(wav)
  const told = await play(daemon).then(() => starvations(daemon)).finally(() => daemon.stop())
  return { what, wanted, told, ...hear(wav) }
}

const startsOf = (name: string, isDeep: boolean): Promise<Row> => {
  const number = 2 * NAMES.indexOf(name) + (isDeep ? 2 : 1)
  const what = `${name}, ${isDeep ? '50 minutes deep' : 'from its beginning'}`
  return record(what, TRIALS, async (daemon) => {
    for (let n = 0; n < TRIALS; n += 1) {
      renew(name)
      await daemon.ask('POST', `/buttons/${button(number)}/play`)
      await sleep(1_500)
      await daemon.ask('POST', `/buttons/${button(number)}/stop`)
      await sleep(150)
    }
  })
}

const listsOf = async (format: number): Promise<Row> => {
  const rows: Row[] = []
  for (let n = 0; n < BOOTS; n += 1) {
    renew(NAMES[format] ?? '')
    rows.push(await record('', 1, async (daemon) => {
      await daemon.ask('POST', `/buttons/${button(itemOf(format, 0))}/play`)
      await sleep(ITEMS * ITEM_MS + 1_500)
    }))
  }
  const sum = (of: (row: Row) => number): number => rows.reduce((all, row) => all + of(row), 0)
  return {
    what: `${NAMES[format] ?? ''}, a list of ${ITEMS} items of half a second, at a start`,
    wanted: BOOTS, stretches: sum((row) => row.stretches), jumps: sum((row) => row.jumps),
    told: sum((row) => row.told),
  }
}

try {
  writeHours()
  show()
  console.log(conditions())
  const rows: Row[] = []
  for (const name of NAMES) {
    for (const isDeep of [false, true]) rows.push(await startsOf(name, isDeep))
  }
  for (const format of NAMES.keys()) rows.push(await listsOf(format))
  console.log(table(
    ['cold', 'starts', 'holes', 'jumps', 'starvations told'],
    rows.map(({ what, wanted, stretches, jumps, told }) =>
      [what, ...[wanted, stretches - wanted, jumps, told].map(String)]),
  ))
  console.log(conditions())
} finally {
  rmSync(folder, { recursive: true, force: true })
}
