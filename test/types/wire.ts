// Compiled, never run: the client's types are the contract's, field by field and code by code.
import type { z } from 'zod'
import type { ERRORS } from '../../src/contract/errors.js'
import type { LiveMessage } from '../../src/contract/live.js'
import type * as schema from '../../src/contract/schemas.js'
import type * as words from '../../src/contract/vocabulary.js'
import { CartwallError } from '../../src/client/error.js'
import type { LiveTold } from '../../src/client/live-reader.js'
import type * as wire from '../../src/client/wire.js'

/** Exactly the same, optional fields and `undefined` included. */
type Same<A, B> = Fits<[A, Facts<A>], [B, Facts<B>]> extends true
  ? Fits<[B, Facts<B>], [A, Facts<A>]> extends true ? true : Outdated
  : Outdated
/** What the compiler says of a type that is not the same. */
type Outdated = 'src/client/wire.ts is not what the contract says: npx tsx scripts/wire-types.mjs'
/**
 * Each field as a fact of its own: its path, with a `?` where it may be left out, and what it is.
 * Of nested types the compiler itself takes one for the other where only a field that may be left
 * out is missing (TypeScript 6).
 */
type Facts<T, Path extends string = ''> = 0 extends 1 & T ? [Path, 'any']
  : T extends readonly (infer Item)[] ? [Path, 'list'] | Facts<Item, `${Path}[]`>
  : T extends object ? [Path, 'keys', keyof T] | FieldFacts<T, Path>[keyof T]
  : [Path, 'value', T]
type FieldFacts<T, Path extends string> = {
  [Key in keyof T]-?: Facts<Required<T>[Key], `${Path}.${Key & string}${Mark<T, Key>}`>
}
type Mark<T, Key extends keyof T> = object extends Pick<T, Key> ? '?' : ''
type Fits<Whole, Part> = [Whole] extends [Part] ? true : false
/** What is not true does not compile. */
type Is<Fact extends true> = Fact

type Answer<T extends z.ZodType> = z.output<T>
type Asked<T extends z.ZodType> = z.input<T>

export type Held = [
  Is<Same<wire.Execution, Answer<typeof schema.execution>>>,
  Is<Same<wire.Button, schema.ButtonEntry>>,
  Is<Same<wire.ButtonsAnswer, schema.ButtonsAnswer>>,
  Is<Same<wire.StatusItem, Answer<typeof schema.statusItem>>>,
  Is<Same<wire.AudioStatus, Answer<typeof schema.audioStatus>>>,
  Is<Same<wire.DmxRunStatus, Answer<typeof schema.dmxRunStatus>>>,
  Is<Same<wire.DmxOutputStatus, Answer<typeof schema.dmxOutputStatus>>>,
  Is<Same<wire.StatusAnswer, Answer<typeof schema.statusAnswer>>>,
  Is<Same<wire.StartAnswer, Answer<typeof schema.startAnswer>>>,
  Is<Same<wire.AlreadyActiveAnswer, Answer<typeof schema.alreadyActiveAnswer>>>,
  Is<Same<wire.StopAnswer, Answer<typeof schema.stopAnswer>>>,
  Is<Same<wire.PanicAnswer, Answer<typeof schema.panicAnswer>>>,
  Is<Same<wire.SyncAnswer, Answer<typeof schema.syncAnswer>>>,
  Is<Same<wire.EventBody, schema.EventBody>>,
  Is<Same<wire.RunOptions, Asked<typeof schema.runOptions>>>,
  Is<Same<wire.PauseBody, Asked<typeof schema.pauseBody>>>,
  Is<Same<wire.ResumeBody, Asked<typeof schema.resumeBody>>>,
  Is<Same<wire.StopBody, Asked<typeof schema.stopBody>>>,
  Is<Same<wire.PanicBody, Asked<typeof schema.panicBody>>>,
  Is<Same<wire.SyncBody, Asked<typeof schema.syncBody>>>,
  Is<Same<wire.RunState, words.RunState>>,
  Is<Same<wire.EndReason, words.EndReason>>,
  Is<Same<wire.ButtonKind, words.ButtonKind>>,
]

type Errors = typeof ERRORS
type Table = {
  [Status in Errors[keyof Errors]]: {
    [Code in keyof Errors]: Errors[Code] extends Status ? Code : never
  }[keyof Errors]
}
export type ErrorsHeld = Is<Same<wire.ErrorCodes, Table>>

/** Of a live message the client reads less than there is, and nothing that is not there. */
export type LiveHeld = Is<Fits<LiveMessage, LiveTold>>

// What would slip through a comparison that is too lax does not slip through this one.
export type Refused = [
  // @ts-expect-error a field is missing
  Is<Same<{ a: string }, { a: string; b: number }>>,
  // @ts-expect-error optional is not the same as present
  Is<Same<{ a?: string | undefined }, { a: string | undefined }>>,
  // @ts-expect-error an optional field is missing
  Is<Same<{ a: string }, { a: string; b?: boolean | undefined }>>,
  // @ts-expect-error an optional field is missing, however deep
  Is<Same<{ a: { b: { c: { d: 1; e?: 2 }[] } }[] }, { a: { b: { c: { d: 1 }[] } }[] }>>,
  // @ts-expect-error an optional field is missing where there may be null
  Is<Same<{ a: { b: 1; c?: 2 } | null }, { a: { b: 1 } | null }>>,
  // @ts-expect-error a field that may be left out is not one that may be undefined too
  Is<Same<{ a?: string }, { a?: string | undefined }>>,
  // @ts-expect-error keys of a pattern count
  Is<Same<{ a: string; [own: `x-${string}`]: unknown }, { a: string }>>,
  // @ts-expect-error nested fields count
  Is<Same<{ a: { b: 'x' }[] }, { a: { b: 'x' | 'y' }[] }>>,
  // @ts-expect-error what may be anything is nothing in particular
  Is<Same<{ a: ReturnType<typeof JSON.parse> }, { a: string }>>,
  // @ts-expect-error what is read is not there
  Is<Fits<LiveMessage, LiveTold & { readonly seen: boolean }>>,
]

/** A caught value narrows to the union: a code to its status, a status to its codes. */
export const narrows = (
  error: unknown,
): 409 | 'media_file_missing' | 'unexpected_answer' | null => {
  if (!(error instanceof CartwallError)) return null
  if (error.code === 'app_busy') return error.status
  return error.status === 422 ? error.code : null
}
