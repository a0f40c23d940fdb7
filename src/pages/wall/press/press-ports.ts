// The wall's requests to the API: presses with their keys, panic, and what the browser lends them.
import { after, nowMs } from '../../../client/time.js'
import { DEFAULTS } from '../../../contract/limits.js'
import { request } from '../../shared/request.js'
import type { PressPorts } from './press-machine.js'
import type { Sent } from './sender.js'

const KEY_BYTES = 16

export const pressPorts: PressPorts = {
  now: nowMs,
  after,
  // crypto.randomUUID is missing on a LAN's plain addresses, which are no secure context.
  key: () =>
    [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join(''),
  post: async (path, body, key, signal): Promise<Sent> => {
    const answer = await request(`${DEFAULTS.apiPrefix}${path}`, {
      method: 'POST',
      signal,
      cache: 'no-store',
      priority: 'high',
      headers: {
        'idempotency-key': key,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      body: body === null ? null : JSON.stringify(body),
    })
    return { status: answer.status, body: await answer.json() }
  },
}
