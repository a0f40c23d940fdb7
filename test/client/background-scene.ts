// A background list on the real service over a network that may lose a request or its answer.
import { Background, createClient } from '../../src/client/client.js'
import { BED, quiz, type Quiz } from './quiz-show.js'

const BEDS = [BED.warm, BED.tense, BED.last]

export interface Scene extends Quiz {
  readonly background: Background
  readonly story: string[]
  /** Every request that was sent, in order. */
  readonly sent: string[]
  /** What is lost of the next commands, one after the other: the request, or only its answer. */
  readonly losses: ('request' | 'answer')[]
}

type Options = ConstructorParameters<typeof Background>[1]

export const scene = (options: Partial<Options> = {}): Scene => {
  const { player } = quiz()
  const sent: string[] = []
  const losses: Scene['losses'] = []
  const client = createClient({
    baseUrl: player.baseUrl,
    fetch: async (url, init) => {
      sent.push(`${init.method ?? 'GET'} ${url.slice(player.baseUrl.length)}`)
      const loss = init.method === 'POST' ? losses.shift() : undefined
      if (loss === 'request') throw new TypeError('fetch failed')
      const answer = await player.fetch(url, init)
      if (loss === 'answer') throw new TypeError('fetch failed')
      return answer
    },
  })
  const story: string[] = []
  const background = new Background(client, {
    beds: BEDS, wait: player.wait, timeoutMs: 40, events: false,
    onChange: ({ state, index, reason }) => story.push(`${index} ${reason ?? state}`),
    ...options,
  })
  return { player, client, background, story, sent, losses }
}

export const commands = ({ sent }: Scene): string[] =>
  sent.filter((it) => it.startsWith('POST')).map((it) => it.split('/').at(-1) ?? '')

export const heardOf = ({ player }: Scene): string[] => player.heard().map((it) => it.title)
