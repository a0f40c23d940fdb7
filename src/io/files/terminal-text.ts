// Names on a line of a terminal: one may hold a line end, a colour, or a mark that turns the line
// from right to left. A terminal obeys these rather than shows them.

const OBEYED = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu

/** With all that a terminal obeys written out, e.g. `\u000a`. */
export const shown = (text: string): string =>
  text.replace(OBEYED, (character) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A path as one word of a command line to paste; what a terminal obeys, as bash writes it. */
export const quoted = (path: string): string => {
  if (/^[\w./-]+$/.test(path)) return path
  if (shown(path) === path) return `'${path.replaceAll("'", '\'\\\'\'')}'`
  const escaped = path.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')
  return `$'${escaped.replace(OBEYED, bytesOf)}'`
}

/** Under `LC_ALL=C`, as over some ssh connections, bash knows bytes and no `\u202e`. */
const bytesOf = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
