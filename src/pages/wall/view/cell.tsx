// One button of the grid: what it is, what it does now, and the gestures on it.
import { computed, useComputed } from '@preact/signals'
import type { CSSProperties, JSX } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { LiveRun } from '../../../contract/live.js'
import type { ShowButton } from '../../../contract/show-page.js'
import { FRAMES_PER_MS } from '../../shared/clock.js'
import { capOf } from '../hotkeys.js'
import { IDLE, lookOf, runOf, sameLook, type Look } from '../look.js'
import type { Cell as CellOf } from '../places.js'
import { fadeProgress, timeText } from '../position.js'
import { wavePath } from '../show/wave-path.js'
import type { WallModel } from '../wall-model.js'
import { idleWords, KIND_WORDS, lookWords, nameOf, unnamed, WORDS } from '../words.js'
import { pressHandlers } from './cell-gestures.js'
import { Counting, Progress, RunTime } from './counting.js'
import { Icon, type Sign as IconSign } from './icons.js'
import { useWall } from './model-context.js'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const Cell = ({ cell, box }: { readonly cell: CellOf; readonly box: Box }): JSX.Element => {
  const model = useWall()
  const { button, place } = cell
  const cap = capIn(model, cell)
  const look = useLook(model, button)
  const sign = model.presses.signOf(button.id).value
  const isNext = useComputed(() =>
    (model.known.value?.runs ?? []).some(({ next }) => next === button.id)).value
  const state = `state-${button.id}`
  const isTabStop = model.places.tabStop.value === place
  const press = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    // A show that is saved may move it: Enter presses what has the focus, wherever that is now.
    if (press.current === document.activeElement) model.places.focus.value = place
  }, [model, place])
  return (
    <div
      class={cellClass(look, sign)}
      data-color={button.color ?? 'none'}
      data-button={button.id}
      style={placed(box)}
    >
      <button
        type="button"
        class="press"
        ref={press}
        aria-label={unnamed(button.title, 'button') ?? undefined}
        aria-describedby={state}
        aria-pressed={button.kind === 'navigation' ? undefined : isOn(look)}
        tabIndex={isTabStop ? 0 : -1}
        onFocus={() => (model.places.focus.value = place)}
        {...pressHandlers(model, button)}
      >
        <Wave button={button} run={runOf(look)} />
        <span class="cell-head">
          <span class="cap" aria-hidden="true">{cap}</span>
          <span class="kind"><Icon sign={button.kind} /></span>
          {button.isLoopEnabled && <span class="kind"><Icon sign="padlock" /></span>}
          {hasOwnLights(button) && (
            <span class="kind"><Icon sign="lights" /></span>
          )}
          {isNext && <span class="next-mark" aria-hidden="true">{WORDS.next}</span>}
        </span>
        <span class="cell-title" dir="auto">{button.title}</span>
        <State id={state} cell={cell} look={look} isNext={isNext} />
      </button>
      {sign.message !== null && <div class="cell-message" role="alert">{sign.message}</div>}
      <MenuButton button={button} />
    </div>
  )
}

const capIn = ({ layout }: WallModel, { key }: CellOf): string =>
  key === null ? '' : capOf(key, layout.value)

const placed = ({ x, y, width, height }: Box): CSSProperties => ({
  transform: `translate(${x}px, ${y}px)`, width: `${width}px`, height: `${height}px`,
})

/** Changes only when this button does, so that a change elsewhere draws nothing here. */
const useLook = (model: WallModel, button: ShowButton): Look =>
  useMemo(() => {
    let last: Look = IDLE
    return computed(() => {
      const look = lookOf(button, model.known.value)
      if (!sameLook(look, last)) last = look
      return last
    })
  }, [model, button]).value

const isOn = (look: Look): boolean => look.kind !== 'idle' && look.kind !== 'missing'

const cellClass = (
  look: Look, sign: { readonly pressed: boolean; readonly ignored: boolean },
): string =>
  `cell is-${look.kind}${sign.pressed ? ' was-pressed' : ''}${sign.ignored ? ' was-ignored' : ''}`

const ICONS: Readonly<Record<Look['kind'], IconSign | null>> = {
  idle: null, starting: 'starting', playing: 'playing', pausing: 'paused', paused: 'paused',
  fading_out: 'fading_out', shown: 'shown', lit: 'lit', missing: 'missing',
}

/**
 * The last line of a button: a sign and a word at the left, a time at the right. It is no part of
 * the button's name, which is its title alone, but describes it.
 */
