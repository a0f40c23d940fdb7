// Panic: the first press fades all sound, the next one within five seconds cuts it.
//
// It is never guarded, does not ask whether there is a connection, and takes back every other
// request of the page first, so that it waits behind none and nothing starts after it.
import type { PressPorts } from './press/press-machine.js'
import { send, type Outcome, type Sending } from './press/sender.js'

const CUT_WITHIN_MS = 5_000

export type PanicWay = 'fade' | 'cut'

export type PanicState =
  | { readonly kind: 'calm' }
  | { readonly kind: 'sent'; readonly way: PanicWay }
  | { readonly kind: 'done'; readonly way: PanicWay; readonly fading: number;
      readonly stopped: number }
  | { readonly kind: 'not_sent'; readonly message: string | null;
      readonly mayHaveArrived: boolean }
  /** That was not sent, while there was no connection; by now there is one again. */
  | { readonly kind: 'missed'; readonly mayHaveArrived: boolean }

export class PanicMachine {
  readonly #ports: PressPorts
  readonly #takeBackOthers: () => void
  readonly #changed: (state: PanicState) => void
  #fadeMs: number
  #last = -Infinity
  /** The latest, and those before it up to one that was answered. */
  readonly #sendings: Sending[] = []
  /** The latest has no answer yet. */
  #isUnderWay = false

  constructor(
    ports: PressPorts, fadeMs: number, takeBackOthers: () => void,
    changed: (state: PanicState) => void,
  ) {
    this.#ports = ports
    this.#fadeMs = fadeMs
    this.#takeBackOthers = takeBackOthers
    this.#changed = changed
  }

  set fadeMs(ms: number) {
    this.#fadeMs = ms
  }

  /** What the next press would do. */
  wayAt(now: number): PanicWay {
    return now - this.#last <= CUT_WITHIN_MS ? 'cut' : 'fade'
  }

  press(): void {
    this.#takeBackOthers()
    const now = this.#ports.now()
    const way = this.wayAt(now)
    this.#last = now
    const sending = send(this.#ports, '/stop', { fadeOutMs: way === 'cut' ? 0 : this.#fadeMs })
    this.#sendings.push(sending)
    this.#isUnderWay = true
    this.#changed({ kind: 'sent', way })
    void sending.outcome.then((result) => {
      if (result.kind === 'done') this.#takeBackBefore(sending)
      // Where another panic came meanwhile that one has the word, unless it was in vain.
      const isLatest = sending === this.#sendings.at(-1)
      if (isLatest) this.#isUnderWay = false
      const isDone = result.kind === 'done' && !this.#isUnderWay
      if (isLatest || isDone) this.#changed(stateAfter(way, result))
    })
  }

  /** All is silent: one that came late would fade what was started since. */
  #takeBackBefore(sending: Sending): void {
    const count = Math.max(0, this.#sendings.indexOf(sending))
    for (const each of this.#sendings.splice(0, count)) each.takeBack()
  }
}

const stateAfter = (way: PanicWay, outcome: Outcome): PanicState => {
  switch (outcome.kind) {
    case 'done': {
      const { fadingOut, stopped } = outcome.body as { fadingOut: number; stopped: number }
      return { kind: 'done', way, fading: fadingOut, stopped }
    }
    case 'refused':
      return { kind: 'not_sent', message: outcome.message, mayHaveArrived: true }
    case 'not_sent':
      return { kind: 'not_sent', message: null, mayHaveArrived: outcome.mayHaveArrived }
    case 'taken_back':
      return { kind: 'not_sent', message: null, mayHaveArrived: true }
  }
}
