// The command line of the simulation: run, replay, shrink, year, night, exhaust, mutants.
import { runSeeds } from './seeds.js'
import { replay } from './replay.js'
import { shrink } from './shrink.js'

export const main = async (argv: readonly string[], root: string): Promise<number> => {
  void root
  const [word = 'run', ...rest] = argv
  switch (word) {
    case 'run':
      return runSeeds(rest)
    case 'shrink':
      return shrink(rest)
    case 'replay':
      return replay(rest)
    default:
      process.stderr.write(USAGE)
      return 2
  }
}

const USAGE = `usage: npm run sim -- COMMAND
  run --seeds N --from S [--ops K] [--json]   N generated scenarios, each played twice and judged
  shrink SEED [--ops K]                       a failing seed made small, as a scenario
  replay FILE                                 a scenario or a flight recording, once more
`
