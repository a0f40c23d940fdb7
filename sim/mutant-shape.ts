// What a planted bug is: a name, and words of one source file that are put in place of others.

export interface Mutant {
  readonly name: string
  /** In src/engine. */
  readonly file: string
  /** Stands in the file exactly once. */
  readonly find: string
  readonly put: string
}

export const at = (file: string, name: string, find: string, put: string): Mutant =>
  ({ name, file, find, put })
