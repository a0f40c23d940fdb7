// The end of a page on GET /api/v1/live, without a network: what it was told, and what it says.
import type { PageSocket } from '../../src/api/live/page.js'
import type { LiveMessage, PageMessage } from '../../src/contract/live.js'

/** A page's end of the wire: what it was told, and what became of it. */
export class FakePage implements PageSocket {
  bufferedAmount = 0
  pings = 0
  /** By which codes it was told to go. */
  readonly closes: number[] = []
  isCut = false
  readonly told: LiveMessage[] = []
  readonly frames: Uint8Array[] = []
  readonly #heard = new Map<string, (...args: never[]) => void>()

  on(event: string, listener: (...args: never[]) => void): void {
    this.#heard.set(event, listener)
  }

  send(data: Uint8Array, { binary }: { readonly binary: boolean }): void {
    if (binary) this.frames.push(data)
    else this.told.push(JSON.parse(Buffer.from(data).toString()) as LiveMessage)
  }

  ping(): void {
    this.pings += 1
  }

  get closed(): number | null {
    return this.closes.at(-1) ?? null
  }

  close(code: number): void {
    this.closes.push(code)
  }

  terminate(): void {
    this.isCut = true
    this.gone()
  }

  say(message: PageMessage, isBinary = false): void {
    const listener = this.#heard.get('message') as (data: Buffer, isBinary: boolean) => void
    listener(Buffer.from(JSON.stringify(message)), isBinary)
  }

  pong(): void {
    this.#heard.get('pong')?.()
  }

  gone(): void {
    this.#heard.get('close')?.()
  }

  /** The stages as it was told of them last: each name, and whether it is gone. */
  stages(): readonly (readonly [string | undefined, boolean])[] {
    const told = this.told.flatMap((one) => ('stages' in one ? [one.stages ?? []] : []))
    return told.at(-1)?.map(({ report, gone }) => [report?.name, gone]) ?? []
  }
}

export const report = (name: string, visible = true): PageMessage => ({
  kind: 'stage',
  report: {
    name, pace: 'idle', on: [], p50: null, p95: null, framesDropped: 0, seeks: 0, visible,
    offsetMs: 0, errors: [],
  },
})
