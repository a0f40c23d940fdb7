// A value is put into a JSON text, and every other character stays.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appended } from '../../../src/io/files/json-edit.js'

const path = ['playlists', 0, 'buttons']
const value = { id: 'b2', dmx: { loop: false } }

/** What stands between a beginning and an end of the text before. */
const put = (before: string, after: string): string => {
  let head = 0
  while (head < before.length && before[head] === after[head]) head += 1
  const tail = before.length - head
  expect(after.endsWith(before.slice(head))).toBe(true)
  return after.slice(head, after.length - tail)
}

describe('a value at the end of a list', () => {
  it('is laid out as its neighbours are', () => {
    const text = (indent: number | string) =>
      JSON.stringify({ playlists: [{ buttons: [{ id: 'b1' }], mode: 'manual' }] }, null, indent)
    for (const indent of [2, 4, '\t']) {
      const both = { playlists: [{ buttons: [{ id: 'b1' }, value], mode: 'manual' }] }
      expect(appended(text(indent), path, value)).toBe(JSON.stringify(both, null, indent))
    }
  })

  it('stands on one line where the others do, and by Windows line ends', () => {
    const text = '{"playlists": [\r\n  { "buttons": [\r\n    { "id": "b1" }\r\n  ] }\r\n]}\r\n'
    expect(put(text, appended(text, path, value)))
      .toBe(',\r\n    { "id": "b2", "dmx": { "loop": false } }')
    const line = '{"playlists":[{"buttons":[{"id":"b1"}]}]}'
    expect(put(line, appended(line, path, value)))
      .toBe(', { "id": "b2", "dmx": { "loop": false } }')
  })

  it('makes what is missing, and fills what is empty', () => {
    const empty = JSON.stringify({ playlists: [{ title: 'a', buttons: [] }], 'x-a': 1 }, null, 2)
    expect(JSON.parse(appended(empty, path, value))).toEqual(
      { playlists: [{ title: 'a', buttons: [value] }], 'x-a': 1 })
    expect(appended(empty, path, value)).toContain('\n        {\n          "id": "b2"')
    const titled = JSON.stringify({ playlists: [{ title: 'a' }] }, null, 2)
    for (const text of ['{"playlists":[{}]}', titled]) {
      const [list] = (JSON.parse(appended(text, path, value)) as { playlists: object[] }).playlists
      expect(list).toMatchObject({ buttons: [value] })
    }
    expect(JSON.parse(appended('{}', ['playlists'], value))).toEqual({ playlists: [value] })
  })

  it('in an empty list is laid out as the file is, on lines or on one', () => {
    const show = (...buttons: readonly object[]) => ({ playlists: [{ title: 'a', buttons }] })
    for (const indent of [2, 4, '\t']) {
      expect(appended(JSON.stringify(show(), null, indent), path, value))
        .toBe(JSON.stringify(show(value), null, indent))
    }
    expect(appended(JSON.stringify(show()), path, value)).toBe(
      '{"playlists":[{"title":"a","buttons":[ { "id": "b2", "dmx": { "loop": false } } ]}]}')
  })

  it('goes by the steps of its own list, where those of the file are others', () => {
    const entry = (line: string, unit: string): string =>
      JSON.stringify(value, null, unit).replaceAll('\n', line)
    const wide = '{\n  "playlists": [{\n      "buttons": [\n          {\n'
      + '              "id": "b1"\n          }\n      ]\n  }]\n}'
    expect(put(wide, appended(wide, path, value)))
      .toBe(`,\n          ${entry('\n          ', '    ')}`)
    const none = '{"playlists":[{"buttons":[\n{\n"id": "b1"\n}\n]}]}'
    expect(put(none, appended(none, path, value))).toBe(`,\n${entry('\n', '  ')}`)
  })

  it('several are laid out as one after the other', () => {
    const more = { id: 'b3' }
    for (const indent of [0, 2, '\t']) {
      for (const buttons of [[], [{ id: 'b1' }]]) {
        const show = { playlists: [{ title: 'a', buttons }, { x: 1 }] }
        const text = JSON.stringify(show, null, indent)
        expect(appended(text, path, value, more))
          .toBe(appended(appended(text, path, value), path, more))
      }
    }
  })

  it('stands behind a string of megabytes', () => {
    const long = { 'x-notes': '\\"'.repeat(6_000_000), playlists: [{ buttons: [] }] }
    const told = JSON.parse(appended(JSON.stringify(long), path, value)) as typeof long
    expect(told.playlists).toEqual([{ buttons: [value] }])
  })

  it('moves no other character, whatever the text', () => {
    const any = fc.tuple(
      fc.array(fc.jsonValue(), { maxLength: 4 }), fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(0, 1, 2, 4, '\t'), fc.boolean(), fc.constantFrom('', '\n', '  ', '\uFEFF'),
    )
    fc.assert(fc.property(any, ([buttons, others, indent, windows, edge]) => {
      const show = { ...others, playlists: [{ 'x-}]': '",{[', buttons, 'x-z': others }] }
      const json = JSON.stringify(show, null, indent)
      const text = edge === '\uFEFF' ? edge + json : json + edge
      const before = windows ? text.replaceAll('\n', '\r\n') : text
      const after = appended(before, path, value)
      put(before, after)
      const told = JSON.parse(after.replace(/^\uFEFF/, '')) as typeof show
      const whole = JSON.parse(json) as typeof show
      whole.playlists[0]!.buttons.push(value)
      expect(told).toEqual(whole)
    }), { numRuns: 2_000 })
  })
})
