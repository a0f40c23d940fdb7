// Measures the sound output: GO to the first captured sample, the CPU's share, the addon's memory.
//
// Run: npx tsx bench/output.ts (built before). It needs pulseaudio, parec and ALSA's pulse plugin.
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StereoBlock } from '../src/engine/ports.js'
import type { Renderer } from '../src/io/output/output.js'
import type { PlainAddon, LiveAddon } from '../src/io/speaker/speaker-addon.js'
import { realTimers } from '../src/clock/real.js'
import { startSpeakerProcess } from '../src/io/speaker/speaker-child.js'
import { urgentThreads } from '../src/io/thread-priority.js'
import { SPEAKER_OPTIONS, SpeakerOutput } from '../src/io/speaker/speaker-output.js'
import { PulseServer, Recorder } from '../test/devices/pulse.js'
import { ms, quantile } from './report.js'

const TRIALS = 40
const WRITES = 200_000
const SCALE = 2 ** 23

/** On the left a bed that may sound all the time, on the right the GO that is measured. */
class Go implements Renderer {
  bed = false
  mark = 0

  render(into: StereoBlock, count: number): void {
    into.left.fill(this.bed ? 0.25 : 0, 0, count)
    into.right.fill(this.mark / SCALE, 0, count)
  }

  quiet(): boolean {
    return !this.bed && this.mark === 0
  }
}

const spread = (times: readonly number[]): string => {
  const [p50, p95, max] = [0.5, 0.95, 1].map((share) => ms(quantile(times, share)))
  return `p50 ${p50}  p95 ${p95}  max ${max}`
}

const trials = async (go: Go, output: SpeakerOutput, pulse: PulseServer): Promise<number[]> => {
  const times: number[] = []
  for (let trial = 1; trial <= TRIALS; trial += 1) {
    const recorder = new Recorder(pulse.environment, null)
    await recorder.start()
    await sleep(150 + 3 * (trial % 7))
    const asked = performance.now()
    go.mark = trial
    output.wake()
    await sleep(120)
    go.mark = 0
    const first = recorder.sound().right.indexOf(Math.fround(trial / SCALE))
    times.push(recorder.arrivedMs(first) - asked)
    await recorder.stop()
  }
  return times
}

const latency = async (): Promise<void> => {
  const pulse = new PulseServer()
  await pulse.start()
  Object.assign(process.env, pulse.environment)
  const go = new Go()
  const output = new SpeakerOutput(
    go, { ...SPEAKER_OPTIONS, urgentThreads: urgentThreads() }, realTimers(), startSpeakerProcess,
  )
  await new Promise<void>((resolve) => {
    const { error } = console
    output.start({ back: resolve, lost: error, absent: error, notice: error })
  })
  console.log('GO out of silence  ', spread(await trials(go, output, pulse)))
  go.bed = true
  output.wake()
  console.log('GO over a bed      ', spread(await trials(go, output, pulse)))
  console.log('output             ', JSON.stringify(output.stats()))
  const busy = process.cpuUsage()
  await sleep(5_000)
  const used = process.cpuUsage(busy)
  console.log('CPU while it plays ', `${((used.user + used.system) / 50_000).toFixed(1)} %`)
  go.bed = false
  await sleep(500)
  const idle = process.cpuUsage()
  await sleep(5_000)
  const rest = process.cpuUsage(idle)
  console.log('CPU while it rests ', `${((rest.user + rest.system) / 50_000).toFixed(1)} %`)
  await output.stop()
  await pulse.stop()
}

/** ALSA's `null` device swallows at once, so that a day of writes fits in seconds. */
const memory = async (): Promise<void> => {
  const require = createRequire(import.meta.url)
  const { binding } = require('speaker') as { binding: PlainAddon & LiveAddon }
  const handle = binding.open(2, 48_000, binding.MPG123_ENC_FLOAT_32, 'null', 4_800, 480)
  const piece = Buffer.alloc(1_024)
  const writes = async (count: number): Promise<number> => {
    for (let n = 0; n < count; n += 1) {
      await binding.write(handle, piece)
      binding.tryWrite(handle, piece, 0, 128, 8)
    }
    return process.memoryUsage().rss / 1024 ** 2
  }
  const warm = await writes(WRITES / 10)
  const end = await writes(WRITES)
  console.log(`RSS over ${String(WRITES)} writes`, `${warm.toFixed(1)} -> ${end.toFixed(1)} MB`)
}

await memory()
await latency()
process.exit(0)
