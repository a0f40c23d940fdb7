// Makes a show from the media in a folder: each folder a playlist, each file a button.
import { randomUUID } from 'node:crypto'
import type { Dirent } from 'node:fs'
import {
  lstat, open, readdir, readFile, rm, stat, writeFile, type FileHandle,
} from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { realTimers } from '../../clock/real.js'
import { isBlank } from '../../contract/blank-text.js'
import { LIMITS } from '../../contract/limits.js'
import type { ButtonKind } from '../../contract/vocabulary.js'
import { faultText } from '../files/fault.js'
import { NOT_UTF8 } from '../files/near-name.js'
import { ioMessage, namedMessage, noFile } from '../files/text-file.js'
import { unshownImage } from '../media/image-file.js'
import { probeFile } from '../media/probe/probe-file.js'
import { TIMELINE_LIMITS } from '../timeline/timeline-faults.js'
import { compileTimelineFile } from '../timeline/timeline-file.js'
import { SHOW_SCHEMA_FILE } from './file-schemas.js'

const DEPTH_MAX = 8
const FILES_MAX = 20_000
/** What systems and programs keep on a disk; deleted songs would become a playlist. */
const FOLDERS_OF_OTHERS = [
  'node_modules', '$RECYCLE.BIN', 'System Volume Information', 'lost+found', '__MACOSX',
]
const NO_MEDIA = 'no sound, video, image or timeline'
/** So many files that are no media are named; of the others there is only the number. */
const OTHERS_NAMED = 20
/** Enough to tell most timelines from anything else. */
const SNIFF_BYTES = 512

const EXTENSIONS: Readonly<Partial<Record<ButtonKind, readonly string[]>>> = {
  audio: [
    '.wav', '.flac', '.mp3', '.m4a', '.aac', '.ogg', '.oga', '.opus', '.wma', '.aif', '.aiff',
    '.ac3', '.au', '.caf', '.eac3', '.mka', '.mp2', '.tta', '.w64', '.wv',
    '.m4b', '.aifc', '.ape', '.amr', '.dts',
  ],
  video: [
    '.mp4', '.m4v', '.mov', '.mkv', '.webm', '.avi', '.mpg', '.mpeg', '.wmv', '.flv', '.3gp',
    '.ogv', '.mts', '.m2ts', '.vob',
  ],
  image: [
    '.png', '.jpg', '.jpeg', '.gif', '.webp', '.avif', '.svg', '.bmp', '.jfif', '.jpe', '.apng',
  ],
}

export interface NewButton {
  readonly id: string
  readonly title: string
  readonly kind: ButtonKind
  readonly media?: string
  readonly dmx?: { readonly timeline: string; readonly loop: false }
}

interface NewPlaylist {
  readonly id: string
  readonly title: string
  readonly buttons: readonly NewButton[]
}

export interface NewShow {
  readonly version: 1
  readonly title: string
  readonly playlists: readonly NewPlaylist[]
}

export type NewShowAnswer =
  | { readonly ok: true; readonly show: NewShow; readonly passedOver: readonly string[] }
  | { readonly ok: false; readonly message: string }

/** Looks for media in `folder` and below, in natural order: 2 comes before 10. */
export const newShow = async (folder: string): Promise<NewShowAnswer> => {
  const root = resolve(folder)
  try {
    const isFolder = (await stat(root)).isDirectory()
    if (!isFolder) return { ok: false, message: `${folder} is not a folder` }
  } catch (error) {
    return { ok: false, message: `${folder} ${await namedMessage(error, root)}` }
  }
  const search = new Search(root)
  await search.folder(root, 0)
  const title = basename(root) || 'Show'
  const playlists = search.playlists.map(({ name, buttons }) => ({
    id: randomUUID(),
    title: name === '' ? title : shortened(name),
    buttons,
  }))
  if (playlists.length === 0) {
    const words = [`there is ${NO_MEDIA} in ${folder}`, ...search.untaken]
    return { ok: false, message: words.join('; ') }
  }
  const passedOver = await search.passedOver()
  return { ok: true, show: { version: 1, title, playlists }, passedOver }
}

/** Of folders in folders the last ones tell most. */
const shortened = (name: string): string => {
  const most = LIMITS.titleCharacters
  // No sign is cut in two (UTF-16).
  return name.length <= most ? name : `…${name.slice(1 - most).replace(/^[\uDC00-\uDFFF]/, '')}`
}

