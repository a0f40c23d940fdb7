// Reads a command's arguments strictly: what is not known is an error, in one line.
import { parseArgs } from 'node:util'
import { sinkOf, SINK_RULE } from '../io/config.js'
import { HOST_RULE, isHost, isPort, PORT_RULE } from '../io/listen-address.js'
import type { ConfigFlags } from '../io/config.js'
import { LOG_FORMATS, type LogFormat } from '../io/log/log-messages.js'
import type { Depth } from './check-decodes.js'
import { ArgumentError } from './outcome.js'

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const TEXT = { type: 'string' } as const

/** What each command takes by name; `--help` tells all of it (usage.ts). */
export const OPTIONS = {
  serve: {
    show: TEXT,
    config: TEXT,
    host: TEXT,
    port: TEXT,
    sink: TEXT,
    'log-level': TEXT,
    'log-format': TEXT,
    record: TEXT,
  },
  check: { decode: { type: 'boolean' } },
  add: { show: TEXT, playlist: TEXT },
  dmx: { at: { type: 'string', default: '0s' }, json: { type: 'boolean', default: false } },
} as const

export interface ServeArguments {
  readonly show: string | null
  readonly config: string | null
  readonly flags: ConfigFlags
  readonly logLevel: LogLevel
  /** Null: as stderr is a terminal or not. */
  readonly logFormat: LogFormat | null
  readonly record: string | null
}

export const serveArguments = (args: readonly string[]): ServeArguments => {
  const { values, positionals: [first] } = strictly(() =>
    parseArgs({ args: [...args], options: OPTIONS.serve, allowPositionals: true, strict: true }))
  // As `check` takes it.
  if (first !== undefined) {
    throw new ArgumentError(
      `unexpected argument ${JSON.stringify(first)}: the show is named by --show FILE`)
  }
  for (const name of ['show', 'config', 'record'] as const) {
    if (values[name] === '') throw new ArgumentError(`--${name} must name a file`)
  }
  return {
    show: values.show ?? null,
    config: values.config ?? null,
    flags: {
      host: hostFlag(values.host ?? null),
      port: portFlag(values.port ?? null),
      sink: sinkFlag(values.sink ?? null),
    },
    logLevel: levelFlag(values['log-level'] ?? 'info'),
    logFormat: formatFlag(values['log-format'] ?? null),
    record: values.record ?? null,
  }
}

export interface AddArguments {
  readonly files: readonly string[]
  readonly show: string
  /** Null: the only one. */
  readonly playlist: string | null
}

export const addArguments = (args: readonly string[]): AddArguments => {
  const { values, positionals: files } = strictly(() =>
    parseArgs({ args: [...args], options: OPTIONS.add, allowPositionals: true, strict: true }))
  if (files.length === 0 || files.includes('')) throw new ArgumentError('FILE is missing')
  if (values.show === '') throw new ArgumentError('--show must name a file')
  return { files, show: values.show ?? 'show.json', playlist: values.playlist ?? null }
}

export interface CheckArguments {
  readonly path: string
  readonly depth: Depth
}

export const checkArguments = (args: readonly string[]): CheckArguments => {
  const { values, positionals: words } = strictly(() =>
    parseArgs({ args: [...args], options: OPTIONS.check, allowPositionals: true, strict: true }))
  return { path: oneOf(words, 'FILE'), depth: values.decode === true ? 'whole' : 'start' }
}

/** Exactly one argument, `what` in the words of the usage. */
export const oneArgument = (args: readonly string[], what: string): string =>
  oneOf(positionals(args), what)

export const oneOf = (words: readonly string[], what: string): string => {
  const [first, ...rest] = words
  if (first === undefined || first === '') throw new ArgumentError(`${what} is missing`)
  if (rest.length > 0) throw new ArgumentError(`one ${what} only, not also ${String(rest[0])}`)
  return first
}

export const noArguments = (args: readonly string[]): void => {
  const [first] = positionals(args)
  if (first !== undefined) throw new ArgumentError(`${first} is one argument too many`)
}

const positionals = (args: readonly string[]): readonly string[] =>
  strictly(() => parseArgs({ args: [...args], allowPositionals: true, strict: true }).positionals)

/** Node's complaint about arguments goes on with advice after the first sentence; one will do. */
export const strictly = <T>(parse: () => T): T => {
  try {
    return parse()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new ArgumentError(message.split(/\. |\n/)[0] ?? message)
  }
}

const hostFlag = (text: string | null): string | null => {
  if (text !== null && !isHost(text)) {
    throw new ArgumentError(`--host must be ${HOST_RULE} (not ${JSON.stringify(text)})`)
  }
  return text
}

const portFlag = (text: string | null): number | null => {
  if (text === null) return null
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (isPort(port)) return port
  throw new ArgumentError(`--port must be ${PORT_RULE} (not ${JSON.stringify(text)})`)
}

const sinkFlag = (text: string | null): ConfigFlags['sink'] => {
  if (text === null) return null
  const sink = sinkOf(text, process.cwd())
  if (sink !== null) return sink
  throw new ArgumentError(`--sink must be ${SINK_RULE} (not ${JSON.stringify(text)})`)
}

const levelFlag = (text: string): LogLevel => {
  const level = LOG_LEVELS.find((known) => known === text)
  if (level !== undefined) return level
  throw unknownWord('--log-level', LOG_LEVELS, text)
}

const formatFlag = (text: string | null): LogFormat | null => {
  const format = LOG_FORMATS.find((known) => known === text) ?? null
  if (text === null || format !== null) return format
  throw unknownWord('--log-format', LOG_FORMATS, text)
}

const unknownWord = (flag: string, known: readonly string[], text: string): ArgumentError =>
  new ArgumentError(`${flag} must be one of ${known.join(', ')} (not ${JSON.stringify(text)})`)
