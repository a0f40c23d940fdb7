// Puts media into a show file: a button for each, at the end of a playlist; all else stays.
import { randomUUID } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { faultLine } from '../files/fault.js'
import { appended } from '../files/json-edit.js'
import { ioMessage } from '../files/json-file.js'
import { writeWhole } from '../files/whole-file.js'
import { kindOf, newButton, type NewButton } from './new-show.js'
import { loadShow } from './show-file.js'

export type AddAnswer =
  | { readonly ok: true; readonly playlist: string; readonly count: number }
  /** Nothing was written. */
  | { readonly ok: false; readonly messages: readonly string[] }

/** `playlist` by its title or id; null: the only one, which is made where there is none. */
export const addMedia = async (
  show: string, playlist: string | null, files: readonly string[],
): Promise<AddAnswer> => {
  const loaded = await loadShow(show, null)
  if (!loaded.ok) return refused(faultLine('the show', show, loaded.faults))
  const { playlists, title } = loaded.show
  const found = playlists.flatMap((list, index) => (isMeant(list, playlist) ? [index] : []))
  if (playlist !== null && found.length > 1) {
    // The first is no better a guess than the others.
    const ids = found.map((index) => playlists[index]!.id).join(', ')
    const called = `several playlists are called ${JSON.stringify(playlist)}`
    return refused(`${called}: say which by its id: ${ids}`)
  }
  if (found.length !== 1 && (playlist !== null || playlists.length > 0)) {
    const titles = playlists.map((list) => JSON.stringify(list.title)).join(', ')
    return refused(`say which playlist with --playlist: ${titles}`)
  }
  const index = found[0] ?? -1
  // A link counts for what it leads to, and stays a link.
  const file = await realpath(show)
  const buttons = await buttonsOf(files, dirname(resolve(show)))
  if ('messages' in buttons) return buttons
  const before = await readFile(file, 'utf8')
  const after = index < 0
    ? appended(before, ['playlists'], { id: randomUUID(), title, buttons })
    : appended(before, ['playlists', index, 'buttons'], ...buttons)
  // Added by an administrator, it is still the daemon's to read.
  const like = await stat(file)
  if (!await writeWhole(file, after, like)) return refused(`${show} cannot be written`)
  return { ok: true, playlist: playlists[index]?.title ?? title, count: buttons.length }
}

const isMeant = (list: { id: string; title: string }, playlist: string | null): boolean =>
  playlist === null || playlist === list.title || playlist.toLowerCase() === list.id

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
    else wrong.push(`${name} ${await whyNot(path)}`)
  }
  return wrong.length > 0 ? refused(...wrong) : buttons
}

const whyNot = async (path: string): Promise<string> => {
  try {
    const isFile = (await stat(path)).isFile()
    return isFile ? 'is no sound, video, image or timeline by its name' : 'is not a regular file'
  } catch (error) {
    return ioMessage(error)
  }
}