export type WriteAnswer =
  /** `isSchemaKept`: another file has the place of the schema, so the show names none. */
  | { readonly ok: true; readonly isSchemaKept: boolean }
  | { readonly ok: false; readonly message: string }

/**
 * Writes a show where no file stands yet, and its schema beside it: the two go to another machine
 * together. What is there stays as it is.
 */
export const writeNewShow = async (
  file: string, show: NewShow, schema: string,
): Promise<WriteAnswer> => {
  let handle: FileHandle | null = null
  try {
    handle = await open(file, 'wx')
    const hasSchema = await isWritten(join(dirname(file), SHOW_SCHEMA_FILE), schema)
    const named = hasSchema ? { $schema: `./${SHOW_SCHEMA_FILE}`, ...show } : show
    await handle.writeFile(`${JSON.stringify(named, null, 2)}\n`)
    // A stick is pulled out, or the power fails, a moment after it is said to be there.
    await handle.sync()
    return { ok: true, isSchemaKept: !hasSchema }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      const message = `${file} exists and stays as it is; move it away to make a new one`
      return { ok: false, message }
    }
    if (handle !== null) await removed(file)
    const why = error instanceof Error ? error.message : String(error)
    return { ok: false, message: `${file} cannot be written: ${why}` }
  } finally {
    await handle?.close()
  }
}

/** What a full disk leaves of a file of ours would stand in the way of the next try. */
const removed = (file: string): Promise<void> => rm(file, { force: true }).catch(() => undefined)

/** Whether the text stands there now; a file that says anything else is somebody's own. */
const isWritten = async (file: string, text: string): Promise<boolean> => {
  try {
    await writeFile(file, text, { flag: 'wx', flush: true })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      await removed(file)
      return false
    }
    return readFile(file, 'utf8').then((there) => there === text, () => false)
  }
}

class Search {
  readonly playlists: { name: string; buttons: NewButton[] }[] = []
  readonly #passedOver: string[] = []
  /** The first files that are no media, and how many there are. */
  readonly #others: string[] = []
  #otherCount = 0
  readonly #root: string
  readonly #order = new Intl.Collator('en', { numeric: true })
  #files = 0

  constructor(root: string) {
    this.#root = root
  }

  /** What may hold media and could not be taken, e.g. a folder that this user may not read. */
  get untaken(): readonly string[] {
    return this.#passedOver.slice(0, OTHERS_NAMED).map((each) => `passed over ${each}`)
  }

