// The command line of the simulation: run, devices, threads, replay, shrink, year, night...
import { randomInt } from 'node:crypto'
import { runSeeds } from './play/seeds.js'
import { flagsOf, HelpAsked, Usage } from './commands/arguments.js'
import { devices } from './devices/devices.js'
import { exhaust } from './play/exhaust.js'
import { mutants } from './mutants/mutants.js'
import { night } from './night/night.js'
import { replay } from './play/replay.js'
import { shrink } from './shrink/shrink.js'
import { threads } from './threads/threads.js'
import { year } from './play/year.js'

/** Each takes its own words and the root of the tree, and answers the exit code. */
type Command = (argv: readonly string[], root: string) => number | Promise<number>

export const main = async (argv: readonly string[], root: string): Promise<number> => {
  const [word = 'run', ...rest] = argv
  try {
    if (HELP_WORDS.includes(word)) throw new HelpAsked()
    const command = COMMANDS.get(word)
    if (command === undefined) throw new Usage(`there is no command ${word}`)
    return await command(rest, root)
  } catch (error) {
    if (error instanceof HelpAsked) {
      process.stdout.write(USAGE)
      return 0
    }
    if (!(error instanceof Usage)) throw error
    process.stderr.write(`${error.message}\n${USAGE}`)
    return 2
  }
}

/** Seeds that nobody has seen yet; says first how to play the same ones again. */
const fresh = (argv: readonly string[]): number => {
  const { seeds, json } = flagsOf(argv, { seeds: 2_000 })
  // Above the fixed range of the tests.
  const from = randomInt(1_000_000, 1_000_000_000)
  process.stdout.write(`again: npm run sim -- run --seeds ${seeds} --from ${from}\n`)
  return runSeeds(['--seeds', `${seeds}`, '--from', `${from}`, ...(json ? ['--json'] : [])])
}

const HELP_WORDS: readonly string[] = ['help', '--help', '-h']

const COMMANDS: ReadonlyMap<string, Command> = new Map(Object.entries<Command>({
  run: runSeeds, fresh, shrink, year, night, exhaust, devices, threads, mutants, replay,
}))

const USAGE = `usage: npm run sim -- COMMAND
  run --seeds N --from S [--ops K] [--json]   N generated scenarios, each played twice and judged
  fresh [--seeds N] [--json]                  the same for seeds that nobody has seen yet
  shrink SEED [--ops K] [--json]              a failing seed made small, as a scenario
  year [--days N] [--json]                    a year of music, with a quiz every evening
  night [--http] [--hours N] [--seed S] [--json]
                                              four hours of a quiz night, every answer judged
  exhaust [--depth N] [--json]                all short sequences of commands around boundaries
  devices [--seeds N] [--from S] [--records] [--json]
                                              the sound path with a virtual device
  threads [--seeds N] [--from S] [--json]     the daemon's two threads, with messages that take time
  mutants [N or RULE...] [--seeds N] [--from S] [--jobs N] [--json] [--write]
                                              planted bugs, each of which its rule must find
  replay FILE [--json]                        a scenario or a recording, once more
`
