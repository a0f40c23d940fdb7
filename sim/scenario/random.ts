// Chance for the simulation: seeded, the same on every machine, apart from the engine's own source.

export type Dice = ReturnType<typeof diceOf>

/** splitmix32: one word of state, no bad seeds. */
export const diceOf = (seed: number) => {
  let state = (seed ^ Math.imul(Math.floor(seed / 0x1_0000_0000) + 1, 0x85eb_ca6b)) | 0
  /** Uniform in [0, 1). */
  const next = (): number => {
    state = (state + 0x9e37_79b9) | 0
    let t = state ^ (state >>> 16)
    t = Math.imul(t, 0x21f0_aaad)
    t ^= t >>> 15
    t = Math.imul(t, 0x735a_2d97)
    return ((t ^ (t >>> 15)) >>> 0) / 0x1_0000_0000
  }
  /** A whole number from `low` to `high`, both included. */
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    whole,
    chance: (probability: number): boolean => next() < probability,
    pick: <Item>(items: readonly Item[]): Item => {
      const item = items[whole(0, items.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    /** One of the items, each as likely as its weight says. */
    weigh: <Item>(items: readonly (readonly [number, Item])[]): Item => {
      let left = next() * items.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, item] of items) {
        left -= weight
        if (left < 0) return item
      }
      return items[items.length - 1]![1]
    },
  }
}
