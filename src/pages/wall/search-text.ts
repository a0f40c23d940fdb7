// A text as the search compares it: without case, accents and the way in which they are written.

/**
 * A Mac names files with accents as signs of their own, which a keyboard does not type; and whoever
 * looks for "Café" in the dark may not find the accent.
 */
export const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
