// Reads a text file that a person wrote: bounded, UTF-8, or in words why not.
import type { Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { nearName } from './near-name.js'

export type TextFile =
  /** As it stands in the file, a byte order mark and all. */
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string }

/**
 * @param cure what else to say where there is no such file, nor one of nearly its name, or
 * something else altogether: a folder, a song.
 */
export const readTextFile = async (
  path: string, bytesMax: number, cure: string,
): Promise<TextFile> => {
  let bytes: Buffer
  try {
    const facts = await stat(path)
    // Anything else (a pipe, a device) could block or never end.
    if (!facts.isFile()) return refused(`${noFile(facts)}${cure}`)
    if (facts.size > bytesMax) return refused(tooLarge(facts.size, bytesMax))
    bytes = await readFile(path)
  } catch (error) {
    const message = ioMessage(error)
    return refused(message === ABSENT ? `${ABSENT}${await nearName(path) || cure}` : message)
  }
  // It may have grown since.
  if (bytes.length > bytesMax) return refused(tooLarge(bytes.length, bytesMax))
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { ok: true, text }
  } catch {
    return refused(isText(bytes) ? 'is not UTF-8 text: save it as UTF-8' : `is no text${cure}`)
  }
}

/** In another encoding perhaps: UTF-16 has a mark, all others have no zeros. */
const isText = (bytes: Buffer): boolean =>
  /^(fffe|feff)/.test(bytes.toString('hex', 0, 2)) || !bytes.includes(0)

/** Without the byte order mark that some editors write. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

const refused = (message: string): TextFile => ({ ok: false, message })

const tooLarge = (size: number, max: number): string =>
  `is too large: ${String(size)} bytes, at most ${String(max)} are read`

/** Why what is not a regular file is not read, e.g. where a show's folder was named. */
export const noFile = (facts: Stats): string =>
  facts.isDirectory() ? IS_FOLDER : 'is not a regular file'

const IS_FOLDER = 'is a folder, not a file'
export const ABSENT = 'does not exist'

/** What the system said about a file, in words. */
export const ioMessage = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known: Record<string, string> = {
    ENOENT: ABSENT,
    ENOTDIR: 'does not exist (a part of its path is no folder)',
    EACCES: 'may not be read by this user',
    EISDIR: IS_FOLDER,
    ELOOP: 'is a link that leads in circles',
    ENAMETOOLONG: 'has too long a name',
  }
  return known[code] ?? `cannot be read: ${saidBy(error)}`
}

/** The same of a file that somebody named: one of nearly its name may be there. */
export const namedMessage = async (error: unknown, path: string): Promise<string> => {
  const message = ioMessage(error)
  return message === ABSENT ? `${message}${await nearName(path)}` : message
}

/** `EIO: i/o error`: what follows names a path of this machine, and apps read it too. */
export const saidBy = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return 'syscall' in error ? error.message.split(', ')[0] ?? '' : error.message
}
