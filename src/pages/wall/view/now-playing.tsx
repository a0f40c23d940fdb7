// Now playing: a row for each run that has room, newest first, then the picture that is shown and
// lights by themselves, and how the last runs ended, in words.
//
// Rows are put in their places by a transform: one that comes or goes shifts no other out of hand.
import type { JSX } from 'preact'
import { isBlank } from '../../../contract/blank-text.js'
import type { LiveRun } from '../../../contract/live.js'
import { FRAMES_PER_MS } from '../../shared/clock.js'
import type { Known } from '../../shared/live-state.js'
import { goneButton } from './gone-button.js'
import { timeText } from '../position.js'
import { rowsOf, type Lone } from '../shown-runs.js'
import {
  endWords, inSentence, LONE_WORDS, lookWords, nameOf, outputTrouble, troubleWords, WORDS,
} from '../words.js'
import { Progress, RunTime } from './counting.js'
import { Icon, type Sign } from './icons.js'
import { Meter } from './meter.js'
import { useWall } from './model-context.js'
import { WithTitle } from './with-title.js'

export const NowPlaying = (): JSX.Element => {
  const model = useWall()
  const { runs: shown, lone: last, count } = rowsOf(model.known.value)
  const more = count - shown.length - last.length
  return (
    <aside class="now" aria-label={WORDS.nowPlaying}>
      <h2 class="now-head">
        {WORDS.nowPlaying}
        <span class="now-count">{count === 0 ? '' : `${count}`}</span>
        <Trouble known={model.known.value} />
        <span class="now-more">{more > 0 ? `${more} more` : ''}</span>
      </h2>
      <div class="rows" role={count === 0 ? undefined : 'list'}>
        {count === 0 && <p class="rows-empty">{WORDS.nothingPlays}</p>}
        {shown.map((run, place) => <Row key={run.executionId} run={run} place={place} />)}
        {last.map((one, n) =>
          <LoneRow key={one.buttonId} one={one} place={n + shown.length} />)}
      </div>
      <h2 class="now-head">{WORDS.lastEnds}</h2>
      <div class="ends" role={model.ends.value.length === 0 ? undefined : 'list'}>
        {model.ends.value.length === 0 && <p class="rows-empty">{WORDS.nothingEnded}</p>}
        {model.ends.value.map((ended, place) => (
          <div key={ended.executionId} class={`end is-${ended.end.kind}`} role="listitem"
            style={{ transform: `translateY(${place * 100}%)` }}>
            <span class="end-title" dir="auto">{ended.title}</span>
            <span class="end-words">
              {ended.end.kind === 'replaced' && ended.end.by !== null
                ? <WithTitle before="replaced by " title={ended.end.by} /> : endWords(ended.end)}
            </span>
          </div>
        ))}
      </div>
    </aside>
  )
}

/** Where the window is too narrow for the header to say it. */
const Trouble = ({ known }: { readonly known: Known | null }): JSX.Element => (
  <span class="now-trouble">
    {known !== null && <b>{outputTrouble(known.output) ?? ''} </b>}
    {known !== null && troubleWords(known)}
  </span>
)

const LoneRow = (
  { one: { buttonId, title: told, kind }, place }:
  { readonly one: Lone; readonly place: number },
): JSX.Element => {
  const model = useWall()
  const button = model.buttons.value.get(buttonId)
  const own = button?.title ?? told
  const title = isBlank(own) ? LONE_WORDS[kind].title : own
  // Until the show is loaded nobody knows.
  const isOfAnother = model.show.value !== null && button === undefined
  return (
    <div class="row is-shown" role="listitem" style={{ transform: `translateY(${place * 100}%)` }}>
      <div class="row-box">
        <span class="row-sign"><Icon sign={kind} /></span>
        <span class="row-title" dir="auto">{title}</span>
        <span class="row-words">
          {isOfAnother ? WORDS.ofAnotherShow : LONE_WORDS[kind].state}
        </span>
        <span class="row-tools">
          <RowTool sign="stop" words={`Stop ${title}`} press={() =>
            model.presses.choose({ kind: 'stop', buttonId, executionId: null, fadeMs: null })} />
        </span>
      </div>
    </div>
  )
}

