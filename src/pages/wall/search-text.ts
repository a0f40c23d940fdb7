// A text as the search compares it: without case, accents and the way in which they are written.
import { keyboardSigns } from '../../contract/keyboard-signs.js'

/**
 * A Mac names files with accents as signs of their own, which a keyboard does not type; and whoever
 * looks for "Café" in the dark may not find the accent. Word processors bend quotes and lengthen
 * dashes, a chat leaves signs that are not seen. By capitals: `ı` and `i`, and `ß` and `ss`, have
 * the same.
 */
export const folded = (text: string): string =>
  // Before: taken apart, `´` is a space and an accent. After: `｀` is a plain one only then.
  keyboardSigns(keyboardSigns(text).normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '')).toUpperCase()
