// What all commands of the simulation share: flags, of which unknown ones are refused, and results.
import { parseArgs } from 'node:util'

export class Usage extends Error {}

/** `--help` was said: no fault. */
export class HelpAsked extends Error {}

type Said<Flags> = {
  readonly [Name in keyof Flags]: Flags[Name] extends boolean ? boolean : number
}

/**
 * What may be said as `--name N`, or as `--name` for what is false else; `--json` always may.
 *
 * @param wordsMax how many words beside these the command takes. npm keeps every option for itself
 * that no `--` stands before: of `npm run sim run --seeds 5` only the words `run 5` arrive.
 */
export const flagsOf = <Flags extends Readonly<Record<string, number | boolean>>>(
  argv: readonly string[], usual: Flags, wordsMax = 0,
) => {
  const begin = process.hrtime.bigint()
  const known = Object.entries<number | boolean>({ ...usual, json: false, help: false })
  const { values, positionals: words } = parsed(argv, known)
  if (values['help'] === true) throw new HelpAsked()
  if (words.length > wordsMax) {
    const word = JSON.stringify(words[wordsMax])
    throw new Usage(`${word} is one word too many; npm hands options on behind "--" alone: ` +
      'npm run sim -- run --seeds 5')
  }
  const flags = Object.fromEntries(known.map(([name, plain]) =>
    [name, typeof plain === 'boolean' ? values[name] === true : whole(name, values[name] ?? plain)],
  )) as Said<Flags & { json: boolean }>
  /** Prints the result, a line for a person or with --json for a program; answers the exit code. */
  const report = (isWell: boolean, result: object, line: string): 0 | 1 => {
    const wallSeconds = Number(process.hrtime.bigint() - begin) / 1e9
    process.stdout.write(flags.json ? `${JSON.stringify({ ...result, wallSeconds })}\n`
      : `${line}, in ${wallSeconds.toFixed(1)} s\n`)
    return isWell ? 0 : 1
  }
  return { ...flags, words, report }
}

const parsed = (argv: readonly string[], known: readonly (readonly [string, unknown])[]) => {
  const options = Object.fromEntries(known.map(([name, plain]) =>
    [name, { type: typeof plain === 'boolean' ? 'boolean' as const : 'string' as const }]))
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    throw new Usage((error as Error).message)
  }
}

const whole = (name: string, value: unknown): number => {
  if (/^\d+$/.test(String(value)) && Number.isSafeInteger(Number(value))) return Number(value)
  throw new Usage(`--${name} takes a whole number`)
}
