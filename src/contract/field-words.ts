// What the OpenAPI document says of each field, so that a generated client has it at hand: the
// words of api.md 2, short. A field without its words does not compile.
import type { z } from 'zod'
import type * as schemas from './schemas.js'

type Words<Schema extends z.ZodType> = Readonly<Record<keyof z.infer<Schema>, string>>

const RUN = 'The run, of audio or video.'
const BUTTON = 'The button.'
const LIGHT_RUN = 'The lighting timeline that runs; null: none does.'
const SOURCE = 'Length of the source in ms; 0 while it is not known.'
const START = 'The Start of its range, in ms of the source.'
const END = 'The End that takes effect, in ms of the source; null while it is not known.'
const POSITION = 'In ms of the source, not relative to Start; rounded down.'
const FADE =
  "Length in ms; 0 is at once. Left out: the button's saved fade if positive, else the Crossfade " +
  'of its playlist if Mix is on, else none.'
const RESULT = '`already_stopped`: there was nothing to stop.'

const execution: Words<typeof schemas.execution> = {
  executionId: RUN,
  buttonId: BUTTON,
  state: '`completed`, `stopped` and `failed` are terminal: such a run never starts again.',
  positionMs: POSITION,
  durationMs: SOURCE,
  endReason: 'Null while active. Only `natural_end` means that it reached its end.',
  startMs: START,
  endMs: END,
  starvedMs: 'For how many ms its decoder was late, so that its sound had gaps.',
}

const button: Words<typeof schemas.button> = {
  id: 'Names the button in paths; kept when it is renamed.',
  title: 'What the operator reads.',
  kind: 'Audio and video make runs; `navigation` is a link and cannot be played.',
  playlistId: 'The playlist that owns it.',
  playlistTitle: 'Its title.',
  isPlaying: 'Its run is active and not paused; its image is shown; its lights run.',
  isPaused: 'Its run is `paused`.',
  isLoopEnabled: 'The saved repeat setting.',
  hasDmxTimeline: 'A lighting timeline is configured.',
  durationMs: SOURCE,
  executionId: 'Its run that is not terminal; null: there is none.',
  dmxExecutionId: LIGHT_RUN,
  startMs: START,
  endMs: 'The End that takes effect, in ms of the source; null: not known yet, or it has no range.',
  fadeInMs: 'The saved Fade in, in ms.',
  fadeOutMs: 'The saved Fade out, in ms.',
}

const sync: Words<typeof schemas.syncBody> = {
  executionId: 'The `dmxExecutionId`, not the run of the sound or the video.',
  sequence: 'Strictly rising for each timeline that runs.',
  positionMs: 'From the start of the external video, in ms; not a time of day.',
  isPlaying: 'Whether the external clock runs.',
  forceSeek: 'Seek whatever the drift: for intentional seeks.',
}

export interface Fields {
  readonly Execution: Words<typeof schemas.execution>
  readonly Button: Words<typeof schemas.button>
  readonly Buttons: Words<typeof schemas.buttonsAnswer>
  readonly StatusItem: Words<typeof schemas.statusItem>
  readonly DmxRun: Words<typeof schemas.dmxRunStatus>
  readonly Status: Words<typeof schemas.statusAnswer>
  readonly RunOptions: Words<typeof schemas.runOptions>
  readonly Pause: Words<typeof schemas.pauseBody>
  readonly Resume: Words<typeof schemas.resumeBody>
  readonly Stop: Words<typeof schemas.stopBody>
  readonly Panic: Words<typeof schemas.panicBody>
  readonly Sync: Words<typeof schemas.syncBody>
  readonly Started: Words<typeof schemas.startAnswer>
  readonly AlreadyActive: Words<typeof schemas.alreadyActiveAnswer>
  readonly Stopped: Words<typeof schemas.stopAnswer>
  readonly AllStopped: Words<typeof schemas.panicAnswer>
  readonly Synced: Words<typeof schemas.syncAnswer>
}

