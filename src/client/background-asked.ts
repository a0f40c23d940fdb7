// What an app asked of a background and waits for: each wish is answered once.
import type { Intent } from './background-phase.js'

interface Asked {
  readonly intent: Intent
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  /** The app may leave it unanswered: that is no unhandled rejection. */
  readonly excuse: () => void
}

export const closedError = (): Error => new Error('this background was closed')

export class AskedWishes {
  #asked: Asked[] = []

  /** Resolves once the wish was carried out, with what can be told then. */
  add<T = void>(intent: Intent, answer?: () => T): Promise<T> {
    const done = new Promise<T>((resolve, reject) => {
      this.#asked.push({
        intent, reject,
        resolve: () => resolve(answer?.() as T),
        excuse: () => void done.catch(() => undefined),
      })
    })
    return done
  }

  /** Resolves (null) or rejects all of them, or those that are meant. */
  answer(error: unknown, isMeant: (intent: Intent) => boolean = () => true): void {
    const asked = this.#asked.filter(({ intent }) => isMeant(intent))
    this.#asked = this.#asked.filter((one) => !asked.includes(one))
    for (const { resolve, reject } of asked) {
      if (error === null) resolve()
      else reject(error)
    }
  }

  /** What was not carried out will not be. Whoever closes it need not look at that. */
  close(): void {
    for (const { excuse } of this.#asked) excuse()
    this.answer(closedError())
  }
}
