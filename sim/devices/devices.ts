// The command `devices`: the sound path with a virtual device, for a range of seeds.
import { flagsOf } from '../commands/arguments.js'
import { Digest } from '../world/digest.js'
import { failureLines } from '../commands/plain-words.js'
import { drawDeviceScenario } from './draw-device.js'
import { playDevice } from './play-device.js'

const SEEDS = 500
const WRONG_MAX = 20

export interface DeviceTally {
  readonly hash: string
  readonly seconds: number
  readonly gaps: number
  readonly wrong: readonly { readonly seed: number; readonly told: string }[]
}

export const tallyDevices = (from: number, seeds: number): DeviceTally => {
  const digest = new Digest()
  const wrong: { seed: number; told: string }[] = []
  let [gaps, seconds] = [0, 0]
  for (let seed = from; seed < from + seeds && wrong.length < WRONG_MAX; seed += 1) {
    const scenario = drawDeviceScenario(seed)
    const outcome = playDevice(scenario)
    digest.add(outcome.hash)
    seconds += scenario.lengthMs / 1000
    gaps += outcome.gaps
    if (outcome.violation !== null) wrong.push({ seed, told: outcome.violation.message })
  }
  return { hash: digest.hex, seconds, gaps, wrong }
}

export const devices = (argv: readonly string[]): number => {
  const flags = flagsOf(argv, ['seeds', 'from'], ['json', 'records'])
  const [seeds, from] = [flags.number('seeds', SEEDS), flags.number('from', 1)]
  const begin = process.hrtime.bigint()
  const { hash, seconds, gaps, wrong } = tallyDevices(from, seeds)
  const wallSeconds = Number(process.hrtime.bigint() - begin) / 1e9
  for (const { seed, told } of wrong) {
    const [first = '', ...more] = failureLines(told)
    const again = `  replay: npm run sim -- devices --seeds 1 --from ${seed} --records`
    process.stderr.write([`seed ${seed}: ${first}`, ...more, again, ''].join('\n'))
  }
  if (flags.has('records')) {
    for (let seed = from; seed < from + seeds; seed += 1) {
      const scenario = drawDeviceScenario(seed)
      const { records } = playDevice(scenario)
      process.stdout.write(`${JSON.stringify(scenario)}\n${records.join('\n')}\n`)
    }
  }
  const violations = wrong.length
  process.stdout.write(flags.has('json')
    ? `${JSON.stringify({ seeds, seconds, gaps, wallSeconds, violations, hash })}\n`
    : `${seeds} seeds from ${from}, ${seconds.toFixed(0)} s of sound with ${gaps} gaps in ` +
      `${wallSeconds.toFixed(1)} s, ${violations} violations, hash ${hash}\n`)
  return violations === 0 ? 0 : 1
}
