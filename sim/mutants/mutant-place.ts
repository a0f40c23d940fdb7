// Finds where a planted bug belongs by the shape of the code: what was renamed stays found.
import type TypeScript from 'typescript'

/** `before [[old -> new]] after`: code of the engine, with the piece that is changed in it. */
export interface Mutant {
  /** Its number in the list, counted from 1. */
  readonly n: number
  /** The rule of the oracle that must find it. */
  readonly rule: string
  readonly name: string
  readonly change: string
}

/** Planted bugs as they are listed: the rule that must find each, its name, the change. */
export type Bugs<Rule extends string> =
  readonly (readonly [rule: Rule, name: string, change: string])[]

/** A word, a sign or a literal of the source; `name` where the engine's authors chose the word. */
export interface Token {
  readonly text: string
  readonly name: boolean
  readonly begin: number
  readonly end: number
}

/** Why a bug cannot be planted: an error of the list, and no death. */
export class Unfit extends Error {}

export type Tokenize = (code: string) => readonly Token[]

/** Comments, blanks and line breaks are no tokens: reformatting moves no bug either. */
export const tokenizer = (ts: typeof TypeScript): Tokenize => (code) => {
  const { SyntaxKind } = ts
  const scanner = ts.createScanner(ts.ScriptTarget.ES2022, true)
  scanner.setText(code)
  const tokens: Token[] = []
  /** For each template literal that is open, how many braces are open inside its `${`. */
  const templates: number[] = []
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    const braces = templates.pop()
    if (braces === 0 && kind === SyntaxKind.CloseBraceToken) {
      if (scanner.reScanTemplateToken(false) === SyntaxKind.TemplateMiddle) templates.push(0)
    } else if (braces !== undefined) {
      const more = kind === SyntaxKind.OpenBraceToken ? 1 : 0
      const fewer = kind === SyntaxKind.CloseBraceToken ? 1 : 0
      templates.push(braces + more - fewer)
    }
    if (kind === SyntaxKind.TemplateHead) templates.push(0)
    const name = kind === SyntaxKind.Identifier || kind === SyntaxKind.PrivateIdentifier ||
      (kind > SyntaxKind.LastReservedWord && kind <= SyntaxKind.LastKeyword)
    const [begin, end] = [scanner.getTokenStart(), scanner.getTokenEnd()]
    tokens.push({ text: code.slice(begin, end), name, begin, end })
  }
  return tokens
}

/**
 * The one place whose signs, literals and reserved words are those of the change. Names need not
 * agree; where several places have that shape, the one with the most names wins, at least half.
 * What stands from `begin` to `end` is replaced by `put`.
 */
export const placeOf = (
  change: string, files: ReadonlyMap<string, readonly Token[]>, tokenize: Tokenize,
) => {
  const parts = /^(.*)\[\[(.*?) ?-> ?(.*?)\]\](.*)$/s.exec(change)
  if (parts === null) throw new Unfit('it is not written as before [[old -> new]] after')
  const [before, old, after] = [parts[1]!, parts[2]!, parts[4]!].map(tokenize)
  const wanted = [...before!, ...old!, ...after!]
  const found = matchesOf(wanted, files)
  const best = Math.max(0, ...found.map(({ same }) => same))
  const [first, ...others] = found.filter(({ same }) => same === best)
  const half = wanted.filter(({ name }) => name).length / 2
  if (first === undefined || (found.length > 1 && best < half)) {
    throw new Unfit(`no place in the engine has the shape of ${change}`)
  }
  if (others.length > 0) {
    const alike = [first, ...others].map(({ file }) => file).join(', ')
    throw new Unfit(`${others.length + 1} places have its shape, in ${alike}`)
  }
  const { file, at } = first
  const here = at.slice(before!.length, before!.length + old!.length)
  const begin = here[0]?.begin ?? at[before!.length - 1]?.end ?? at[0]!.begin
  // What the names of the change are called in the engine today.
  const names = new Map(wanted.map(({ text }, n) => [text, at[n]!.text]))
  const put = renamed(parts[3]!, tokenize, (name) => names.get(name) ?? name)
  return { file, begin, end: here.at(-1)?.end ?? begin, put: ` ${put} `, names }
}

/** The same code with other names. */
export const renamed = (
  code: string, tokenize: Tokenize, rename: (name: string) => string,
): string => {
  const pieces: string[] = []
  let done = 0
  for (const { text, name, begin, end } of tokenize(code)) {
    pieces.push(code.slice(done, begin), name ? rename(text) : text)
    done = end
  }
  return pieces.join('') + code.slice(done)
}

const matchesOf = (
  wanted: readonly Token[], files: ReadonlyMap<string, readonly Token[]>,
): { file: string; at: readonly Token[]; same: number }[] => {
  const found = []
  const fixed = wanted.filter(({ name }) => !name).map(({ text }) => text)
  const longest = fixed.sort((a, b) => b.length - a.length)[0]
  const anchor = Math.max(0, wanted.findIndex(({ text }) => text === longest))
  for (const [file, tokens] of files) {
    for (let from = 0; from + wanted.length <= tokens.length; from += 1) {
      if (longest !== undefined && tokens[from + anchor]!.text !== longest) continue
      const fits = wanted.every(({ text, name }, n) => {
        const token = tokens[from + n]!
        return name ? token.name : token.text === text
      })
      if (!fits) continue
      const at = tokens.slice(from, from + wanted.length)
      const same = wanted.filter(({ text, name }, n) => name && text === at[n]!.text).length
      found.push({ file, at, same })
    }
  }
  return found
}
