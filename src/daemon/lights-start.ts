// The lights as the daemon runs them: sent where the configuration allows, each change in the log.
import type { Timers } from '../clock/timers.js'
import type { Logger } from 'pino'
import { isDmxAllowed, type Config } from '../io/config.js'
import { Lights } from '../io/lights/lights.js'

export interface LightsSurroundings {
  readonly config: Config
  readonly timers: Timers
}

export const openLights = (
  { config, timers }: LightsSurroundings, time: SharedArrayBuffer, log: Logger,
): Lights =>
  new Lights({
    timers,
    ...config.dmx,
    output: isDmxAllowed(config) ? config.dmx.output : 'none',
    time,
    changed: ({ state, message }) => {
      if (state === 'failing') log.error({ detail: message }, 'lights are not sent')
      else log.info(`lights ${state}`)
    },
  })
