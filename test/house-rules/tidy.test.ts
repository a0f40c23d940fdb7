// The tree is tidy: every file that people wrote keeps the house style, and each rule can fail.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  deadLinks, type Fault, faultsOf, fullFolders, MOST, RULES, type Source,
} from './tidy-rules.js'

const ROOT = resolve(import.meta.dirname, '../..')
const TEXT = /\.(ts|tsx|mts|cts|js|mjs|cjs|md|json|sh|ya?ml|service|patch|html|css|svg)$/
const TEXT_TOO = /(^|\/)(LICENSE|\.npmrc|\.gitignore|\.editorconfig|\.ci\/run)$/
const SKIPPED = new Set(['node_modules', 'dist', '.git', 'coverage', '.cache'])

/** Every text file of the project, as paths from its root with forward slashes. */
const listFiles = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listFiles(path)
    return TEXT.test(path) || TEXT_TOO.test(path) ? [path] : []
  })

const files = listFiles('')
const read = (path: string): Source => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })
const tell = ({ path, line, message }: Fault): string => `${path}:${line} ${message}`

describe('the tree', () => {
  test('the walk sees the project', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        'package.json', 'src/engine/ports.ts', 'test/house-rules/tidy.test.ts',
      ]),
    )
  })

  test('no folder holds too many files', () => {
    expect(fullFolders(files)).toEqual([])
  })

  test.each(files.map((path) => [path]))('%s', (path) => {
    const source = read(path)
    const dead = deadLinks(source, (to) => {
      if (!existsSync(join(ROOT, to))) return null
      return to.endsWith('.md') ? read(to).text : ''
    })
    expect([...faultsOf(source), ...dead].map(tell)).toEqual([])
  })
})

const OPENING = '// A file that says what it is.\n'
const code = (text: string, path = 'src/engine/planted.ts', opening = OPENING): Source => ({
  path,
  text: `${opening}${text}\n`,
})
const manyLines = (count: number): string => new Array(count).fill('  // x').join('\n')
/** One line longer than a function may be, its braces' lines counted. */
const LONG = `{\n${manyLines(MOST.functionLines - 1)}\n}`
const script = (text: string): Source => ({
  path: 'scripts/a.mjs',
  text: `#!/usr/bin/env node\n${text}\n`,
})
const owned = ['TO', 'DO(ana): later'].join('')
const unowned = ['TO', 'DO: later'].join('')
const slash = '/'
const host = ['https://regis', 'try.example.com/'].join('')

type RuleName = keyof typeof RULES

/** A fault stands in the second line, behind the opening, unless its own line is named here. */
const PLANTED: readonly (readonly [RuleName, string, Source, number?])[] = [
  ['lineLength', 'a line of 101', code('x'.repeat(MOST.columns + 1))],
  ['blanks', 'blanks at an end', code('const a = 1 ')],
  ['blanks', 'blanks in a page', { path: 'docs/a.md', text: '# A title\nText \n' }],
  ['blanks', 'lines as Windows ends them', code('const a = 1\r')],
  ['blanks', 'a tab', code('\tconst a = 1')],
  ['fileLength', 'a line too many', code(manyLines(MOST.fileLines)), MOST.fileLines],
  ['emptiness', 'nothing', { path: 'src/engine/planted.ts', text: '\n' }, 1],
  ['firstLine', 'code at once', { path: 'src/a.ts', text: 'export const a = 1\n' }, 1],
  ['firstLine', 'code at once in a page', { path: 'src/a.tsx', text: 'export const a = 1\n' }, 1],
  ['firstLine', 'two words', { path: 'src/a.ts', text: '// The file.\nexport const a = 1\n' }, 1],
  ['firstLine', 'no sentence', code('', 'src/a.ts', '// All that this file is for\n'), 1],
  ['firstLine', 'no title', { path: 'docs/a.md', text: 'Text\n' }, 1],
  ['firstLine', 'a script without one', script('run()')],
  ['firstLine', 'a unit without one', { path: 'docs/a.service', text: '[Unit]\n' }, 1],
  ['todo', 'nobody’s', code(`// ${unowned}`)],
  ['todo', 'an owner’s that says nothing', code(`// ${owned.replace(' later', '')}`)],
  ['todo', 'another word', code(`// ${['FIX', 'ME'].join('')} soon`)],
  ['todo', 'three letters', code(`// ${['XX', 'X'].join('')} soon`)],
  ['todo', 'what was cut', code(`// ${['HA', 'CK'].join('')} for now`)],
  ['fileName', 'utils', code('', 'src/engine/time-utils.ts'), 1],
  ['fileName', 'a folder of helpers', code('', 'test/helpers/show.ts'), 1],
  ['fileName', 'a manager', code('', 'src/engine/voice-manager.ts'), 1],
  ['fileName', 'what is left over', code('', 'src/engine/misc.ts'), 1],
  ['fileName', 'an index', code('', 'src/engine/index.ts'), 1],
  ['fileName', 'an index in a page', code('', 'src/pages/wall/index.tsx'), 1],
  ['fileName', 'capitals', code('', 'src/engine/Engine.ts'), 1],
  ['foreignWords', 'a machine path', code(`// see ${slash}work${slash}notes`)],
  ['foreignWords', 'a temporary path', code(`const a = '${slash}tmp/out.wav'`)],
  ['foreignWords', 'a home', code(`const a = '${slash}home/ana/show'`)],
  ['foreignWords', 'a home on a Mac', code(`const a = '${slash}Users/ana/show'`)],
  ['foreignWords', 'the home of root', code(`const a = '${slash}root/show'`)],
  ['foreignWords', 'a place beside the project', code(`// see ../${['sha', 'red'].join('')}`)],
  ['foreignWords', 'a registry', code(`// ${host}`)],
  ['foreignWords', 'a number', code(`// see ${['iss', 'ue'].join('')} 12`)],
  ['functionLength', 'a function of 61', code(`function f() ${LONG}`)],
  ['functionLength', 'an arrow', code(`const f = () => ${LONG}`)],
  ['functionLength', 'a test', code(`test('x', () => ${LONG})`)],
  ['typeName', 'a manager', code('class VoiceManager {}')],
  ['typeName', 'an interface of anything', code('interface VoiceData {}')],
  ['typeName', 'a type of helpers', code('type VoiceHelpers = 1')],
  ['sleeps', 'a timer', code('setTimeout(() => 1, 5)', 'test/a.test.ts')],
  ['sleeps', 'a timer that comes again', code('setInterval(() => 1, 5)', 'test/a.test.ts')],
  ['sleeps', 'a blocking sleep', code('Atomics.wait(a, 0, 0, 5)', 'test/a.test.ts')],
  ['sleeps', 'timers/promises', code("import { x } from 'node:timers/promises'", 'test/a.test.ts')],
  ['sleeps', 'a sleep', code('await sleep(50)', 'test/api/a.test.ts')],
  ['barrel', 'a barrel', code("export { a } from './a.js'"), 1],
  ['barrel', 'a barrel of all', code("export * from './a.js'"), 1],
]

