// A scenario is data: a show, its files, and a list of operations with gaps; faults stand in the
// list. The schemas say what one can mean: a slip in one that a person wrote must not look clean.
import { z } from 'zod'

const count = z.int().nonnegative()
const off = z.boolean().default(false)
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()
/** Some of the fields, none of them undefined: what is not said is not changed. */
const partOf = <Shape extends Readonly<Record<string, z.ZodDefault>>>(
  { shape }: z.ZodObject<Shape>,
) => {
  const bare = Object.entries(shape).map(([name, field]) => [name, field.unwrap()] as const)
  return z.strictObject(Object.fromEntries(bare)).partial() as unknown as
    z.ZodType<Partial<z.output<z.ZodObject<Shape>>>>
}

/**
 * How a file behaves when it is looked at and decoded. All times are frames. Here and below a
 * person need not write what has its plain value.
 */
const FileSchema = z.strictObject({
  frames: count.default(480_000),
  /** From the open to the first supply; null: it never comes. */
  readyAfter: count.nullable().default(0),
  /** From the look to its answer; null: it never comes. */
  checkedAfter: count.nullable().default(0),
  missing: off,
  /** The decoder breaks once it has supplied up to this position. */
  breaksAt: count.nullable().default(null),
  /** Supplied in steps of `frames`, each `every` frames after the one before; null: all at once. */
  step: z.strictObject({ frames: count, every: count }).nullable().default(null),
  /** The supply stands still at this position for so long. */
  stall: z.strictObject({ at: count, frames: count }).nullable().default(null),
  /** Nobody knows where it ends, not even its decoder. */
  endless: off,
  holds: z.boolean().default(true),
  /** The decoder knows its end with the first supply, not only with the last. */
  tellsEndEarly: z.boolean().default(true),
})
export type FileSpec = Readonly<z.output<typeof FileSchema>>
export const PLAIN_FILE: FileSpec = FileSchema.parse({})

const ButtonSchema = z.strictObject({
  kind: z.enum(['audio', 'video', 'image', 'dmx', 'navigation']).default('audio'),
  file: count.nullable().default(null),
  startMs: z.number().default(0),
  endMs: z.number().nullable().default(null),
  fadeInMs: z.number().default(0),
  fadeOutMs: z.number().default(0),
  fadeOutAtEnd: off,
  isLoopEnabled: off,
  pauseWhenReplaced: off,
  allowOverlap: off,
  gainDb: z.number().default(0),
  /** Without a duration: a timeline that could not be read. */
  lights: z.strictObject({ loop: z.boolean(), durationMs: z.number().nullable() }).nullable()
    .default(null),
  /** It is not in the show at the moment. */
  gone: off,
})
export type ButtonSpec = Readonly<z.output<typeof ButtonSchema>>
export const PLAIN_BUTTON: ButtonSpec = ButtonSchema.parse({})

const SettingsSchema = z.strictObject({
  mode: z.enum(['manual', 'sequence', 'shuffle']).default('manual'),
  wrap: off,
  mixOnTransition: off,
  crossfadeMs: z.number().default(0),
  crossfadeCurve: z.enum(['linear', 'equal-power']).default('linear'),
})
const ListSchema = SettingsSchema.extend({ buttons: list(ButtonSchema) })
export type ListSpec = Readonly<z.output<typeof ListSchema>>
export const PLAIN_LIST: Omit<ListSpec, 'buttons'> = SettingsSchema.parse({})

/** 2.3, as a client sends it; what is absent is not sent. */
const OptionsSchema = z.strictObject({
  pauseWhenReplaced: z.boolean().nullish(),
  allowOverlap: z.boolean().nullish(),
  externalSequencing: z.boolean().optional(),
  loop: z.boolean().nullish(),
  loopCrossfadeMs: z.number().nullish(),
})

/**
 * Executions are named by what they are to a button, so that a scenario stays valid when operations
 * are taken out: its live run (or its last), the one before, a run of another button, an id that
 * nobody ever had, the id of its DMX run.
 */
const RunSchema = z.enum(['live', 'older', 'other', 'unknown', 'lights'])

