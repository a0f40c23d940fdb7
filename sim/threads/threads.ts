// The command `threads`: the daemon's two threads and the messages between them, for many seeds.
import { flagsOf } from '../commands/arguments.js'
import { tally, tellWrong } from '../commands/tally.js'
import { drawThreadsScenario } from './draw-threads.js'
import { playThreads } from './play-threads.js'

export const tallyThreads = (from: number, seeds: number) =>
  tally(from, seeds, (seed) => playThreads(drawThreadsScenario(seed)))

export const threads = (argv: readonly string[]): number => {
  const { seeds, from, report } = flagsOf(argv, { seeds: 500, from: 1 })
  const told = tallyThreads(from, seeds)
  tellWrong(told, (seed) => [`replay: npm run sim -- threads --seeds 1 --from ${seed}`])
  const { hash, wrong: { length: violations } } = told
  return report(violations === 0, { seeds, violations, hash },
    `${seeds} seeds from ${from}, ${violations} violations, hash ${hash}`)
}
