// Faults of a show with the titles of what they stand in: nobody counts to `buttons[137]`.
import type { Fault } from '../files/fault.js'

const TITLE_CHARACTERS = 60

/** @param raw the show as it was read, whatever is wrong with it */
export const withTitles = (raw: unknown, faults: readonly Fault[]): readonly Fault[] =>
  faults.map((fault) => {
    const [, p, b] = /^playlists\[(\d+)\](?:\.buttons\[(\d+)\])?/.exec(fault.place) ?? []
    if (p === undefined) return fault
    const playlist = entry(raw, 'playlists', p)
    return b === undefined ? { ...fault, ...called('playlist', title(playlist)) }
      : { ...fault, ...called('button', title(entry(playlist, 'buttons', b))) }
  })

/** What a fault in it is told with; nothing where it has no title. */
export const called = (what: string, name: unknown): Pick<Fault, 'of'> => {
  if (typeof name !== 'string' || name.trim() === '') return {}
  const short = name.length > TITLE_CHARACTERS
    ? `${name.slice(0, TITLE_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')}…` : name
  return { of: `${what} ${JSON.stringify(short)}` }
}

const entry = (value: unknown, key: string, index: string): unknown =>
  (valueAt(value, key) as Readonly<Record<string, unknown>> | undefined)?.[index]

const title = (value: unknown): unknown => valueAt(value, 'title')

const valueAt = (value: unknown, key: string): unknown =>
  (value as Readonly<Record<string, unknown>> | null | undefined)?.[key]
