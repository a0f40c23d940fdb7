// Whatever a body may say reaches the engine: no field is checked, taken, and then lost on the way.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { contract } from '../../src/contract/routes.js'
import { BUTTON, RUN } from './fake-player.js'
import { serve } from './served.js'

type JsonSchema = Readonly<Record<string, unknown>>

/** Two values that a field may have. */
const valuesOf = ({ type, format, enum: words, anyOf }: JsonSchema): readonly unknown[] => {
  if (anyOf !== undefined) return (anyOf as readonly JsonSchema[]).flatMap(valuesOf).slice(0, 2)
  const types = [type].flat()
  if (words !== undefined) return words as readonly unknown[]
  if (types.includes('boolean')) return [true, false]
  if (types.includes('integer') || types.includes('number')) return [7, 8]
  if (types.includes('null')) return []
  if (format === 'guid' || format === 'uuid') return [RUN, BUTTON]
  throw new Error(`no values are known of a field of ${JSON.stringify(type)}`)
}

/** The fields of a body, each with two values. */
const fieldsOf = (body: unknown) => {
  const { properties = {} } = z.toJSONSchema(body as z.ZodType, { io: 'input' })
  return Object.entries(properties).map(([name, field]) =>
    [name, valuesOf(field as JsonSchema)] as const)
}

const FIELDS = Object.values(contract).flatMap((route) => 'body' in route
  ? fieldsOf(route.body).map(([name]) => [route.path, name] as const) : [])

test.each(FIELDS)('POST %s: its %s makes another command', async (path, name) => {
  const { app, player, daemon } = serve(null)
  const [route] = Object.values(contract).filter((one) => one.path === path)
  const fields = fieldsOf((route as unknown as { readonly body: z.ZodType }).body)
  const url = path.replace(':id', BUTTON)
  for (const second of [false, true]) {
    const payload = Object.fromEntries(fields.map(([field, [one, other]]) =>
      [field, second && field === name ? other : one]))
    const answer = await app.inject({
      method: 'POST', url, headers: { host: daemon.authority }, payload,
    })
    expect([answer.body, answer.statusCode]).toEqual([answer.body, expect.toBeOneOf([200, 202])])
  }
  const [one, other] = player.commands
  expect(one).not.toEqual(other)
  await app.close()
})

test('there are fields in the bodies of the commands', () => {
  expect(FIELDS.length).toBeGreaterThan(15)
})
