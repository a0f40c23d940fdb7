// The shapes of every request and answer, as zod schemas; the types of the program flow from here.
// A schema's message is the error code that its breach answers with (7).
import { z } from 'zod'
import { ERROR_CODES, type ErrorCode } from './errors.js'
import { LIMITS } from './limits.js'
import {
  BUTTON_KINDS, CATALOGUE_CHANGES, DMX_CHANGES, END_REASONS, RESET_REASONS, RUN_CAUSES, RUN_STATES,
  SERVICE_STATES, STOP_RESULTS, SYNC_STATES,
} from './vocabulary.js'

/** What a schema may answer with: a code of the table, so that a misspelt one does not compile. */
const code = (error: ErrorCode): { readonly error: ErrorCode } => ({ error })
const invalid = code('invalid_playback_request')
/** An id that is asked for: one that is not there is told apart from one that is no GUID. */
const askedFor = {
  error: (issue: { input?: unknown }): ErrorCode =>
    issue.input === undefined || issue.input === null
      ? 'execution_id_required'
      : 'invalid_execution_id',
}
/** No body at all lacks the id, and that is what its sender should hear; null is a bad body. */
const bodyWithId = {
  error: (issue: { input?: unknown }): ErrorCode =>
    issue.input === undefined ? 'execution_id_required' : 'invalid_playback_request',
}

const guid = z.guid().toLowerCase()
const wholeMs = (max: number) => z.number(invalid).int(invalid).min(0, invalid).max(max, invalid)
const fadeMs = wholeMs(LIMITS.fadeMsMax)

/** A button's id in a path. */
export const buttonIdParam = z.guid(code('invalid_button_id')).toLowerCase()
/** An execution's id in a path. */
export const executionIdParam = z.guid(code('invalid_execution_id')).toLowerCase()
const requiredExecutionId = z.guid(askedFor).toLowerCase()
const optionalExecutionId = z.guid(code('invalid_execution_id')).toLowerCase().optional()

/** 2.3: the run options of play and restart; null and omission mean the saved setting. */
export const runOptions = z.object(
  {
    pauseWhenReplaced: z.boolean(invalid).nullish(),
    allowOverlap: z.boolean(invalid).nullish(),
    externalSequencing: z.boolean(invalid).optional(),
    loop: z.boolean(invalid).nullish(),
    loopCrossfadeMs: wholeMs(LIMITS.fadeMsMax).nullish(),
  },
  invalid,
)
export type RunOptionsBody = z.infer<typeof runOptions>

export const pauseBody = z.object(
  { executionId: requiredExecutionId, fadeOutMs: fadeMs.optional() },
  bodyWithId,
)
export const resumeBody = z.object(
  { executionId: requiredExecutionId, fadeInMs: fadeMs.optional() },
  bodyWithId,
)
export const stopBody = z.object(
  { executionId: optionalExecutionId, fadeOutMs: fadeMs.optional() },
  invalid,
)
/** Panic, an addition of cartwall's: stops everything. */
export const panicBody = z.object({ fadeOutMs: fadeMs.optional() }, invalid)

/** 2.8: one message of the external clock. */
export const syncBody = z.object(
  {
    executionId: requiredExecutionId,
    sequence: z.number(invalid).int(invalid).min(0, invalid).max(LIMITS.sequenceMax, invalid),
    positionMs: z.number(invalid).min(0, invalid),
    isPlaying: z.boolean(invalid),
    forceSeek: z.boolean(invalid).optional(),
  },
  bodyWithId,
)

/** 2.2: one audio or video run. positionMs is absolute in the source; durationMs 0 is unknown. */
export const execution = z.object({
  executionId: guid,
  buttonId: guid,
  state: z.enum(RUN_STATES),
  positionMs: z.int(),
  durationMs: z.int(),
  endReason: z.enum(END_REASONS).nullable(),
  /** Additions: the range that it plays (`endMs` null while not known), and its gaps, in ms. */
  startMs: z.int(),
  endMs: z.int().nullable(),
  starvedMs: z.int(),
})
export type Execution = z.infer<typeof execution>

/**
 * An entry of the catalogue. From `startMs` on additions of cartwall's: the range that a start
 * would play (`endMs` null where there is none, or it is not known yet) and the saved fades. The
 * button's `x-` keys stand beside them as they are in the show.
 */
