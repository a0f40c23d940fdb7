// What the server is built over and asks of whoever runs it.
import type { Logger } from 'pino'
import type { Player } from '../engine/player.js'

export interface ApiOptions {
  readonly player: Player
  /** The bound ip:port, which the Host of every request must equal (5). Read at every request. */
  readonly authority: string
  /** False: the configuration withholds the API. */
  readonly entitled: () => boolean
  readonly logger: Logger | null
  /** True from the moment a shutdown began: commands are refused, reads go on. */
  readonly shuttingDown: () => boolean
}
