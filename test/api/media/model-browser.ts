// A browser's connection, as a stream of the server's: what it asked, and what it was answered.
import { Duplex } from 'node:stream'

/** A file as a browser has it. */
export interface Known {
  readonly etag: string
  readonly modified: number
}

export interface Asked {
  readonly path: string
  readonly method: string
  /** Both ends included; null: all of it. */
  readonly range: readonly [number, number] | null
  readonly ifRange: Known | null
  readonly ifNoneMatch: Known | null
  /** When that was. */
  readonly at: number
}

export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

export class Browser extends Duplex {
  /** What has no answer yet. */
  readonly asked: Asked[] = []
  /** It hung up; otherwise the server did. */
  isLeft = false
  #text = Buffer.alloc(0)
  #waiting: { readonly bytes: Buffer; readonly taken: () => void }[] = []

  constructor(
    private readonly authority: string,
    private readonly answered: (asked: Asked, answer: Answer) => void,
  ) {
    super()
  }

  override _read(): void {
    // What is asked is pushed.
  }

  override _write(bytes: Buffer, _encoding: string, taken: () => void): void {
    this.#waiting.push({ bytes, taken })
  }

  get isWaiting(): boolean {
    return this.asked.length > 0 && !this.destroyed
  }

  ask(one: Asked): void {
    this.asked.push(one)
    const { method, path, range, ifRange, ifNoneMatch } = one
    this.push([
      `${method} /media/${path.at(-1)} HTTP/1.1`, `Host: ${this.authority}`,
      ...range === null ? [] : [`Range: bytes=${range[0]}-${range[1]}`],
      ...ifRange === null ? [] : [`If-Range: ${ifRange.etag}`],
      ...ifNoneMatch === null ? [] : [`If-None-Match: ${ifNoneMatch.etag}`], '', '',
    ].join('\r\n'))
  }

  leave(): void {
    this.isLeft = true
    this.destroy()
  }

  /** Takes some of what was sent. */
  receive(count: number): void {
    for (let n = Math.min(count, this.#waiting.length); n > 0; n -= 1) {
      const { bytes, taken } = this.#waiting.shift()!
      this.#text = Buffer.concat([this.#text, bytes])
      taken()
    }
    while (this.#parse());
  }

  /** One answer that is there whole; false: there is none. */
  #parse(): boolean {
    const end = this.#text.indexOf('\r\n\r\n')
    const [one] = this.asked
    if (end < 0 || one === undefined) return false
    const [first = '', ...lines] = this.#text.toString('latin1', 0, end).split('\r\n')
    const headers = new Map(lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]
    }))
    const status = Number(first.split(' ')[1])
    const hasBody = one.method === 'GET' && status !== 304
    const length = hasBody ? Number(headers.get('content-length')) : 0
    const body = this.#text.subarray(end + 4, end + 4 + length)
    if (body.length < length) return false
    this.#text = this.#text.subarray(end + 4 + length)
    this.asked.shift()
    this.answered(one, { status, headers, body })
    return true
  }
}
