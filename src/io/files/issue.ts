// What a zod schema found wrong, said as faults by place.
import { z } from 'zod'
import { objectPlace, placeOf, WHOLE_FILE, type Fault } from './fault.js'
import { nearKey } from './near-key.js'

/**
 * What zod found, as faults: an unknown key each by its own place, nothing said twice.
 *
 * @param cure what to say of an unknown key that is near no other.
 */
export const issueFaults = (
  schema: z.ZodType, issues: readonly z.core.$ZodIssue[], cure = '',
): readonly Fault[] => {
  const faults = new Map<string, Fault>()
  const add = (place: string, message: string): void => {
    faults.set(`${place}\n${message}`, { place, message })
  }
  for (const issue of issues) {
    const place = placeOf(issue.path)
    if (issue.code !== 'unrecognized_keys') add(place, issue.message)
    else {
      const parent = place === WHOLE_FILE ? '' : place
      const known = keysAt(schema, issue.path)
      for (const key of issue.keys) {
        const near = nearKey(key, known)
        const advice = near === null ? cure : `; did you mean ${near}?`
        add(objectPlace(parent, key), `is an unknown key${advice}`)
      }
    }
  }
  return [...faults.values()]
}

/** The keys that the object at a place may have. */
const keysAt = (schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] => {
  let at: unknown = bare(schema)
  for (const step of path) {
    if (at instanceof z.ZodArray) at = bare(at.element)
    else if (at instanceof z.ZodObject) at = bare((at.shape as Shape)[String(step)])
    else return []
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : []
}

type Shape = Readonly<Record<string, unknown>>

/** Without what only says that it may be left out. */
const bare = (schema: unknown): unknown => {
  const isWrapped = schema instanceof z.ZodDefault || schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault
  return isWrapped ? bare(schema.unwrap()) : schema
}
