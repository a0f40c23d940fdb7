// What a tidy file is: each rule takes one file's path and text and names the faults in it.
import ts from 'typescript'

export interface Source {
  readonly path: string
  readonly text: string
}

/** One fault: where, and what a person should do about it. */
export interface Fault {
  readonly path: string
  readonly line: number
  readonly message: string
}

export const MOST = { columns: 100, fileLines: 350, functionLines: 60, folderFiles: 20 } as const

const CODE = /\.(ts|tsx|mts|cts|js|mjs|cjs)$/
/** Made by tools or compared byte by byte; their lines are not ours to break. */
const NOT_WRITTEN_BY_HAND =
  /(^|\/)(package-lock\.json|LICENSE)$|\.(json|patch|svg|css|html)$/

type Rule = (source: Source) => readonly Fault[]

const eachLine = (source: Source, check: (line: string) => string | null): readonly Fault[] =>
  source.text.split('\n').flatMap((text, index) => {
    const message = check(text)
    return message === null ? [] : [{ path: source.path, line: index + 1, message }]
  })

const atLine = (source: Source, line: number, message: string | null): readonly Fault[] =>
  message === null ? [] : [{ path: source.path, line, message }]

/** A table or a link cannot be broken, so prose in Markdown is not measured. */
const lineLength: Rule = (source) =>
  NOT_WRITTEN_BY_HAND.test(source.path) || source.path.endsWith('.md')
    ? []
    : eachLine(source, (line) =>
        line.length > MOST.columns ? `longer than ${MOST.columns} columns` : null,
      )

const blanks: Rule = (source) => [
  ...(/\.patch$/.test(source.path)
    ? []
    : eachLine(source, (line) => (/[ \t\r]$/.test(line) ? 'ends in blanks' : null))),
  ...(CODE.test(source.path)
    ? eachLine(source, (line) => (line.includes('\t') ? 'a tab: indent by two spaces' : null))
    : []),
]

const fileLength: Rule = (source) => {
  if (!CODE.test(source.path) || NOT_WRITTEN_BY_HAND.test(source.path)) return []
  const lines = source.text.trimEnd().split('\n').length
  const message = lines > MOST.fileLines ? `${lines} lines: split it by its nouns` : null
  return atLine(source, MOST.fileLines, message)
}

const emptiness: Rule = (source) =>
  atLine(source, 1, source.text.trim() === '' ? 'an empty file: say something or go' : null)

/** The first line is one sentence, which may run on in the comment lines below it. */
const firstLine: Rule = (source) => {
  const lines = source.text.split('\n')
  const start = lines[0]?.startsWith('#!') === true ? 1 : 0
  const first = lines[start] ?? ''
  if (source.path.endsWith('.md')) {
    return atLine(source, 1, /^# \S/.test(first) ? null : 'begins with no "# Title"')
  }
  const mark = /\.(sh|ya?ml|service)$/.test(source.path) ? '#' : '//'
  if (!CODE.test(source.path) && mark === '//') return []
  const end = lines.findIndex((line, index) => index >= start && !line.startsWith(mark))
  const opening = lines.slice(start, end === -1 ? lines.length : end).join(' ')
  const says = first.split(/\s+/).length >= 4 && /[.:]/.test(opening)
  return atLine(source, start + 1, says ? null : `say in a "${mark}" sentence what this file is`)
}

/** Words that this file must not hold itself are joined from pieces. */
const word = (...parts: string[]): string => parts.join('')
const LATER = word('TO', 'DO')
const UNDONE = new RegExp(`\\b(${word('FIX', 'ME')}|${word('XX', 'X')}|${word('HA', 'CK')})\\b`)
const UNOWNED = new RegExp(`\\b${LATER}\\b(?!\\([\\w-]+\\): \\S)`)

/** A patch repeats lines of the package that it mends, promises and all. */
const todo: Rule = (source) => {
  if (source.path.endsWith('.patch')) return []
  return eachLine(source, (line) => {
    if (UNDONE.test(line)) return `do it, or write ${LATER}(owner): and what`
    return UNOWNED.test(line) ? `it needs its owner: ${LATER}(name): what` : null
  })
}

const NAMES = ['util', 'utils', 'helper', 'helpers', 'manager', 'managers', 'data', 'index', 'misc']

const fileName: Rule = (source) => {
  const words = source.path.split(/[/.\-_]/)
  // A page of the browser stands in a folder of its own, and its address is the folder's.
  const isPage = /^src\/pages\/\w+\/index\.html$/.test(source.path)
  const bad = isPage ? undefined : NAMES.find((name) => words.includes(name))
  const shape = CODE.test(source.path) && /[A-Z]/.test(source.path.split('/').at(-1) ?? '')
  return [
    ...atLine(source, 1, bad === undefined ? null : `"${bad}" names no noun: say what it is`),
    ...atLine(source, 1, shape ? 'file names are lower-case words with hyphens' : null),
  ]
}

/** What only one machine, or only the place where a file was written, can know. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(^|[^\\w.])/(${word('wo', 'rk')}|root|home/\\w+|Users/\\w+)/`), 'a machine path'],
  [new RegExp(`(^|[^\\w.$}])/${word('tm', 'p')}(/|\\b)`), 'a machine path: use os.tmpdir()'],
  // The pages' folder of this name is imported by its files.
  [new RegExp(`\\.\\./${word('sha', 'red')}\\b(?!/[\\w-]+\\.js')`), 'a path outside the project'],
  [new RegExp(word('regis', 'try\\.\\w+\\.|npm', 'js\\.org|art', 'ifactory'), 'i'),
    'a registry host'],
  [new RegExp(word('\\bis', 'sues? #?\\d'), 'i'), 'a number that readers cannot look up'],
]

const foreignWords: Rule = (source) =>
  eachLine(source, (line) => FOREIGN.find(([pattern]) => pattern.test(line))?.[1] ?? null)

/** Several rules look at one file, one after the other. */
const parsed = new WeakMap<Source, ts.SourceFile>()

const parse = (source: Source): ts.SourceFile => {
  const { path, text } = source
  const file = parsed.get(source) ?? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  parsed.set(source, file)
  return file
}

const walk = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

const findNodes = (source: Source, judge: (node: ts.Node) => string | null): readonly Fault[] => {
  if (!CODE.test(source.path)) return []
  const file = parse(source)
  const faults: Fault[] = []
  walk(file, (node) => {
    const message = judge(node)
    if (message === null) return
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
    faults.push({ path: source.path, line: line + 1, message })
  })
  return faults
}

const linesOf = (node: ts.Node): number => node.getText().split('\n').length

/** The body of a describe() is a chapter, not a function; its tests are measured one by one. */
const isChapter = (node: ts.Node): boolean =>
  ts.isCallExpression(node.parent) && /^describe\b/.test(node.parent.expression.getText())

const functionLength: Rule = (source) =>
  findNodes(source, (node) => {
    if (!ts.isFunctionLike(node) || isChapter(node)) return null
    const lines = linesOf(node)
    return lines > MOST.functionLines ? `a function of ${lines} lines: split it` : null
  })

const isNamedType = (
  node: ts.Node,
): node is ts.ClassDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration =>
  ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)

