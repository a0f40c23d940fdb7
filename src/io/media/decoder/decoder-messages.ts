// What the daemon and its decoding process say to each other, as data.
import type { Look, Looking } from '../look/file-look.js'
import type { MediaFacts, ProbeAnswer } from '../probe/probe-file.js'
import type { WaveAnswer, WaveAsked, WaveLink } from '../../waves/wave-messages.js'

/** A decode of one range. Frames are of 48 kHz, counted from the source's first one. */
export interface DecodeRequest {
  readonly path: string
  /**
   * The frame at which the listener's pass begins. The decoder is prerolled from there whatever
   * `from` is, so that a decode that takes over in mid-pass repeats the pass bit for bit: a lossy
   * decoder's output depends on where it began (noise substitution in AAC is seeded by history).
   */
  readonly origin: number
  /** The first frame wanted; at or past `origin`. */
  readonly from: number
  readonly to: number | null
  /** Send no more than about this far until told otherwise. */
  readonly until: number
  /** Nobody waits for it: it runs at a low priority. */
  readonly background: boolean
}

/** Whoever a decode is for: pieces in order, then `done`, `died` or `failed` once. */
export interface DecodeListener {
  pcm(left: Float32Array, right: Float32Array): void
  silence(count: number): void
  done(end: number, source: number | null): void
  /** The decoder or its process was killed or hung: the file is not to blame. */
  died(message: string): void
  failed(message: string): void
}

/** What a stream needs of the decoding process. */
export interface Decoding {
  decode(request: DecodeRequest, listener: DecodeListener): number
  want(job: number, until: number): void
  drop(job: number): void
}

/** What may be asked of it about a file: it answers, whatever the file's disk does. */
export interface Inquiring extends Looking {
  probe(path: string): Promise<ProbeAnswer>
  readonly waves: WaveLink
}

export type ToHost =
  | { readonly kind: 'decode'; readonly job: number; readonly request: DecodeRequest }
  | { readonly kind: 'want'; readonly job: number; readonly until: number }
  | { readonly kind: 'drop'; readonly job: number }
  | { readonly kind: 'probe'; readonly job: number; readonly path: string }
  | {
      readonly kind: 'look'
      readonly job: number
      readonly path: string
      /** How long its disk may take. */
      readonly patienceMs: number
    }
  | { readonly kind: 'wave'; readonly job: number; readonly question: WaveAsked }
  | { readonly kind: 'hold_waves'; readonly holds: boolean }
  | { readonly kind: 'rest_waves' }
  /** Answered at once by whoever is alive. */
  | { readonly kind: 'ping' }

/** `done.end`: where the frames end; `done.source`: the source's length where that was met. */
export type FromHost =
  | {
      readonly kind: 'pcm'
      readonly job: number
      readonly left: Float32Array
      readonly right: Float32Array
    }
  | { readonly kind: 'silence'; readonly job: number; readonly count: number }
  | {
      readonly kind: 'done'
      readonly job: number
      readonly end: number
      readonly source: number | null
    }
  | { readonly kind: 'died' | 'failed'; readonly job: number; readonly message: string }
  | { readonly kind: 'looked'; readonly job: number; readonly look: Look }
  | { readonly kind: 'pong' }
  /** Whoever connects there gets what is decoded from then on. */
  | { readonly kind: 'listening'; readonly path: string }
  | { readonly kind: 'facts'; readonly job: number; readonly facts: MediaFacts }
  | { readonly kind: 'wave'; readonly job: number; readonly answer: WaveAnswer }

/** What is said about one job. */
export type JobMessage = Extract<FromHost, { readonly job: number }>
