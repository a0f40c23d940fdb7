// A file's stamp: as long as it stays the same, the file is taken to have the same content.
import type { Stats } from 'node:fs'

/** One that was replaced has another number (`ino`), even where its size and time were kept. */
export const fileStamp = ({ size, mtimeMs, ino }: Stats): string => `${size}:${mtimeMs}:${ino}`