const typeName: Rule = (source) =>
  findNodes(source, (node) => {
    const name = isNamedType(node) ? (node.name?.text ?? '') : ''
    return /(Manager|Helpers?|Utils?|Data)$/.test(name) ? `"${name}" names no noun` : null
  })

const SLEEPS = ['setTimeout', 'setInterval', 'sleep', 'delay', 'Atomics.wait']

/** Processes and browsers are waited for; a page without one runs on faked timers. */
const MAY_SLEEP = /^test\/(devices\/|browser\/|virtual-pages\/.*(?<!\.test)\.ts$)/

/** Tests on real time are slow where they pass and red where the machine is busy. A deadline, which
 * a passing test never reaches, is AbortSignal.timeout. */
const sleeps: Rule = (source) => {
  if (!/^test\//.test(source.path) || MAY_SLEEP.test(source.path)) return []
  return findNodes(source, (node) => {
    if (ts.isImportDeclaration(node)) {
      const from = node.moduleSpecifier.getText()
      const isReal = /^'(node:)?timers\b/.test(from)
      return isReal ? 'no real time in unit tests: use the virtual clock' : null
    }
    const slept = ts.isCallExpression(node) && SLEEPS.includes(node.expression.getText())
    return slept ? 'a sleep in a unit test: wait for what is to happen, on virtual time' : null
  })
}

/** A file of re-exports hides where things are. */
const barrel: Rule = (source) => {
  if (!CODE.test(source.path)) return []
  const { statements } = parse(source)
  const passes = (each: ts.Statement): boolean =>
    ts.isExportDeclaration(each) && each.moduleSpecifier !== undefined
  const message = 'a barrel: import from the file that has it'
  return atLine(source, 1, statements.length > 0 && statements.every(passes) ? message : null)
}

export const RULES = {
  lineLength, blanks, fileLength, emptiness, firstLine, todo, fileName, foreignWords,
  functionLength, typeName, sleeps, barrel,
} as const satisfies Record<string, Rule>

export const faultsOf = (source: Source): readonly Fault[] =>
  Object.values(RULES).flatMap((rule) => rule(source))

/** Folders of the program or the simulation that hold too many files. */
export const fullFolders = (paths: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const folder = path.split('/').slice(0, -1).join('/')
    if (!/^(src|sim)\b/.test(folder)) continue
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) =>
    count > MOST.folderFiles
      ? [`${folder} holds ${count} files: give some of them a folder, by what they are about`]
      : [])
}

/**
 * A file that a sentence of the documentation points at must be there, and its heading too.
 * `textOf` is what stands in a file; null: it is not there.
 */
export const deadLinks = (
  source: Source, textOf: (path: string) => string | null,
): readonly Fault[] => {
  if (!source.path.endsWith('.md')) return []
  const folder = source.path.split('/').slice(0, -1)
  const isAlive = (to: string, heading: string | undefined): boolean => {
    const text = to === '' ? source.text : textOf(resolveLink(folder, to))
    return text !== null && (heading === undefined || anchorsOf(text).includes(heading))
  }
  return eachLine(source, (line) => {
    const links = [...line.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
    const dead = links.find(([, to = '', heading]) => !isAlive(to, heading))
    return dead === undefined ? null : `a link to ${dead[0].slice(2, -1)}, which is not there`
  })
}

/** The headings of a page as links name them: "## 4.1 Rules" is `41-rules`. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'))

const resolveLink = (folder: readonly string[], target: string): string => {
  const path = target.startsWith('/') ? [] : [...folder]
  for (const part of target.split('/')) {
    if (part === '..') path.pop()
    else if (part !== '.' && part !== '') path.push(part)
  }
  return path.join('/')
}
