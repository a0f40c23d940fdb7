// Which buttons would sound at once, as GET /api/v1/live tells it (`armed`): base64 of one bit a
// button, in the order of GET /show. Button n is bit n % 8, from the lowest, of byte n >> 3.

export const writeArmed = (armed: readonly boolean[]): string => {
  const bytes = new Uint8Array(Math.ceil(armed.length / 8))
  for (const [n, isArmed] of armed.entries()) if (isArmed) bytes[n >> 3]! |= 1 << (n & 7)
  return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''))
}

/** Those of `buttons` whose bit is set; none where the text is no base64. */
export const readArmed = (text: string, buttons: readonly string[]): ReadonlySet<string> => {
  const bytes = decoded(text)
  return new Set(buttons.filter((_, n) => ((bytes.charCodeAt(n >> 3) >> (n & 7)) & 1) === 1))
}

const decoded = (text: string): string => {
  try {
    return atob(text)
  } catch {
    return ''
  }
}
