// A recording of a night: every input of the engine, from which the same events follow again.
//
// The first line of a recording is the header: what the engine was made from. Then, in order:
//   {"at":F,"fact":{…}}      posted when the engine stood at frame F (a catalogue as its show);
//   {"at":F,"command":{…}}   submitted there;
//   {"at":F,"events":N,"hash":"…","wallMs":T}   N events, notices apart, told by then, their
//                                    digest, and the time of day;
//   {"at":F,"gap":N}         N lines were not written, because the disk was too slow;
//   {"at":F,"end":true}      the last frame of the night.
// Ids come from the seed and streams say what the facts say, so the same events follow.
import type { Show } from '../engine/catalogue.js'
import type { Command } from '../engine/commands/commands.js'
import type { EngineEvent } from '../engine/events.js'
import type { Fact } from '../engine/ports.js'

export const RECORDING_VERSION = 3

export interface RecordingHeader {
  readonly kind: 'cartwall-recording'
  readonly version: number
  readonly cartwall: string
  readonly startedAt: string
  readonly seed: number
  readonly origin: number
  readonly dmxAllowed: boolean
  readonly retentionMs: number
  readonly loopHeadBytes: number
  readonly show: Show
}

/** A fact as it is told on: in the place of a catalogue stands what tells the show. */
export type ToldFact<ShowForm> =
  | Exclude<Fact, { kind: 'catalogue' }>
  | { readonly kind: 'catalogue'; readonly show: ShowForm }

export type ToldInput<ShowForm> =
  | { readonly at: number; readonly fact: ToldFact<ShowForm> }
  | { readonly at: number; readonly command: Command }

/** As it is written: a catalogue as the show that it is made from. */
export type RecordedFact = ToldFact<Show>
export type RecordedInput = ToldInput<Show>

/** The digest of all events so far: FNV-1a over UTF-16 units, in two halves of 32 bits. */
export class EventDigest {
  #a = 0x811c9dc5
  #b = 0x01000193
  count = 0

  /** A notice may come from the output too, and changes nothing that a client could see. */
  add(event: EngineEvent): void {
    if (event.kind === 'notice') return
    const text = JSON.stringify(event)
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i)
      this.#a = Math.imul(this.#a ^ unit, 0x01000193)
      this.#b = Math.imul(this.#b ^ unit, 0x85ebca6b)
    }
    this.count += 1
  }

  get hash(): string {
    const half = (value: number): string => (value >>> 0).toString(16).padStart(8, '0')
    return half(this.#a) + half(this.#b)
  }
}

export interface RecordedMark {
  readonly at: number
  readonly events: number
  readonly hash: string
  /** In milliseconds since 1970; recordings of before have none. */
  readonly wallMs?: number
}

export type RecordedLine =
  | RecordingHeader
  | RecordedInput
  | RecordedMark
  | { readonly at: number; readonly gap: number }
  | { readonly at: number; readonly end: true }
