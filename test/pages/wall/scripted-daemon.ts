// A daemon at the end of a bad line, and the press of a button, for tests of what the wall sends.
import type { Press } from '../../../src/pages/wall/press/press.js'
import type { PressPorts } from '../../../src/pages/wall/press/press-machine.js'
import type { Sent } from '../../../src/pages/wall/press/sender.js'
import { PageTime } from './page-time.js'

export const PLAY = {
  kind: 'send', command: { kind: 'play', buttonId: 'b1', options: null },
} as const satisfies Press
export const OK: Sent = { status: 202, body: { result: 'accepted' } }
type Answer = Sent | 'broken' | 'silent'

/** It answers what the test says, and keeps what it was asked. */
export class ScriptedDaemon {
  readonly asked: { readonly at: number; readonly path: string; readonly key: string }[] = []
  readonly bodies: unknown[] = []
  answers: Answer[] = []
  readonly time = new PageTime()
  #keys = 0

  readonly ports: PressPorts = {
    now: this.time.now,
    after: this.time.after,
    key: () => `key-${(this.#keys += 1)}`,
    post: (path, body, key, signal) => {
      this.asked.push({ at: this.time.now(), path, key })
      this.bodies.push(body)
      const answer = this.answers.shift() ?? OK
      if (answer === 'broken') return Promise.reject(new Error('connection reset'))
      if (answer !== 'silent') return Promise.resolve(answer)
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      })
    },
  }
}
