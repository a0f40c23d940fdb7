// A file that is written whole or not at all: whoever reads it meets no half of it.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What a process that died while it wrote may leave beside the file. */
export const DRAFT_ENDING = '.new'

/** Makes its folder where there is none. False where it cannot be written; it never rejects. */
export const writeWhole = async (path: string, content: string | Buffer): Promise<boolean> => {
  const draft = `${path}.${process.pid}${DRAFT_ENDING}`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(draft, content)
    await rename(draft, path)
    return true
  } catch {
    await rm(draft, { force: true }).catch(() => undefined)
    return false
  }
}
