// How the search compares what is typed with a title.
import { expect, test } from 'vitest'
import { folded } from '../../../src/pages/wall/search-text.js'

test.each([
  ['an accent that a Mac wrote as a sign of its own', 'Café'.normalize('NFD'), 'café'],
  ['an accent that is not typed', 'Überraschung', 'uber'],
  ['a capital with a dot', 'İstanbul', 'istanbul'],
  ['half-width signs', 'ｶﾗｵｹ', 'カラオケ'],
])('%s', (_, title, typed) => {
  expect(folded(title)).toContain(folded(typed))
})
