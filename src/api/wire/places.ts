// So many at once, whose places are shared out by address: a guest who holds them all, e.g. by
// downloads that it never reads, keeps nobody else out.

/** In the order of their last use, the least recent first. */
export class Places<T> {
  readonly #holders = new Map<T, string>()

  constructor(private readonly most: number) {}

  get size(): number {
    return this.#holders.size
  }

  get isFull(): boolean {
    return this.#holders.size >= this.most
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.#holders.keys()
  }

  has(one: T): boolean {
    return this.#holders.has(one)
  }

  add(one: T, address: string): void {
    this.#holders.set(one, address)
  }

  delete(one: T): void {
    this.#holders.delete(one)
  }

  used(one: T): void {
    const address = this.#holders.get(one)
    if (address === undefined) return
    this.#holders.delete(one)
    this.#holders.set(one, address)
  }

  /**
   * Where all are taken, the one that goes for one more of this address: of the address that holds
   * the most the least recent. Null where this address would then hold as many.
   */
  loserTo(address: string): T | null {
    const held = new Map<string, number>()
    for (const holder of this.#holders.values()) held.set(holder, (held.get(holder) ?? 0) + 1)
    const own = held.get(address) ?? 0
    const [richest, count] = [...held].reduce(
      (most, other) => (other[1] > most[1] ? other : most), [address, own],
    )
    if (count <= own + 1) return null
    for (const [one, holder] of this.#holders) if (holder === richest) return one
    return null
  }
}
