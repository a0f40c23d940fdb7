// Finds what JSON.parse hides in a text: where exactly it goes wrong, and keys that stand twice.
import { objectPlace, WHOLE_FILE, type Fault } from './fault.js'
import {
  commentSlip, decimalSlip, foreignSlip, otherFormatSlip, quoteSlip, textSlip, unseenSlip,
  wordSlip, type Slip,
} from './json-slip.js'

/** Deeper than any file of ours has reason to be. */
const DEPTH_MAX = 64
const KEY_FAULTS_MAX = 1_000

const PLAIN = String.raw`[^"\\\u0000-\u001f]+`
const ESCAPE = String.raw`\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})`
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`
/** A string's first quote; what follows is read piece by piece, since it may be megabytes long. */
const TOKEN = String.raw`[{}[\],:"]|${NUMBER}|true|false|null`
const PIECE = `${PLAIN}|${ESCAPE}`

/** What the text must go on with. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or close' | 'end'

const WORDS: Record<Expected, string> = {
  value: 'a value must stand here',
  'value or ]': 'a value or ] must stand here',
  key: 'a key in double quotes must stand here',
  'key or }': 'a key in double quotes or } must stand here',
  colon: 'a colon must stand here',
  'comma or close': 'a comma or a closing bracket must stand here',
  end: 'nothing may follow here',
}

const LAST_COMMA = 'nothing follows this comma: take it out'

interface Level {
  readonly place: string
  /** Null in an array. */
  readonly keys: Set<string> | null
  key: string
  index: number
}

interface Scanned {
  /** Every fault of the text. */
  readonly faults: readonly Fault[]
  /** JSON.parse takes it: what is wrong, if anything, are keys. */
  readonly isWhole: boolean
}

export const jsonScan = (text: string): Scanned => {
  const scan = new Scan(text)
  // Each turn takes one token of at least one character, or ends the walk.
  for (let turn = 0; turn <= text.length; turn += 1) if (!scan.step()) break
  return scan
}

export const jsonFaults = (text: string): readonly Fault[] => jsonScan(text).faults

class Scan {
  readonly faults: Fault[] = []
  isWhole = true
  readonly #text: string
  readonly #token = new RegExp(TOKEN, 'y')
  readonly #piece = new RegExp(PIECE, 'y')
  readonly #levels: Level[] = []
  #at = 0
  /** Where the string that begins here cannot go on; null where none does. */
  #stuckAt: number | null = null
  #expected: Expected = 'value'

  constructor(text: string) {
    this.#text = text
  }

  /** Takes one token; false at the end, of the text or of its sense. */
  step(): boolean {
    this.#skipBlank()
    if (this.#at >= this.#text.length) {
      if (this.#expected === 'end') return false
      if (this.#text.trim() === '') return this.#stop('the file is empty')
      return this.#stop(`the text ends too early: ${WORDS[this.#expected]}`)
    }
    const token = this.#next()
    if (token === null || !this.#take(token)) return this.#refuse()
    this.#at += token.length
    if (this.#levels.length <= DEPTH_MAX) return true
    return this.#stop(`nested deeper than ${String(DEPTH_MAX)} levels`)
  }

  /** The token that stands here; null where none does, or a string does not end. */
  #next(): string | null {
    this.#stuckAt = null
    this.#token.lastIndex = this.#at
    const token = this.#token.exec(this.#text)?.[0] ?? null
    return token === '"' ? this.#string() : token
  }

  /** Each turn takes a piece of at least one character, e.g. an escape of a million. */
  #string(): string | null {
    let end = this.#at + 1
    for (; end < this.#text.length; end = this.#piece.lastIndex) {
      if (this.#text[end] === '"') return this.#text.slice(this.#at, end + 1)
      this.#piece.lastIndex = end
      if (!this.#piece.test(this.#text)) break
    }
    this.#stuckAt = end
    return null
  }

  #take(token: string): boolean {
    switch (this.#expected) {
      case 'key':
      case 'key or }':
        if (token === '}' && this.#expected === 'key or }') return this.#close('}')
        return token.startsWith('"') && this.#key(token)
      case 'colon':
        this.#expected = 'value'
        return token === ':' || this.#back('colon')
      case 'comma or close':
        return token === ',' ? this.#comma() : this.#close(token)
      case 'value or ]':
        return token === ']' ? this.#close(token) : this.#value(token)
      case 'value':
        return this.#value(token)
      case 'end':
        return false
    }
  }

  #back(expected: Expected): false {
    this.#expected = expected
    return false
  }

  #value(token: string): boolean {
    if (token === '{' || token === '[') {
      const keys = token === '{' ? new Set<string>() : null
      this.#levels.push({ place: this.#place(), keys, key: '', index: 0 })
      this.#expected = keys === null ? 'value or ]' : 'key or }'
      return true
    }
    if (token === '}' || token === ']' || token === ',' || token === ':') return false
    this.#afterValue()
    return true
  }

  #afterValue(): void {
    this.#expected = this.#levels.length === 0 ? 'end' : 'comma or close'
  }

  #comma(): boolean {
    const level = this.#levels.at(-1)
    if (level === undefined) return false
    level.index += 1
    this.#expected = level.keys === null ? 'value' : 'key'
    return true
  }

