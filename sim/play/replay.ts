// Plays a scenario or a recording once more, and tells what became of it.
//
// Ends with 0 where all is as it should be, with 1 where not, with 2 where it cannot be played.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { frameText } from '../../src/clock/frame.js'
import { tellNight } from '../../src/recording/night.js'
import { isRecording, readParts, recordedText } from '../../src/recording/recording-file.js'
import { Unreadable } from '../../src/recording/replay.js'
import { flagsOf, Usage } from '../commands/arguments.js'
import { LEGEND } from './records.js'
import { variationOf } from './variation.js'
import { Judge } from '../oracle/judge.js'
import { failureLines } from '../commands/tally.js'
import { parseScenario, type Scenario } from '../scenario/scenario.js'
import { judgeScenario } from './seeds.js'

export const replay = (argv: readonly string[]): number => {
  const { words: [path], json } = flagsOf(argv, {}, 1)
  if (path === undefined) {
    throw new Usage('replay takes one file: a scenario, or a recording of the daemon')
  }
  const { code, out, err } = replayFile(asTyped(path), json)
  process.stdout.write(out.map((line) => `${line}\n`).join(''))
  process.stderr.write(err.map((line) => `${line}\n`).join(''))
  return code
}

/** npm runs in the package's folder, and tells in which one the line was typed. */
const asTyped = (path: string): string => {
  const there = join(process.env['INIT_CWD'] ?? '.', path)
  return !existsSync(path) && existsSync(there) ? there : path
}

export const replayFile = (path: string, json: boolean) => {
  try {
    const text = recordedText(path)
    return isRecording(text)
      ? replayNight(path, text, json)
      : replayScenario(scenarioOf(text), json)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { code: 2, out: [], err: [`${path} cannot be replayed: ${error.message}`] }
  }
}

const NEITHER = 'it is neither a scenario nor a recording of "cartwall serve --record"'

const scenarioOf = (text: string): Scenario => {
  if (!/^\s*\{.*"ops"/s.test(text)) throw new Unreadable(NEITHER)
  try {
    return parseScenario(text)
  } catch (error) {
    throw new Unreadable(`a slip in the scenario: ${(error as Error).message}`)
  }
}

const replayNight = (path: string, text: string, json: boolean) => {
  const lines: string[] = []
  const { isSame, summary, troubles, result } =
    tellNight(readParts(path, text), (line) => lines.push(line))
  const out = json ? [JSON.stringify(result)] : [...lines, summary]
  return { code: isSame ? 0 : 1, out, err: troubles }
}

const replayScenario = (scenario: Scenario, json: boolean) => {
  const { hash, records, frames, violation } = judgeScenario(scenario, new Judge())
  const [code, err] = violation === null ? [0, []] : [1, failureLines(violation)]
  const wrong = violation?.message ?? null
  if (json) return { code, out: [JSON.stringify({ hash, wrong })], err }
  const verdict = violation === null
    ? `nothing is wrong, played twice (then ${variationOf(scenario.seed).name}), hash ${hash}`
    : `a rule is broken, hash ${hash}`
  return {
    code, err,
    out: [LEGEND, ...records, `${scenario.ops.length} operations, ${frameText(frames)} hours, ` +
      `${records.length} records: ${verdict}`],
  }
}
