// The samples of docs/client.md as a test runs them: under which heading, and with which list.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Background } from '../../src/client/client.js'

const DOCS = readFileSync(join(import.meta.dirname, '../../docs/client.md'), 'utf8')

/** The first sample below a heading, from where its list is made, with the beds of another show. */
export const listSample = (heading: string, ...beds: readonly string[]): string => {
  const below = DOCS.split(`# ${heading}\n`)[1] ?? ''
  const [, sample = ''] = /^[^#]*?```ts\n([^`]*)```/.exec(below) ?? []
  return sample.replace(/[^]*?(?=const background)/, '')
    .replace(/beds: \[.*\]/, `beds: [${beds.map((id) => `'${id}'`).join(', ')}]`)
}

/** `Background` in a sample, and what it made of it. */
export const listsMade = () => {
  const made: Background[] = []
  class Own extends Background {
    constructor(...those: ConstructorParameters<typeof Background>) {
      super(...those)
      made.push(this)
    }
  }
  return { Own, made }
}
