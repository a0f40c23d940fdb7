// The lines of the log as people read them: one line each, coloured at a terminal, by pino-pretty.
import { shown } from '../files/terminal-text.js'
import type { LogFormat } from './log-messages.js'

/** What becomes of a batch of whole lines before it is written. */
export type Shape = (text: string) => string

/**
 * The package is loaded where it is wanted only: a service's log needs none of it.
 * A file has no colours, nor has a terminal where `NO_COLOR` is set (no-color.org).
 */
export const shapeOf = async (format: LogFormat, isTerminal: boolean): Promise<Shape> => {
  if (format === 'json') return (text) => text
  const { prettyFactory } = await import('pino-pretty')
  const colorize = isTerminal && (process.env['NO_COLOR'] ?? '') === ''
  const pretty = prettyFactory({ colorize, translateTime: 'SYS:HH:MM:ss.l' })
  return (text) =>
    text.split('\n').map((line) => (isEntry(line) ? shaped(pretty(read(line)), line) : line))
      .join('\n')
}

/** A title or a name may hold what a terminal would obey; only a stack is several lines. */
const read = (line: string): unknown => {
  try {
    return JSON.parse(line, (key, value: unknown) =>
      typeof value !== 'string' ? value
        : key === 'stack' ? value.split('\n').map(shown).join('\n') : shown(value))
  } catch {
    return line
  }
}

/** What others write to stderr, e.g. Node's warnings, stays as it is. */
const isEntry = (line: string): boolean => line.startsWith('{') && line.endsWith('}')

const shaped = (pretty: string | undefined, line: string): string => (pretty ?? line).trimEnd()
