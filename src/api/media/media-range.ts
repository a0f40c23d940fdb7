// Which bytes of a file a request asks for, and whether it has them already (RFC 9110, 13 and 14).
import type { IncomingHttpHeaders } from 'node:http'

/** What a file was when it was opened. */
export interface FileStamp {
  readonly size: number
  readonly etag: string
  /** Whole seconds, as HTTP tells them. */
  readonly modified: Date
}

export type Wanted =
  | { readonly kind: 'whole' }
  /** Both ends included. */
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'not_modified' }
  | { readonly kind: 'precondition_failed' }

/** In the order of RFC 9110, 13.2.2. Ranges are for GET alone: a HEAD tells of the whole (14.2). */
export const wantedOf = (
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  stamp: FileStamp,
): Wanted => {
  if (!mayProceed(headers, stamp)) return { kind: 'precondition_failed' }
  if (isKnown(headers, stamp)) return { kind: 'not_modified' }
  const { range } = headers
  if (method !== 'GET' || range === undefined) return { kind: 'whole' }
  if (!isSameFile(headers['if-range'], stamp)) return { kind: 'whole' }
  return rangeOf(range, stamp.size)
}

/**
 * One range of bytes. Several at once, other units and what is no range (`9-5`) are answered whole,
 * as RFC 9110, 14.2 allows; a suffix longer than the file is all of it (14.1.2). The range-parser
 * package refuses both with 416, so it is read here.
 */
const rangeOf = (range: string, size: number): Wanted => {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range) ?? []
  if (from === '' && to === '') return { kind: 'whole' }
  if (from === '') {
    const first = Math.max(0, size - Number(to))
    return first < size ? { kind: 'part', first, last: size - 1 } : { kind: 'unsatisfiable' }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return { kind: 'whole' }
  return first < size ? { kind: 'part', first, last } : { kind: 'unsatisfiable' }
}

const mayProceed = (headers: IncomingHttpHeaders, { etag, modified }: FileStamp): boolean => {
  const match = headers['if-match']
  if (match !== undefined) return tagsOf(match).some((tag) => tag === '*' || tag === etag)
  const since = dateOf(headers['if-unmodified-since'])
  return since === null || modified.getTime() <= since
}

const isKnown = (headers: IncomingHttpHeaders, { etag, modified }: FileStamp): boolean => {
  const match = headers['if-none-match']
  if (match !== undefined) return isAmong(match, etag)
  const since = dateOf(headers['if-modified-since'])
  return since !== null && modified.getTime() <= since
}

/** Of an If-None-Match: by the weak comparison, which proxies that compress count on (8.8.3.2). */
export const isAmong = (known: string, etag: string): boolean =>
  tagsOf(known).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)

/** A part of another file than the one that is known would be glued to it: then it gets all. */
const isSameFile = (ifRange: string | string[] | undefined, stamp: FileStamp): boolean => {
  if (ifRange === undefined) return true
  if (typeof ifRange !== 'string') return false
  return ifRange === stamp.etag || dateOf(ifRange) === stamp.modified.getTime()
}

const tagsOf = (list: string): readonly string[] => list.split(',').map((tag) => tag.trim())

const dateOf = (text: string | undefined): number | null => {
  const time = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? null : time
}
