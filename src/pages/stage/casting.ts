// Which video element shows what: the most important wants first, each on the fittest element.

/** What an element should be doing, most important first. */
export interface Want {
  readonly key: string
  readonly buttonId: string
  readonly source: string
  /** Where in the source it begins or stands. */
  readonly positionMs: number
}

export interface Cast {
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
export const castWants = (
  elements: readonly Cast[], wants: readonly Want[],
): readonly (Want | null)[] => {
  const cast: (Want | null)[] = elements.map(() => null)
  const left: Want[] = []
  for (const want of wants.slice(0, elements.length)) {
    const own = elements.findIndex(({ key }, n) => key === want.key && cast[n] === null)
    if (own >= 0) cast[own] = want
    else left.push(want)
  }
  for (const want of left) {
    const n = fittest(elements, cast, want)
    if (n >= 0) cast[n] = want
  }
  return cast
}

const fittest = (
  elements: readonly Cast[], cast: readonly (Want | null)[], want: Want,
): number => {
  const free = (fits: (one: Cast) => boolean): number =>
    elements.findIndex((one, n) => cast[n] === null && fits(one))
  const isReady = (one: Cast): boolean =>
    one.source === want.source && Math.abs(one.positionMs - want.positionMs) < NEAR_MS
  const tries = [
    isReady, ({ source }: Cast) => source === want.source,
    ({ source }: Cast) => source === null, () => true,
  ]
  for (const fits of tries) {
    const n = free(fits)
    if (n >= 0) return n
  }
  return -1
}
