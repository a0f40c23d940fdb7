// Puts values at the end of a list in a JSON text, and leaves every other character as it is.
//
// The text must be JSON that was checked before. What is put in is laid out as its neighbours are.

const SCALAR = /[^\s,\]}]+/y
const BLANK = /\s*/y

interface Span {
  readonly begin: number
  /** The first character after it. */
  readonly end: number
}

/** A value in a list, or in an object behind its key. */
interface Entry extends Span {
  readonly key: string | null
  /** Where its key begins, or itself. */
  readonly from: number
}

type Path = readonly (string | number)[]

/** The text with `values` last in the list at `path`; a key that is missing is made. */
export const appended = (text: string, path: Path, ...values: readonly object[]): string => {
  const [place, missing] = spanOf(text, path)
  if (missing.length > 1) throw new Error(`bug: nothing at ${path.join('.')}`)
  const key = missing[0]
  if (key === undefined) return withEntries(text, place, (look) => listed(values, look))
  return withEntries(text, place, (look) => {
    const inner = deeper(look)
    return `${JSON.stringify(key)}: [${inner.line}${listed(values, inner)}${look.line}]`
  })
}

const listed = (values: readonly object[], look: Look): string =>
  values.map((value) => written(value, look)).join(`,${look.line}`)

/** How entries of a list or an object stand: what a new line begins with, and a step inwards. */
interface Look {
  /** Line end and indentation; a blank where all stands on one line. */
  readonly line: string
  readonly unit: string
  /** The entry before it is a list or an object on one line. */
  readonly isFlat: boolean
}

const deeper = (look: Look): Look => ({ ...look, line: look.line + look.unit })

const written = (value: object, { line, unit, isFlat }: Look): string => {
  if (isFlat || !line.includes('\n')) {
    return JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')
  }
  return JSON.stringify(value, null, unit).replaceAll('\n', line)
}

/** Behind the last entry of a list or an object. */
const withEntries = (text: string, place: Span, told: (look: Look) => string): string => {
  const entries = entriesOf(text, place)
  const last = entries.at(-1)
  const close = indentAt(text, place.end - 1)
  if (last === undefined) {
    const own = indentAt(text, place.begin)
    const unit = unitOf(text)
    const look = { line: own === '' ? ' ' : own + unit, unit, isFlat: false }
    const inside = look.line + told(look) + (own === '' ? ' ' : own)
    return text.slice(0, place.begin + 1) + inside + text.slice(place.end - 1)
  }
  const before = /\s*$/.exec(text.slice(0, last.from))?.[0] ?? ''
  const isBroken = before.includes('\n')
  const line = isBroken ? before : ' '
  const step = line.startsWith(close) ? line.slice(close.length) : ''
  const unit = isBroken && close !== '' && step !== '' ? step : unitOf(text)
  const isFlat = !text.slice(last.begin, last.end).includes('\n') && /[[{]/.test(text[last.begin]!)
  const more = `,${line}${told({ line, unit, isFlat })}`
  return text.slice(0, last.end) + more + text.slice(last.end)
}

/** The line end and the indentation of the line on which a place stands. */
const indentAt = (text: string, at: number): string => {
  const found = /(\r?\n)([ \t]*)[^\n]*$/.exec(text.slice(0, at))
  return found === null ? firstLine(text) : `${found[1]}${found[2]}`
}

/** On the first line there is no indentation, and line ends only if there are others. */
const firstLine = (text: string): string => /\r?\n/.exec(text)?.[0] ?? ''

/** The first indentation in the text. */
const unitOf = (text: string): string => /\n([ \t]+)/.exec(text)?.[1] ?? '  '

/** The list or object at a path, as far as it is there, and the keys that are not. */
const spanOf = (text: string, path: Path): readonly [Span, Path] => {
  let place: Span = valueAt(text, 0)
  for (const [n, step] of path.entries()) {
    const entries = entriesOf(text, place)
    const next = typeof step === 'number' ? entries[step] : entries.find(({ key }) => key === step)
    if (next === undefined) return [place, path.slice(n)]
    place = next
  }
  return [place, []]
}

/** What stands directly in a list or an object. */
const entriesOf = (text: string, { begin }: Span): readonly Entry[] => {
  const entries: Entry[] = []
  const isObject = text[begin] === '{'
  let at = skip(BLANK, text, begin + 1)
  // Each turn takes one entry of at least one character.
  while (at < text.length && text[at] !== ']' && text[at] !== '}') {
    const from = at
    let key: string | null = null
    if (isObject) {
      at = stringEnd(text, at)
      key = JSON.parse(text.slice(from, at)) as string
      at = skip(BLANK, text, at) + 1
    }
    const value = valueAt(text, at)
    entries.push({ ...value, key, from })
    at = skip(BLANK, text, value.end)
    if (text[at] === ',') at = skip(BLANK, text, at + 1)
  }
  return entries
}

const valueAt = (text: string, from: number): Span => {
  const begin = skip(BLANK, text, from)
  const first = text[begin]
  if (first === '"') return { begin, end: stringEnd(text, begin) }
  if (first !== '{' && first !== '[') return { begin, end: skip(SCALAR, text, begin) }
  let depth = 0
  let at = begin
  while (at < text.length) {
    const sign = text[at]
    if (sign === '"') at = stringEnd(text, at) - 1
    else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    at += 1
    if (depth === 0) break
  }
  return { begin, end: at }
}

/** Behind the string that begins at `at`, which may be megabytes long. */
const stringEnd = (text: string, at: number): number => {
  let end = at + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}

const skip = (what: RegExp, text: string, at: number): number => {
  what.lastIndex = at
  return what.exec(text) === null ? at : what.lastIndex
}
