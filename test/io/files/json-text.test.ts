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

const BACKSLASH = 'a backslash must be written twice (\\\\) inside a text; in a path write /'
const UNCLOSED = 'the text that begins here has no closing quote (") on its line; '
  + 'a line end inside a text is written \\n'
const COMMENT = 'JSON has no comments: take it out '
  + '(in a show or a timeline a key such as "x-note" may hold a note)'
const LAST_COMMA = 'nothing follows this comma: take it out'
const unseen = (code: string): string =>
  `a sign that cannot be seen stands here (U+${code}): write a plain space, or none`
const YAML = 'this looks like YAML, and only JSON is read: it begins with {'
const meant = (sign: string, not: string): string =>
  `${not} is none of JSON's signs: write ${sign}`
const DECIMAL = 'a number has a point and no comma: write'
const straight = (quote: string): string =>
  `a text stands in straight double quotes ("), not in ${quote}`

it.each([
  ['{ "media": "media\\door.ogg" }', 'line 1, column 18', BACKSLASH],
  ['{\n  "media": "C:\\Users\\x.mp3" }', 'line 2, column 15', BACKSLASH],
  ['{ "a\\-b": 1 }', 'line 1, column 5', BACKSLASH],
  ['["C:\\users"]', 'line 1, column 5', BACKSLASH],
  ['{ "title": "a\tb" }', 'line 1, column 14', 'a tab inside a text is written \\t'],
  ['["a\u0001"]', 'line 1, column 4', 'this control character inside a text is written \\u0001'],
  ['{ "media": "d.ogg\n}', 'line 1, column 12', UNCLOSED],
  ['{\r\n  "media": "d.ogg,\r\n  "b": 1 }', 'line 2, column 12', UNCLOSED],
  ['[1, "d.ogg', 'line 1, column 5', UNCLOSED],
  ['{ "a": 1,\n  "b: 2\n}', 'line 2, column 3', UNCLOSED],
  ['{ \u201ctitle\u201d: 1 }', 'line 1, column 3', straight('\u201c')],
  ['{ "title": \u2018Bed\u2019 }', 'line 1, column 12', straight('\u2018')],
  ["['a']", 'line 1, column 2', straight("'")],
  ['{ "wrap": True }', 'line 1, column 11', 'write true, not True'],
  ['[1, FALSE]', 'line 1, column 5', 'write false, not FALSE'],
  ['[None]', 'line 1, column 2', 'write null, not None'],
  ['{ "endMs": NaN }', 'line 1, column 12', 'write null, not NaN'],
  ['// Friday\n{}', 'line 1, column 1', COMMENT], ['{ # Friday\n}', 'line 1, column 3', COMMENT],
  ['{ "a": 1, /* one */ "b": 2 }', 'line 1, column 11', COMMENT],
  ['{}\n// the end', 'line 2, column 1', COMMENT],
  ['{ "a": 1,\n}', 'line 1, column 9', LAST_COMMA], ['[1, 2,]', 'line 1, column 6', LAST_COMMA],
  ['[1, 2,}', 'line 1, column 7', 'a value must stand here'],
  ['{ "a": ]', 'line 1, column 8', 'a value must stand here'],
  ['', 'line 1, column 1', 'the file is empty'], [' \n', 'line 2, column 1', 'the file is empty'],
  ['version: 1\ntitle: Friday', 'line 1, column 1', YAML],
  ['---\ntitle: x', 'line 1, column 1', YAML], ['\n$schema: x', 'line 2, column 1', YAML],
  ['-5:', 'line 1, column 3', 'nothing may follow here'],
  ['[title: 1]', 'line 1, column 2', 'a value or ] must stand here'],
  ['[toString]', 'line 1, column 2', 'a value or ] must stand here'],
  ['{ "gainDb": -3,5, "b": 1 }', 'line 1, column 13', `${DECIMAL} -3.5`],
  ['{ "gainDb": \u20133 }', 'line 1, column 13', 'the sign of a number is - and not \u2013'],
  ['[\u22121.5]', 'line 1, column 2', 'the sign of a number is - and not \u2212'],
  ['[\u2013]', 'line 1, column 2', 'a value or ] must stand here'],
  ['{\n\u00A0 "a": 1 }', 'line 2, column 1', unseen('00A0')],
  ['{ "a":\u202F1 }', 'line 1, column 7', unseen('202F')],
  ['{ "a": 1\u200B, "b": 2 }', 'line 1, column 9', unseen('200B')],
  ['{ "a": 1 \u2066, "b": 2 }', 'line 1, column 10', unseen('2066')],
  ['{ "a": 1 \u00AD, "b": 2 }', 'line 1, column 10', unseen('00AD')],
  ['{ "a": \u30001 }', 'line 1, column 8', unseen('3000')],
  ['{ "a": \u20281 }', 'line 1, column 8', unseen('2028')],
  ['{ "a"：1 }', 'line 1, column 6', meant(':', '：')],
  ['{ "a": 1， "b": 2 }', 'line 1, column 9', meant(',', '，')],
  ['{ "a": "x"、 "b": 2 }', 'line 1, column 11', meant(',', '、')],
  ['{ "a": 1، "b": 2 }', 'line 1, column 9', meant(',', '\u060C')],
  ['[1\uFF64 2]', 'line 1, column 3', meant(',', '\uFF64')],
  ['[1\uFE50 2]', 'line 1, column 3', meant(',', '\uFE50')],
  ['{ "a"\u2236 1 }', 'line 1, column 6', meant(':', '\u2236')],
  ['[1！]', 'line 1, column 3', meant('!', '！')],
  ['｛ "a": 1 }', 'line 1, column 1', meant('{', '｛')],
  ['[1］', 'line 1, column 3', meant(']', '］')],
  ['{ "a": －5 }', 'line 1, column 8', meant('-', '－')],
  ['{ "a": １２ }', 'line 1, column 8', meant('1', '１')],
  ['{ "a": ١٢ }', 'line 1, column 8', 'digits are written 0 to 9, not \u0661'],
  ['{ "a": 𝟏 }', 'line 1, column 8', 'digits are written 0 to 9, not 𝟏'],
  ['{ "a": 3٫5 }', 'line 1, column 9', meant('.', '\u066B')],
  ['{ ＂a＂: 1 }', 'line 1, column 3', straight('＂')],
  ['{ "a": 「b」 }', 'line 1, column 8', straight('「')],
  ...['‹', '›', '『', '』', '〝', '〞', '〟', '＇', '｢', '׳', '‚', '„'].map((quote) =>
    [`["a", ${quote}b"]`, 'line 1, column 7', straight(quote)]),
  ['{ "a": ״b״ }', 'line 1, column 8', straight('\u05F4')],
  ['{ "a": 12,75 }', 'line 1, column 8', `${DECIMAL} 12.75`],
  ['{ "a": 12, 75 }', 'line 1, column 12', 'a key in double quotes must stand here'],
  ['{ "a": "1",5 }', 'line 1, column 12', 'a key in double quotes must stand here'],
  ['{ True: 1 }', 'line 1, column 3', 'a key in double quotes or } must stand here'],
  ['["a" "b]', 'line 1, column 6', 'a comma or a closing bracket must stand here'],
  ['{ "a": trueish }', 'line 1, column 12', 'a comma or a closing bracket must stand here'],
])('%j: at %s, %s', (text, place, message) => {
  expect(jsonFaults(text)).toEqual([{ place, message }])
})
