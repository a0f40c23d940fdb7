// Reads a JSON file that a person wrote: each fault by its place.
import { WHOLE_FILE, type Fault } from './fault.js'
import { jsonFaults } from './json-text.js'
import { readTextFile, withoutMark } from './text-file.js'

export type JsonFile =
  /** `text`: as it stands in the file, a byte order mark and all. */
  | { readonly ok: true; readonly value: unknown; readonly text: string }
  | { readonly ok: false; readonly faults: readonly Fault[] }

/** @param cure what to do where there is no such file, nor one of nearly its name. */
export const readJsonFile = async (
  path: string, bytesMax: number, cure: string,
): Promise<JsonFile> => {
  const read = await readTextFile(path, bytesMax, `: ${cure}`)
  if (!read.ok) return { ok: false, faults: [{ place: WHOLE_FILE, message: read.message }] }
  const json = withoutMark(read.text)
  const faults = jsonFaults(json)
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, value: JSON.parse(json) as unknown, text: read.text }
}
