// The page on the simulation names every rule, coincidence and planted bug there is, and no other.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DEVICE_RULES } from '../../sim/devices/device-rules.js'
import { MUTANTS } from '../../sim/mutants/mutant-list.js'
import { RULE_NAMES, RULES } from '../../sim/oracle/rules.js'
import { COINCIDENCES } from '../../sim/oracle/sometimes.js'
import { THREADS_RULES } from '../../sim/threads/threads-rules.js'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/simulation.md'), 'utf8')

const section = (title: string): string =>
  page.split(/^## /m).find((text) => text.startsWith(title)) ?? ''

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

  test('lists the planted bugs by their rules', () => {
    const [, table = ''] = section('Planted bugs').split('| Rule | Finds |')
    const rows = [...table.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)]
    const rules = [
      ...RULE_NAMES, ...Object.keys(DEVICE_RULES), ...Object.keys(THREADS_RULES),
    ]
    const namesOf = (rule: string): string =>
      MUTANTS.filter((bug) => bug.rule === rule).map(({ name }) => name).join('; ')
    expect(rows.map(([, rule, names]) => [rule, names])).toEqual(
      rules.map((rule) => [rule, namesOf(rule)]))
  })

  test('lists the coincidences', () => {
    const lines = [...section('Coincidences').matchAll(/^- (.+)$/gm)].map(([, text]) => text)
    expect(lines).toEqual([...COINCIDENCES])
  })
})
