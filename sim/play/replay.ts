// Plays a scenario or a recording once more, and tells what became of it.
//
// Ends with 0 where all is as it should be, with 1 where something is not, with 2 where the file
// cannot be played.
import { readFileSync } from 'node:fs'
import { Unreadable } from '../../src/recording/replay.js'
import { flagsOf } from '../commands/arguments.js'
import {
  eventLine, isLaterPart, isRecording, readParts, replayParts, type RecordingParts,
  type ReplayResult,
} from './recording-parts.js'
import { LEGEND } from './records.js'
import { variationOf } from './variation.js'
import { Judge } from '../oracle/judge.js'
import { clockOf, failureLines } from '../commands/plain-words.js'
import { parseScenario, type Scenario } from '../scenario/scenario.js'
import { judgeScenario } from './seeds.js'

export interface Told {
  readonly code: 0 | 1 | 2
  readonly out: readonly string[]
  /** What went wrong, for a person. */
  readonly err: readonly string[]
}

export const replay = (argv: readonly string[]): number => {
  const flags = flagsOf(argv, [], ['json'])
  const [path] = flags.words
  if (path === undefined || flags.words.length > 1) {
    process.stderr.write('replay takes one file: a scenario, or a recording of the daemon\n')
    return 2
  }
  const { code, out, err } = replayFile(path, flags.has('json'))
  process.stdout.write(out.map((line) => `${line}\n`).join(''))
  process.stderr.write(err.map((line) => `${line}\n`).join(''))
  return code
}

export const replayFile = (path: string, json: boolean): Told => {
  try {
    const text = textOf(path)
    return isRecording(text) ? toldOf(readParts(path), json)
      : replayScenario(scenarioOf(text, path), json)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { code: 2, out: [], err: [`${path} cannot be replayed: ${error.message}`] }
  }
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new Unreadable('there is no such file')
    if (code === 'EISDIR') throw new Unreadable('it is a folder')
    throw new Unreadable(message)
  }
}

const NEITHER = 'it is neither a scenario nor a recording of "cartwall serve --record"'

const scenarioOf = (text: string, path: string): Scenario => {
  if (isLaterPart(text)) {
    const first = path.replace(/\.\d+$/, '')
    throw new Unreadable(`it is a later part of a recording: replay its first file, ${first}`)
  }
  if (!/^\s*\{.*"ops"/s.test(text)) throw new Unreadable(NEITHER)
  try {
    return parseScenario(text)
  } catch (error) {
    throw new Unreadable(`a slip in the scenario: ${(error as Error).message}`)
  }
}

const toldOf = (recording: RecordingParts, json: boolean): Told => {
  const out: string[] = json ? [] : [LEGEND]
  const result = replayParts(recording, (event) => {
    if (!json) out.push(eventLine(event))
  })
  const { hole, torn } = recording
  const { events, hash, frames, checkpoints, difference } = result
  const short = hole ?? torn
  const wrong = difference ?? hole
  if (json) {
    out.push(JSON.stringify({ events, hash, frames, checkpoints, difference: wrong }))
  } else out.push(summaryOf(recording, result))
  const err = [
    ...(difference === null ? [] : [`different: ${difference}`]),
    ...(short === null ? [] : [`the recording is not whole: ${short}`]),
  ]
  return { code: wrong === null ? 0 : 1, out, err }
}

const summaryOf = ({ lines, hole, torn }: RecordingParts, result: ReplayResult): string => {
  const { events, hash, frames, checkpoints, difference } = result
  const verdict = difference !== null ? 'not as the night was'
    : hole !== null || torn !== null ? `as the night was up to frame ${frames}`
    : 'as the night was'
  return `${lines.length} lines, ${clockOf(frames)} hours, ${events} events, ` +
    `${checkpoints} checkpoints, hash ${hash}: ${verdict}`
}

const replayScenario = (scenario: Scenario, json: boolean): Told => {
  const { outcome, wrong } = judgeScenario(scenario, new Judge())
  const { hash, records, frames } = outcome
  const err = wrong === null ? [] : failureLines(wrong)
  const code = wrong === null ? 0 : 1
  if (json) return { code, out: [JSON.stringify({ hash, wrong })], err }
  const verdict = wrong === null
    ? `nothing is wrong, played twice (then ${variationOf(scenario.seed).name}), hash ${hash}`
    : `a rule is broken, hash ${hash}`
  return {
    code, err,
    out: [LEGEND, ...records, `${scenario.ops.length} operations, ${clockOf(frames)} hours, ` +
      `${records.length} records: ${verdict}`],
  }
}
