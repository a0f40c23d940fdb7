// The command line of the simulation, as CI and people start it.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MUTANTS } from '../../sim/mutants/mutant-list.js'

const ROOT = resolve(import.meta.dirname, '../..')

const sim = (...words: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath, [resolve(ROOT, 'sim/start.mjs'), ...words], { cwd: ROOT, encoding: 'utf8' },
  )
  return { status, stderr, last: stdout.trimEnd().split('\n').at(-1) ?? '' }
}

describe('npm run sim --', () => {
  test('run: the last line is the result, the same for the same seeds', () => {
    const { status, last } = sim('run', '--seeds', '20', '--from', '9', '--json')
    const result = JSON.parse(last) as Record<string, unknown>
    expect(status).toBe(0)
    expect(Object.keys(result)).toEqual([
      'seeds', 'simulatedHours', 'violations', 'hash', 'wallSeconds',
    ])
    expect(result).toMatchObject({ seeds: 20, violations: 0 })
    const again = JSON.parse(sim('run', '--seeds', '20', '--from', '9', '--json').last) as object
    expect(again).toMatchObject({ hash: result['hash'] })
  }, 60_000)

  test('mutants: a planted bug is found, and says so in numbers', () => {
    const { status, last, stderr } = sim('mutants', '1', '--json')
    expect(JSON.parse(last)).toMatchObject({ mutants: 1, killed: 1, survived: 0 })
    expect(status).toBe(0)
    expect(stderr).toContain('1. 1/ids-are-new: a start takes the id of its button: ')
  }, 60_000)

  test('mutants: those of a rule are hunted by its name, so that nobody counts the list', () => {
    const { status, last, stderr } = sim('mutants', '2.6/already-active', '--json')
    expect([status, JSON.parse(last)]).toMatchObject([0, { mutants: 2, killed: 2, survived: 0 }])
    expect(stderr).toContain(' 2.6/already-active: play shows an image again: ')
    expect(stderr).toContain(' 2.6/already-active: an image that is shown answers accepted: ')
  }, 60_000)

  test('mutants: one that is not found in the seeds given lives, and that is a failure', () => {
    const name = 'a resume replaces before there is anything to hear'
    const number = String(MUTANTS.findIndex((mutant) => mutant.name === name) + 1)
    const { status, last } = sim('mutants', number, '--seeds', '1', '--json')
    expect([status, JSON.parse(last)]).toMatchObject([1, { mutants: 1, killed: 0, survived: 1 }])
  }, 60_000)

  test('fresh and shrink: the last line is JSON too, and says how to have the seeds again', () => {
    const { status, stdout } = spawnSync(
      process.execPath, [resolve(ROOT, 'sim/start.mjs'), 'fresh', '--seeds', '2', '--json'],
      { cwd: ROOT, encoding: 'utf8' },
    )
    const [again = '', result = ''] = stdout.split('\n')
    expect(status).toBe(0)
    expect(again).toMatch(/^again: npm run sim -- run --seeds 2 --from \d+$/)
    const { hash } = JSON.parse(result) as { hash: string }
    const words = again.split(' -- ')[1]!.split(' ')
    expect(JSON.parse(sim(...words, '--json').last)).toMatchObject({ hash })
    const shrunk = sim('shrink', '1', '--json')
    expect([shrunk.status, JSON.parse(shrunk.last)]).toMatchObject([0, { seed: 1, rule: null }])
  }, 60_000)

  test('a word too many is refused: npm keeps the options that no -- stands before', () => {
    const { status, stderr } = sim('run', '5', '77')
    expect([status, stderr.split('\n')[0]]).toEqual([2,
      '"5" is one word too many; npm hands options on behind "--" alone: ' +
      'npm run sim -- run --seeds 5'])
    for (const words of [['fresh', '9'], ['year', '3'], ['replay', 'a', 'b'], ['mutants', '0']]) {
      expect([words, sim(...words).status]).toEqual([words, 2])
    }
  }, 60_000)

  test('replay: finds a file by the folder in which the line was typed, as npm tells it', () => {
    const words = [resolve(ROOT, 'sim/start.mjs'), 'replay', 'two-live-runs.json', '--json']
    const env = { ...process.env, INIT_CWD: resolve(ROOT, 'sim/corpus/runs') }
    const { status, stdout } = spawnSync(
      process.execPath, words, { cwd: ROOT, encoding: 'utf8', env },
    )
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { wrong: null }])
  }, 60_000)

  test('help is no fault, wherever it is asked for', () => {
    for (const words of [['--help'], ['help'], ['-h'], ['run', '--help'], ['replay', '--help']]) {
      const { status, stderr, last } = sim(...words)
      expect([words, status, stderr]).toEqual([words, 0, ''])
      expect(last).toContain('a scenario or a recording, once more')
    }
  }, 60_000)

  test('what it does not know it refuses', () => {
    expect(sim('dance').status).toBe(2)
    expect(sim('run', '--seeds', 'many').status).toBe(2)
    expect(sim('run', '--sheep', '3').stderr).toContain("'--sheep'")
    expect(sim('replay').status).toBe(2)
    expect(sim('mutants', '0').stderr).toContain('no bug has the number or the rule 0: there are')
    expect(sim('mutants', '2.6/active').stderr).toContain('no bug has the number or the rule 2.6/')
  }, 60_000)

  test('docs/simulation.md lists the commands that there are', () => {
    const page = readFileSync(resolve(ROOT, 'docs/simulation.md'), 'utf8')
    const [list = ''] = /```text\n[^`]*/.exec(page) ?? []
    const told = [...list.matchAll(/^npm run sim -- (\w+)/gm)].map(([, word]) => word)
    const known = [...sim('dance').stderr.matchAll(/^ {2}(\w+)/gm)].map(([, word]) => word)
    expect([...new Set(told)].toSorted()).toEqual(known.toSorted())
  }, 60_000)
})
