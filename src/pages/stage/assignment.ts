// Which video element shows what: the most important wants first, each on the fittest element.

/** What an element should be doing, most important first. */
export interface Want {
  readonly key: string
  readonly buttonId: string
  readonly source: string
  /** Where in the source it begins or stands. */
  readonly positionMs: number
}

/** An element as it is now: whose it is, its file, and where it stands. */
export interface Slot {
  readonly key: string | null
  readonly source: string | null
  readonly positionMs: number
}

/** How keys begin of what is likely to come, and not told yet. */
export const FORESEEN = 'next:'

/** Beginning this near to where it stands needs no seek. */
const NEAR_MS = 60

/**
 * For each element the want that it serves, or null. One that serves a key goes on serving it. A
 * new want takes an element that stands ready for it, else an empty one, else one with the same
 * file, else any that nobody wants.
 */
export const assignWants = (
  elements: readonly Slot[], wants: readonly Want[],
): readonly (Want | null)[] => {
  const assigned: (Want | null)[] = elements.map(() => null)
  const left: Want[] = []
  for (const want of wants.slice(0, elements.length)) {
    const own = elements.findIndex(({ key }) => key === want.key)
    if (own >= 0) assigned[own] = want
    else left.push(want)
  }
  for (const want of left) {
    const n = fittest(elements, assigned, want)
    if (n >= 0) assigned[n] = want
  }
  return assigned
}

const fittest = (
  elements: readonly Slot[], assigned: readonly (Want | null)[], want: Want,
): number => {
  const free = (fits: (one: Slot) => boolean): number =>
    elements.findIndex((one, n) => assigned[n] === null && fits(one))
  const isReady = (one: Slot): boolean =>
    one.source === want.source && Math.abs(one.positionMs - want.positionMs) < NEAR_MS
  const tries = [
    isReady, ({ source }: Slot) => source === want.source,
    ({ source }: Slot) => source === null, () => true,
  ]
  for (const fits of tries) {
    const n = free(fits)
    if (n >= 0) return n
  }
  return -1
}
