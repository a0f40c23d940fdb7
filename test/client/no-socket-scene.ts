// A service without WebSockets, whose readers of events have no place until the test says so.
import { createClient } from '../../src/client/client.js'
import { quiz } from './quiz-show.js'

/** A service that has no place for readers of events, until it has. */
export const scene = () => {
  const { player } = quiz()
  const events = { have: 'none' as 'none' | 'full' | 'some' }
  const asked: { readonly path: string; readonly at: number }[] = []
  const client = createClient({
    ...player.clientOptions,
    webSocket: null,
    fetch: (url, init) => {
      const path = url.slice(player.baseUrl.length)
      asked.push({ path, at: player.now() })
      if (path !== '/events' || events.have === 'some') return player.fetch(url, init)
      if (events.have === 'none') return player.fetch(`${player.baseUrl}/nothing`, init)
      const body = '{"error":"too_many_readers"}'
      return Promise.resolve(new Response(body, { status: 503 }))
    },
  })
  const count = (path: string): number => asked.filter((one) => one.path === path).length
  return { player, client, events, asked, count }
}