export const button = z.object({
  id: guid,
  title: z.string(),
  kind: z.enum(BUTTON_KINDS),
  playlistId: guid,
  playlistTitle: z.string(),
  isPlaying: z.boolean(),
  isPaused: z.boolean(),
  isLoopEnabled: z.boolean(),
  hasDmxTimeline: z.boolean(),
  durationMs: z.int(),
  executionId: guid.nullable(),
  dmxExecutionId: guid.nullable(),
  startMs: z.int(),
  endMs: z.int().nullable(),
  fadeInMs: z.int(),
  fadeOutMs: z.int(),
})
/** What only the owner of a show understands: any JSON. */
export type OwnKeys = { [key: `x-${string}`]: unknown }
export type ButtonEntry = z.infer<typeof button> & OwnKeys

export const buttonsAnswer = z.object({ buttons: z.array(button) })
export type ButtonsAnswer = { buttons: ButtonEntry[] }

export const statusItem = z.object({
  id: guid,
  title: z.string(),
  kind: z.enum(BUTTON_KINDS),
  executionId: guid.nullable(),
  state: z.enum(RUN_STATES).nullable(),
  positionMs: z.int().nullable(),
  durationMs: z.int().nullable(),
  dmxExecutionId: guid.nullable(),
})
export type StatusItem = z.infer<typeof statusItem>

export const audioStatus = z.object({
  state: z.enum(['ok', 'unavailable']),
  sink: z.string(),
  latencyMs: z.number(),
  underruns: z.int(),
  /** How often a decoder was late while its run sounded. */
  starvations: z.int(),
  armedHeads: z.int(),
})
export type AudioStatus = z.infer<typeof audioStatus>

/** The sync state of one DMX run: an addition of cartwall's to the status. Drifts in ms, signed. */
export const dmxRunStatus = z.object({
  dmxExecutionId: guid,
  buttonId: guid,
  sync: z.enum(SYNC_STATES),
  isPlaying: z.boolean(),
  positionMs: z.number(),
  durationMs: z.number(),
  lastDriftMs: z.number().nullable(),
  worstDriftMs: z.number().nullable(),
})
export type DmxRunStatus = z.infer<typeof dmxRunStatus>

export const dmxOutputStatus = z.object({
  state: z.enum(['off', 'ok', 'failing']),
  message: z.string().nullable(),
})
export type DmxOutputStatus = z.infer<typeof dmxOutputStatus>

export const logStatus = z.object({
  state: z.enum(['ok', 'failing']),
  message: z.string().nullable(),
  lost: z.int(),
})
export type LogStatus = z.infer<typeof logStatus>

export const statusAnswer = z.object({
  state: z.enum(SERVICE_STATES),
  version: z.string(),
  uptimeMs: z.int(),
  show: z.string(),
  /** An addition: why the show file as it is now was refused, so that an older one plays on. */
  showError: z.string().nullable(),
  audio: audioStatus,
  dmx: z.object({
    enabled: z.boolean(),
    universes: z.int(),
    activeTimelines: z.int(),
  }),
  /** `lights` and `log` are additions of cartwall's. */
  lights: z.object({ output: dmxOutputStatus, timelines: z.array(dmxRunStatus) }),
  log: logStatus,
  active: z.array(statusItem),
  paused: z.array(statusItem),
})
export type StatusAnswer = z.infer<typeof statusAnswer>

/** 2.4: a start that was accepted (202); no proof of successful decoding. */
export const startAnswer = z.object({
  result: z.literal('accepted'),
  id: guid,
  executionId: guid.nullable(),
  dmxAllowed: z.boolean(),
  dmxExecutionId: guid.nullable(),
})
export type StartAnswer = z.infer<typeof startAnswer>

/** 2.6: play on a run that is live already (200). */
export const alreadyActiveAnswer = z.object({
  result: z.literal('already_active'),
  id: guid,
  executionId: guid.nullable(),
  dmxExecutionId: guid.nullable(),
})
export type AlreadyActiveAnswer = z.infer<typeof alreadyActiveAnswer>

/** 2.5. */
export const stopAnswer = z.object({
  result: z.enum(STOP_RESULTS),
  id: guid,
  executionId: guid.nullable(),
})
export type StopAnswer = z.infer<typeof stopAnswer>

