// So many at once, whose places are shared out by address: a guest who holds them all, e.g. by
// downloads that it never reads, keeps nobody else out.
import type { Socket } from 'node:net'

/** Of whoever is at the other end. */
export const addressOf = ({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string =>
  remoteAddress ?? ''

/**
 * The address that gives a place up to this one: the one that holds the most. Null: none does.
 * Where it holds but one more, the two would take that from each other for ever.
 */
export const giverTo = (address: string, held: ReadonlyMap<string, number>): string | null => {
  const own = held.get(address) ?? 0
  let giver: string | null = null
  let most = own + 1
  for (const [other, count] of held) {
    if (count > most) [giver, most] = [other, count]
  }
  return giver
}

interface Holder {
  readonly address: string
  lastUse: number
}

/** In the order in which they came. */
export class FairShare<T> {
  readonly #holders = new Map<T, Holder>()
  #uses = 0

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
    this.#holders.set(one, { address, lastUse: this.#nextUse() })
  }

  delete(one: T): void {
    this.#holders.delete(one)
  }

  /** Noted at every request, so what it costs is a number; who gives way looks through them all. */
  used(one: T): void {
    const holder = this.#holders.get(one)
    if (holder !== undefined) holder.lastUse = this.#nextUse()
  }

  /** The one that was used longest ago of those that fit; null: none fits. */
  leastRecent(fits: (one: T, address: string) => boolean): T | null {
    let found: T | null = null
    let before = Infinity
    for (const [one, { address, lastUse }] of this.#holders) {
      if (lastUse < before && fits(one, address)) [found, before] = [one, lastUse]
    }
    return found
  }

  /**
   * Whether one more of this address may come; `letGo` ends one of another that has to go for it.
   * @param spare one that goes where no other address gives one up.
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

  /** The least recent of the address that gives one up. */
  #loserTo(address: string): T | null {
    const held = new Map<string, number>()
    for (const holder of this.#holders.values()) {
      held.set(holder.address, (held.get(holder.address) ?? 0) + 1)
    }
    const giver = giverTo(address, held)
    return giver === null ? null : this.leastRecent((_one, holder) => holder === giver)
  }

  #nextUse(): number {
    this.#uses += 1
    return this.#uses
  }
}
