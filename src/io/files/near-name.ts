// A file that is missing by a hair: on a Mac or under Windows the name that was given finds it.
import { access, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Where one of nearly this name stands in its folder, what to say of it; else nothing. A Mac writes
 * an accent as a sign of its own, which looks the same, Linux tells `a.MP3` from `a.mp3`, and a
 * show that was written under Windows may part its folders by `\`.
 */
export const nearName = async (path: string): Promise<string> => {
  const slip = pathSlip(path)
  if (slip !== null) return slip
  const slashed = basename(path).replaceAll('\\', '/')
  if (slashed.includes('/') && (await isThere(join(dirname(path), slashed)))) {
    return `, but for ${slashed}: write / and not \\`
  }
  return nearOf(path, '')
}

/** What is no path here, though elsewhere it is: by what became of it below the show's folder. */
const pathSlip = (path: string): string | null => {
  const scheme = /\/([a-z][a-z\d+.-]+:)\//i.exec(path)?.[1]
  if (scheme !== undefined) return `: it is an address (${scheme}), and only files are played`
  if (path.includes('/~/')) return ': ~ is no folder here, write the path in full'
  return null
}

const nearOf = async (path: string, what: string): Promise<string> => {
  const [folder, name] = [dirname(path), basename(path)]
  const names = await readdir(folder).catch(() => null)
  // `media/a.mp3`, where there is a folder `Media`.
  if (names === null) return folder === path ? '' : nearOf(folder, 'the folder ')
  const wanted = alike(name)
  const near = names.find((other) => alike(other) === wanted)
  if (near === undefined || names.includes(name)) return ''
  return near.normalize() === name.normalize()
    ? ', but for one that has its accents as another system writes them: rename it'
    : `, but for ${what}${near}`
}

const isThere = (path: string): Promise<boolean> => access(path).then(() => true, () => false)

const alike = (name: string): string => name.normalize().toLowerCase()
