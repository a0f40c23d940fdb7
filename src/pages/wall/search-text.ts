// A text as the search compares it: without case, accents and the way in which they are written.

/**
 * A Mac names files with accents as signs of their own, which a keyboard does not type; and whoever
 * looks for "Café" in the dark may not find the accent. Word processors bend quotes and lengthen
 * dashes, a chat leaves signs that are not seen. By capitals: `ı` and `i`, and `ß` and `ss`, have
 * the same.
 */
export const folded = (text: string): string =>
  text.replace(/\u00B4/g, "'").replace(/\u2033/g, '"').normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201B\u02BC\u05F3\u2032`]/g, "'")
    .replace(/[\u201C-\u201F\u05F4\u00AB\u00BB]/g, '"')
    .toUpperCase()
