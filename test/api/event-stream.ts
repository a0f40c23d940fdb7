// Reads server-sent events over a real connection, by the rules of the format.
import { EventEmitter, once } from 'node:events'
import http from 'node:http'
import { API } from './served.js'

export interface Event {
  readonly id: string
  readonly name: string
  readonly data: unknown
}

/** A connection to GET /events and all that came over it. */
export class EventStream {
  readonly events: Event[] = []
  /** What a browser would send when it comes back. */
  lastId = ''
  retryMs = 0
  comments = 0
  bytes = 0
  /** `end`: in order. `cut`: the connection broke. */
  over: 'end' | 'cut' | null = null
  status = 0
  headers: http.IncomingHttpHeaders = {}
  /** What came where it was no stream of events. */
  text = ''
  readonly #news = new EventEmitter()
  readonly #request: http.ClientRequest
  #response: http.IncomingMessage | null = null
  #name = 'message'
  #data = ''
  #id = ''

  private constructor(port: number, headers: Readonly<Record<string, string>>) {
    const path = `${API}/events`
    this.#request = http.get({ host: '127.0.0.1', port, path, headers, agent: false })
    this.#request.on('error', () => this.#end('cut'))
  }

  /** Resolves when the headers are there; with `reads` false nothing is ever read after them. */
  static async open(
    port: number, headers: Readonly<Record<string, string>>, reads: boolean,
  ): Promise<EventStream> {
    const stream = new EventStream(port, headers)
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      stream.#request.once('response', resolve).once('error', reject)
    })
    stream.#response = response
    stream.status = response.statusCode ?? 0
    stream.headers = response.headers
    response.on('error', () => stream.#end('cut'))
    response.on('close', () => stream.#end(response.complete ? 'end' : 'cut'))
    if (reads) stream.#read(response)
    return stream
  }

  /** Looks again whenever something came. */
  async until(holds: () => boolean, ms: number): Promise<void> {
    const signal = AbortSignal.timeout(ms)
    while (!holds()) {
      await once(this.#news, 'news', { signal }).catch(() => {
        throw new Error(`not within ${ms} ms; ${this.events.length} events, over: ${this.over}`)
      })
    }
  }

  /** Begins to read what a stream that was opened unread still gets. */
  resume(): void {
    if (this.#response !== null) this.#read(this.#response)
  }

  close(): void {
    this.#request.destroy()
  }

  #read(response: http.IncomingMessage): void {
    let rest = ''
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      this.bytes += Buffer.byteLength(chunk)
      if (this.status !== 200) this.text += chunk
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#line(line)
      this.#news.emit('news')
    })
  }

  #end(how: 'end' | 'cut'): void {
    this.over ??= how
    this.#news.emit('news')
  }

  #line(line: string): void {
    if (line === '') {
      // An id counts from the end of its event: one that was cut in the middle will be told again.
      this.lastId = this.#id
      if (this.#data !== '') {
        this.events.push({ id: this.lastId, name: this.#name, data: JSON.parse(this.#data) })
      }
      this.#name = 'message'
      this.#data = ''
    } else if (line.startsWith(':')) this.comments += 1
    else if (line.startsWith('id: ')) this.#id = line.slice(4)
    else if (line.startsWith('event: ')) this.#name = line.slice(7)
    else if (line.startsWith('data: ')) this.#data += line.slice(6)
    else if (line.startsWith('retry: ')) this.retryMs = Number(line.slice(7))
    else throw new Error(`what is ${line}`)
  }
}
