// A quiz night on the real daemon by the real client, with faults that a seed draws, for hours.
//
//   npm run soak -- --hours 2          --minutes 10, --seed 7, --no-faults, --sink wav
//
// The sound goes to a sound server of its own, or (`--sink wav`) into a file. What is heard is
// recorded and judged as it grows: each frame of a bed once and in its order, and sound where the
// client says `playing`. What failed is told; memory, descriptors and processes stay flat.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Background, createClient } from '../../../src/client/client.js'
import { createPrng } from '../../../src/engine/prng.js'
import { Daemon, delay } from '../daemon-rig.js'
import { processesWith } from '../media-processes.js'
import { MachineStalls } from '../machine-stalls.js'
import { answerMs } from '../answer-time.js'
import { SoakDisks } from './soak-disks.js'
import { drawFaults } from './soak-faults.js'
import { serverOutput, wavOutput } from './soak-output.js'
import { BEDS, soakShow, writeSoakMedia } from './soak-show.js'

const refuse = (why: string): never => {
  process.stderr.write(`${why}
npm run soak -- --hours N or --minutes N, --seed N, --no-faults, --sink server or wav\n`)
  process.exit(2)
}
const readArguments = () => {
  try {
    return parseArgs({ options: {
      hours: { type: 'string' }, minutes: { type: 'string' }, seed: { type: 'string' },
      'no-faults': { type: 'boolean' }, sink: { type: 'string' },
    } }).values
  } catch (error) {
    return refuse((error as Error).message)
  }
}
const values = readArguments()
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const lastsMs = Number(values.hours ?? 0) * 3_600_000 + Number(values.minutes ?? 0) * 60_000
const sink = values.sink ?? 'server'
if (!(lastsMs > 0)) refuse('how long it lasts is missing, or is no number')
if (!Number.isSafeInteger(seed)) refuse('the seed is no whole number')
if (!['server', 'wav'].includes(sink)) refuse('there is no such sink')

const begun = performance.now()
const violations: string[] = []
const say = (text: string): void => {
  const at = ((performance.now() - begun) / 1000).toFixed(1).padStart(7)
  process.stdout.write(`${at} s  ${text}\n`)
}
const violate = (text: string): void => {
  violations.push(text)
  say(`VIOLATION: ${text}`)
}

const daemon = new Daemon()
const disks = new SoakDisks(daemon.folder)
const stalls = new MachineStalls()
const output = sink === 'wav' ? wavOutput(daemon) : serverOutput(daemon)
const { ear } = output
const tidyUp = async (): Promise<void> => {
  await stalls.stop()
  await output.end()
  disks.end()
}
await disks.begin()
writeSoakMedia(daemon.folder)
daemon.writeShow([{ buttons: soakShow(0) }])
await output.begin()
try {
  const record = ['--record', join(disks.small, 'night.jsonl')]
  await daemon.start([...output.args, ...record, '--log-level', 'warn'],
    { ...output.environment, XDG_CACHE_HOME: disks.small })
  await daemon.armed(5)
} catch (error) {
  await tidyUp()
  await daemon.clean()
  throw error
}
output.listen()
await stalls.start()
say(`seed ${seed}, ${(lastsMs / 60_000).toFixed(1)} minutes, recorded in ${daemon.folder}`)
if (disks.share === null) say('without bindfs: no share hangs')
if (!disks.hasSmall) say('no mount is allowed: no disk is full')
if (output.restart === null) say('without a sound server: none is restarted')

let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isInterrupted = true
    say(`${signal}: it ends here, and is judged`)
  })
}
const isOver = (): boolean =>
  isInterrupted || performance.now() - begun > lastsMs || daemon.child?.exitCode !== null
const counts = { faults: 0, mayLeap: 0, questions: 0, halts: 0, starts: 0, slowestMs: 0 }

// The quiz: a bed that goes on with the next one, silence for each question.
const client = createClient({ baseUrl: daemon.base })
let playingSince = Infinity
const background = new Background(client, {
  beds: BEDS, wrap: true,
  onChange: ({ state, reason }) => {
    playingSince = state === 'playing' ? performance.now() : Infinity
    if (state === 'halted') {
      counts.halts += 1
      say(`the bed halts: ${String(reason)}`)
    }
  },
})

const quiz = async (): Promise<void> => {
  const chance = createPrng(seed).fork('quiz')
  await background.start(0)
  while (!isOver()) {
    await delay(2_000 + chance.next() * 8_000)
    if (background.state === 'halted') {
      counts.starts += 1
      await background.start((background.index + 1) % BEDS.length).catch((error: unknown) =>
        say(`no start: ${String(error)}`))
    } else if (chance.next() < 0.5) {
      counts.questions += 1
      await background.pause({ fadeOutMs: 0 }).catch(() => undefined)
      await delay(500 + chance.next() * 2_000)
      await background.resume({ fadeInMs: 0 }).catch(() => undefined)
    }
  }
}

const faults = async (): Promise<void> => {
  const draw = drawFaults(seed)
  while (!isOver()) {
    const { fault, size, afterMs } = draw()
    await delay(afterMs)
    if (isOver()) return
    counts.faults += 1
    say(`${fault.name} (${size})`)
    if (fault.leaps === true) counts.mayLeap += 1
    const wrong = await fault.act({ daemon, disks, output }, size)
      .catch((error: unknown) => String(error))
    if (wrong !== null) violate(`${fault.name}: ${wrong}`)
  }
}

