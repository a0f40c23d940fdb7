// How the pages ask the daemon for all but media, whose elements ask by themselves.

/**
 * A browser has six connections to a host for all of its tabs together, and each large video that
 * is paused keeps one: two stages and their stills held every press of a wall beside them until one
 * was let go. What carries no cookies, of which there are none, has six of its own.
 */
export const request = (path: string, init: Omit<RequestInit, 'credentials'>): Promise<Response> =>
  fetch(path, { ...init, credentials: 'omit' })
