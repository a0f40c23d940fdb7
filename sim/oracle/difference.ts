// The first place at which two bodies differ; what one of them lacks is a difference too.
import type { Judge } from './judge.js'
import type { RuleName } from './rules.js'

export interface Difference {
  readonly place: string
  readonly is: unknown
  readonly should: unknown
}

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null

/** Numbers with a fraction are equal as far as doubles go. */
const same = (is: unknown, should: unknown): boolean => {
  if (is === should) return true
  if (typeof is !== 'number' || typeof should !== 'number') return false
  const whole = Number.isInteger(is) && Number.isInteger(should)
  return !whole && Math.abs(is - should) <= 1e-9 * Math.max(1, Math.abs(is), Math.abs(should))
}

export const difference = (is: unknown, should: unknown, place: string): Difference | null => {
  if (same(is, should)) return null
  if (!isRecord(is) || !isRecord(should)) return { place: place === '' ? 'it' : place, is, should }
  for (const key in should) {
    const apart = fieldApart(is, should, place, key)
    if (apart !== null) return apart
  }
  for (const key in is) {
    const apart = key in should ? null : fieldApart(is, should, place, key)
    if (apart !== null) return apart
  }
  return null
}

const fieldApart = (is: Fields, should: Fields, place: string, key: string) =>
  same(is[key], should[key]) ? null
    : difference(is[key], should[key], place === '' ? key : `${place}.${key}`)

/** Nothing where there is none. */
export const differenceText = (apart: Difference | null): string => apart === null ? ''
  : `${apart.place} is ${JSON.stringify(apart.is)}, should be ${JSON.stringify(apart.should)}`

/** Fields that rules of their own speak of; the rule of the body speaks of the others. */
export type FieldRules = Readonly<Record<string, RuleName>>

/** What is told must be what is meant: the rule of the first field that differs is broken. */
export const judgeBody = (
  judge: Judge, rule: RuleName, is: object, should: object, fields: FieldRules, who: string,
): void => {
  const apart = difference(is, should, '')
  const broken = apart === null ? null : (fields[apart.place.replace(/\.\d+/g, '')] ?? rule)
  for (const one of [...Object.values(fields), rule]) {
    judge.hold(one, one !== broken, () => who + differenceText(apart))
  }
}
