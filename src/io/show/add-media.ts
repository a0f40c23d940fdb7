// Puts media into a show file: a button for each, at the end of a playlist; all else stays.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { faultLine } from '../files/fault.js'
import { appended } from '../files/json-edit.js'
import { draftOf, replaceWhole } from '../files/whole-file.js'
import { kindOf, newButton, whyNoButton, type NewButton } from './new-show.js'
import { readShowText } from './show-read.js'
import { showMark } from './show-watch.js'

const ANYBODY_WRITES = 0o222
const CHANGED = 'was changed by another program meanwhile: try again'

export type AddAnswer =
  | { readonly ok: true; readonly playlist: string; readonly count: number }
  /** Nothing was written. */
  | { readonly ok: false; readonly messages: readonly string[] }

/** `playlist` by its title or id; null: the only one, which is made where there is none. */
export const addMedia = async (
  show: string, playlist: string | null, files: readonly string[],
): Promise<AddAnswer> => {
  const mark = await showMark(show)
  const read = await readShowText(show)
  if (!read.ok) return refused(faultLine('the show', show, read.faults))
  const { text, shape: { playlists, title } } = read
  const found = playlists.flatMap((list, index) => (isMeant(list, playlist) ? [index] : []))
  if (playlist !== null && found.length > 1) {
    // The first is no better a guess than the others.
    const ids = found.map((index) => playlists[index]!.id).join(', ')
    const called = `several playlists are called ${JSON.stringify(playlist)}`
    return refused(`${called}: say which by its id: ${ids}`)
  }
  if (found.length !== 1 && (playlist !== null || playlists.length > 0)) {
    const titles = playlists.map((list) => JSON.stringify(list.title)).join(', ')
    const none = playlist === null ? '' : `there is no playlist ${JSON.stringify(playlist)}; `
    return refused(titles === '' ? `${none}the show has none yet: without --playlist one is made`
      : `${none}say which playlist with --playlist: ${titles}`)
  }
  const index = found[0] ?? -1
  const buttons = await buttonsOf(files, dirname(resolve(show)))
  if ('messages' in buttons) return buttons
  const after = index < 0
    ? appended(text, ['playlists'], { id: randomUUID(), title, buttons })
    : appended(text, ['playlists', index, 'buttons'], ...buttons)
  const reason = await replaced(show, mark, after)
  if (reason !== null) return refused(`${show} ${reason}`)
  return { ok: true, playlist: playlists[index]?.title ?? title, count: buttons.length }
}

/** Null, or why nothing was written. `mark`: what the file was before it was read. */
const replaced = async (
  show: string, mark: string | null, text: string,
): Promise<string | null> => {
  const isAsItWas = async (): Promise<boolean> => await showMark(show) === mark
  if (!(await isAsItWas())) return CHANGED
  // A link counts for what it leads to, and stays a link.
  const file = await realpath(show)
  const like = await stat(file)
  // The file is replaced, not written to: its own protection would not hold, for root never.
  const isOurs = await access(file, constants.W_OK).then(() => true, () => false)
  if (!isOurs || (like.mode & ANYBODY_WRITES) === 0) return 'is read-only and stays as it is'
  // Added by an administrator, it is still the daemon's to read.
  const kept = await replaceWhole(file, text, like, isAsItWas)
  if (kept === null) return null
  if (kept === 'changed') return CHANGED
  if (kept === 'taken') {
    return 'is being changed by another program: try again '
      + `(where none is, delete ${draftOf(file)})`
  }
  return `cannot be written in ${dirname(file)}: ${kept.failure}`
}

/**
 * A folder that comes from a Mac gave its list a title whose accents no keyboard here writes, and
 * a title from a web page or a chat has spaces that look like others, or are not seen.
 */
const isMeant = ({ id, title }: { id: string; title: string }, playlist: string | null): boolean =>
  playlist === null || typed(playlist) === typed(title) || playlist.toLowerCase() === id

const typed = (title: string): string =>
  title.normalize().replace(/\p{Cf}/gu, '').replace(/\s+/g, ' ').trim()

const refused = (...messages: readonly string[]): AddAnswer & { ok: false } =>
  ({ ok: false, messages })

/** All of them, or why not. */
const buttonsOf = async (
  files: readonly string[], folder: string,
): Promise<readonly NewButton[] | (AddAnswer & { ok: false })> => {
  const buttons: NewButton[] = []
  const wrong: string[] = []
  for (const name of files) {
    const path = resolve(name)
    const kind = await kindOf(path)
    if (kind !== null) buttons.push(newButton(path, kind, folder))
    else wrong.push(`${name} ${await whyNoButton(path)}`)
  }
  return wrong.length > 0 ? refused(...wrong) : buttons
}
