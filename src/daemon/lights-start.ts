// The lights as the daemon runs them: sent where the configuration allows, each change in the log.
import type { Logger } from 'pino'
import { isDmxAllowed, type Config } from '../io/config.js'
import { createLights, type Lights } from '../io/lights/lights.js'

export const openLights = (config: Config, time: SharedArrayBuffer, log: Logger): Lights =>
  createLights({
    ...config.dmx,
    output: isDmxAllowed(config) ? config.dmx.output : 'none',
    time,
    changed: ({ state, message }) => {
      if (state === 'failing') log.error({ detail: message }, 'lights are not sent')
      else log.info(`lights ${state}`)
    },
  })
