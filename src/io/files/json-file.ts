// Reads a JSON file that a person wrote: each fault by its place.
import { WHOLE_FILE, type Fault } from './fault.js'
import { jsonScan } from './json-text.js'
import { readTextFile, withoutMark } from './text-file.js'

export type JsonFile =
  /** `text`: as it stands in the file, a byte order mark and all. */
  | { readonly ok: true; readonly value: unknown; readonly text: string }
  /** `value`: undefined where it is no JSON; where only keys stand twice, by the last of each. */
  | { readonly ok: false; readonly faults: readonly Fault[]; readonly value: unknown }

/** @param cure what to do where there is no such file, nor one of nearly its name. */
export const readJsonFile = async (
  path: string, bytesMax: number, cure: string,
): Promise<JsonFile> => {
  const read = await readTextFile(path, bytesMax, `: ${cure}`)
  if (!read.ok) {
    const faults = [{ place: WHOLE_FILE, message: read.message }]
    return { ok: false, faults, value: undefined }
  }
  const json = withoutMark(read.text)
  const { faults, isWhole } = jsonScan(json)
  const value: unknown = isWhole ? JSON.parse(json) : undefined
  return faults.length > 0 ? { ok: false, faults, value } : { ok: true, value, text: read.text }
}

/**
 * All faults at once, those of keys first. What is wrong with a key that stands twice nobody can
 * say before it stands once.
 */
export const withKeyFaults = (
  ofKeys: readonly Fault[], others: readonly Fault[],
): readonly Fault[] => {
  const places = new Set(ofKeys.map(({ place }) => place))
  return [...ofKeys, ...others.filter(({ place }) => !places.has(place))]
}
