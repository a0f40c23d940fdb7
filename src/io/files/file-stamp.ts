// A file's stamp: as long as it stays the same, the file is taken to have the same content.
import type { Stats } from 'node:fs'

/**
 * One that was replaced has another number (`ino`), even where its size and time were kept.
 * @param isNumbered false where its disk gives numbers out anew again and again.
 */
export const fileStamp = ({ size, mtimeMs, ino }: Stats, isNumbered = true): string =>
  `${size}:${mtimeMs}:${isNumbered ? ino : ''}`

/** Whether it is the file that had this stamp. */
export const hasStamp = (facts: Stats, stamp: string): boolean =>
  stamp === fileStamp(facts) || stamp === fileStamp(facts, false)
