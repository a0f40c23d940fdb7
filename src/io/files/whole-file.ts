// A file that is written whole or not at all: whoever reads it meets no half of it.
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { saidBy } from './text-file.js'

/** What a process that died while it wrote may leave beside the file. */
const DRAFT_ENDING = '.new'
/** A draft is written within moments; one that is older is left by a process that died. */
const DRAFT_MS = 3_600_000
/** Not by the process's number: daemons of two containers with one cache are both number 1. */
const DRAFT_NAME_BYTES = 9

/** What is kept for the next start tells of the show: it is the user's own. */
const OWN_FILE = 0o600
const OWN_FOLDER = 0o700

interface Owned {
  readonly uid: number
  readonly gid: number
  readonly mode: number
}

/** Makes its folder where there is none. False where it cannot be written; it never rejects. */
export const writeWhole = async (path: string, content: string | Buffer): Promise<boolean> => {
  const draft = `${path}.${randomBytes(DRAFT_NAME_BYTES).toString('base64url')}${DRAFT_ENDING}`
  try {
    await makeFolder(dirname(path))
    await writeFile(draft, content, { mode: OWN_FILE, flag: 'wx' })
    await rename(draft, path)
    return true
  } catch {
    await rm(draft).catch(() => undefined)
    return false
  }
}

/** Whether nobody writes there any more; another program may be writing a younger one. */
export const isLeftDraft = (name: string, writtenMs: number, now: number): boolean =>
  name.endsWith(DRAFT_ENDING) && now - writtenMs > DRAFT_MS

/** Deletes drafts of a file that was just written, of processes that died, e.g. by `kill -9`. */
export const removeLeftDrafts = async (path: string): Promise<void> => {
  try {
    const { mtimeMs: now } = await stat(path)
    const names = await readdir(dirname(path))
    for (const name of names.filter((one) => one.startsWith(`${basename(path)}.`))) {
      const draft = join(dirname(path), name)
      if (isLeftDraft(name, (await stat(draft)).mtimeMs, now)) await rm(draft)
    }
  } catch {
    // Another daemon may delete the same; what stays goes the next time.
  }
}

/** Why a file was not replaced: another program changed it, or is about to, or what failed. */
export type Kept = 'changed' | 'taken' | { readonly failure: string }

/**
 * Puts another content in the place of a person's file, which must be there after a power cut too;
 * null where it did. Whoever makes the draft is the only one, so that none of two is lost.
 * @param like whose owner it has, as far as this user may give it away, and whose mode.
 * @param isAsItWas asked last: an editor knows nothing of drafts.
 */
export const replaceWhole = async (
  path: string, content: string, like: Owned, isAsItWas: () => Promise<boolean>,
): Promise<Kept | null> => {
  const draft = draftOf(path)
  try {
    await writeFile(draft, content, { mode: OWN_FILE, flag: 'wx', flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'taken'
    return removed(draft, { failure: saidBy(error) })
  }
  try {
    await makeAlike(draft, like)
    if (!(await isAsItWas())) return await removed(draft, 'changed')
    await rename(draft, path)
    return null
  } catch (error) {
    return removed(draft, { failure: saidBy(error) })
  }
}

/** What stands beside a person's file while it is replaced. */
export const draftOf = (path: string): string => `${path}${DRAFT_ENDING}`

const removed = async (draft: string, why: Kept): Promise<Kept> => {
  await rm(draft).catch(() => undefined)
  return why
}

const makeAlike = async (path: string, { uid, gid, mode }: Owned): Promise<void> => {
  await chown(path, uid, gid).catch(() => chown(path, -1, gid)).catch(() => undefined)
  await chmod(path, mode)
}

/**
 * With those above it. Node's own `recursive` never ends where a folder that is there takes none,
 * e.g. `/proc`, and keeps a thread busy for ever.
 */
const makeFolder = async (folder: string): Promise<void> => {
  const above = dirname(folder)
  if ((await made(folder)) || above === folder) return
  await makeFolder(above)
  // Once more, and no further: below `/proc` it is not there yet.
  if (!(await made(folder))) throw new Error('no folder can be made here')
}

/** Whether it is there now, by whomever: two programs may begin their caches at one moment. */
const made = async (folder: string): Promise<boolean> => {
  try {
    await mkdir(folder, { mode: OWN_FOLDER })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return true
    if (code === 'ENOENT') return false
    throw error
  }
}
