// The log at a terminal: entries become lines for people, everything else stays as it was written.
import { stripVTControlCharacters } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { shapeOf } from '../../../src/io/log/log-format.js'

const ENTRY = '{"level":30,"time":1700000000000,"button":"b1","msg":"playing"}\n'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('as JSON nothing is changed', async () => {
  const shape = await shapeOf('json', true)
  expect(shape(ENTRY)).toBe(ENTRY)
})

test('an entry for people has its time, level, words and fields', async () => {
  const shape = await shapeOf('pretty', true)
  const text = stripVTControlCharacters(shape(ENTRY + ENTRY))
  const [first, , second] = text.split('\n')
  expect(first).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: playing$/)
  expect(second).toBe(first)
  expect(text).toContain('    button: "b1"\n')
  expect(text.endsWith('\n')).toBe(true)
})

test('what a terminal would obey is shown, and a title makes no line of its own', async () => {
  const shape = await shapeOf('pretty', false)
  const entry = {
    level: 30, time: 1, detail: 'rtl\u202egnp.wav \u009b2J', msg: 'Warm\n\u001b[2J: playing',
    err: { type: 'Error', message: 'a\nb', stack: 'Error: a\n    at \u001b[2Jb' },
  }
  const shown = shape(`${JSON.stringify(entry)}\n`)
  expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  expect(shown).toContain('INFO: Warm\\u000a\\u001b[2J: playing\n')
  expect(shown).toContain('rtl\\u202egnp.wav \\u009b2J')
  expect(shown).toMatch(/Error: a\n +at \\u001b\[2Jb\n/)
})

test('an entry for people has colours at a terminal alone, with NO_COLOR none', async () => {
  vi.stubEnv('NO_COLOR', '')
  expect((await shapeOf('pretty', true))(ENTRY)).toContain('\u001b[')
  const inFile = (await shapeOf('pretty', false))(ENTRY)
  vi.stubEnv('NO_COLOR', '1')
  const wanted = (await shapeOf('pretty', true))(ENTRY)
  for (const plain of [inFile, wanted]) {
    expect(plain).toContain('INFO: playing')
    expect(stripVTControlCharacters(plain)).toBe(plain)
  }
})

test.each(['(node:1) Warning: x\n', 'Error: x\n    at y\n', '{broken}\n', '\n', ''])(
  'what is no entry stays as it is: %j', async (text) => {
    const shape = await shapeOf('pretty', true)
    expect(shape(text)).toBe(text)
  })
