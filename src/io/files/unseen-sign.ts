// Signs that nobody sees in a text, as a chat or a web page leaves them: told by their code.

/** All spaces and line ends of Unicode but the plain one, and what has no look of its own. */
const UNSEEN = /(?! )[\p{Z}\p{Cf}]/gu

/** The first sign of a text that looks like none, or like a plain space: `U+200B`. */
export const unseenIn = (text: string): string | null => {
  const [sign] = text.match(UNSEEN) ?? []
  return sign === undefined ? null : `U+${signHex(sign).toUpperCase()}`
}

/** A key or the like with such signs written out: `title\u200b`. */
export const unseenShown = (text: string): string =>
  text.replace(UNSEEN, (sign) => `\\u${signHex(sign)}`)

/** Four digits at least, in small letters. */
export const signHex = (sign: string): string =>
  (sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')