  #close(token: string): boolean {
    const level = this.#levels.at(-1)
    if (level === undefined || token !== (level.keys === null ? ']' : '}')) return false
    this.#levels.pop()
    this.#afterValue()
    return true
  }

  #key(token: string): boolean {
    const level = this.#levels.at(-1)
    if (level === undefined || level.keys === null) return false
    level.key = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
    if (this.faults.length < KEY_FAULTS_MAX) {
      const place = objectPlace(level.place, level.key)
      if (level.keys.has(level.key)) this.#add(place, 'stands twice; which of the two is meant?')
      if (level.key === '__proto__') this.#add(place, 'is no key that a file may have')
    }
    level.keys.add(level.key)
    this.#expected = 'colon'
    return true
  }

  #place(): string {
    const level = this.#levels.at(-1)
    if (level === undefined) return ''
    if (level.keys === null) return `${level.place}[${String(level.index)}]`
    return objectPlace(level.place, level.key)
  }

  #add(place: string, message: string): void {
    this.faults.push({ place: place === '' ? WHOLE_FILE : place, message })
  }

  #refuse(): false {
    const slip = unseenSlip(this.#text, this.#at) ?? commentSlip(this.#text, this.#at)
      ?? this.#commaSlip() ?? this.#slip() ?? foreignSlip(this.#text, this.#at)
    if (slip === null) return this.#stop(WORDS[this.#expected])
    this.#at = slip.at
    return this.#stop(slip.message)
  }

  /** The last of a list or an object has none. */
  #commaSlip(): Slip | null {
    const level = this.#levels.at(-1)
    const isAfterComma = this.#expected === 'key'
      || (this.#expected === 'value' && level?.keys === null)
    if (!isAfterComma || this.#text[this.#at] !== (level?.keys === null ? ']' : '}')) return null
    return { at: this.#text.lastIndexOf(',', this.#at), message: LAST_COMMA }
  }

  #slip(): Slip | null {
    const wantsValue = this.#expected.startsWith('value')
    if (!wantsValue && !this.#expected.startsWith('key')) return null
    if (this.#stuckAt !== null) return textSlip(this.#text, this.#at, this.#stuckAt)
    const slip = quoteSlip(this.#text, this.#at)
    if (slip !== null) return slip
    if (!wantsValue) return decimalSlip(this.#text, this.#at)
    const other = this.#levels.length === 0 ? otherFormatSlip(this.#text, this.#at) : null
    return other ?? wordSlip(this.#text, this.#at)
  }

  #stop(message: string): false {
    this.isWhole = false
    const before = this.#text.slice(0, this.#at)
    const line = before.split('\n').length
    const column = this.#at - before.lastIndexOf('\n')
    this.#add(`line ${String(line)}, column ${String(column)}`, message)
    return false
  }

  #skipBlank(): void {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    }
  }
}
