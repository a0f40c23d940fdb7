// The page on the simulation names every rule, coincidence and planted bug there is, no other.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MUTANTS } from '../../sim/mutant-list.js'
import { RULE_NAMES, RULES } from '../../sim/rules.js'
import { COINCIDENCES } from '../../sim/sometimes.js'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/simulation.md'), 'utf8')

const section = (title: string): string =>
  page.split(/^## /m).find((text) => text.startsWith(title)) ?? ''

const plantedRows = (): RegExpExecArray[] =>
  [...section('Planted bugs').matchAll(/^\| `([^`]+)` \| (.+) \| `([^`]+)` \| (\d+) \|$/gm)]

describe('docs/simulation.md', () => {
  test('lists the rules as they are', () => {
    const rows = [...section('Rules').matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)]
    expect(rows.map(([, name, told]) => [name, told])).toEqual(Object.entries(RULES))
  })

  test('names no rule that is none, and leads to every rule from a sentence or from always', () => {
    const mapped = section('From sentences to rules')
    const named = [...mapped.matchAll(/`([\w.]+\/[\w-]*)`/g)].map(([, name]) => name!)
    const real = (name: string): boolean =>
      RULE_NAMES.some((rule) => rule === name || (/[-/]$/.test(name) && rule.startsWith(name)))
    expect(named.filter((name) => !real(name))).toEqual([])
    const always = RULE_NAMES.filter((rule) => /^(machine|liveness)\//.test(rule))
    const reached = RULE_NAMES.filter((rule) => named.some((name) =>
      rule === name || (/[-/]$/.test(name) && rule.startsWith(name))))
    const missed = RULE_NAMES.filter((rule) => ![...reached, ...always].includes(rule))
    expect(missed).toEqual([])
  })

  test('lists the coincidences', () => {
    const lines = [...section('Coincidences').matchAll(/^- (.+)$/gm)].map(([, text]) => text)
    expect(lines).toEqual([...COINCIDENCES])
  })

  test('lists the planted bugs, at least forty, each with a name of its own', () => {
    const rows = plantedRows().map(([, file, name]) => [file, name])
    expect(rows).toEqual(MUTANTS.map(({ file, name }) => [file, name]))
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
    expect(MUTANTS.length).toBeGreaterThanOrEqual(40)
  })

  test('tells of each planted bug which rule finds it, and at which seed', () => {
    const rules = new Set<string>([...RULE_NAMES, 'crash', 'hung'])
    for (const [, , name, rule, seed] of plantedRows()) {
      expect([name, rule, rules.has(rule ?? '')]).toEqual([name, rule, true])
      expect(Number(seed), name).toBeGreaterThanOrEqual(1)
      expect(Number(seed), name).toBeLessThanOrEqual(10_000)
    }
  })

  test('every planted bug finds its words in the source exactly once', () => {
    for (const { file, find, put, name } of MUTANTS) {
      const path = join(import.meta.dirname, '../../src/engine', file)
      expect([name, readFileSync(path, 'utf8').split(find).length - 1]).toEqual([name, 1])
      expect(put).not.toBe(find)
    }
  })
})
