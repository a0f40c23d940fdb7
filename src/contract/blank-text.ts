// A text of which nothing is seen and nothing is read out, though it may have characters.

/** Spaces, control characters, and what a chat or a keyboard leaves unseen, e.g. U+200B. */
const BLANK = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** E.g. of a title: pages show no name then. */
export const isBlank = (text: string): boolean => BLANK.test(text)