const EditSchema = z.union([
  z.strictObject({ button: count, set: partOf(ButtonSchema) }),
  z.strictObject({ list: count, set: partOf(SettingsSchema) }),
])

/** `gap` frames pass before it. `again`: the answer was lost, and the client sends it again. */
const op = { gap: count, again: z.boolean().optional() }
const fadeMs = z.number().nullable()

const onRun = { ...op, button: count, run: RunSchema }

const OpSchema = z.discriminatedUnion('op', [
  z.strictObject({ ...op, op: z.enum(['play', 'restart']), button: count, options: OptionsSchema }),
  z.strictObject({ ...onRun, op: z.enum(['pause', 'resume']), fadeMs }),
  z.strictObject({ ...onRun, op: z.literal('stop'), run: RunSchema.nullable(), fadeMs }),
  z.strictObject({ ...op, op: z.literal('panic'), fadeMs }),
  z.strictObject({
    ...onRun, op: z.literal('sync'),
    /** Added to the last sequence that was sent for this run: 1 is right, 0 and less are stale. */
    step: z.int(),
    /** Timeline minus message in ms, or a position in ms. */
    at: z.union([z.strictObject({ driftMs: z.number() }), z.strictObject({ ms: z.number() })]),
    isPlaying: z.boolean(), forceSeek: z.boolean(),
  }),
  z.strictObject({ ...op, op: z.enum(['wait', 'read', 'shutdown']) }),
  z.strictObject({ ...op, op: z.literal('output'), up: z.boolean() }),
  z.strictObject({ ...op, op: z.literal('file'), file: count, set: partOf(FileSchema) }),
  z.strictObject({ ...op, op: z.literal('probe'), file: count, frames: count }),
  z.strictObject({ ...op, op: z.literal('swap'), busyFor: count, edits: list(EditSchema) }),
  z.strictObject({ ...op, op: z.literal('kept'), busyFor: count }),
], { error: 'there is no such operation' })

const HeadSchema = z.strictObject({
  version: z.literal(1),
  seed: count.default(0),
  note: z.string().default(''),
  dmxAllowed: z.boolean().default(true),
  retentionMs: count.default(600_000),
  loopHeadBytes: count.default(33_554_432),
  /** No class of fault is on: nothing may stay under way past its bound. */
  calm: off,
})
/** A person says which version it is, and which lists there are. */
const ScenarioSchema = HeadSchema.extend({
  files: list(FileSchema).default([]), lists: list(ListSchema), ops: list(OpSchema).default([]),
}).superRefine(({ files, lists, ops }, context) => {
  const buttons = lists.flatMap((own) => own.buttons)
  const below = (what: string, n: number | null, most: number, path: (string | number)[]): void => {
    if (n === null || n < most) return
    const message = `it names ${what} ${n}; there are ${most}, from 0 on`
    context.addIssue({ code: 'custom', message, path })
  }
  if (buttons.length === 0) context.addIssue('the scenario has no button')
  for (const { file } of buttons) below('file', file, files.length, ['lists'])
  for (const [n, one] of ops.entries()) {
    if ('file' in one) below('file', one.file, files.length, ['ops', n])
    if ('button' in one) below('button', one.button, buttons.length, ['ops', n])
  }
})

export type OptionsSpec = Readonly<z.output<typeof OptionsSchema>>
export type RunRef = z.output<typeof RunSchema>
export type Edit = Readonly<z.output<typeof EditSchema>>
export type Op = Readonly<z.output<typeof OpSchema>>
export type Act = Op extends infer One ? One extends Op ? Omit<One, 'gap' | 'again'> : never : never
export type Scenario = Readonly<z.output<typeof ScenarioSchema>>

/** What is usual of a scenario apart from its show and operations. */
export const PLAIN_SCENARIO: Omit<Scenario, 'files' | 'lists' | 'ops'> =
  HeadSchema.parse({ version: 1 })

/** Throws what is wrong, and where, in plain words. */
export const parseScenario = (text: string): Scenario => {
  const { data, error } = ScenarioSchema.safeParse(JSON.parse(text))
  if (error === undefined) return data
  throw new Error(z.prettifyError(error).split('\n').slice(0, 2).join(''))
}
