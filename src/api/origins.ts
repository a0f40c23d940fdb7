// Whose web pages may call (5): by the Origin that browsers send, and never by a form.
import type { IncomingMessage } from 'node:http'
import { refuse, type Refusal } from '../contract/errors.js'

/**
 * `any`: every page may call. `local`: pages of this machine and of private networks. A list: the
 * origins in it, as browsers write them. The service's own pages may always call, and so may
 * whatever sends no Origin: curl, and programs that are no browser.
 */
export type Origins = 'any' | 'local' | readonly string[]

type Asked = Pick<IncomingMessage, 'method' | 'headers'>

/** Null: it may be answered. */
export const originRefusal = (
  request: Asked, origins: Origins, authority: string,
): Refusal | null => {
  const { headers } = request
  const { origin } = headers
  if (request.method === 'POST') {
    if (headers['sec-fetch-mode'] === 'navigate') return FORM
    const type = formType(request)
    if (type !== null) return ofFormType(type)
  }
  if (origin === undefined || origins === 'any' || isOwnOrigin(origin, authority)) return null
  if (isListed(origin, origins) || (origins === 'local' && isLocal(origin))) return null
  return refuse('origin_rejected', origin === 'null' || origin === 'file://'
    ? NO_ORIGIN : `pages of ${toldOrigin(origin)} may not call: see api.origins`)
}

/** Any page can make itself one of none, so it is nobody that api.origins could name. */
const NO_ORIGIN = 'pages without an origin, e.g. one that was opened as a file, may not call: '
  + 'load it from a web server of this machine (http://127.0.0.1), or see api.origins'

/**
 * Browsers ask this beside a preflight when a page of the public net reaches for a private address;
 * they are told yes for those alone whom the operator knows.
 */
export const mayReachPrivately = (origin: string, origins: Origins): boolean =>
  isListed(origin, origins) || isLocal(origin)

/** A page that this service itself sent. */
export const isOwnOrigin = (origin: string, authority: string): boolean =>
  origin === `http://${authority}`

/**
 * A form of another site needs no permission: it navigates there. No client of the API sends one.
 */
const FORM = refuse('origin_rejected', 'commands are not taken from forms: send a fetch')

/** What a form can send; a fetch that sends one of these as an empty text is no client's either. */
const FORM_TYPE =
  /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(?:;|$)/i

/** Null: a form does not send it, or it comes from no page. */
const formType = ({ headers }: Asked): string | null => headers.origin === undefined
  ? null : FORM_TYPE.exec(headers['content-type']?.trim() ?? '')?.[1] ?? null

/** A fetch with a text as its body is sent as text/plain where its author names no type. */
const ofFormType = (type: string): Refusal => refuse('origin_rejected',
  `a page's command is not taken as ${type.toLowerCase()}, as a form sends it: `
    + 'send its body with Content-Type: application/json')

const isListed = (origin: string, origins: Origins): boolean =>
  typeof origins !== 'string' && origins.includes(origin)

const isLocal = (origin: string): boolean => {
  const url = URL.canParse(origin) ? new URL(origin) : null
  // As a browser writes it, and no address in another spelling.
  if (url?.origin !== origin) return false
  const { hostname, protocol } = url
  if (!/^https?:$/.test(protocol)) return false
  return hostname === 'localhost' || PRIVATE.some((range) => range.test(hostname))
}

/** Loopback, private and link-local addresses, as URLs write them. */
const PRIVATE = [
  /^127\.\d+\.\d+\.\d+$/, /^10\.\d+\.\d+\.\d+$/, /^192\.168\.\d+\.\d+$/, /^169\.254\.\d+\.\d+$/,
  /^172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+$/,
  /^\[::1\]$/, /^\[f[cd][0-9a-f]{2}:/, /^\[fe[89ab][0-9a-f]:/,
]

const ORIGIN_CHARACTERS = 200

/** An Origin in a message or in the log. */
export const toldOrigin = (origin: string): string => origin.slice(0, ORIGIN_CHARACTERS)
