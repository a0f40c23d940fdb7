// Slips that people make in JSON by hand, each told by what to write instead: a Windows path, a
// tab in a text, a quote that is missing or was made typographic, Python's words, a comment.
import { signHex, unseenIn } from './unseen-sign.js'

export interface Slip {
  /** Where in the text of the file it is. */
  readonly at: number
  readonly message: string
}

/**
 * What is wrong with a text in quotes.
 * @param from its first quote. @param stuckAt the first character that may not stand in it.
 */
export const textSlip = (text: string, from: number, stuckAt: number): Slip => {
  const character = text[stuckAt]
  if (character === '\\') {
    const message = 'a backslash must be written twice (\\\\) inside a text; in a path write /'
    return { at: stuckAt, message }
  }
  if (character === '\t') return { at: stuckAt, message: 'a tab inside a text is written \\t' }
  if (character === undefined || character === '\n' || character === '\r') {
    const message = 'the text that begins here has no closing quote (") on its line; '
      + 'a line end inside a text is written \\n'
    return { at: from, message }
  }
  const written = `\\u${signHex(character)}`
  return { at: stuckAt, message: `this control character inside a text is written ${written}` }
}

/** Editors' settings and other formats may have comments. */
export const commentSlip = (text: string, at: number): Slip | null => {
  if (!/^(?:#|\/[/*])/.test(text.slice(at, at + 2))) return null
  const message = 'JSON has no comments: take it out '
    + '(in a show or a timeline a key such as "x-note" may hold a note)'
  return { at, message }
}

const WORD = /[A-Za-z]+/y

const MEANT: Readonly<Record<string, string>> = {
  true: 'true', false: 'false', null: 'null', none: 'null', nil: 'null', undefined: 'null',
  // Python's way to write an empty cell of a table.
  nan: 'null',
}

/** What was pasted from a web page or a chat has spaces, or marks of direction, unknown to JSON. */
export const unseenSlip = (text: string, at: number): Slip | null => {
  const code = unseenIn(text[at] ?? '')
  if (code === null) return null
  const message = `a sign that cannot be seen stands here (${code}): write a plain space, or none`
  return { at, message }
}

/** Of other scripts; those of full width (`：`) tell themselves what they stand for. */
const MEANT_SIGNS: Readonly<Record<string, string>> = {
  '\u060C': ',', '\u3001': ',', '\uFF64': ',', '\uFE50': ',', '\u066B': '.', '\u2236': ':',
}

/**
 * What a Japanese, Chinese or Arabic keyboard writes for a comma, a colon, a bracket or a digit: it
 * stands where it should, and looks right.
 */
export const foreignSlip = (text: string, at: number): Slip | null => {
  const sign = text[at] ?? ''
  const meant = MEANT_SIGNS[sign] ?? (/[\uFF01-\uFF5E]/.test(sign) ? sign.normalize('NFKC') : null)
  if (meant !== null) return { at, message: `${sign} is none of JSON's signs: write ${meant}` }
  const digit = /^(?![0-9])\p{Nd}/u.exec(text.slice(at, at + 2))?.[0]
  return digit === undefined ? null : { at, message: `digits are written 0 to 9, not ${digit}` }
}

/** At the beginning of a file: `title: Friday quiz`, or the `---` before it. */
export const otherFormatSlip = (text: string, at: number): Slip | null =>
  /^(?:---\s|[A-Za-z$][\w$-]*:(?:\s|$))/.test(text.slice(at, at + 100))
    ? { at, message: 'this looks like YAML, and only JSON is read: it begins with {' }
    : null

/** What stands where a value should, if it is a slip that is known: `True` of Python, `–3`. */
export const wordSlip = (text: string, at: number): Slip | null => {
  const sign = /^[\u2010-\u2015\u2212](?=[\d.])/.exec(text.slice(at, at + 2))?.[0]
  if (sign !== undefined) return { at, message: `the sign of a number is - and not ${sign}` }
  WORD.lastIndex = at
  const word = WORD.exec(text)?.[0] ?? ''
  const meant = Object.hasOwn(MEANT, word.toLowerCase()) ? MEANT[word.toLowerCase()] : undefined
  return meant === undefined ? null : { at, message: `write ${meant}, not ${word}` }
}

/** Where a key should stand: `"gainDb": -3,5`, as much of the world writes a number. */
export const decimalSlip = (text: string, at: number): Slip | null => {
  const whole = /-?\d{1,12}(?=,$)/.exec(text.slice(Math.max(0, at - 14), at))?.[0]
  const part = /^\d{1,12}/.exec(text.slice(at, at + 12))?.[0]
  if (whole === undefined || part === undefined) return null
  const message = `a number has a point and no comma: write ${whole}.${part}`
  return { at: at - whole.length - 1, message }
}

/** Bent or angled, and those of Hebrew, of Japanese and of full width. */
const QUOTES = new RegExp("['`\u00AB\u00BB\u05F3\u05F4\u2018-\u201F\u2039\u203A"
  + '\u300C-\u300F\u301D-\u301F\uFF02\uFF07\uFF62]')

/** Also where a key should stand: word processors and chats bend quotes. */
export const quoteSlip = (text: string, at: number): Slip | null => {
  const quote = text[at] ?? ''
  if (!QUOTES.test(quote)) return null
  return { at, message: `a text stands in straight double quotes ("), not in ${quote}` }
}
