// The answer of GET /buttons as bytes: of a show with 10 000 buttons only those parts are checked
// and written anew in which something changed since the last answer.
import { button, type ButtonEntry, type ButtonsAnswer } from '../contract/schemas.js'

/** Small enough to be written quickly, large enough that there are few of them. */
const PART_ENTRIES = 100

interface Part {
  readonly entries: readonly ButtonEntry[]
  readonly bytes: Buffer
}

/**
 * An entry that equals a checked one field by field needs no second check. Entries are flat but for
 * what is in `x-` keys: that is the show's own object, another one after each reading of the show.
 */
export class CatalogueBytes {
  #parts: readonly Part[] = []
  #whole: Buffer | null = null

  of({ buttons }: ButtonsAnswer): Buffer {
    const parts: Part[] = []
    for (let from = 0; from < buttons.length; from += PART_ENTRIES) {
      const entries = buttons.slice(from, from + PART_ENTRIES)
      const before = this.#parts[parts.length]
      if (before !== undefined && areSame(before.entries, entries)) {
        parts.push(before)
        continue
      }
      const checked = button.array().parse(entries)
      const lead = from === 0 ? '' : ','
      const texts = checked.map((entry, n) => written(entry, entries[n]!))
      parts.push({ entries, bytes: Buffer.from(lead + texts.join(',')) })
    }
    const isWhole =
      parts.length === this.#parts.length && parts.every((one, n) => one === this.#parts[n])
    if (!isWhole || this.#whole === null) this.#whole = joined(parts)
    this.#parts = parts
    return this.#whole
  }
}

/** The schema knows no `x-` keys: they go out as they are. */
const written = (checked: ButtonEntry, entry: ButtonEntry): string => {
  for (const key in entry) if (isOwn(key)) checked[key] = entry[key]
  return JSON.stringify(checked)
}

const isOwn = (key: string): key is `x-${string}` => key.startsWith('x-')

const joined = (parts: readonly Part[]): Buffer =>
  Buffer.concat([Buffer.from('{"buttons":['), ...parts.map((one) => one.bytes), Buffer.from(']}')])

const areSame = (a: readonly ButtonEntry[], b: readonly ButtonEntry[]): boolean =>
  a.length === b.length && a.every((entry, n) => isSame(entry, b[n]!))

const isSame = (a: ButtonEntry, b: ButtonEntry): boolean => {
  for (const field in a) if (!isSameField(a, b, field)) return false
  // What is only in the other one.
  for (const field in b) if (!isSameField(a, b, field)) return false
  return true
}

const isSameField = (a: ButtonEntry, b: ButtonEntry, field: string): boolean =>
  a[field as keyof ButtonEntry] === b[field as keyof ButtonEntry]