const State = (
  { id, cell, look, isNext }: {
    readonly id: string
    readonly cell: CellOf
    readonly look: Look
    readonly isNext: boolean
  },
): JSX.Element => {
  const { button } = cell
  const icon = ICONS[look.kind]
  const run = runOf(look)
  const at = run === null ? '' : timeText(run.anchor.position / FRAMES_PER_MS, false)
  const word = look.kind === 'idle' ? idleWords(button) : lookWords(look, at)
  const model = useWall()
  const isArmed = useComputed(() => model.armed.value.has(button.id)).value && look.kind === 'idle'
  return (
    <span class="cell-state" id={id} aria-hidden="true">
      <span class="state-sign">
        {icon !== null && <Icon sign={icon} />}
        {isArmed && <span class="armed" />}
      </span>
      <span class={wordClass(look, word)}>
        {look.kind === 'paused' && <span class="state-lead">{word.slice(0, -at.length)}</span>}
        {/* An element of its own: a text that is kept would be moved by what comes before it. */}
        {look.kind === 'paused' ? <span>{at}</span> : word}
      </span>
      <span class="visually-hidden">{signWords(button, capIn(model, cell), isNext, isArmed)}</span>
      {run === null && look.kind !== 'missing' && (
        <span class="cell-time">{lengthOf(button)}</span>
      )}
      {run !== null && look.kind !== 'paused' && <RunTime run={run} name="cell-time is-counting" />}
    </span>
  )
}

/** For screen readers: what the signs of a button say. */
const signWords = (
  button: ShowButton, cap: string, isNext: boolean, isArmed: boolean,
): string =>
  [
    KIND_WORDS[button.kind],
    ...(button.isLoopEnabled ? [WORDS.repeats] : []),
    ...(hasOwnLights(button) ? [WORDS.hasLights] : []),
    ...(isNext ? [WORDS.next] : []),
    ...(isArmed ? [WORDS.armed] : []),
    ...(cap === '' ? [] : [`${WORDS.key} ${cap}`]),
  ].join(', ')

/** Beside what it is itself. */
const hasOwnLights = ({ dmx, kind }: ShowButton): boolean => dmx !== null && kind !== 'dmx'

/** A warning is read where there is little room: what it would play without, or what it lacks. */
const wordClass = (look: Look, word: string): string => {
  const isWarning = look.kind === 'missing' || (look.kind === 'idle' && word !== '')
    || (look.kind === 'playing' && look.run.starving)
  const isLong = look.kind === 'missing' && look.isThere
  return `state-word${isWarning ? ' is-warning' : ''}${isLong ? ' is-unplayable' : ''}`
}

/** The length of what a press would play: from Start to End. */
const lengthOf = ({ durationMs, startMs, endMs }: ShowButton): string => {
  const end = endMs === null || (durationMs > 0 && endMs > durationMs) ? durationMs : endMs
  const ms = end - startMs
  // A sting of less than a second is no 0:00, as of a file with nothing in it.
  return ms > 0 ? timeText(ms, ms < 1_000) : ''
}

const Wave = (
  { button, run }: { readonly button: ShowButton; readonly run: LiveRun | null },
): JSX.Element => {
  const model = useWall()
  const peaks = useComputed(() => model.waves.peaks.value.get(button.id) ?? null).value
  const path = useMemo(() => (peaks === null ? null : wavePath(peaks)), [peaks])
  const columns = peaks?.length ?? 1
  return (
    <span class="wave" aria-hidden="true">
      {path !== null && <WaveShape path={path} columns={columns} />}
      {run !== null && (
        <Progress run={run} name="wave-progress">
          {path !== null && <WaveShape path={path} columns={columns} />}
        </Progress>
      )}
      {run?.state === 'fading_out' && <FadeBar run={run} />}
    </span>
  )
}

const WaveShape = (
  { path, columns }: { readonly path: string; readonly columns: number },
): JSX.Element => (
  <svg viewBox={`0 0 ${columns - 1} 2`} preserveAspectRatio="none"><path d={path} /></svg>
)

const FadeBar = ({ run }: { readonly run: LiveRun }): JSX.Element => (
  <Counting
    name="fade-bar"
    hidden
    text={() => ''}
    onText={(element, model) => {
      if (model.connection.value === 'lost') return
      element.style.transform = `scaleX(${1 - fadeProgress(run, model.heardNow())})`
    }}
  />
)

const MenuButton = ({ button }: { readonly button: ShowButton }): JSX.Element => {
  const model = useWall()
  return (
    <button
      type="button"
      class="more"
      tabIndex={-1}
      aria-haspopup="menu"
      aria-label={`Menu of ${nameOf(button.title)}`}
      onClick={(event) => {
        const { left, bottom } = event.currentTarget.getBoundingClientRect()
        model.openMenu({ button, x: left, y: bottom, from: event.currentTarget })
      }}
    >
      <Icon sign="menu" />
    </button>
  )
}
