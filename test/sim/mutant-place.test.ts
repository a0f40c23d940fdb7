// The list of planted bugs: each has its place in the engine, and keeps it when things are renamed.
import { resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { MUTANTS } from '../../sim/mutants/mutant-list.js'
import { placeOf, renamed, tokenizer, type Token } from '../../sim/mutants/mutant-place.js'
import { scopeOf, SCOPES, sourcesOf } from '../../sim/mutants/mutant-tree.js'
import { DEVICE_RULES } from '../../sim/devices/device-rules.js'
import { RULE_NAMES } from '../../sim/oracle/rules.js'
import { THREADS_RULES } from '../../sim/threads/threads-rules.js'

type Files = ReadonlyMap<string, readonly Token[]>

const tokenize = tokenizer(ts)
const bugsOf = (scope: typeof SCOPES[number]) => MUTANTS.filter((one) => scopeOf(one) === scope)
const sourcesIn = (scope: typeof SCOPES[number]) =>
  sourcesOf(resolve(import.meta.dirname, '../..'), scope)
const filesIn = (scope: typeof SCOPES[number]): Files =>
  new Map([...sourcesIn(scope)].map(([file, code]) => [file, tokenize(code)]))

const mapTokens = (files: Files, change: (token: Token) => Token): Files =>
  new Map([...files].map(([file, tokens]) => [file, tokens.map(change)]))

const namesIn = (code: string): Set<string> =>
  new Set(tokenize(code).filter(({ name }) => name).map(({ text }) => text))

const wherever = (change: string, where: Files): string => {
  const { file, begin, end } = placeOf(change, where, tokenize)
  return `${file} ${begin} to ${end}`
}

describe.each(SCOPES)('the planted bugs of the %s', (scope) => {
  const files = filesIn(scope)
  const sources = sourcesIn(scope)
  const mutants = bugsOf(scope)

  test('have names of their own, and places in the code', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
    for (const { name, change } of mutants) {
      const { file, begin, end, put } = placeOf(change, files, tokenize)
      expect([name, put.trim()]).not.toEqual([name, sources.get(file)?.slice(begin, end).trim()])
    }
  })

  test('compile', () => {
    for (const { name, change } of mutants) {
      const { file, begin, end, put } = placeOf(change, files, tokenize)
      const source = sources.get(file) ?? ''
      const code = source.slice(0, begin) + put + source.slice(end)
      const { diagnostics = [] } = ts.transpileModule(code, { reportDiagnostics: true })
      expect([name, diagnostics.map(({ messageText }) => messageText)]).toEqual([name, []])
    }
  }, 60_000)

  test('stay where they are when any one name of the code changes', () => {
    const bugs = mutants.map(({ change: written, name }) => {
      const { names: today } = placeOf(written, files, tokenize)
      const change = renamed(written, tokenize, (word) => today.get(word) ?? word)
      return { change, name, names: namesIn(change), place: wherever(change, files) }
    })
    for (const old of new Set(bugs.flatMap(({ names }) => [...names]))) {
      const after = mapTokens(files, (token) =>
        token.text === old ? { ...token, text: 'other' } : token)
      for (const { change, name, names, place } of bugs) {
        if (names.has(old)) expect([name, old, wherever(change, after)]).toEqual([name, old, place])
      }
    }
  }, 60_000)

  test('put in what has been renamed by its new name, and nothing that a rename could lose', () => {
    const after = mapTokens(filesIn('scenario'), (token) =>
      ['frames', 'begin'].includes(token.text) ? { ...token, text: `${token.text}2` } : token)
    const members = new Set([...files.values()].flatMap((tokens) => tokens.filter((token, n) =>
      token.name && /^[.?]+$/.test(tokens[n - 1]?.text ?? '')).map(({ text }) => text)))
    const known = (name: string): boolean =>
      name === 'Math' || name === 'random' || (members.has(name) && !name.startsWith('#'))
    const place = placeOf('end: add(begin, [[frames -> frames - begin]]), from', after, tokenize)
    expect(place.put).toBe(' frames2 - begin2 ')
    for (const { name, change } of mutants) {
      const [, before, put, after] = /^(.*)\[\[(.*->.*)\]\](.*)$/s.exec(change) ?? []
      const bound = namesIn(`${before ?? ''} ${put?.split('->')[0] ?? ''} ${after ?? ''}`)
      const lost = [...namesIn(put?.split('->')[1] ?? '')]
        .filter((word) => !bound.has(word) && !known(word))
      expect([name, lost]).toEqual([name, []])
    }
  })
})

describe('the list of planted bugs', () => {
  test('leave no rule without one but two, which cannot be broken without breaking another', () => {
    const without = RULE_NAMES.filter((name) => MUTANTS.every(({ rule }) => rule !== name))
    expect(without).toEqual(['D3/one-live-run', 'liveness/under-way'])
  })

  test.each([
    ['sound path', 'device', DEVICE_RULES], ['way between the threads', 'threads', THREADS_RULES],
  ] as const)('has one for each rule of the %s, and ten at least', (_name, scope, rules) => {
    const without = Object.keys(rules).filter((name) => MUTANTS.every(({ rule }) => rule !== name))
    expect(without).toEqual([])
    expect(bugsOf(scope).length).toBeGreaterThanOrEqual(10)
  })
})
