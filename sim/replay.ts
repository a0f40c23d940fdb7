// Plays a scenario or a flight recording once more, and tells what became of it.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { RecordedLine } from '../src/engine/recording.js'
import { replayRecording } from '../src/engine/replay.js'
import { flagsOf } from './arguments.js'
import { Judge } from './judge.js'
import { parseScenario, type Scenario } from './scenario.js'
import { judgeScenario } from './seeds.js'

const say = (line: string): unknown => process.stdout.write(`${line}\n`)

export const replay = (argv: readonly string[]): number => {
  const flags = flagsOf(argv, [], ['json'])
  const [path] = flags.words
  if (path === undefined) {
    process.stderr.write('replay takes a file\n')
    return 2
  }
  const text = readFileSync(path, 'utf8')
  const json = flags.has('json')
  return isRecording(text)
    ? replayNight(text, path, json)
    : replayScenario(parseScenario(text), json)
}

const isRecording = (text: string): boolean => {
  const [first = ''] = text.split('\n', 1)
  return first.startsWith('{"kind":"cartwall-recording"')
}

/** FILE, then FILE.1, FILE.2 and so on, each of which goes on where the one before ended. */
const partsAfter = (path: string): readonly string[] => {
  const [folder, stem] = [dirname(path), `${basename(path)}.`]
  const parts = readdirSync(folder)
    .filter((name) => name.startsWith(stem) && /^[0-9]+$/.test(name.slice(stem.length)))
    .map((name) => Number(name.slice(stem.length)))
    .sort((a, b) => a - b)
  return parts.map((part, index) => {
    if (part !== index + 1) {
      throw new Error(`${path}.${index + 1} is missing: what came after it cannot be replayed`)
    }
    return readFileSync(`${path}.${part}`, 'utf8')
  })
}

/** A night that was cut off in the middle of a line is replayed up to there. */
const linesOf = (text: string): RecordedLine[] => {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return whole.split('\n').filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedLine)
}

const replayNight = (first: string, path: string, json: boolean): number => {
  const lines = [first, ...partsAfter(path)].flatMap(linesOf)
  const { events, hash, frames, checkpoints, difference } = replayRecording(lines, (event) => {
    if (json || event.kind !== 'run') return
    say(`${event.at} ${event.executionId} ${event.state} ${String(event.endReason)} ` +
      `${event.positionMs}/${event.durationMs} ${event.cause} ${event.message ?? ''}`)
  })
  if (json) say(JSON.stringify({ events, hash, frames, checkpoints, difference }))
  else {
    say(`${lines.length} lines, ${(frames / 172_800_000).toFixed(2)} hours, ${events} events, ` +
      `${checkpoints} checkpoints, hash ${hash}: ${difference ?? 'as the night was'}`)
  }
  return difference === null ? 0 : 1
}

const replayScenario = (scenario: Scenario, json: boolean): number => {
  const { outcome, wrong } = judgeScenario(scenario, new Judge())
  if (json) say(JSON.stringify({ hash: outcome.hash, wrong }))
  else {
    for (const record of outcome.records) say(record)
    say(`${wrong ?? 'nothing is wrong'}, hash ${outcome.hash}`)
  }
  return wrong === null ? 0 : 1
}
