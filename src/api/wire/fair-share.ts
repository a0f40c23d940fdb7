// So many at once, whose places are shared out by address: a guest who holds them all, e.g. by
// downloads that it never reads, keeps nobody else out.
import type { Socket } from 'node:net'

/** Of whoever is at the other end. */
export const addressOf = ({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string =>
  remoteAddress ?? ''

/** In the order of their last use, the least recent first. */
export class FairShare<T> {
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
   * Whether one more of this address may come; `letGo` ends one of another that has to go for it.
   * @param spare one that goes where no other address holds more.
   */
  makeRoomFor(
    address: string, letGo: (loser: T) => void, spare: () => T | null = () => null,
  ): boolean {
    if (!this.isFull) return true
    const loser = this.#loserTo(address) ?? spare()
    if (loser === null) return false
    this.delete(loser)
    letGo(loser)
    return true
  }

  /**
   * Of the address that holds the most the least recent. Null where this address would then hold as
   * many.
   */
  #loserTo(address: string): T | null {
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
