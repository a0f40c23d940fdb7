// A scenario is data: a show, its files, and a list of operations with gaps; faults stand in the
// list. The schemas say what one can mean: a slip in one that a person wrote must not look clean.
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const count = z.int().nonnegative()
/** Some of the fields, none of them undefined. */
const partOf = <Shape extends z.ZodRawShape>(whole: z.ZodObject<Shape>) =>
  whole.partial() as unknown as z.ZodType<Partial<z.output<z.ZodObject<Shape>>>>
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()
/** As a person writes it: what is not said has its plain value. */
const sparing = <Whole>(schema: z.ZodType<Whole>, plain: object) =>
  z.record(z.string(), z.unknown()).transform((said) => ({ ...plain, ...said }))
    .pipe(schema as z.ZodType<Whole, Record<string, unknown>>)

/** How a file behaves when it is looked at and decoded. All times are frames. */
const FileSchema = z.strictObject({
  frames: count,
  /** From the open to the first supply; null: it never comes. */
  readyAfter: count.nullable(),
  /** From the look to its answer; null: it never comes. */
  checkedAfter: count.nullable(),
  missing: z.boolean(),
  /** The decoder breaks once it has supplied up to this position. */
  breaksAt: count.nullable(),
  /** Supplied in steps of `frames`, each `every` frames after the one before; null: all at once. */
  step: z.strictObject({ frames: count, every: count }).nullable(),
  /** The supply stands still at this position for so long. */
  stall: z.strictObject({ at: count, frames: count }).nullable(),
  /** Nobody knows where it ends, not even its decoder. */
  endless: z.boolean(),
  holds: z.boolean(),
  /** The decoder knows its end with the first supply, not only with the last. */
  tellsEndEarly: z.boolean(),
})

const ButtonSchema = z.strictObject({
  kind: z.enum(['audio', 'video', 'image', 'dmx', 'navigation']),
  file: count.nullable(),
  startMs: z.number(),
  endMs: z.number().nullable(),
  fadeInMs: z.number(),
  fadeOutMs: z.number(),
  fadeOutAtEnd: z.boolean(),
  isLoopEnabled: z.boolean(),
  pauseWhenReplaced: z.boolean(),
  allowOverlap: z.boolean(),
  gainDb: z.number(),
  /** Without a duration: a timeline that could not be read. */
  lights: z.strictObject({ loop: z.boolean(), durationMs: z.number().nullable() }).nullable(),
  /** It is not in the show at the moment. */
  gone: z.boolean(),
})

export type FileSpec = Readonly<z.output<typeof FileSchema>>
export const PLAIN_FILE: FileSpec = {
  frames: 480_000, readyAfter: 0, checkedAfter: 0, missing: false, breaksAt: null, step: null,
  stall: null, endless: false, holds: true, tellsEndEarly: true,
}

export type ButtonSpec = Readonly<z.output<typeof ButtonSchema>>
export const PLAIN_BUTTON: ButtonSpec = {
  kind: 'audio', file: null, startMs: 0, endMs: null, fadeInMs: 0, fadeOutMs: 0,
  fadeOutAtEnd: false, isLoopEnabled: false, pauseWhenReplaced: false, allowOverlap: false,
  gainDb: 0, lights: null, gone: false,
}

const LIST = {
  mode: z.enum(['manual', 'sequence', 'shuffle']),
  wrap: z.boolean(),
  mixOnTransition: z.boolean(),
  crossfadeMs: z.number(),
  crossfadeCurve: z.enum(['linear', 'equal-power']),
}
const ListSchema = z.strictObject({ ...LIST, buttons: list(sparing(ButtonSchema, PLAIN_BUTTON)) })
export type ListSpec = Readonly<z.output<typeof ListSchema>>
export const PLAIN_LIST: Omit<ListSpec, 'buttons'> = {
  mode: 'manual', wrap: false, mixOnTransition: false, crossfadeMs: 0, crossfadeCurve: 'linear',
}

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
 * are taken out: its live run (or its last), the last, the one before, a run of another button, an
 * id that nobody ever had, the id of its DMX run.
 */
const RunSchema = z.enum(['live', 'last', 'older', 'other', 'unknown', 'lights'])

const EditSchema = z.union([
  z.strictObject({ button: count, set: partOf(ButtonSchema) }),
  z.strictObject({ list: count, set: partOf(z.strictObject(LIST)) }),
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

const WholeSchema = z.strictObject({
  version: z.literal(1),
  seed: count,
  note: z.string(),
  dmxAllowed: z.boolean(),
  retentionMs: count,
  loopHeadBytes: count,
  /** No class of fault is on: nothing may stay under way past its bound. */
  calm: z.boolean(),
  files: list(sparing(FileSchema, PLAIN_FILE)),
  lists: list(sparing(ListSchema, PLAIN_LIST)),
  ops: list(OpSchema),
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
export type Scenario = Readonly<z.output<typeof WholeSchema>>

/** What is usual of a scenario apart from its show and operations. */
export const PLAIN_SCENARIO: Omit<Scenario, 'files' | 'lists' | 'ops'> = {
  version: 1, seed: 0, note: '', dmxAllowed: true, retentionMs: 600_000, loopHeadBytes: 33_554_432,
  calm: false,
}

/** A person says which version it is, and which lists there are. */
const ScenarioSchema =
  sparing(WholeSchema, { ...PLAIN_SCENARIO, version: null, files: [], ops: [] })

/** Throws what is wrong, and where, in plain words. */
export const parseScenario = (text: string): Scenario => {
  const { data, error } = ScenarioSchema.safeParse(JSON.parse(text))
  if (error === undefined) return data
  throw new Error(z.prettifyError(error).split('\n').slice(0, 2).join(''))
}

export const readScenario = (path: string): Scenario => parseScenario(readFileSync(path, 'utf8'))
