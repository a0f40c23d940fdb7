// Which bytes of a file are meant, and whether they are known (RFC 9110, 13 and 14): every case.
import { describe, expect, it } from 'vitest'
import { wantedOf, type FileStamp } from '../../../src/api/media/media-range.js'

const TAG = '"5-1"'
const MODIFIED = new Date('2026-03-01T20:00:00Z')
const date = (seconds: number): string =>
  new Date(MODIFIED.getTime() + seconds * 1000).toUTCString()
const stamp = (size = 1000): FileStamp => ({ size, etag: TAG, modified: MODIFIED })
const RANGE = { range: 'bytes=0-9' }

describe('conditions', () => {
  it.each([
    ['whole', {}], ['whole', { 'if-match': TAG }], ['whole', { 'if-match': '*' }],
    ['whole', { 'if-match': `"a", ${TAG}` }], ['precondition_failed', { 'if-match': '"a", "b"' }],
    // A tag that is weak may stand for other bytes.
    ['precondition_failed', { 'if-match': `W/${TAG}` }],
    ['whole', { 'if-unmodified-since': date(0) }], ['whole', { 'if-unmodified-since': date(1) }],
    ['precondition_failed', { 'if-unmodified-since': date(-1) }],
    ['whole', { 'if-unmodified-since': 'yesterday' }],
    ['whole', { 'if-match': TAG, 'if-unmodified-since': date(-1) }],
    ['precondition_failed', { 'if-match': '"a"', 'if-unmodified-since': date(1) }],
    ['not_modified', { 'if-none-match': TAG }], ['not_modified', { 'if-none-match': '*' }],
    ['not_modified', { 'if-none-match': `"a", W/${TAG}` }], ['whole', { 'if-none-match': '"a"' }],
    ['not_modified', { 'if-modified-since': date(0) }],
    ['not_modified', { 'if-modified-since': date(1) }],
    ['whole', { 'if-modified-since': date(-1) }], ['whole', { 'if-modified-since': 'yesterday' }],
    ['whole', { 'if-none-match': '"a"', 'if-modified-since': date(1) }],
    ['precondition_failed', { 'if-match': '"a"', 'if-none-match': TAG }],
    ['not_modified', { ...RANGE, 'if-none-match': TAG }],
    ['precondition_failed', { ...RANGE, 'if-match': '"a"' }],
    ['part', { ...RANGE, 'if-range': TAG }], ['whole', { ...RANGE, 'if-range': '"a"' }],
    ['whole', { ...RANGE, 'if-range': `W/${TAG}` }],
    ['part', { ...RANGE, 'if-range': date(0) }], ['whole', { ...RANGE, 'if-range': date(-1) }],
    ['whole', { ...RANGE, 'if-range': date(1) }], ['whole', { 'if-range': TAG }],
  ])('%s: %j', (kind, headers) => {
    expect(wantedOf({ method: 'GET', headers }, stamp())).toMatchObject({ kind })
  })
})

describe('every range of every small file', () => {
  const places = ['', ...Array.from({ length: 7 }, (_each, n) => String(n))]
  const cases = places.flatMap((from) => places.map((to) => [from, to] as const))

  it.each([0, 1, 2, 5])('of %i bytes', (size) => {
    const bytes = Array.from({ length: size }, (_each, n) => n)
    for (const [from, to] of cases) {
      const headers = { range: `bytes=${from}-${to}` }
      const told = wantedOf({ method: 'GET', headers }, stamp(size))
      const isNone = (from === '' && to === '') || (from !== '' && to !== '' && +from > +to)
      const meant = from === '' ? bytes.filter((n) => n >= size - Number(to))
        : bytes.filter((n) => n >= Number(from) && (to === '' || n <= Number(to)))
      const expected = isNone ? { kind: 'whole' }
        : meant.length === 0 ? { kind: 'unsatisfiable' }
        : { kind: 'part', first: meant[0], last: meant.at(-1) }
      expect([from, to, told]).toEqual([from, to, expected])
    }
  })
})