/** How many buttons fade out now, also those that did before, and how many stopped at once. */
export const panicAnswer = z.object({
  result: z.enum(STOP_RESULTS),
  fadingOut: z.int(),
  stopped: z.int(),
})
export type PanicAnswer = z.infer<typeof panicAnswer>

/** driftMs is timeline minus message before any correction; on a loop the shorter way round. */
export const syncAnswer = z.object({
  executionId: guid,
  sequence: z.int(),
  corrected: z.boolean(),
  positionMs: z.number(),
  driftMs: z.number(),
  isPlaying: z.boolean(),
})
export type SyncAnswer = z.infer<typeof syncAnswer>

/** Every refusal: a code for programs, and for people what was wrong and where. */
export const errorAnswer = z.object({
  error: z.enum(ERROR_CODES),
  message: z.string().optional(),
})
export type ErrorAnswer = z.infer<typeof errorAnswer>

/** Event `run`: a run changed; the run as it is from now on, and what made it so. */
export const runEvent = execution.omit({ starvedMs: true }).extend({
  cause: z.enum(RUN_CAUSES),
  message: z.string().nullable(),
})
export type RunEvent = z.infer<typeof runEvent>

/** Event `wrap`: a loop came round; `passes` counts how often it did, `positionMs` is after it. */
export const wrapEvent = z.object({
  executionId: guid,
  buttonId: guid,
  positionMs: z.int(),
  passes: z.int(),
})
export type WrapEvent = z.infer<typeof wrapEvent>

/** Event `duration`: the length of a run's source became known, or turned out to be another. */
export const durationEvent = z.object({
  executionId: guid,
  buttonId: guid,
  durationMs: z.int(),
  startMs: z.int(),
  endMs: z.int().nullable(),
})
export type DurationEvent = z.infer<typeof durationEvent>

/** Event `image`: a picture came on the screen, or left it. */
export const imageEvent = z.object({ buttonId: guid, isShown: z.boolean() })
export type ImageEvent = z.infer<typeof imageEvent>

/** Event `dmx`: a lighting timeline changed; `chasing` and `freewheel` tell its sync state. */
export const dmxEvent = z.object({
  dmxExecutionId: guid,
  buttonId: guid,
  change: z.enum(DMX_CHANGES),
  positionMs: z.number(),
})
export type DmxEvent = z.infer<typeof dmxEvent>

/** Event `audio`: the sound output went away or came back. */
export const audioEvent = z.object({
  state: z.enum(['ok', 'unavailable']),
  message: z.string().nullable(),
})
export type AudioEvent = z.infer<typeof audioEvent>

/**
 * Event `catalogue`: a show is being read; it was replaced (read /buttons again), or kept, and
 * `message` says why the new one was refused.
 */
export const catalogueEvent = z.object({
  change: z.enum(CATALOGUE_CHANGES),
  message: z.string().nullable(),
})
export type CatalogueEvent = z.infer<typeof catalogueEvent>

/** Event `notice`: no state changed, but an operator wants to know. */
export const noticeEvent = z.object({
  buttonId: guid.nullable(),
  executionId: guid.nullable(),
  message: z.string(),
})
export type NoticeEvent = z.infer<typeof noticeEvent>

/** Event `service`: the last one before the service ends. */
export const serviceEvent = z.object({ state: z.enum(['shutting_down']) })
export type ServiceEvent = z.infer<typeof serviceEvent>

/** Event `reset`: events were missed and cannot be told again; read /status and /buttons anew. */
export const resetEvent = z.object({ reason: z.enum(RESET_REASONS) })
export type ResetEvent = z.infer<typeof resetEvent>

/** Every event of GET /events: its name, and what its data is (6). */
export const EVENTS = {
  run: runEvent,
  wrap: wrapEvent,
  duration: durationEvent,
  image: imageEvent,
  dmx: dmxEvent,
  audio: audioEvent,
  catalogue: catalogueEvent,
  notice: noticeEvent,
  service: serviceEvent,
  reset: resetEvent,
} as const
export type EventName = keyof typeof EVENTS
export type EventBody = { readonly [Name in EventName]: z.infer<(typeof EVENTS)[Name]> }

/** The description of the API that other programs read. */
export const openApiAnswer = z.looseObject({ openapi: z.string() })
