// `cartwall serve`: starts the daemon, says when it is ready, and ends it on a signal.
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULTS } from '../contract/limits.js'
import { DEFAULT_CONFIG, readConfig, withFlags } from '../io/config.js'
import { faultLine } from '../io/fault.js'
import type { Daemon, DaemonOptions } from '../main.js'
import { startSound } from '../sound-start.js'
import { serveArguments } from './arguments.js'
import { complain, EXIT, say } from './outcome.js'
import { DEMO_SHOW } from './version.js'

/** A daemon that does not end in this time is left where it is. */
const STOP_MS_MAX = 5_000

export const runServe = async (args: readonly string[]): Promise<number> => {
  const { show, config: configPath, flags, logLevel, record } = serveArguments(args)
  let config = DEFAULT_CONFIG
  if (configPath !== null) {
    const answer = await readConfig(configPath)
    if (!answer.ok) {
      complain(faultLine('the configuration', configPath, answer.faults))
      return EXIT.failed
    }
    config = answer.config
  }
  config = withFlags(config, flags)
  if (!config.api.enabled) {
    complain('the API is switched off: set api.enabled to true in the configuration to serve')
    return EXIT.failed
  }
  return serve({
    showPath: show === null ? DEMO_SHOW : resolve(show),
    config,
    logLevel,
    record: record === null ? null : resolve(record),
  })
}

const serve = async (options: Omit<DaemonOptions, 'sound'>): Promise<number> => {
  // From here on, so that a signal during the start ends it in order too.
  const signals = new Signals()
  // A reader of stdout or stderr that went away is no reason to fall silent on the speakers.
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  // The device opens while the rest is read.
  const sound = startSound(options.config.audio)
  // Loaded only now: a signal while it loads counts, and a bad configuration is told at once.
  const { startDaemon, StartError } = await import('../main.js')
  let daemon: Daemon
  try {
    daemon = await startDaemon({ ...options, sound })
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    complain(error.message)
    return EXIT.failed
  }
  say(`cartwall: ready on http://${daemon.authority}${DEFAULTS.apiPrefix}`)
  signals.onReload(() => {
    daemon.reload().catch((error: unknown) => {
      complain(`the show was not reloaded: ${String(error)}`)
    })
  })
  const reason = await signals.ended
  return stopped(daemon, reason)
}

const stopped = async (daemon: Daemon, reason: string): Promise<number> => {
  // The loser of this race holds nothing open: the command exits with its answer.
  const outcome = await Promise.race([daemon.stop(reason), sleep(STOP_MS_MAX, 'late' as const)])
  if (outcome !== 'late') return EXIT.fine
  complain(`did not end within ${String(STOP_MS_MAX / 1000)} s of ${reason}; left as it is`)
  return EXIT.failed
}

/** The first SIGINT or SIGTERM ends the daemon, further ones change nothing; SIGHUP reloads. */
class Signals {
  readonly ended: Promise<string>
  #reload: (() => void) | null = null
  #reloadWanted = false

  constructor() {
    this.ended = new Promise((end) => {
      process.on('SIGINT', () => {
        end('SIGINT')
      })
      process.on('SIGTERM', () => {
        end('SIGTERM')
      })
    })
    process.on('SIGHUP', () => {
      if (this.#reload === null) this.#reloadWanted = true
      else this.#reload()
    })
  }

  onReload(reload: () => void): void {
    this.#reload = reload
    if (this.#reloadWanted) reload()
  }
}
