// The scan of JSON texts: it agrees with JSON.parse on every text, and sees keys that stand twice.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonFaults } from '../../../src/io/files/json-text.js'

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const judged = (text: string): boolean =>
  jsonFaults(text).every((fault) => !fault.place.startsWith('line '))

it('takes every JSON value, however it is laid out', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2, '\t'), (value, space) => {
      expect(judged(JSON.stringify(value, null, space))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

it('refuses what JSON.parse refuses and nothing else, on broken texts', () => {
  const fragment = fc.constantFrom(
    '{', '}', '[', ']', ',', ':', '"', '"a"', '"b\\u00e9"', '"\\x"', '0', '-', '1.5e3', '01', '.5',
    'true', 'null', 'nul', ' ', '\n', '\u00a0', "'", '//', '\\',
  )
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      expect(judged(text)).toBe(parses(text))
    }),
    { numRuns: 20_000 },
  )
})

const slip = fc.constantFrom('', '"', '}', ',')

it('refuses a valid text with one character lost or put in, as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.nat(), slip, (json, n, c) => {
      const at = n % (json.length + 1)
      const text = json.slice(0, at) + c + json.slice(at + 1)
      expect(judged(text)).toBe(parses(text))
    }),
    { numRuns: 5_000 },
  )
})

it('names a key that stands twice, also when it is spelt in another way', () => {
  const faults = jsonFaults('{"a":{"b c":1,"b\\u0020c":[]},"l":[{"k":1,"k":2}]}')
  expect(faults.map((fault) => fault.place)).toEqual(['a["b c"]', 'l[0].k'])
})

it('stops at a depth that no file has, without running out of stack', () => {
  expect(jsonFaults('['.repeat(1_000_000))).toEqual([
    { place: 'line 1, column 66', message: 'nested deeper than 64 levels' },
  ])
})

it('takes a text of a million escapes, and one that does not end', () => {
  const escapes = '\\u0041\\n'.repeat(1_000_000)
  expect(jsonFaults(`{"a":"${escapes}"}`)).toEqual([])
  expect(jsonFaults(`{"a":"${escapes}`)).toHaveLength(1)
})
