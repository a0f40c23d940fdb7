// A file that is missing by a hair: on a Mac or under Windows the name that was given finds it.
import { access, readdir } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { keyboardSigns } from '../../contract/keyboard-signs.js'

/**
 * Where one of nearly this name stands in its folder, what to say of it; else nothing. A Mac writes
 * an accent as a sign of its own, which looks the same, Linux tells `a.MP3` from `a.mp3`, a show
 * that was written under Windows may part its folders by `\`, and what was pasted from a table or
 * a text has a space at its end, a no-break space, a mark of direction, or `–` for `-`.
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

/** Node reads what is no UTF-8 in a name as this sign, and finds no file by it. */
export const NOT_UTF8 = '\uFFFD'

/** What is no path here, though elsewhere it is: by what became of it below the show's folder. */
const pathSlip = (path: string): string | null => {
  const scheme = /\/([a-z][a-z\d+.-]+:)\//i.exec(path)?.[1]
  if (scheme !== undefined) return `: it is an address (${scheme}), and only files are played`
  if (path.includes(NOT_UTF8)) return ': a name in its path is not UTF-8: rename it'
  if (path.includes('/~/')) return ': ~ is no folder here, write the path in full'
  return null
}

const nearOf = async (path: string, what: string): Promise<string> => {
  const [folder, name] = [dirname(path), basename(path)]
  const names = await readdir(folder).catch(() => null)
  // `media/a.mp3`, where there is a folder `Media`.
  if (names === null) return folder === path ? '' : nearOf(folder, 'the folder ')
  if (names.includes(name)) return ''
  const wanted = alike(name)
  const near = names.find((other) => alike(other) === wanted)
  if (near === undefined) return pastedOf(name, names, what)
  return near.normalize() === name.normalize()
    ? ', but for one that has its accents as another system writes them: rename it'
    : `, but for ${what}${near}`
}

/** What differs can hardly be seen, so it is named. */
const pastedOf = (name: string, names: readonly string[], what: string): string => {
  const wanted = plain(name)
  const near = names.find((other) => plain(other) === wanted)
  if (near === undefined) return otherEncoding(name, names)
  const differing = DIFFERENCES.find(([as]) => as(near) === as(name))?.[1] ?? OF_WIDTH
  return `, but for ${what}"${near}": ${differing}`
}

/** A show is UTF-8; the files beside it may have come from a system whose names are not. */
const otherEncoding = (name: string, names: readonly string[]): string => {
  const kind = extname(name).toLowerCase()
  const other = names.find((each) =>
    each.includes(NOT_UTF8) && extname(each).toLowerCase() === kind)
  return other === undefined || !/\P{ASCII}/u.test(name) ? ''
    : `, but for names beside it that are not UTF-8, e.g. ${other}: rename them`
}

const isThere = (path: string): Promise<boolean> => access(path).then(() => true, () => false)

const alike = (name: string): string => name.normalize().toLowerCase()

const withoutSpaces = (name: string): string => name.replaceAll(/[\s\u200B\u2060]/g, '')

/** Of direction, e.g. in a path that Windows copied; for a hyphen; of how an emoji looks. */
const UNSEEN = /[\p{Cf}\uFE0E\uFE0F]/gu
const seen = (name: string): string => withoutSpaces(alike(name)).replaceAll(UNSEEN, '')

/** A Japanese keyboard writes `（１）` for `(1)`. */
const plain = (name: string): string => typed(name).normalize('NFKC')

/** As a keyboard has it: word processors make dashes and bend quotes. */
const typed = (name: string): string => keyboardSigns(seen(name))

/** What the names differ by, of which the first is told that makes them the same. */
const DIFFERENCES = [
  [(name: string) => withoutSpaces(alike(name)), 'its spaces differ'],
  [seen, 'they differ by a sign that cannot be seen'],
  [typed, 'its dashes or quotes differ'],
] as const
const OF_WIDTH = 'some of its signs are of another width'
