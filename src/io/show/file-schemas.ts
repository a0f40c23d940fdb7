// The show and the configuration as JSON Schemas, by which editors complete and check them.
//
// They are made from the shapes that check these files, and take at least what those take: what
// concerns several fields at once, `cartwall check` alone can tell.
import { z } from 'zod'
import { configShape } from '../config.js'
import { showShape } from './show-shape.js'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Where editors find them; in the package they are `cartwall/show.schema.json` and so on. */
export const schemaUrl = (name: 'show' | 'config', version: string): string =>
  `https://unpkg.com/cartwall@${version}/dist/${name}.schema.json`

/** What a button of a kind cannot be without. */
const NEEDS: readonly (readonly [kinds: string[], key: string])[] = [
  [['audio', 'video', 'image'], 'media'], [['dmx'], 'dmx'], [['navigation'], 'target'],
]

const needs = NEEDS.map(([kinds, key]) => ({
  if: { properties: { kind: { enum: kinds } }, required: ['kind'] },
  then: { required: [key] },
}))

export const showSchema = (version: string): JsonSchema => ({
  $id: schemaUrl('show', version),
  title: 'A show of cartwall',
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
  $id: schemaUrl('config', version),
  title: 'A configuration of cartwall',
  ...z.toJSONSchema(configShape, { io: 'input' }),
})
