// Listens to a media port as an engine would: consumes facts, reads what was supplied, in order.
import { frame } from '../../src/clock/frame.js'
import type { Fact, MediaPort, MediaStream, OpenRequest } from '../../src/engine/ports.js'
import type { Sound } from './media-files.js'

export interface Heard {
  readonly sound: Sound
  readonly ended: Extract<Fact, { kind: 'ended' }> | null
  readonly broken: string | null
  /** Milliseconds from the opening to the first `supplied`. */
  readonly firstMs: number
  readonly stream: MediaStream
}

type StreamFact = Extract<Fact, { readonly stream: number }>

export class MediaListener {
  readonly #waiting = new Map<number, (fact: StreamFact) => void>()
  readonly #tickets = new Map<number, (found: boolean) => void>()
  #next = 1
  /** Facts of streams that nobody plays. */
  readonly unclaimed: StreamFact[] = []

  readonly post = (fact: Fact): void => {
    if (fact.kind === 'checked') this.#tickets.get(fact.ticket)?.(fact.found)
    else if ('stream' in fact) {
      const waiting = this.#waiting.get(fact.stream)
      if (waiting === undefined) this.unclaimed.push(fact)
      else waiting(fact)
    }
  }

  check(port: MediaPort, path: string): Promise<boolean> {
    return new Promise((settle) => {
      const ticket = this.#next++
      this.#tickets.set(ticket, settle)
      port.check(ticket, path, 'command')
    })
  }

  request(path: string, from: number, to: number | null): OpenRequest {
    const stream = this.#next++
    const range = { from: frame(from), to: to === null ? null : frame(to) }
    const ahead = frame(4_800)
    return { stream, buttonId: 'b', purpose: 'start', path, ...range, ahead, hold: false }
  }

  /** What is heard from a Start on to the end, in blocks of 10 ms; the stream is closed. */
  async hear(port: MediaPort, path: string, from: number, to: number | null): Promise<Heard> {
    const heard = await this.play(port, this.request(path, from, to), 480)
    heard.stream.close()
    return heard
  }

  /** Reads a stream to its end, in blocks of `block` frames, and keeps it open. */
  play(port: MediaPort, request: OpenRequest, block: number): Promise<Heard> {
    return new Promise((settle, reject) => {
      const blocks: Sound[] = []
      const begun = performance.now()
      let firstMs = Number.NaN
      let at: number = request.from
      let until: number = request.from
      let ended: Extract<Fact, { kind: 'ended' }> | null = null
      let stream: MediaStream | null = null
      const finish = (broken: string | null): void => {
        this.#waiting.delete(request.stream)
        const sound = { left: join(blocks, 'left'), right: join(blocks, 'right') }
        if (stream !== null) settle({ sound, ended, broken, firstMs, stream })
      }
      const drain = (): void => {
        while (stream !== null && at < until) {
          const count = Math.min(block, until - at)
          const into = { left: new Float32Array(count), right: new Float32Array(count) }
          stream.read(frame(at), into, 0, count)
          stream.passed(frame(at + count))
          blocks.push(into)
          at += count
        }
        if (ended !== null && at >= ended.end) finish(null)
      }
      this.#waiting.set(request.stream, (fact) => {
        if (fact.kind === 'supplied') {
          if (Number.isNaN(firstMs)) firstMs = performance.now() - begun
          if (fact.until <= until) reject(new Error('supplied does not grow'))
          until = fact.until
        } else if (fact.kind === 'ended') ended = fact
        else {
          drain()
          finish(fact.message)
          return
        }
        // A posted fact is queued: the engine never reads within the port's own call.
        setImmediate(drain)
      })
      stream = port.open(request)
    })
  }
}

const join = (blocks: readonly Sound[], side: 'left' | 'right'): Float32Array => {
  const whole = new Float32Array(blocks.reduce((sum, block) => sum + block[side].length, 0))
  let at = 0
  for (const block of blocks) {
    whole.set(block[side], at)
    at += block[side].length
  }
  return whole
}

/** The first frame at which two sounds differ, or null; a length that differs counts too. */
export const firstDifference = (a: Sound, b: Sound): number | null => {
  const shared = Math.min(a.left.length, b.left.length)
  for (let n = 0; n < shared; n += 1) {
    if (a.left[n] !== b.left[n] || a.right[n] !== b.right[n]) return n
  }
  return a.left.length === b.left.length ? null : shared
}

export const part = (sound: Sound, from: number, to: number): Sound => ({
  left: sound.left.subarray(from, to),
  right: sound.right.subarray(from, to),
})
