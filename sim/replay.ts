// Plays a scenario file once more and tells what the oracle says.
import { Judge } from './judge.js'
import { readScenario } from './scenario.js'
import { judgeScenario } from './seeds.js'

export const replay = (argv: readonly string[]): number => {
  const [path] = argv
  if (path === undefined) {
    process.stderr.write('replay takes a file\n')
    return 2
  }
  const scenario = readScenario(path)
  const { outcome, wrong } = judgeScenario(scenario, new Judge())
  process.stdout.write(`${outcome.records.join('\n')}\n`)
  process.stdout.write(`${wrong ?? 'nothing is wrong'}, hash ${outcome.hash}\n`)
  return wrong === null ? 0 : 1
}
