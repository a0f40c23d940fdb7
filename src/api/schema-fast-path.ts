// The contract as the server feeds it to ts-rest: the same schemas, checked along zod's quick path.
// ts-rest goes through `~standard`, which costs several µs more a check than safeParse, and copies
// all headers into maps where a route names none (bench/http-cost).
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Contract } from '../contract/routes.js'

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

/** An answer has what its schema says, and nothing that nobody wrote down. */
const wholeAnswer = (schema: z.ZodType): Standard =>
  standard((value) => {
    const result = schema.safeParse(value)
    if (!result.success) return { issues: result.error.issues }
    const isWhole = isDeepStrictEqual(result.data, value)
    return isWhole ? { value } : { issues: [{ message: 'an answer has a field too many' }] }
  })

const AS_IT_IS = standard((value) => ({ value }))

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

const quickAnswer = (answer: z.ZodType | Stream, isChecked: boolean) => {
  if ('contentType' in answer) return answer
  return isChecked ? wholeAnswer(answer) : AS_IT_IS
}

const quickened = (route: Route, checksAnswers: boolean) => ({
  ...route,
  headers: NO_HEADERS,
  ...(route.pathParams === undefined ? {} : { pathParams: viaSafeParse(route.pathParams) }),
  ...(route.body === undefined ? {} : { body: viaSafeParse(route.body) }),
  responses: Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) =>
      [status, quickAnswer(schema, checksAnswers)]),
  ),
})

/** The catalogue leaves as bytes, which were checked when they were written (buttons-bytes). */
const withBytes = (route: Route, checksAnswers: boolean): ReturnType<typeof quickened> => {
  const { responses, ...rest } = quickened(route, checksAnswers)
  return { ...rest, responses: { ...responses, 200: AS_IT_IS } }
}

/** The same routes, types and answers, quicker to check. Handlers get no headers from it. */
export const quick = (contract: Contract, checksAnswers: boolean): Contract =>
  Object.fromEntries(
    Object.entries(contract).map(([name, given]) => {
      const route = given as unknown as Route
      const quickly = name === 'buttons' ? withBytes : quickened
      return [name, quickly(route, checksAnswers)]
    }),
  ) as unknown as Contract
