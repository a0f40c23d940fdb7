// The simulation itself: seeds, variations, the corpus, short sequences; the oracle can say no.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { exhaustAll } from '../../sim/play/exhaust.js'
import { generate } from '../../sim/scenario/generate.js'
import { VARIATIONS, ORDINARY } from '../../sim/play/variation.js'
import { Judge } from '../../sim/oracle/judge.js'
import { playPlainly, playScenario } from '../../sim/play/play.js'
import { parseScenario, type Scenario } from '../../sim/scenario/scenario.js'
import { RULE_NAMES } from '../../sim/oracle/rules.js'
import { COINCIDENCES } from '../../sim/oracle/sometimes.js'
import { catalogueOf, PLAIN_NAMING } from '../../sim/scenario/show.js'
import { ENOUGH, judgeScenario, tallySeeds, unmetOf } from '../../sim/play/seeds.js'
import { PlayerUnderTest } from '../../sim/world/player-under-test.js'

const CORPUS = resolve(import.meta.dirname, '../../sim/corpus')
const readScenario = (name: string): Scenario =>
  parseScenario(readFileSync(join(CORPUS, name), 'utf8'))
const MODEL = resolve(import.meta.dirname, '../../sim/oracle/model')

describe('generated scenarios', () => {
  test('a range of seeds breaks no rule, and gives the same hash again', () => {
    expect(tallySeeds(1, 300, 40).wrong).toEqual([])
    const { hash } = tallySeeds(1, 50, 40)
    expect(tallySeeds(1, 50, 40).hash).toBe(hash)
    expect(tallySeeds(2, 50, 40).hash).not.toBe(hash)
  })

  test('of ten thousand none may leave a coincidence unmet or a rule untested', () => {
    const judge = new Judge()
    expect([ENOUGH, unmetOf(judge, 9_999)]).toEqual([10_000, []])
    const all = [...COINCIDENCES.map((what) => `never met: ${what}`),
      ...RULE_NAMES.map((rule) => `never tested: ${rule}`)]
    expect(unmetOf(judge, 10_000)).toEqual(all)
    const [first, ...others] = COINCIDENCES
    for (const what of others) judge.sometimes(what)
    judge.sometimes(first, false)
    for (const rule of RULE_NAMES) judge.hold(rule, true, () => '')
    expect(unmetOf(judge, 10_000)).toEqual([`never met: ${first}`])
  })

  test('every variation has the same records as the scenario itself', () => {
    for (let seed = 500; seed < 512; seed += 1) {
      const scenario = generate(seed, 25)
      const { records } = playScenario(scenario, ORDINARY, null)
      expect(records.length).toBeGreaterThan(5)
      for (const variation of VARIATIONS) {
        expect([variation.name, playScenario(scenario, variation, null).records]).toEqual([
          variation.name, records,
        ])
      }
    }
  })

})

describe('what the engine is given', () => {
  const seen = new Map<string, Set<string>>()
  const note = (what: string, value: unknown): void => {
    const values = seen.get(what) ?? new Set()
    seen.set(what, values.add(JSON.stringify(value ?? null)))
  }
  const noteAll = (what: string, fields: object): void => {
    for (const [key, value] of Object.entries(fields)) {
      if (key === 'options') noteAll(what, value as object)
      else note(`${what}.${key}`, value)
    }
  }

  test('has each setting of a show and each field of a command in more than one way', () => {
    const submit = vi.spyOn(PlayerUnderTest.prototype, 'submit')
    for (let seed = 1; seed <= 200; seed += 1) {
      const scenario = generate(seed, 40)
      for (const { buttons, ...settings } of catalogueOf(scenario.lists, PLAIN_NAMING).playlists) {
        noteAll('playlist', settings)
        for (const button of buttons) noteAll('button', button)
      }
      playPlainly(scenario, null)
    }
    for (const [{ kind, ...fields }] of submit.mock.calls) noteAll(kind, fields)
    submit.mockRestore()
    expect(seen.size).toBeGreaterThan(50)
    // What is always the same is not tried: no rule about it was ever put to the test.
    const same = [...seen].filter(([, values]) => values.size < 2).map(([what]) => what)
    expect(same).toEqual(['button.own'])
  })
})

describe('the corpus', () => {
  const names = readdirSync(CORPUS, { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.json'))

  test.each(names)('%s', (name) => {
    const scenario = readScenario(name)
    expect(scenario.note.length).toBeGreaterThan(20)
    expect(judgeScenario(scenario, new Judge()).violation).toBeNull()
  })
})

describe('short sequences', () => {
  test('of two commands around every boundary break no rule', () => {
    const wrong: string[] = []
    expect(exhaustAll(1, ({ rule, told }) => wrong.push(`${rule}: ${told}`))).toBeGreaterThan(400)
    expect(wrong).toEqual([])
  })
})

describe('the oracle', () => {
  test('tests the rules that a plain scenario touches', () => {
    const judge = new Judge()
    playPlainly(readScenario('lists/successor-after-resume.json'), judge)
    expect(judge.tested.get('3.2/start')).toBeGreaterThan(2)
    expect(judge.tested.get('D3/sum')).toBeGreaterThan(5)
  })

  test('shares no code with the engine: of the program its model runs nothing at all', () => {
    const names = readdirSync(MODEL, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
    expect(names.length).toBeGreaterThan(20)
    const runs = names.flatMap((name) => {
      const text = readFileSync(join(MODEL, name), 'utf8')
      return [...text.matchAll(/^import (?!type)[^']*?from '((?:\.\.\/)+src\/[^']+)'/gms)]
        .map(([, path]) => path)
    })
    expect(runs).toEqual([])
  })
})
