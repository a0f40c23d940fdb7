// What the server is built over and asks of whoever runs it.
import type { Logger } from 'pino'
import type { Timers } from '../clock/timers.js'
import type { Player } from '../engine/player.js'
import type { Authority } from './host-check.js'
import type { LiveSource } from './live/source.js'
import type { Origins } from './origins.js'
import type { PagesSource } from './pages/source.js'

export interface ApiOptions {
  /** The time of the thread that serves: for deadlines and heartbeats. */
  readonly timers: Timers
  readonly player: Player
  /** The bound ip:port, which the Host of every request must equal (5). Read at every request. */
  readonly authority: Authority
  /** False: the configuration withholds the API. */
  readonly entitled: () => boolean
  readonly logger: Logger | null
  /**
   * Whether each answer is held against its schema: where tests and simulations ask, who get every
   * kind of answer. A schema costs an answer a fifth of its time.
   */
  readonly checksAnswers: boolean
  /** True from the moment a shutdown began: commands are refused, reads go on. */
  readonly shuttingDown: () => boolean
  /** Whose web pages may call. */
  readonly origins: Origins
  /** What GET /live is served from; null: there is none. */
  readonly live: LiveSource | null
  /** What the wall and the stage are served from; null: there are no pages. */
  readonly pages: PagesSource | null
}
