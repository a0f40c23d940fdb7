// The show and the configuration as JSON Schemas, by which editors complete and check them.
//
// They are made from the shapes that check these files, and take at least what those take. What a
// button's kind or Art-Net asks for they tell too; what compares (unique ids, Start before End)
// `cartwall check` alone. They name no host: an editor finds the schema of a show beside it, on
// every machine and without a network.
import { z } from 'zod'
import { configShape } from '../config.js'
import { CONFIG_WORDS, SHOW_WORDS, type Words } from './field-words.js'
import { OF_KIND } from './show-rules.js'
import { showShape } from './show-shape.js'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Beside a show and in the package (`cartwall/show.schema.json`). */
export const SHOW_SCHEMA_FILE = 'show.schema.json'

/** As it stands in a file. */
export const schemaText = (schema: JsonSchema): string => `${JSON.stringify(schema, null, 2)}\n`

/** Without it, or with null in its place, a key that may be null is not there. */
const ABSENT = { type: 'null' } as const
const THERE = { type: 'string' } as const
const LIGHTS_THERE = { type: 'object' } as const
const MAY_BE_NULL: readonly string[] = ['media', 'dmx', 'target']

/** What a button's kind asks for, and what means nothing in it. */
const kindRules = Object.entries(OF_KIND).map(([kind, { needs, lacks }]) => ({
  if: { properties: { kind: { const: kind } }, required: ['kind'] },
  then: {
    required: [needs],
    properties: {
      [needs]: needs === 'dmx' ? LIGHTS_THERE : THERE,
      ...Object.fromEntries(lacks.map((key) => [key, MAY_BE_NULL.includes(key) ? ABSENT : false])),
    },
  },
}))

/** With Art-Net a configuration says where to. */
const artnetRule = {
  if: { properties: { output: { const: 'artnet' } }, required: ['output'] },
  then: { required: ['host'], properties: { host: THERE } },
}

type Made = z.core.JSONSchema.JSONSchema

/** Each key of a schema that was just made says what it means, as an editor shows it. */
const withWords = (schema: Made, words: Words): Made => {
  for (const [key, said] of Object.entries(words)) {
    const property = schema.properties?.[key] as Made
    if (typeof said === 'string') property.description = said
    else withWords(objectIn(property), said)
  }
  return schema
}

/** What words are of: an object, what a list has, or what may be null. */
const objectIn = (schema: Made): Made => {
  const some = [schema.items ?? schema, ...schema.anyOf ?? []] as Made[]
  return some.find(({ properties }) => properties !== undefined) ?? schema
}

export const showSchema = (version: string): JsonSchema => ({
  title: `A show of cartwall ${version}`,
  ...withWords(z.toJSONSchema(showShape, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type !== 'object') return
      // `x-` keys may stand in every object of the format.
      jsonSchema.patternProperties = { '^x-': {} }
      if (jsonSchema.properties?.['kind'] !== undefined) jsonSchema.allOf = kindRules
    },
  }), SHOW_WORDS),
})

export const configSchema = (version: string): JsonSchema => ({
  title: `A configuration of cartwall ${version}`,
  ...withWords(z.toJSONSchema(configShape, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.properties?.['onStop'] !== undefined) Object.assign(jsonSchema, artnetRule)
    },
  }), CONFIG_WORDS),
})
