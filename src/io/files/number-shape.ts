// Numbers in a file that a person wrote: within bounds, and one message for whatever is wrong.
import { z } from 'zod'

interface Words {
  readonly error: string | ((issue: { readonly input?: unknown }) => string)
}

export const numberFrom = (min: number, max: number, is: Words) =>
  z.number(is).min(min, is).max(max, is)

export const wholeFrom = (min: number, max: number, is: Words) =>
  z.number(is).int(is).min(min, is).max(max, is)
