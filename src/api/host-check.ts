// The Host of a request must be the bound ip:port by which it came in; else 403 (5).
import type { IncomingMessage } from 'node:http'
import { refuse, type Refusal } from '../contract/errors.js'

/** The bound ip:port; several where the service listens on several addresses. */
export type Authority = string | readonly [string, ...string[]]

/**
 * Of several the one that the connection was made to, so that a page which got its name to point at
 * one address reaches no other by it.
 */
export const authorityOf = (
  socket: { readonly localAddress?: string | undefined }, authority: Authority,
): string => {
  if (typeof authority === 'string') return authority
  return authority.find((one) => one.startsWith(`${socket.localAddress}:`)) ?? authority[0]
}

/**
 * Null where the request is for us and nobody else: exactly one Host, and it is the bound ip:port;
 * and the target is a path, which names no other host. A page that got its own name to point here
 * is told apart from the app by this alone (5). `*` is the whole server, which has options only:
 * the router would take it for any path there is.
 */
export const hostRefusal = (
  { method, rawHeaders }: Pick<IncomingMessage, 'method' | 'rawHeaders'>,
  target: string,
  authority: string,
): Refusal | null => {
  const isPath = target.startsWith('/') || (target === '*' && method === 'OPTIONS')
  if (isPath && hasOneHost(rawHeaders, authority)) return null
  const host = `the Host header must be ${authority}, the numeric address and port`
  return refuse('host_rejected', `${host}, and the target a path`)
}

const hasOneHost = (rawHeaders: readonly string[], authority: string): boolean => {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    if (rawHeaders[i + 1] !== authority) return false
    hosts += 1
  }
  return hosts === 1
}
