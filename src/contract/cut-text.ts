// The beginning of a text that is longer than there is room for.

/** At most so many UTF-16 units; no sign is cut in two. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
