// Reads a JSON file that a person wrote: bounded, UTF-8, each fault by its place.
import type { Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { WHOLE_FILE, type Fault } from './fault.js'
import { jsonFaults } from './json-text.js'
import { nearName } from './near-name.js'

const BYTE_ORDER_MARK = '\uFEFF'

export type JsonFile =
  /** `text`: as it stands in the file, a byte order mark and all. */
  | { readonly ok: true; readonly value: unknown; readonly text: string }
  | { readonly ok: false; readonly faults: readonly Fault[] }

/**
 * Reads and parses `path`; a byte order mark, which some editors write, is passed over.
 * @param cure what to do where there is no such file, nor one of nearly its name.
 */
export const readJsonFile = async (
  path: string, bytesMax: number, cure: string,
): Promise<JsonFile> => {
  let bytes: Buffer
  try {
    const facts = await stat(path)
    // Anything else (a pipe, a device) could block or never end.
    if (!facts.isFile()) return refused(noFile(facts))
    if (facts.size > bytesMax) return refused(tooLarge(facts.size, bytesMax))
    bytes = await readFile(path)
  } catch (error) {
    const message = ioMessage(error)
    if (message !== ABSENT) return refused(message)
    const near = await nearName(path)
    return refused(near === '' ? `${ABSENT}: ${cure}` : `${ABSENT}${near}`)
  }
  // It may have grown since.
  if (bytes.length > bytesMax) return refused(tooLarge(bytes.length, bytesMax))
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return refused('is not UTF-8 text: save it as UTF-8')
  }
  const json = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  const faults = jsonFaults(json)
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, value: JSON.parse(json) as unknown, text }
}

const refused = (message: string): JsonFile => ({
  ok: false,
  faults: [{ place: WHOLE_FILE, message }],
})

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

/** `EIO: i/o error`: what follows names a path of this machine, and apps read it too. */
export const saidBy = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return 'syscall' in error ? error.message.split(', ')[0] ?? '' : error.message
}
