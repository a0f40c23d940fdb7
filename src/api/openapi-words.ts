// What the OpenAPI document says in words and by example; its shapes come from the contract.
import type { ErrorCode } from '../contract/errors.js'
import type { Contract } from '../contract/routes.js'
import type {
  AlreadyActiveAnswer, ButtonsAnswer, Execution, PanicAnswer, RunEvent, RunOptionsBody,
  StartAnswer, StatusAnswer, StopAnswer, SyncAnswer,
} from '../contract/schemas.js'

const BUTTON = '0d5e7c1a-93f4-4b7e-8a54-1f2c3b4d5e6f'
const PLAYLIST = '6f0c2b9e-5a31-4d08-9c77-0a1b2c3d4e5f'
const RUN = '9b1c44d0-7e52-4f3a-b1d9-8c7b6a594837'
const LIGHT_RUN = '3e8f10a2-6b4d-4c95-a7e6-5d4c3b2a1908'

/** As an event tells it: how long it starved is read of the run alone. */
const TOLD: Omit<RunEvent, 'cause' | 'message'> = {
  executionId: RUN, buttonId: BUTTON, state: 'playing', positionMs: 12_345, durationMs: 180_000,
  endReason: null, startMs: 0, endMs: 170_000,
}
const PLAYING: Execution = { ...TOLD, starvedMs: 0 }
const START: StartAnswer = {
  result: 'accepted', id: BUTTON, executionId: RUN, dmxAllowed: true, dmxExecutionId: LIGHT_RUN,
}
const ACTIVE: AlreadyActiveAnswer = {
  result: 'already_active', id: BUTTON, executionId: RUN, dmxExecutionId: null,
}
const STOP: StopAnswer = { result: 'fading_out', id: BUTTON, executionId: RUN }
const PANIC: PanicAnswer = { result: 'fading_out', fadingOut: 2, stopped: 1 }
const SYNC: SyncAnswer = {
  executionId: LIGHT_RUN, sequence: 17, corrected: false, positionMs: 4_250.5, driftMs: 12.5,
  isPlaying: true,
}
const OPTIONS: RunOptionsBody = { externalSequencing: true, loop: null, loopCrossfadeMs: 1_500 }
const BUTTONS: ButtonsAnswer = {
  buttons: [
    {
      id: BUTTON, title: 'Bed 1', kind: 'audio', playlistId: PLAYLIST, playlistTitle: 'Beds',
      isPlaying: true, isPaused: false, isLoopEnabled: false, hasDmxTimeline: true,
      durationMs: 180_000, executionId: RUN, dmxExecutionId: LIGHT_RUN, startMs: 0,
      endMs: 170_000, fadeInMs: 0, fadeOutMs: 1_500, 'x-round': 3,
    },
  ],
}
const STATUS: StatusAnswer = {
  state: 'ready', version: '0.1.0', uptimeMs: 81_234, show: 'Friday quiz', showError: null,
  audio: { state: 'ok', sink: 'speaker', latencyMs: 24.5, underruns: 0,
    starvations: 0, armedHeads: 40 },
  dmx: { enabled: true, universes: 1, activeTimelines: 1 },
  lights: {
    output: { state: 'ok', message: null },
    timelines: [
      {
        dmxExecutionId: LIGHT_RUN, buttonId: BUTTON, sync: 'internal', isPlaying: true,
        positionMs: 12_345.5, durationMs: 60_000, lastDriftMs: null, worstDriftMs: null,
      },
    ],
  },
  log: { state: 'ok', message: null, lost: 0 },
  active: [
    {
      id: BUTTON, title: 'Bed 1', kind: 'audio', executionId: RUN, state: 'playing',
      positionMs: 12_345, durationMs: 180_000, dmxExecutionId: LIGHT_RUN,
    },
  ],
  paused: [],
}
const EVENTS = `retry: 1000
id: 5f3c90ab12de-7

id: 5f3c90ab12de-8
event: run
data: ${JSON.stringify({ ...TOLD, cause: 'ready', message: null } satisfies RunEvent)}

`

interface Words {
  readonly tag: 'Reading' | 'Commands' | 'Lights'
  readonly description: string
  readonly asked: object | null
  readonly answers: Readonly<Record<number, unknown>>
}