/** A request takes no longer than this, but while the daemon was made to stand still. */
const PATIENCE_MS = 3_000
const SILENCE_MS = 5_000
/** What no stock of 40 ms bridges: a machine that stands still for so long, all in all. */
const HOLE_MS = 30

/** A sound server that another program ends is started again, as a service manager would. */
const keepServer = async (): Promise<void> => {
  const fault = output.fault()
  if (fault === null) return
  say(`${fault}; it is started again`)
  counts.mayLeap += 1
  await output.restart?.(0)
}

const watchOver = async (): Promise<void> => {
  let soundedBefore = 0
  let soundedAt = performance.now()
  while (!isOver()) {
    const ms = await answerMs(daemon.pid, () =>
      client.status().catch((error: unknown) => violate(`status: ${String(error)}`)))
    counts.slowestMs = Math.max(counts.slowestMs, ms)
    if (ms > PATIENCE_MS) violate(`an answer took ${ms.toFixed(0)} ms`)
    await keepServer()
    ear.listen()
    const now = performance.now()
    if (ear.sounded > soundedBefore) soundedAt = now
    soundedBefore = ear.sounded
    if (now - Math.max(soundedAt, playingSince) > SILENCE_MS) {
      violate(`silence for ${((now - soundedAt) / 1000).toFixed(1)} s while the bed is playing`)
      soundedAt = now
    }
    for (const text of ear.slips.splice(0)) say(`heard: ${text}`)
    for (const text of ear.breaks.splice(0)) violate(`heard out of order: ${text}`)
    await delay(250)
  }
}

interface Sample {
  readonly rssMb: number
  readonly open: number
  readonly processes: number
}
const samples: Sample[] = []
const sample = (): Sample => {
  const proc = `/proc/${daemon.pid}`
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`${proc}/status`, 'utf8')) ?? []
  return {
    rssMb: Number(kib) / 1024, open: readdirSync(`${proc}/fd`).length,
    processes: processesWith('', daemon.pid).length,
  }
}
const measure = async (): Promise<void> => {
  while (!isOver()) {
    await delay(5_000)
    if (!isOver()) samples.push(sample())
  }
}

const parts = [quiz(), watchOver(), measure()]
if (values['no-faults'] !== true) parts.push(faults())
await Promise.all(parts)

/** Memory grows while its ten minutes of retention fill; after them it is flat. */
const flat = (what: keyof Sample, room: number): void => {
  const from = Math.min(samples.length - 1, Math.max(Math.floor(samples.length / 3), 130))
  const later = samples.slice(from)
  const mean = (some: readonly Sample[]): number =>
    some.reduce((sum, one) => sum + one[what], 0) / Math.max(1, some.length)
  const half = Math.floor(later.length / 2)
  const [before, after] = [mean(later.slice(0, half)), mean(later.slice(half))]
  say(`${what}: ${before.toFixed(1)}, later ${after.toFixed(1)}`)
  if (half > 10 && after > before + room) violate(`${what} grows`)
}

if (daemon.child?.exitCode !== null) violate(`the daemon ended: ${daemon.log.slice(-2_000)}`)
const { audio } = await client.status()
background.close()
const { code, ms } = await daemon.end('SIGTERM')
if (code !== 0 || ms > 2_000) violate(`SIGTERM: exit ${String(code)} after ${ms.toFixed(0)} ms`)
const holes = stalls.holes(HOLE_MS)
await tidyUp()
ear.listen()
ear.close()
for (const text of ear.breaks) violate(`heard out of order: ${text}`)
if (ear.cuts > counts.halts) violate(`${ear.cuts} beds were cut off, ${counts.halts} halts told`)
// A change that came too late for the device is told, with how much of it.
const told = daemon.log.split('came too late for the device').length - 1
if (ear.leaps + ear.repeats > counts.mayLeap + told) {
  violate(`${ear.leaps} leaps and ${ear.repeats} repeats, of ${counts.mayLeap} and ${told} told`)
}
const silences = counts.questions + counts.halts + audio.starvations + counts.starts
  + audio.underruns + counts.mayLeap
if (values['no-faults'] === true && audio.underruns > holes) {
  violate(`${audio.underruns} underruns, and the machine stood still ${holes} times`)
}
if (ear.gaps > silences + 1) violate(`${ear.gaps} gaps were heard, ${silences} are accounted for`)
flat('rssMb', 30)
flat('open', 5)
flat('processes', 1)
await delay(300)
const left = processesWith(daemon.folder, null)
if (left.length > 0) violate(`${left.length} processes are left`)
const heardMinutes = (ear.sounded / 48_000 / 60).toFixed(1)
say(`heard ${heardMinutes} minutes of beds; ${JSON.stringify({
  ...counts, gaps: ear.gaps, cuts: ear.cuts, leaps: ear.leaps, repeats: ear.repeats, told,
  starvations: audio.starvations, underruns: audio.underruns, machineStalls: holes,
})}`)
say(`seed ${seed}: ${violations.length} violations`)
if (violations.length === 0) await daemon.clean()
else writeFileSync(join(daemon.folder, 'daemon.log'), daemon.log)
process.exit(violations.length === 0 ? 0 : 1)
