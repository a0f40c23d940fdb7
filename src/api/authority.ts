// By which address a request came in: its Host must be exactly that one (5).

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
