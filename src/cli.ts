#!/usr/bin/env node
// The command `cartwall`: finds the part that was asked for, and exits as it says.
import {
  ArgumentError, complain, EXIT, inWords, letReadersLeave, say, wasRead,
} from './command/outcome.js'
import { Signals } from './command/signals.js'
import { isCommand, usageOf, type CommandName } from './command/usage.js'
import { exitProcess } from './daemon/process-exit.js'
import { version } from './daemon/package.js'

type Run = (args: readonly string[]) => Promise<number>

/** Loaded when asked for, so that `cartwall version` need not load the daemon. */
const loadCommand = async (name: CommandName): Promise<Run> => {
  switch (name) {
    case 'serve': {
      const signals = new Signals()
      const { runServe } = await import('./command/serve.js')
      return (args) => runServe(args, signals)
    }
    case 'check':
      return (await import('./command/check.js')).runCheck
    case 'new':
      return (await import('./command/new.js')).runNew
    case 'add':
      return (await import('./command/add.js')).runAdd
    case 'schema':
      return (await import('./command/schema.js')).runSchema
    case 'devices':
      return (await import('./command/devices.js')).runDevices
    case 'dmx':
      return (await import('./command/dmx.js')).runDmx
    case 'replay':
      return (await import('./command/replay.js')).runReplay
    case 'help':
      return runHelp
    case 'version':
      return runVersion
  }
}

const runHelp: Run = (args) => {
  const [name, ...rest] = args
  if (rest.length > 0) throw new ArgumentError('help takes one command at most')
  if (name !== undefined && !isCommand(name)) throw new ArgumentError(unknown(name))
  process.stdout.write(usageOf(name ?? null))
  return Promise.resolve(EXIT.fine)
}

const runVersion: Run = (args) => {
  if (args.length > 0) throw new ArgumentError('version takes no arguments')
  say(version())
  return Promise.resolve(EXIT.fine)
}

const unknown = (name: string): string => `there is no command ${JSON.stringify(name)}`

const main: Run = async (args) => {
  const [name, ...rest] = args
  // Asked for anywhere before a `--`, these two win over whatever else stands there.
  const end = args.indexOf('--')
  const words = end === -1 ? args : args.slice(0, end)
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(usageOf(name !== undefined && isCommand(name) ? name : null))
    return EXIT.fine
  }
  if (words.includes('--version')) return runVersion([])
  if (name === undefined) throw new ArgumentError('say which command')
  if (!isCommand(name)) throw new ArgumentError(unknown(name))
  return (await loadCommand(name))(rest)
}

const run = async (args: readonly string[]): Promise<number> => {
  try {
    return await main(args)
  } catch (error) {
    if (error instanceof ArgumentError) {
      complain(`${error.message}; ${helpFor(args)} tells more`)
      return EXIT.badArguments
    }
    process.stderr.write(inWords(error))
    return EXIT.failed
  }
}

/** The help of the command that was meant, where that can be told. */
const helpFor = ([name]: readonly string[]): string =>
  name !== undefined && isCommand(name) && name !== 'help'
    ? `cartwall help ${name}`
    : 'cartwall help'

const args = process.argv.slice(2)
// What the daemon says goes by its log process, and nobody's reading may hold up its end.
const isServe = args[0] === 'serve'
if (!isServe) letReadersLeave()
const code = await run(args)
// Whatever may still hold the process must not: a command that ended has ended.
await exitProcess(isServe ? code : await wasRead(code))