/** By the name of each shape. */
export const FIELDS: Fields = {
  Execution: execution,
  Button: button,
  Buttons: { buttons: 'In the order of the playlists.' },
  StatusItem: {
    id: BUTTON,
    title: 'What the operator reads.',
    kind: 'What the button is.',
    executionId: 'Its run; null for images and buttons of lights alone.',
    state: 'Of its run; null where it has none.',
    positionMs: 'Of its run, in ms of the source; null where it has none.',
    durationMs: 'Of its source in ms, 0 while it is not known; null where it has no run.',
    dmxExecutionId: LIGHT_RUN,
  },
  DmxRun: {
    dmxExecutionId: 'The lighting timeline that runs.',
    buttonId: BUTTON,
    sync: 'Its clock: its own, an external one, or an external one that has gone quiet.',
    isPlaying: 'Whether its clock runs.',
    positionMs: 'In the timeline, in ms.',
    durationMs: 'Length of the timeline in ms.',
    lastDriftMs: 'Timeline minus message at the last message, in ms; null before the first.',
    worstDriftMs: 'The largest so far, with its sign, forced seeks aside; null: none yet.',
  },
  Status: {
    state: '`busy`: the show is being replaced, and commands are refused.',
    version: 'Of cartwall.',
    uptimeMs: 'Since the service started, in ms.',
    show: 'The title of the show.',
    showError: 'Why the show file as it is now was refused; null: it is the show that plays.',
    audio:
      'The sound output: `latencyMs` from it to the ear, `underruns` counts gaps while something ' +
      'sounded, `starvations` how often a decoder was late, `armedHeads` what starts at once.',
    dmx: 'Whether lights may run, and how many do.',
    lights: 'The output of lights, and each timeline that runs.',
    log: '`failing`: lines do not reach stderr; `lost` counts those that never will.',
    active: 'Runs that are not paused, images that are shown, buttons of lights that run.',
    paused: 'The paused runs.',
  },
  RunOptions: {
    pauseWhenReplaced: 'Kept in pause when it is replaced; null: the saved setting.',
    allowOverlap: '`false` replaces what sounds; null: the saved setting.',
    externalSequencing: '`true` leaves to the client what comes next. Default: false.',
    loop: 'Repeat of this run; null: the saved setting, none with `externalSequencing`.',
    loopCrossfadeMs: 'Overlap of the repeats in ms; null: as playlist and button say.',
  },
  Pause: { executionId: RUN, fadeOutMs: FADE },
  Resume: { executionId: RUN, fadeInMs: FADE },
  Stop: {
    executionId: 'Only this run is stopped; left out: whatever the button has.', fadeOutMs: FADE,
  },
  Panic: { fadeOutMs: FADE },
  Sync: sync,
  Started: {
    result: 'The request was accepted; that it can be decoded is not said.',
    id: BUTTON,
    executionId: 'The new run; null for images and buttons of lights alone.',
    dmxAllowed: 'Whether lights may run at all.',
    dmxExecutionId: 'The lighting timeline that was started; null: none was.',
  },
  AlreadyActive: {
    result: 'Nothing new was started.',
    id: BUTTON,
    executionId: 'The run that there is; null for images and buttons of lights alone.',
    dmxExecutionId: LIGHT_RUN,
  },
  Stopped: {
    result: RESULT, id: BUTTON, executionId: 'That of the request or of the run; null: no run.',
  },
  AllStopped: {
    result: RESULT,
    fadingOut: 'How many buttons fade out now, also those that did before.',
    stopped: 'How many buttons stopped at once.',
  },
  Synced: {
    executionId: 'The lighting timeline.',
    sequence: 'That of the message.',
    corrected: 'Whether it was put to another position, or its play state changed.',
    positionMs: 'Of the timeline after the message, in ms; wrapped where it loops.',
    driftMs: 'Timeline minus message before it was corrected, in ms; on a loop the shorter way.',
    isPlaying: 'Whether the timeline runs on.',
  },
}
