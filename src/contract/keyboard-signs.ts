// A text with the signs that a keyboard has, in the place of those that a word processor makes.

/** Dashes and minus as `-`, quotes and primes as `'` and `"`: e.g. of `Who’s – where`. */
export const keyboardSigns = (text: string): string =>
  text.replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/[\u2018-\u201B\u02BC\u05F3\u2032\u00B4`]/g, "'")
    .replaceAll(/[\u201C-\u201F\u2033\u05F4\u00AB\u00BB]/g, '"')
