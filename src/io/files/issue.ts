// What a zod schema found wrong, said as faults by place.
import type { z } from 'zod'
import { objectPlace, placeOf, WHOLE_FILE, type Fault } from './fault.js'

/** What zod found, as faults: an unknown key each by its own place, nothing said twice. */
export const issueFaults = (issues: readonly z.core.$ZodIssue[]): readonly Fault[] => {
  const faults = new Map<string, Fault>()
  const add = (place: string, message: string): void => {
    faults.set(`${place}\n${message}`, { place, message })
  }
  for (const issue of issues) {
    const place = placeOf(issue.path)
    if (issue.code !== 'unrecognized_keys') add(place, issue.message)
    else {
      const parent = place === WHOLE_FILE ? '' : place
      for (const key of issue.keys) add(objectPlace(parent, key), 'is an unknown key')
    }
  }
  return [...faults.values()]
}
