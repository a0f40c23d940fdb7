// A file that is written whole or not at all: whoever reads it meets no half of it.
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What a process that died while it wrote may leave beside the file. */
export const DRAFT_ENDING = '.new'

/** What is kept for the next start tells of the show: it is the user's own. */
const OWN_FILE = 0o600
const OWN_FOLDER = 0o700

/** Makes its folder where there is none. False where it cannot be written; it never rejects. */
export const writeWhole = async (path: string, content: string | Buffer): Promise<boolean> => {
  const draft = `${path}.${process.pid}${DRAFT_ENDING}`
  try {
    await makeFolder(dirname(path))
    await writeFile(draft, content, { mode: OWN_FILE })
    await rename(draft, path)
    return true
  } catch {
    await rm(draft, { force: true }).catch(() => undefined)
    return false
  }
}

/**
 * With those above it. Node's own `recursive` never ends where a folder that is there takes none,
 * e.g. `/proc`, and keeps a thread busy for ever.
 */
const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { mode: OWN_FOLDER })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    const above = dirname(folder)
    const isThere = await stat(above).then(() => true, () => false)
    if (code !== 'ENOENT' || isThere || above === folder) throw error
    await makeFolder(above)
    await mkdir(folder, { mode: OWN_FOLDER })
  }
}
