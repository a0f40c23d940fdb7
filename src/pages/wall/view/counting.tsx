// What moves by itself: texts that count, and bars that the compositor moves.
import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { LiveRun } from '../../../contract/live.js'
import { FRAMES_PER_MS } from '../../shared/clock.js'
import { courseOf, NO_TIME, positionAt, remainingMs, soonAt, timeText } from '../position.js'
import type { WallModel } from '../wall-model.js'
import { useWall } from './model-context.js'

/** A text that is looked at by one timer and written into its place: nothing is drawn anew. */
export const Counting = (
  { text, name, hidden, onText }: {
    readonly text: (model: WallModel) => string
    readonly name: string
    /** Screen readers read the time when it is asked for, not at each change. */
    readonly hidden: boolean
    readonly onText: ((element: HTMLElement, model: WallModel) => void) | null
  },
): JSX.Element => {
  const model = useWall()
  const place = useRef<HTMLSpanElement>(null)
  const latest = useRef({ text, onText })
  latest.current = { text, onText }
  // Before it is painted: a button that begins to play had no time for a frame.
  useLayoutEffect(
    () =>
      model.ticker.add(() => {
        const element = place.current
        if (element === null) return
        const next = latest.current.text(model)
        if (element.textContent !== next) element.textContent = next
        latest.current.onText?.(element, model)
      }),
    [model],
  )
  return <span class={name} ref={place} aria-hidden={hidden} />
}

/** Signs of a time below an hour, which is what there is room for. */
const MINUTES_MOST = '59:59'.length

/** How long a run still has to its End, or how far it is while no end is known. */
export const RunTime = (
  { run, name }: { readonly run: LiveRun; readonly name: string },
): JSX.Element => (
  <Counting
    name={name}
    hidden={false}
    text={(model) => {
      if (model.connection.value === 'lost') return NO_TIME
      const heard = model.heardUntilNextTick()
      const left = remainingMs(run, heard)
      return left === null
        ? timeText(positionAt(run, heard) / FRAMES_PER_MS, false)
        : timeText(left, true)
    }}
    onText={(element, model) => {
      const isKnown = model.connection.value !== 'lost'
      const soon = isKnown ? soonAt(run, model.heardUntilNextTick()) : 'no'
      // What is written is styled anew, the same words too.
      if (element.dataset['soon'] !== soon) element.dataset['soon'] = soon
      const isLong = element.textContent.length > MINUTES_MOST
      if (element.hasAttribute('data-hours') !== isLong) {
        element.toggleAttribute('data-hours', isLong)
      }
    }}
  />
)

/** Shorter ones move by more than a pixel in a tenth of a second. */
const SMOOTH_MS = 10_000
const STEP_MS = 100

/**
 * Twenty bars that are moved at every refresh keep a small machine's graphics busy, and a press is
 * seen late. A long one moves as often as its text counts.
 */
const easingOf = (ms: number): string =>
  ms < SMOOTH_MS ? 'linear' : `steps(${Math.round(ms / STEP_MS)})`

/**
 * How far a run is, as a bar: one animation from where it is to where its anchor's course ends. The
 * bar moves as a whole and what is in it moves against it, so that this stays in its place and is
 * uncovered; both are left to the compositor. A bar with nothing in it is one thing to move.
 */
export const Progress = (
  { run, name, children }: {
    readonly run: LiveRun
    readonly name: string
    readonly children: ComponentChildren
  },
): JSX.Element => {
  const model = useWall()
  const bar = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  const { connection } = model
  const isLost = connection.value === 'lost'
  const clockTurn = model.clockTurn.value
  useLayoutEffect(() => {
    const { from, to, ms } = courseOf(run, model.heardNow())
    const moving = [{ element: bar.current, sign: -1 }, { element: inner.current, sign: 1 }]
      .map(({ element, sign }) => {
        const at = (share: number): string => `translateX(${sign * 100 * (1 - share)}%)`
        if (element !== null) element.style.transform = at(from)
        if (ms === 0 || isLost) return null
        const frames = [{ transform: at(from) }, { transform: at(to) }]
        return element?.animate(frames, { duration: ms, fill: 'forwards', easing: easingOf(ms) })
      })
    return () => {
      for (const each of moving) each?.cancel()
    }
  }, [
    model, run.executionId, run.anchor, run.starving, run.range, run.duration, isLost, clockTurn,
  ])
  return (
    <div class={name} ref={bar} aria-hidden="true">
      {children !== null && <div class="uncovered" ref={inner}>{children}</div>}
    </div>
  )
}
