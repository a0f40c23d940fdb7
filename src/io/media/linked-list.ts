// A list in order whose ends, insertions and removals each take one step, however long it is.

/** An item can stand in as many lists as it has links; a link is in one list at most. */
export interface Link<T> {
  readonly item: T
  list: LinkedList<T> | null
  before: Link<T> | null
  after: Link<T> | null
}

export const linkOf = <T>(item: T): Link<T> => ({ item, list: null, before: null, after: null })

export class LinkedList<T> {
  #first: Link<T> | null = null
  #last: Link<T> | null = null
  #length = 0

  get first(): T | null {
    return this.#first?.item ?? null
  }

  get length(): number {
    return this.#length
  }

  /** At the end; from wherever it stood before. */
  push(link: Link<T>): void {
    link.list?.remove(link)
    this.#place(link, this.#last, null)
  }

  /** At the front; from wherever it stood before. */
  unshift(link: Link<T>): void {
    link.list?.remove(link)
    this.#place(link, null, this.#first)
  }

  shift(): T | null {
    const link = this.#first
    if (link === null) return null
    this.remove(link)
    return link.item
  }

  /** Nothing happens where it is not in this list. */
  remove(link: Link<T>): void {
    if (link.list !== this) return
    if (link.before === null) this.#first = link.after
    else link.before.after = link.after
    if (link.after === null) this.#last = link.before
    else link.after.before = link.before
    link.list = null
    link.before = null
    link.after = null
    this.#length -= 1
  }

  #place(link: Link<T>, before: Link<T> | null, after: Link<T> | null): void {
    link.list = this
    link.before = before
    link.after = after
    if (before === null) this.#first = link
    else before.after = link
    if (after === null) this.#last = link
    else after.before = link
    this.#length += 1
  }
}
