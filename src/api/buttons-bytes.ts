// The answer of GET /buttons as bytes: of a show with 10 000 buttons only those parts are checked
// and written anew in which something changed since the last answer.
import { button, type ButtonEntry, type ButtonsAnswer } from '../contract/schemas.js'

/** Small enough to be written quickly, large enough that there are few of them. */
const PART_ENTRIES = 100

const FIELDS = Object.keys(button.shape) as readonly (keyof ButtonEntry)[]

type Issues = readonly { readonly message: string }[]

interface Part {
  readonly entries: readonly ButtonEntry[]
  readonly bytes: Buffer
}

/** Entries are flat, so one that equals a checked one field by field needs no second check. */
export class CatalogueText {
  #parts: readonly Part[] = []
  #whole: Buffer | null = null

  of({ buttons }: ButtonsAnswer): { readonly value: Buffer } | { readonly issues: Issues } {
    const parts: Part[] = []
    for (let from = 0; from < buttons.length; from += PART_ENTRIES) {
      const entries = buttons.slice(from, from + PART_ENTRIES)
      const before = this.#parts[parts.length]
      if (before !== undefined && areSame(before.entries, entries)) {
        parts.push(before)
        continue
      }
      const checked = button.array().safeParse(entries)
      if (!checked.success) return { issues: checked.error.issues }
      const lead = from === 0 ? '' : ','
      parts.push({ entries, bytes: Buffer.from(lead + checked.data.map(written).join(',')) })
    }
    const isWhole =
      parts.length === this.#parts.length && parts.every((one, n) => one === this.#parts[n])
    if (!isWhole || this.#whole === null) this.#whole = joined(parts)
    this.#parts = parts
    return { value: this.#whole }
  }
}

const written = (entry: ButtonEntry): string => JSON.stringify(entry)

const joined = (parts: readonly Part[]): Buffer =>
  Buffer.concat([Buffer.from('{"buttons":['), ...parts.map((one) => one.bytes), Buffer.from(']}')])

const areSame = (a: readonly ButtonEntry[], b: readonly ButtonEntry[]): boolean =>
  a.length === b.length && a.every((entry, n) => isSame(entry, b[n]!))

const isSame = (a: ButtonEntry, b: ButtonEntry): boolean => {
  for (const field of FIELDS) if (a[field] !== b[field]) return false
  return true
}
