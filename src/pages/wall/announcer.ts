// Says changes to screen readers, no more than once in two seconds: the newest of them.

const ANNOUNCE_EVERY_MS = 2_000
/** What is said at once; older news is dropped, since a person who listens wants the last. */
const WAITING_MOST = 3

export interface AnnouncerPorts {
  now(): number
  after(ms: number, call: () => void): () => void
}

export class Announcer {
  readonly #ports: AnnouncerPorts
  readonly #say: (text: string) => void
  #waiting: string[] = []
  #said = ''
  #last = -Infinity
  #isTimed = false

  constructor(ports: AnnouncerPorts, say: (text: string) => void) {
    this.#ports = ports
    this.#say = say
  }

  announce(text: string): void {
    this.#waiting = [...this.#waiting, text].slice(-WAITING_MOST)
    this.#flush()
  }

  #flush(): void {
    if (this.#isTimed) return
    const rest = this.#last + ANNOUNCE_EVERY_MS - this.#ports.now()
    if (rest > 0) {
      this.#isTimed = true
      this.#ports.after(rest, () => {
        this.#isTimed = false
        this.#flush()
      })
      return
    }
    this.#last = this.#ports.now()
    // The same words again, e.g. of a sting, change nothing on the page and are not read out.
    const text = this.#waiting.join('. ')
    this.#said = text === this.#said ? `${text}\u{a0}` : text
    this.#say(this.#said)
    this.#waiting = []
  }
}