const LAWFUL: readonly Source[] = [
  code('x'.repeat(MOST.columns)),
  code(manyLines(MOST.fileLines - 1)),
  code(`function f() {\n${manyLines(MOST.functionLines - 2)}\n}`),
  code(`describe('x', () => {\n${manyLines(MOST.functionLines)}\n})`, 'test/a.test.ts'),
  code(`// ${owned}`),
  code('await sleep(50)', 'test/devices/a.test.ts'),
  { path: 'src/pages/wall/index.html', text: '<!doctype html>\n' },
  code("import { tmpdir } from 'node:os'\nconst a = `${tmpdir()}/out.wav`"),
  script(`${OPENING}run()`),
  { path: 'docs/a.md', text: `# A title\n\n${'long '.repeat(40)}end\n` },
]

describe('the rules', () => {
  test.each(PLANTED.map(([name, what, ...rest]) => [name, what, rest] as const))(
    '%s finds %s', (name, _what, [source, line = 2]) => {
      const found = RULES[name](source)
      expect(found.map((fault) => [fault.path, fault.line])).toEqual([[source.path, line]])
      expect(found[0]?.message).toMatch(/\S/)
    },
  )

  test('every rule has its planted fault', () => {
    const names = new Set(PLANTED.map(([name]) => name))
    expect([...names].toSorted()).toEqual(Object.keys(RULES).toSorted())
  })

  test.each(LAWFUL.map((source) => [source] as const))('what is lawful passes: %#', (source) => {
    expect(faultsOf(source)).toEqual([])
  })

  test('a folder with a file too many is found', () => {
    const filesOf = (folder: string, count: number): string[] =>
      Array.from({ length: count }, (_, n) => `${folder}/a${n}.ts`)
    const lawful = filesOf('src/io', MOST.folderFiles)
    expect(fullFolders([...lawful, ...filesOf('src/io/media', 5), ...filesOf('test', 50)]))
      .toEqual([])
    expect(fullFolders([...lawful, 'src/io/one-more.ts']))
      .toEqual(['src/io holds 21 files: give some of them a folder, by what they are about'])
    expect(fullFolders(filesOf('sim/play', MOST.folderFiles + 1))).toHaveLength(1)
  })

  test('a link that leads nowhere is found', () => {
    const text = '# A\n[b](b.md) [up](../README.md) [c](c.md#41-how-it-is)\n[here](#a)\n'
    const page = { path: 'docs/a.md', text }
    const there: Readonly<Record<string, string>> = { 'docs/b.md': '', 'README.md': '' }
    const withC = (c: string) => (to: string) => ({ ...there, 'docs/c.md': c })[to] ?? null
    const told = ['a link to c.md#41-how-it-is, which is not there']
    const say = (faults: readonly Fault[]) => faults.map(({ message }) => message)
    expect(say(deadLinks(page, (to) => there[to] ?? null))).toEqual(told)
    expect(say(deadLinks(page, withC('# C\n\n```\n## 4.1 How it is\n```\n')))).toEqual(told)
    expect(say(deadLinks(page, withC('# C\n\n## 4.1 How it is\n')))).toEqual([])
    expect(deadLinks({ ...page, text: text.replace('# A', '# B') }, withC('## 4.1 How it is')))
      .toEqual([{ path: 'docs/a.md', line: 3, message: 'a link to #a, which is not there' }])
  })
})