  async passedOver(): Promise<readonly string[]> {
    const named: string[] = []
    for (const path of this.#others) named.push(`${path}: ${await whyNoButton(path)}`)
    const more = this.#otherCount - named.length
    const rest = more > 0 ? [`${String(more)} more like it`] : []
    return [...this.#passedOver, ...named, ...rest]
  }

  #passOver(path: string): void {
    this.#otherCount += 1
    if (this.#otherCount <= OTHERS_NAMED) this.#others.push(path)
  }

  /** Goes through one folder; what is hidden or of others, and links to folders, are left alone. */
  async folder(path: string, depth: number): Promise<void> {
    let entries: Dirent[]
    try {
      entries = await readdir(path, { withFileTypes: true })
    } catch (error) {
      this.#passedOver.push(`${path}: ${ioMessage(error)}`)
      return
    }
    entries.sort((a, b) => this.#order.compare(a.name, b.name) || (a.name < b.name ? -1 : 1))
    const seen: Dirent[] = []
    for (const entry of entries) if (await this.#counts(path, entry)) seen.push(entry)
    const buttons: NewButton[] = []
    for (const entry of seen) {
      const button = entry.isDirectory() ? null : await this.#button(join(path, entry.name))
      if (button !== null) buttons.push(button)
    }
    const name = relative(this.#root, path).split(sep).join(' / ')
    if (buttons.length > 0) this.playlists.push({ name, buttons })
    for (const entry of seen) {
      if (!entry.isDirectory()) continue
      if (depth < DEPTH_MAX) await this.folder(join(path, entry.name), depth + 1)
      else this.#passedOver.push(`${join(path, entry.name)}: nested too deep`)
    }
  }

  async #counts(path: string, entry: Dirent): Promise<boolean> {
    if (entry.name.startsWith('.')) return false
    // A name that is no UTF-8 cannot stand in a JSON file; one may have that sign itself.
    const named = join(path, entry.name)
    if (entry.name.includes(NOT_UTF8) && await lstat(named).then(() => false, () => true)) {
      this.#passedOver.push(`${named}: its name is not UTF-8: rename it`)
      return false
    }
    if (entry.isDirectory()) return !FOLDERS_OF_OTHERS.includes(entry.name)
    return entry.isFile() || entry.isSymbolicLink()
  }

  async #button(path: string): Promise<NewButton | null> {
    const kind = await kindOf(path)
    if (kind === null) {
      if (basename(path) !== SHOW_SCHEMA_FILE) this.#passOver(path)
      return null
    }
    this.#files += 1
    if (this.#files > FILES_MAX) {
      if (this.#files === FILES_MAX + 1) {
        this.#passedOver.push(`all after the first ${String(FILES_MAX)} files`)
      }
      return null
    }
    return newButton(path, kind, this.#root)
  }
}

/** A button with a fresh id for a file, named as seen from the folder of its show. */
export const newButton = (path: string, kind: ButtonKind, folder: string): NewButton => {
  const extension = extname(path)
  const name = basename(path, extension).replaceAll('_', ' ').trim()
  const title = isBlank(name) ? basename(path) : name
  const named = relative(folder, path).split(sep).join('/')
  const head = { id: randomUUID(), title, kind }
  if (kind === 'dmx') return { ...head, dmx: { timeline: named, loop: false } }
  return { ...head, media: named }
}

/** By the name of a file, or what is in it; null: it is no media. */
export const kindOf = async (path: string): Promise<ButtonKind | null> => {
  try {
    // A link counts for what it leads to.
    if (!(await stat(path)).isFile()) return null
    if (isTimelineName(path)) return await timelineKind(path)
    const extension = extname(path).toLowerCase()
    for (const kind of ['audio', 'video', 'image'] as const) {
      if (EXTENSIONS[kind]?.includes(extension) !== true) continue
      return kind === 'video' && await isSoundAlone(path) ? 'audio' : kind
    }
    return null
  } catch {
    return null
  }
}

const timers = realTimers()

/** Browsers and telephones name a recording `.webm` or `.mp4` also where it has no picture. */
const isSoundAlone = async (path: string): Promise<boolean> => {
  const answer = await probeFile(path, false, timers)
  return answer.ok && answer.facts.audio !== null && answer.facts.video === null
}

/** Why a file makes no button, in words that follow its name. */
export const whyNoButton = async (path: string): Promise<string> => {
  try {
    const isLink = (await lstat(path)).isSymbolicLink()
    const facts = await stat(path).catch(() => null)
    if (facts === null && isLink) return 'is a link to what is not there'
    if (facts?.isDirectory() === true && isLink) return 'is a link to a folder'
    if (facts?.isFile() === false) return noFile(facts)
    if (isTimelineName(path)) return await whyNoTimeline(path)
    return await unshownImage(path) ?? `is ${NO_MEDIA} by its name`
  } catch (error) {
    return namedMessage(error, path)
  }
}

/** The first of its faults, as `cartwall check` has them all. */
const whyNoTimeline = async (path: string): Promise<string> => {
  const file = await compileTimelineFile(path)
  const faults = file.ok ? [] : file.faults.slice(0, 1)
  return ['is no lighting timeline', ...faults.map(faultText)].join(': ')
}

const isTimelineName = (path: string): boolean =>
  ['.show', '.json'].includes(extname(path).toLowerCase())

/**
 * By its first words, or by its format wherever that stands: not every .json is a timeline, nor
 * every .show. Where a program sorted the keys, megabytes of `fixtures` come before `format`.
 */
const timelineKind = async (path: string): Promise<'dmx' | null> => {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
    const text = buffer.subarray(0, bytesRead).toString('utf8').replace(/^\uFEFF/, '')
    if (/^OLA Show\s/.test(text) || /"format"\s*:\s*"dmx-timeline"/.test(text)) return 'dmx'
    const isObject = text.trimStart().startsWith('{')
    if (!isObject || (await handle.stat()).size > TIMELINE_LIMITS.bytes) return null
    return isTimeline(await handle.readFile()) ? 'dmx' : null
  } finally {
    await handle.close()
  }
}

/** Only what has the word in it is parsed: most files of others cost no more than to be read. */
const isTimeline = (bytes: Buffer): boolean => {
  if (!bytes.includes('"dmx-timeline"')) return false
  const { format } = JSON.parse(new TextDecoder().decode(bytes)) as { readonly format?: unknown }
  return format === 'dmx-timeline'
}
