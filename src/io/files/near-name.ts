// A file that is missing by a hair: on a Mac or under Windows the name that was given finds it.
import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

/**
 * Where one of nearly this name stands in its folder, what to say of it; else nothing. A Mac writes
 * an accent as a sign of its own, which looks the same, and Linux tells `a.MP3` from `a.mp3`.
 */
export const nearName = async (path: string): Promise<string> => {
  const name = basename(path)
  const names = await readdir(dirname(path)).catch(() => [])
  const wanted = alike(name)
  const near = names.find((other) => alike(other) === wanted)
  if (near === undefined || near === name) return ''
  return near.normalize() === name.normalize()
    ? ', but for one that has its accents as another system writes them: rename it'
    : `, but for ${near}`
}

const alike = (name: string): string => name.normalize().toLowerCase()
