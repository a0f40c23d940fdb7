// A file's name on a command line: whatever it holds, a shell reads the name that was meant.
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { quoted, shown } from '../../../src/io/files/terminal-text.js'

it.each([
  'clips/a-1.mkv', "it's one.mov", 'new\nline.mov', "it's\r\n\ttwo \\n.mov", '$(date) `x`.mov',
  'red \u001b[31m.mov', 'rtl\u202egnp.mov', 'c1\u0085.mov', 'zwölf 🎉.mov', '\\\n', '',
  'a\u0001b.mov', '\u202Bסרט.mov', 'c1\u0085af.mov',
])('%j is one line, and that word to a shell', (name) => {
  const word = quoted(name)
  expect(shown(word)).toBe(word)
  for (const locale of ['C.UTF-8', 'C']) {
    const env = { ...process.env, LC_ALL: locale }
    const read = execFileSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8', env })
    expect(read).toBe(name)
  }
})

it('a line end is written as people know it', () => {
  expect(quoted('/q/new\nline.mov')).toBe("$'/q/new\\nline.mov'")
})

it.each(['0007', '001b', '0085', '2028', '202a', '202e', '2066', '2067', '2069'])(
  'U+%s, which a terminal obeys, is written out', (code) => {
    const sign = String.fromCharCode(Number.parseInt(code, 16))
    expect(shown(`Bed${sign} 1`)).toBe(`Bed\\u${code} 1`)
  })
