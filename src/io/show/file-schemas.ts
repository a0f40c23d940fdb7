// The show and the configuration as JSON Schemas, by which editors complete and check them.
//
// They are made from the shapes that check these files, and take at least what those take: what
// concerns several fields at once, `cartwall check` alone can tell. They name no host: an editor
// finds the schema of a show beside it, on every machine and without a network.
import { z } from 'zod'
import { configShape } from '../config.js'
import { showShape } from './show-shape.js'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Beside a show and in the package (`cartwall/show.schema.json`). */
export const SHOW_SCHEMA_FILE = 'show.schema.json'

/** As it stands in a file. */
export const schemaText = (schema: JsonSchema): string => `${JSON.stringify(schema, null, 2)}\n`

/** What a button of a kind cannot be without. */
const NEEDS: readonly (readonly [kinds: string[], key: string])[] = [
  [['audio', 'video', 'image'], 'media'], [['dmx'], 'dmx'], [['navigation'], 'target'],
]

const needs = NEEDS.map(([kinds, key]) => ({
  if: { properties: { kind: { enum: kinds } }, required: ['kind'] },
  then: { required: [key] },
}))

export const showSchema = (version: string): JsonSchema => ({
  title: `A show of cartwall ${version}`,
  ...z.toJSONSchema(showShape, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type !== 'object') return
      // `x-` keys may stand in every object of the format.
      jsonSchema.patternProperties = { '^x-': {} }
      if (jsonSchema.properties?.['kind'] !== undefined) jsonSchema.allOf = needs
    },
  }),
})

export const configSchema = (version: string): JsonSchema => ({
  title: `A configuration of cartwall ${version}`,
  ...z.toJSONSchema(configShape, { io: 'input' }),
})