const SIGNS: Readonly<Record<LiveRun['state'], Sign>> = {
  starting: 'starting', playing: 'playing', pausing: 'paused', paused: 'paused',
  fading_out: 'fading_out', completed: 'stop', stopped: 'stop', failed: 'missing',
}

const Row = ({ run, place }: { readonly run: LiveRun; readonly place: number }): JSX.Element => {
  const model = useWall()
  const at = timeText(run.anchor.position / FRAMES_PER_MS, false)
  const next = run.next === null ? null : model.buttons.value.get(run.next)?.title ?? null
  // What became of a press here: its button may be on another page, or in no show any more.
  const { message, ignored } = model.presses.signOf(run.buttonId).value
  const look = `row is-${run.state}${ignored ? ' was-ignored' : ''}`
  return (
    <div class={look} role="listitem" data-run={run.executionId}
      style={{ transform: `translateY(${place * 100}%)` }}>
      <div class="row-box">
        <Progress run={run} name="row-progress">{null}</Progress>
        <span class="row-sign"><Icon sign={SIGNS[run.state]} /></span>
        <span class="row-title" dir="auto">{run.title}</span>
        <span class={`row-words${message === null ? '' : ' is-told'}`}>
          {message ?? rowWords(run, at, next)}
        </span>
        <RunTime run={run} name="row-time" />
        <Meter name="row-meter" words={null} peaksIn={({ runs }) =>
          runs.find(({ executionId }) => executionId === run.executionId)} />
        <span class="row-tools"><RowTools run={run} /></span>
      </div>
    </div>
  )
}

/**
 * One text: parts of their own would push each other along the line. Its end is cut off: of what
 * plays, as the sign tells, that is the state; of what pauses not the place where it does.
 */
const rowWords = (run: LiveRun, at: string, next: string | null): string => {
  const state = [stateWords(run, at), ...(run.loops ? ['loop'] : [])]
  const follows = next === null ? [] : [`${WORDS.next}: ${inSentence(next)}`]
  return (run.state === 'playing' ? [...follows, ...state] : [...state, ...follows]).join(' · ')
}

const stateWords = (run: LiveRun, at: string): string => {
  const { state } = run
  // A row has little room: what would be cut off is where it is.
  if (state === 'paused') return `paused ${at}`
  return state === 'completed' || state === 'stopped' || state === 'failed'
    ? state : lookWords({ kind: state, run }, at)
}

const RowTools = ({ run }: { readonly run: LiveRun }): JSX.Element => {
  const model = useWall()
  const { buttonId, executionId } = run
  const command = { buttonId, executionId, fadeMs: null }
  const isPaused = run.state === 'paused' || run.state === 'pausing'
  return (
    <>
      {isPaused
        ? <RowTool press={() => model.presses.turn({ kind: 'resume', ...command })} sign="playing"
          words={`Resume ${nameOf(run.title)}`} />
        : <RowTool press={() => model.presses.turn({ kind: 'pause', ...command })} sign="paused"
          words={`Pause ${nameOf(run.title)}`} />}
      <button type="button" class="row-tool" aria-haspopup="menu"
        aria-label={`Menu of the run of ${nameOf(run.title)}`}
        onClick={(event) => {
          const button = model.buttons.value.get(buttonId) ?? goneButton(run)
          const { right, bottom } = event.currentTarget.getBoundingClientRect()
          model.openMenu({ button, x: right, y: bottom, from: event.currentTarget })
        }}>
        <Icon sign="menu" />
      </button>
    </>
  )
}

const RowTool = (
  { press, sign, words }: {
    readonly press: () => void
    readonly sign: Sign
    readonly words: string
  },
): JSX.Element => {
  const { presses } = useWall()
  return (
    <button type="button" class="row-tool" aria-label={words}
      onClick={() => presses.isSecondHalf() || press()}>
      <Icon sign={sign} />
    </button>
  )
}
