// One stream of GET /events, from its opening to its end.
import type { CartwallEvent } from './live-reader.js'
import { after } from './time.js'
import type { Client } from './types.js'
import { abortWith, type Wait } from './wait.js'

export interface EventHearing {
  /** The stream is open: from here on nothing is missed. */
  opened(): Promise<void>
  event(event: CartwallEvent): Promise<void>
}

export interface EventReading {
  /** The id of the last event that was heard; '' for none. It is kept up to date. */
  lastId: string
  /** For how long the opening may take, on this time. */
  readonly timeoutMs: number
  readonly wait: Wait
  readonly signal: AbortSignal
}

/**
 * The service lets itself be heard every 15 s; a connection this silent is dead. This one time is
 * always real: it is that of the connection, and no matter of what the app takes for its time.
 */
const SILENCE_MS = 40_000
/** No event is longer; what has no end by then is no stream of events. */
const EVENT_CHARACTERS_MAX = 65_536

/** Reads until it ends; false where the service answers but has no events to give. */
export const readEvents = async (
  client: Client, hearing: EventHearing, reading: EventReading,
): Promise<boolean> => {
  const connection = new AbortController()
  const { signal } = connection
  const end = (): void => connection.abort()
  const letGo = abortWith(connection, reading.signal)
  const opening = new AbortController()
  void reading.wait(reading.timeoutMs, opening.signal).then(() => {
    if (!opening.signal.aborted) end()
  })
  let silence = (): void => opening.abort()
  const alive = (): void => {
    silence()
    silence = after(SILENCE_MS, end)
  }
  try {
    const headers: Record<string, string> = { accept: 'text/event-stream' }
    if (reading.lastId !== '') headers['last-event-id'] = reading.lastId
    const response = await client.open('/events', { headers, signal })
    const type = response.headers.get('content-type') ?? ''
    if (!response.ok || response.body === null || !type.startsWith('text/event-stream')) {
      void response.body?.cancel()
      return false
    }
    alive()
    await hearing.opened()
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    let rest = ''
    while (!signal.aborted) {
      const { done, value } = await reader.read()
      if (done) break
      alive()
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      if (rest.length > EVENT_CHARACTERS_MAX) break
      for (const block of blocks) await hear(block, hearing, reading)
    }
  } catch {
    // Broken off, or never there: polling tells which.
  } finally {
    silence()
    letGo()
    end()
  }
  return true
}

const hear = async (
  block: string, hearing: EventHearing, reading: EventReading,
): Promise<void> => {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart())
  }
  const text = fields.get('data')
  const name = fields.get('event')
  reading.lastId = fields.get('id') ?? reading.lastId
  if (text === undefined) return
  await hearing.event({ name, data: JSON.parse(text) as unknown } as CartwallEvent)
}
