// Reads the flags of a simulation command; what it does not know it refuses.

export class Usage extends Error {}

export interface Flags {
  readonly words: readonly string[]
  number(name: string, fallback: number): number
  has(name: string): boolean
}

/** `--name value` for the names in `numbers`, `--name` alone for those in `switches`. */
export const flagsOf = (
  argv: readonly string[], numbers: readonly string[], switches: readonly string[],
): Flags => {
  const values = new Map<string, number>()
  const on = new Set<string>()
  const words: string[] = []
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i]!
    const name = word.replace(/^--/, '')
    if (!word.startsWith('--')) words.push(word)
    else if (switches.includes(name)) on.add(name)
    else if (numbers.includes(name)) {
      i += 1
      const value = Number(argv[i])
      if (!Number.isSafeInteger(value) || value < 0) throw new Usage(`${word} takes a whole number`)
      values.set(name, value)
    } else throw new Usage(`unknown flag ${word}`)
  }
  return {
    words,
    number: (name, fallback) => values.get(name) ?? fallback,
    has: (name) => on.has(name),
  }
}
