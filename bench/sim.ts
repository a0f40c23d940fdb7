// How fast the simulation is: the year, the night, generated seeds, rendering, shrinking.
//
// Each figure is the simulation's own command, as anyone would start it, in a process of its own.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { conditions, table } from './report.js'

const ROOT = resolve(import.meta.dirname, '..')

/** The JSON that a command of the simulation prints last. */
const told = (...words: readonly string[]): Record<string, unknown> => {
  const start = resolve(ROOT, 'sim/start.mjs')
  const { stdout, stderr, status } = spawnSync(process.execPath, [start, ...words], {
    cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}\n${stderr}`)
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>
}

const seconds = (value: unknown): string => `${Number(value).toFixed(2)} s`
const times = (value: number): string => `${Math.round(value)} x`

told('run', '--seeds', '1', '--json')
const year = told('year', '--json')
const direct = told('night', '--json')
const http = told('night', '--http', '--json')
if (http['hash'] !== direct['hash']) {
  const nights = `${String(direct['hash'])} by direct calls, ${String(http['hash'])} through HTTP`
  throw new Error(`the two nights are not the same: ${nights}`)
}
const run = told('run', '--seeds', '3000', '--json')
const speed = told('speed') as {
  render: number
  shrinking: {
    bugs: number
    asWanted: number
    operations: { median: number; most: number }
    wallSeconds: { median: number; most: number }
  }
}
const { shrinking } = speed
const pace = (Number(run['simulatedHours']) * 3600) / Number(run['wallSeconds'])

process.stdout.write(`${conditions()}\n${table(
  ['what', 'wanted', 'seen'],
  [
    ['a year of music and quizzes', '5 s', seconds(year['wallSeconds'])],
    [`four hours, ${String(direct['requests'])} requests, direct`, '1 s',
      seconds(direct['wallSeconds'])],
    ['the same through HTTP inject', '10 s', seconds(http['wallSeconds'])],
    ['two voices rendered and hashed', '500 x', times(speed.render)],
    ['generated seeds, both runs and the oracle', '10000 x', times(pace)],
    [`200 operations, ${String(shrinking.bugs)} planted bugs: shrunk to, median (most)`, '5',
      `${String(shrinking.operations.median)} (${String(shrinking.operations.most)})`],
    ['… in, median (most)', '2 s',
      `${seconds(shrinking.wallSeconds.median)} (${seconds(shrinking.wallSeconds.most)})`],
    ['… both as wanted', 'all', `${String(shrinking.asWanted)} of ${String(shrinking.bugs)}`],
  ],
)}`)
