// What all commands of the simulation share: flags, of which unknown ones are refused, and results.
import { parseArgs } from 'node:util'

export class Usage extends Error {}

/** `--name N` for the names in `numbers`, `--name` alone for those in `switches`. */
export const flagsOf = (
  argv: readonly string[], numbers: readonly string[], switches: readonly string[],
) => {
  const begin = process.hrtime.bigint()
  const { values, positionals: words } = parsed(argv, numbers, switches)
  const has = (name: string): boolean => values[name] === true
  return {
    words,
    has,
    number: (name: string, fallback: number): number => {
      const value = values[name] ?? fallback
      const whole = Number(value)
      if (/^\d+$/.test(`${value}`) && Number.isSafeInteger(whole)) return whole
      throw new Usage(`--${name} takes a whole number`)
    },
    /** Prints the result: a line for a person, or with --json for a program. */
    report: (result: object, line: string): void => {
      const wallSeconds = Number(process.hrtime.bigint() - begin) / 1e9
      process.stdout.write(has('json') ? `${JSON.stringify({ ...result, wallSeconds })}\n`
        : `${line}, in ${wallSeconds.toFixed(1)} s\n`)
    },
  }
}

const parsed = (
  argv: readonly string[], numbers: readonly string[], switches: readonly string[],
) => {
  const option = (type: 'string' | 'boolean') => (name: string) => [name, { type }] as const
  const options = Object.fromEntries(
    [...numbers.map(option('string')), ...switches.map(option('boolean'))])
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    throw new Usage((error as Error).message)
  }
}
