// A file to record into: always a new one, so that no recording is ever written over.
import { constants } from 'node:fs'
import { access, open, readdir, stat, type FileHandle } from 'node:fs/promises'
import { basename, dirname, extname } from 'node:path'

/** So many recordings of one name stand side by side; then somebody has to tidy up. */
const NUMBERS_MAX = 10_000

/** What was played, and by whom, is nobody's business but the user's and the group's. */
export const RECORDING_MODE = 0o640

export interface NewFile {
  readonly file: FileHandle
  /** The path that was asked for, or a numbered one beside it. */
  readonly path: string
}

/**
 * Makes a file that was not there before: `out.wav`, or `out.2.wav` where that is taken, and so on.
 * What was there is not touched, also where another program takes a name at the same moment.
 * @throws as `open` does, where no file can be made.
 */
export const openNewFile = async (asked: string): Promise<NewFile> => {
  const names = new Set(await readdir(dirname(asked)))
  for (let n = 1; n <= NUMBERS_MAX; n += 1) {
    const path = numbered(asked, n)
    if (isTaken(basename(path), names)) continue
    try {
      return { file: await open(path, 'wx', RECORDING_MODE), path }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  throw new Error(`there are ${String(NUMBERS_MAX)} recordings of this name: move some away`)
}

/** `out.wav`, `out.2.wav`; without an extension `night-2`, as `night.2` is a part of `night`. */
const numbered = (path: string, n: number): string => {
  if (n === 1) return path
  const extension = extname(path)
  if (extension === '') return `${path}-${String(n)}`
  return `${path.slice(0, -extension.length)}.${String(n)}${extension}`
}

/** A flight record's later parts, `night.jsonl.1`, may outlive the first: they hold its name. */
const isTaken = (name: string, names: ReadonlySet<string>): boolean => {
  const isPart = (other: string): boolean =>
    other.startsWith(`${name}.`) && /^\d+$/.test(other.slice(name.length + 1))
  return names.has(name) || [...names].some(isPart)
}

/** Why nothing can be recorded under this path, to be told before a show begins; or null. */
export const recordingFault = async (path: string): Promise<string | null> =>
  (await notAFile(path)) ?? folderFault(dirname(path))

/** A recording makes no folder: a name that was mistyped would hide it. */
const folderFault = async (folder: string): Promise<string | null> => {
  try {
    // With the slash it has to be a folder. It is read, too: for the names that are taken.
    await access(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return `there is no folder ${folder}: make it, or name another`
    }
    return `${folder} cannot be read and written (${String(code)})`
  }
}

/** It is something else than a file, and not to be replaced by one. */
const notAFile = async (path: string): Promise<string | null> => {
  try {
    const facts = await stat(path)
    if (facts.isFile()) return null
    if (facts.isDirectory()) return `${path} is a folder: name a file in it`
    const what = facts.isFIFO() ? 'a named pipe' : facts.isSocket() ? 'a socket' : 'a device'
    return `${path} is ${what}: name a file, an existing one is kept`
  } catch {
    // Not there, or out of reach: whoever opens it tells that.
    return null
  }
}
