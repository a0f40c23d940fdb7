// The first presses of a daemon's life: when are they heard, and without a gap?
//
//   node --import tsx bench/first-press.ts [--starts N]                      (it needs the build)
//
// N daemons, one after the other on one sound server, are pressed as soon as their heads are armed,
// three buttons in turn: code that has not run before shows in the first press beside the others.
// The sound names its own frames, so that a gap and a loss are told apart.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { FRAMES_PER_MS } from '../src/clock/frame.js'
import { button, Daemon } from '../test/devices/daemon-rig.js'
import { positionOf, writeCodedWav } from '../test/devices/media-files.js'
import { type PulseServer, Recorder } from '../test/devices/pulse.js'
import { conditions, ms, quantile, table } from './report.js'
import { withPulse } from './with-pulse.js'

const { values } = parseArgs({ options: { starts: { type: 'string', default: '16' } } })
const STARTS = Number(values.starts)
const PRESSES = 3
const HEARD_MS = 500
const WITHIN_MS = 30_000

const folder = mkdtempSync(join(tmpdir(), 'cartwall-first-press-'))
const media = join(folder, 'coded.wav')

interface Press {
  readonly heardMs: number
  /** Frames of silence amid the sound, and frames of the file that were not heard. */
  readonly silent: number
  readonly lost: number
}

const judge = (recorder: Recorder, pressedMs: number): Press => {
  const { left, right } = recorder.sound()
  let [first, next, silent, lost, run] = [-1, 0, 0, 0, 0]
  for (let n = 0; n < left.length; n += 1) {
    if (left[n] === 0) {
      run += 1
      continue
    }
    if (first < 0) first = n
    else silent += run
    run = 0
    const position = Math.round(positionOf(left[n] ?? 0, right[n] ?? 0))
    lost += position - next
    next = position + 1
  }
  return { heardMs: recorder.arrivedMs(first) - pressedMs, silent, lost }
}

const press = async (daemon: Daemon, pulse: PulseServer, n: number): Promise<Press> => {
  const recorder = new Recorder(pulse.environment, null)
  await recorder.start()
  const pressedMs = performance.now()
  const executionId = await daemon.play(n)
  await daemon.until(async () => (await daemon.run(executionId)).positionMs > HEARD_MS, WITHIN_MS)
  await daemon.post(`/buttons/${button(n)}/stop`, { executionId, fadeOutMs: 0 })
  await sleep(HEARD_MS / 2)
  await recorder.stop()
  return judge(recorder, pressedMs)
}

const life = async (pulse: PulseServer): Promise<Press[]> => {
  const daemon = new Daemon()
  try {
    daemon.writeShow([{ buttons: Array.from({ length: PRESSES }, () => ({ media })) }])
    await daemon.start(['--sink', 'speaker'], pulse.environment)
    await daemon.armed(PRESSES)
    const presses: Press[] = []
    for (let n = 1; n <= PRESSES; n += 1) presses.push(await press(daemon, pulse, n))
    return presses
  } finally {
    await daemon.clean()
  }
}

const lives: Press[][] = []
await withPulse(folder, async (pulse) => {
  writeCodedWav(media, 30_000 * FRAMES_PER_MS)
  for (let n = 0; n < STARTS; n += 1) lives.push(await life(pulse))
})
console.log(conditions())
console.log(table(
  ['press of a life', 'heard p50', 'p95', 'with a gap', 'longest', 'frames lost'],
  Array.from({ length: PRESSES }, (_, n) => {
    const presses = lives.flatMap((each) => each[n] ?? [])
    const heard = presses.map(({ heardMs }) => heardMs)
    const gaps = presses.map(({ silent }) => silent).filter((silent) => silent > 0)
    return [
      String(n + 1), ms(quantile(heard, 0.5)), ms(quantile(heard, 0.95)),
      `${gaps.length} of ${presses.length}`, ms(Math.max(0, ...gaps) / FRAMES_PER_MS),
      String(presses.reduce((all, { lost }) => all + lost, 0)),
    ]
  }),
))
