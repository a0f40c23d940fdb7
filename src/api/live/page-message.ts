// What a page may say on the live connection, checked; what is not known is passed over.
import { z } from 'zod'
import type { PageMessage } from '../../contract/live.js'

const text = (max: number) => z.string().max(max)
const count = z.number().int().min(0)
const figure = z.number().min(0).nullable()

const report = z.object({
  name: text(64),
  pace: z.enum(['idle', 'in_step', 'catching_up', 'late']),
  on: z.array(text(64)).max(8),
  p50: figure,
  p95: figure,
  framesDropped: count,
  seeks: count,
  visible: z.boolean(),
  offsetMs: z.number(),
  errors: z.array(z.object({ buttonId: text(64).nullable(), message: text(120) })).max(4),
})

const SHAPES = {
  time: z.object({ kind: z.literal('time'), id: z.union([z.number(), text(64)]) }),
  want: z.object({
    kind: z.literal('want'),
    levels: z.boolean().exactOptional(),
    lights: z.boolean().exactOptional(),
  }),
  stage: z.object({ kind: z.literal('stage'), report }),
} as const

export type PageReading =
  | { readonly kind: 'message'; readonly message: PageMessage }
  /** JSON of a newer page: nothing that this service knows. */
  | { readonly kind: 'unknown' }
  /** Not one JSON object. */
  | { readonly kind: 'not_json' }
  | { readonly kind: 'unfit'; readonly why: string }

export const readPageMessage = (bytes: string): PageReading => {
  const value = parsed(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: 'not_json' }
  }
  const { kind } = value as { kind?: unknown }
  if (typeof kind !== 'string') return { kind: 'unfit', why: 'kind must be a text' }
  if (!isKnown(kind)) return { kind: 'unknown' }
  const read = SHAPES[kind].safeParse(value)
  if (read.success) return { kind: 'message', message: read.data }
  const place = read.error.issues[0]?.path.join('.') ?? ''
  return { kind: 'unfit', why: `${kind}: ${place} is not as it must be` }
}

const isKnown = (kind: string): kind is keyof typeof SHAPES => Object.hasOwn(SHAPES, kind)

const parsed = (bytes: string): unknown => {
  try {
    return JSON.parse(bytes)
  } catch {
    return null
  }
}
