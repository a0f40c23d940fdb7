// Reads and checks show.json; a large one on a thread of its own, so that no request waits for it.
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { WHOLE_FILE, type Fault } from '../files/fault.js'
import { readJsonFile, withKeyFaults } from '../files/json-file.js'
import { ABSENT } from '../files/text-file.js'
import { askThread } from '../programs.js'
import { withTitles } from './fault-titles.js'
import { namedFiles, type NamedFiles } from './named-files.js'
import { inOrder, ruleFaults, sizeFaults } from './show-rules.js'
import { parseShape, type ShowShape } from './show-shape.js'

const SHOW_BYTES_MAX = 64 * 1024 * 1024
const NO_SHOW = 'name another one, or let `cartwall new FOLDER` make one of your media'
/** From this size on: some hundred buttons; below it a thread costs more than it saves. */
const APART_BYTES = 128 * 1024

/** Plain data, so that it crosses threads. */
export type ShowRead =
  | { readonly ok: true; readonly shape: ShowShape }
  | { readonly ok: false; readonly faults: readonly Fault[] }

export type ShowTextRead =
  | { readonly ok: true; readonly shape: ShowShape; readonly text: string }
  | Exclude<ShowRead, { ok: true }>

/** There is no such file: that is all that was wrong. */
export const isAbsent = ([first]: readonly Fault[]): boolean =>
  first?.message === `${ABSENT}: ${NO_SHOW}`

export const readShowShape = async (file: string): Promise<ShowRead> => {
  const bytes = await stat(file).then(({ size }) => size, () => 0)
  return bytes < APART_BYTES || bytes > SHOW_BYTES_MAX ? readShowHere(file) : readShowApart(file)
}

export const readShowHere = async (file: string): Promise<ShowRead> => {
  const read = await readShowText(file)
  return read.ok ? { ok: true, shape: read.shape } : read
}

/** With the text that the shape was read from. */
export const readShowText = async (file: string): Promise<ShowTextRead> => {
  const json = await readJsonFile(file, SHOW_BYTES_MAX, NO_SHOW)
  const { value } = json
  if (!json.ok && value === undefined) return { ok: false, faults: json.faults }
  const oversize = sizeFaults(value)
  if (oversize.length > 0) return { ok: false, faults: oversize }
  const { shape, faults: shapeFaults } = parseShape(value)
  const faults = withKeyFaults(json.ok ? [] : json.faults, [...shapeFaults, ...ruleFaults(value)])
  if (!json.ok || shape === null || faults.length > 0) {
    return { ok: false, faults: withTitles(value, inOrder(faults)) }
  }
  return { ok: true, shape, text: json.text }
}

/** What a show names that was refused; nothing where it is no JSON, or larger than any show. */
export const readNamedFiles = async (file: string): Promise<NamedFiles> => {
  const { value } = await readJsonFile(file, SHOW_BYTES_MAX, NO_SHOW)
  const isShow = value !== undefined && sizeFaults(value).length === 0
  return isShow ? namedFiles(value, dirname(file)) : { media: [], lights: [] }
}

const readShowApart = (file: string): Promise<ShowRead> =>
  askThread<ShowRead>('show', file, (why) =>
    ({ ok: false, faults: [{ place: WHOLE_FILE, message: `cannot be read: ${why}` }] }))
