// What the OpenAPI document says of each field: all of them have words, and each has its own.
import { expect, it } from 'vitest'
import { openApiDocument } from '../../src/api/openapi.js'

type Fields = Readonly<Record<string, { readonly description?: string }>>
const { schemas } = openApiDocument().components
const fieldsOf = (shape: string) => schemas[shape]?.['properties'] as Fields

it('no field of a shape is without words', () => {
  const silent = Object.keys(schemas).flatMap((shape) =>
    Object.entries(fieldsOf(shape))
      .filter(([, { description = '' }]) => description === '')
      .map(([field]) => `${shape}.${field}`))
  expect(silent).toEqual(['OpenApi.openapi'])
})

it('an id is said to be what it is in its shape, though all ids share a schema', () => {
  const ids = ['Pause', 'Sync', 'Started'].map((shape) => fieldsOf(shape)['executionId'])
  expect(ids.map((id) => id?.description)).toEqual([
    'The run, of audio or video.', 'The `dmxExecutionId`, not the run of the sound or the video.',
    'The new run; null for images and buttons of lights alone.',
  ])
})
