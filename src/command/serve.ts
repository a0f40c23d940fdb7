// `cartwall serve`: starts the daemon, says when it is ready, and ends it on a signal.
import { resolve } from 'node:path'
import { realTimers } from '../clock/real.js'
import type { Timers } from '../clock/timers.js'
import { waited } from '../clock/waiting.js'
import { DEFAULTS } from '../contract/limits.js'
import { DEFAULT_CONFIG, readConfig, withFlags } from '../io/config.js'
import { faultLine } from '../io/files/fault.js'
import { forgetNearModules } from '../io/programs.js'
import { LogLink } from '../io/log/log-link.js'
import type { Daemon, DaemonOptions } from '../daemon/daemon.js'
import { exitProcess } from '../daemon/process-exit.js'
import { StartError } from '../daemon/listen.js'
import type { LogFormat } from '../io/log/log-messages.js'
import { startSound } from '../sound/sound-start.js'
import { serveArguments } from './arguments.js'
import { complain, EXIT, inWords, say } from './outcome.js'
import type { Signals } from './signals.js'
import { DEMO_SHOW } from '../daemon/package.js'

/** A daemon that does not end in this time is left where it is. */
const STOP_MS_MAX = 5_000

export const runServe = async (args: readonly string[], signals: Signals): Promise<number> => {
  const { show, config: configPath, flags, logLevel, logFormat, record } = serveArguments(args)
  let config = DEFAULT_CONFIG
  if (configPath !== null) {
    // Its disk may hang, and then it is read for ever.
    const answer = await Promise.race([readConfig(configPath), signals.ended])
    if (typeof answer === 'string') return EXIT.fine
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
  const options = {
    showPath: show === null ? DEMO_SHOW : resolve(show),
    config,
    logLevel,
    record: record === null ? null : resolve(record),
    timers: realTimers(),
  }
  // Every path is known. The folder that it was started in may be made anew, e.g. with its show,
  // and without one no thread starts; nor does it keep a disk from being taken out.
  process.chdir('/')
  forgetNearModules(process.env)
  return serve(signals, options, logFormat ?? (process.stderr.isTTY ? 'pretty' : 'json'))
}

type ServeOptions = Omit<DaemonOptions, 'sound' | 'output'>

const serve = async (
  signals: Signals, options: ServeOptions, format: LogFormat,
): Promise<number> => {
  // The device opens while the rest is read.
  const sound = startSound(options.config.audio)
  const output = new LogLink(options.timers, format)
  redirect(output)
  try {
    const served = serveUntil(signals, { ...options, sound, output })
    return await Promise.race([served, overdue(signals, options.timers, output)])
  } catch (error) {
    output.write(inWords(error))
    return EXIT.failed
  } finally {
    await output.close()
  }
}

const serveUntil = async (signals: Signals, options: DaemonOptions): Promise<number> => {
  // Loaded only now: a signal while it loads counts, and a bad configuration is told at once.
  const { startDaemon } = await import('../daemon/daemon.js')
  let daemon: Daemon
  try {
    daemon = await startDaemon(options)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    complain(error.message)
    return EXIT.failed
  }
  for (const authority of daemon.authorities) {
    say(`cartwall: ready on http://${authority}${DEFAULTS.apiPrefix}`)
  }
  signals.onReload(() => {
    daemon.reload().catch((error: unknown) => {
      complain(`the show was not reloaded: ${String(error)}`)
    })
  })
  await daemon.stop(await signals.ended)
  return EXIT.fine
}

/** Where all else has not ended in time, or not even begun. */
const overdue = async (signals: Signals, timers: Timers, output: LogLink): Promise<never> => {
  const reason = await signals.ended
  await waited(timers, STOP_MS_MAX)
  complain(`did not end within ${String(STOP_MS_MAX / 1000)} s of ${reason}; left as it is`)
  await output.close()
  return exitProcess(EXIT.failed, true)
}

/**
 * Whatever writes to stdout or stderr goes by the log process: the lines of this command, a package
 * that logs, a thread's complaint, Node's warnings. A reader that does not read blocks none of it.
 */
const redirect = (output: LogLink): void => {
  process.stdout.write = through((text) => {
    output.say(text)
  })
  process.stderr.write = through((text) => {
    output.write(text)
  })
  // Node's own listener writes to the descriptor itself.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    output.write(inWords(warning))
  })
  process.on('uncaughtException', (error) => {
    output.write(inWords(error))
    void output.close().finally(() => exitProcess(EXIT.failed))
  })
}

const through = (put: (text: string) => void): typeof process.stdout.write =>
  (chunk: Uint8Array | string, ...rest: readonly unknown[]): boolean => {
    put(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
    const done = rest.at(-1)
    if (typeof done === 'function') (done as () => void)()
    return true
  }
