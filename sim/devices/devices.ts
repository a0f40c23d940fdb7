// The command `devices`: the sound path with a virtual device, for a range of seeds.
import { flagsOf } from '../commands/arguments.js'
import { tally, tellWrong } from '../commands/tally.js'
import { drawDeviceScenario } from './draw-device.js'
import { playDevice } from './play-device.js'

export const tallyDevices = (from: number, seeds: number) => {
  let [gaps, seconds] = [0, 0]
  const told = tally(from, seeds, (seed) => {
    const scenario = drawDeviceScenario(seed)
    const outcome = playDevice(scenario)
    seconds += scenario.lengthMs / 1000
    gaps += outcome.gaps
    return outcome
  })
  return { ...told, seconds, gaps }
}

export const devices = (argv: readonly string[]): number => {
  const flags = flagsOf(argv, { seeds: 500, from: 1, records: false })
  const { seeds, from } = flags
  const told = tallyDevices(from, seeds)
  tellWrong(told, (seed) =>
    [`replay: npm run sim -- devices --seeds 1 --from ${seed} --records`])
  if (flags.records) {
    for (let seed = from; seed < from + seeds; seed += 1) {
      const scenario = drawDeviceScenario(seed)
      const { records } = playDevice(scenario)
      process.stdout.write(`${JSON.stringify(scenario)}\n${records.join('\n')}\n`)
    }
  }
  const { hash, seconds, gaps, wrong: { length: violations } } = told
  return flags.report(violations === 0, { seeds, seconds, gaps, violations, hash },
    `${seeds} seeds from ${from}, ${seconds.toFixed(0)} s of sound with ${gaps} gaps, ` +
    `${violations} violations, hash ${hash}`)
}
