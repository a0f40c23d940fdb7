// The contract as the server feeds it to ts-rest: the same schemas, checked along zod's quick path.
// ts-rest goes through `~standard`, which costs several µs more a check than safeParse, and copies
// all headers into maps where a route names none (bench/http-cost).
import type { z } from 'zod'
import type { Contract } from '../contract/routes.js'
import type { ButtonsAnswer } from '../contract/schemas.js'
import { CatalogueText } from './buttons-bytes.js'

interface Standard {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { value: unknown } | { issues: readonly unknown[] }
  }
}

const standard = (validate: Standard['~standard']['validate']): Standard => ({
  '~standard': { version: 1, vendor: 'cartwall', validate },
})

const viaSafeParse = (schema: z.ZodType): Standard =>
  standard((value) => {
    const result = schema.safeParse(value)
    return result.success ? { value: result.data } : { issues: result.error.issues }
  })

const NO_HEADERS = standard(() => ({ value: undefined }))

interface Route {
  readonly pathParams?: z.ZodType
  readonly body?: z.ZodType
  readonly responses: Readonly<Record<string, z.ZodType | Stream>>
}

/** An answer that is no JSON; its contract tells its type and nothing to check. */
interface Stream {
  readonly contentType: string
}

const quickAnswer = (answer: z.ZodType | Stream) =>
  'contentType' in answer ? answer : viaSafeParse(answer)

const quickened = (route: Route) => ({
  ...route,
  headers: NO_HEADERS,
  ...(route.pathParams === undefined ? {} : { pathParams: viaSafeParse(route.pathParams) }),
  ...(route.body === undefined ? {} : { body: viaSafeParse(route.body) }),
  responses: Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => [status, quickAnswer(schema)]),
  ),
})

/** The catalogue leaves as text; see there. Its handler has to name the type of the content. */
const withCatalogueText = (route: Route): ReturnType<typeof quickened> => {
  const text = new CatalogueText()
  const { responses, ...rest } = quickened(route)
  const answer = standard((value) => text.of(value as ButtonsAnswer))
  return { ...rest, responses: { ...responses, 200: answer } }
}

/** The same routes, types and answers, quicker to check. Handlers get no headers from it. */
export const quick = (contract: Contract): Contract =>
  Object.fromEntries(
    Object.entries(contract).map(([name, given]) => {
      const route = given as unknown as Route
      return [name, name === 'buttons' ? withCatalogueText(route) : quickened(route)]
    }),
  ) as unknown as Contract
