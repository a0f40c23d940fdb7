// How the search compares what is typed with a title.
import { expect, test } from 'vitest'
import { folded } from '../../../src/pages/wall/search-text.js'

test.each([
  ['an accent that a Mac wrote as a sign of its own', 'Café'.normalize('NFD'), 'café'],
  ['an accent that is not typed', 'Überraschung', 'uber'],
  ['a capital with a dot', 'İstanbul', 'istanbul'],
  ['a Turkish capital, by its small letter', 'IŞIK', 'ışık'],
  ['a Turkish small letter, by an i', 'Işıklı oda', 'isik'],
  ['a title in capitals', 'STRASSE', 'straße'], ['a sharp s', 'Straße', 'strasse'],
  ['a bent apostrophe', 'Who\u2019s that girl', "who's"],
  ['bent quotes', '„Wetten, dass“', '"wetten'], ['Hebrew marks', 'תנ״ך', 'תנ"ך'],
  ...['\u00B4', '\u2032', '\u2018', '\u201B', '\u02BC', '`'].map((sign) =>
    [`${sign} for an apostrophe`, `Who${sign}s that girl`, "who's"]),
  ['an apostrophe, by an accent of its own', "Who's that girl", 'who´s'],
  ['signs of inches', '7\u2033 single', '7"'], ['angled quotes', '«Quiz»', '"quiz"'],
  ['a Hebrew sign for a thousand', 'ה׳תשפ״ו', 'ה\'תשפ"ו'],
  ...['\u2010', '\u2011', '\u2012', '\u2014', '\u2015', '\u2212'].map((sign) =>
    [`${sign} for a hyphen`, `Round 2 ${sign} music`, '2 - music']),
  ['a long dash', 'Round 2 \u2013 music', '2 - music'],
  ['a space of no width, as of a chat', 'Quiz\u200BNight', 'quiznight'],
  ['marks of direction', '\u2068שאלה\u2069 7', 'שאלה 7'],
  ['a Persian joint', 'می\u200Cخواهم', 'میخواهم'],
  ['half-width signs', 'ｶﾗｵｹ', 'カラオケ'],
])('%s', (_, title, typed) => {
  expect(folded(title)).toContain(folded(typed))
})