export const WORDS: Readonly<Record<keyof Contract, Words>> = {
  buttons: {
    tag: 'Reading',
    description: 'In the order of the playlists. Read it again after the show was replaced.',
    asked: null,
    answers: { 200: BUTTONS },
  },
  status: {
    tag: 'Reading',
    description: 'Reads never wait for a command; one after an answer sees what that command did.',
    asked: null,
    answers: { 200: STATUS },
  },
  execution: {
    tag: 'Reading',
    description: 'Poll every 500-1000 ms. A 404 is no natural end: do not advance a list on it.',
    asked: null,
    answers: { 200: PLAYING },
  },
  events: {
    tag: 'Reading',
    description:
      'Each event has an id, a name and one JSON object as its data. A reader that comes back ' +
      'with `Last-Event-ID` is told what it missed, or gets one `reset`.',
    asked: null,
    answers: { 200: EVENTS },
  },
  openapi: {
    tag: 'Reading',
    description: 'Made from the same contract that checks every request and answer.',
    asked: null,
    answers: { 200: { openapi: '3.1.0' } },
  },
  play: {
    tag: 'Commands',
    description:
      '202 acknowledges a new start and proves no decoding: poll the run. 200 is a run that was ' +
      'live already; its options do not change. Not a safe way to resume.',
    asked: OPTIONS,
    answers: { 200: ACTIVE, 202: START },
  },
  restart: {
    tag: 'Commands',
    description: 'Missing media is found first, and then the old run is left alone.',
    asked: OPTIONS,
    answers: { 202: START },
  },
  pause: {
    tag: 'Commands',
    description: 'With a fade the run is `pausing` and pauses where the fade ends. Harmless twice.',
    asked: { executionId: RUN, fadeOutMs: 1_500 },
    answers: { 200: { ...PLAYING, state: 'pausing' } },
  },
  resume: {
    tag: 'Commands',
    description: 'Never starts a run again that has ended or was superseded.',
    asked: { executionId: RUN, fadeInMs: 500 },
    answers: { 200: PLAYING },
  },
  stop: {
    tag: 'Commands',
    description: 'With an id, an older run cannot stop a newer one. A stop is never a natural end.',
    asked: { executionId: RUN, fadeOutMs: 2_000 },
    answers: { 200: STOP },
  },
  dmxSync: {
    tag: 'Lights',
    description:
      'Send every 200-250 ms, and at once on pause, resume and seek. `executionId` is the ' +
      '`dmxExecutionId`; `sequence` must rise. It never starts a timeline.',
    asked: { executionId: LIGHT_RUN, sequence: 17, positionMs: 4_238, isPlaying: true },
    answers: { 200: SYNC },
  },
  panic: {
    tag: 'Commands',
    description: 'Every run, image and timeline. Waits behind no other command.',
    asked: { fadeOutMs: 800 },
    answers: { 200: PANIC },
  },
}

export const TAGS = {
  Commands: 'Carried out one at a time; at most 16 wait.',
  Lights: 'DMX timelines and the external clock that may lead them.',
  Reading: 'What there is and what it does; never waits for a command.',
} as const satisfies Record<Words['tag'], string>

export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'This was not HTTP; the connection is closed.',
  execution_id_required: 'There is no executionId.',
  invalid_execution_id: 'The executionId is no GUID.',
  invalid_button_id: 'The id in the path is no GUID.',
  invalid_playback_request: 'Not a JSON object, or a field of the wrong type or range.',
  host_rejected: 'The Host header is not the numeric address and port.',
  origin_rejected: 'The configuration keeps pages of this origin out; or it is a form.',
  license_restricted: 'The configuration withholds the API.',
  not_found: 'There is no such path.',
  execution_not_found: 'Unknown, expired, or lost by a restart of the service.',
  button_not_found: 'No button has this id; read the catalogue again.',
  method_not_allowed: 'See the Allow header.',
  request_timeout: 'The request did not arrive in time.',
  stale_execution: 'The id is of another button or another run.',
  execution_not_resumable: 'The run has ended or is being stopped; nothing was started.',
  app_busy: 'The show is being replaced; retry shortly, with the same id.',
  command_in_progress: 'Too many commands wait; retry shortly, with the same id.',
  dmx_not_active: 'No such timeline runs; stop sending.',
  dmx_initializing: 'The timeline waits for its media; send again with a higher sequence.',
  dmx_stale_sequence: 'The sequence is not above the last accepted one.',
  idempotency_conflict: 'The key came with another request before.',
  body_too_large: 'More than 1024 bytes.',
  json_required: 'A body that is not application/json.',
  expectation_failed: 'An Expect header that cannot be met.',
  media_file_missing: 'The file is not there, or the button has no timeline.',
  headers_too_large: 'The headers are too large; the connection is closed.',
  command_failed: 'Ask for the state before you decide to retry.',
  shutting_down: 'Commands are refused; the service ends.',
  playback_unavailable: 'No sound output; the service keeps trying to open it.',
  too_many_readers: 'Too many connections read events.',
  idempotency_full: 'Too many keys are remembered; nothing was done.',
}
