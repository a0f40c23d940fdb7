// What moves by itself: texts that count, and bars that the compositor moves.
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { LiveRun } from '../../../contract/live.js'
import { courseOf } from '../position.js'
import type { WallModel } from '../wall-model.js'
import { useWall } from './model-context.js'

/** A text that is written ten times a second, straight into its place: nothing is drawn anew. */
export const Counting = (
  { text, name, hidden, onText }: {
    readonly text: (model: WallModel) => string
    readonly name: string
    /** Screen readers read the time when it is asked for, not ten times a second. */
    readonly hidden: boolean
    readonly onText: ((element: HTMLElement, model: WallModel) => void) | null
  },
): JSX.Element => {
  const model = useWall()
  const place = useRef<HTMLSpanElement>(null)
  const latest = useRef({ text, onText })
  latest.current = { text, onText }
  useEffect(
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

/** How far a run is, as a bar: one animation from where it is to where its anchor's course ends. */
export const Progress = (
  { run, name }: { readonly run: LiveRun; readonly name: string },
): JSX.Element => {
  const model = useWall()
  const bar = useRef<HTMLDivElement>(null)
  const { connection } = model
  const isLost = connection.value === 'lost'
  useLayoutEffect(() => {
    const element = bar.current
    if (element === null) return
    const { from, to, ms } = courseOf(run, model.heardNow())
    const scale = (share: number): string => `scaleX(${share})`
    element.style.transform = scale(from)
    if (ms === 0 || isLost) return
    const moving = element.animate(
      [{ transform: scale(from) }, { transform: scale(to) }], { duration: ms, fill: 'forwards' },
    )
    return () => moving.cancel()
  }, [model, run.executionId, run.anchor, run.starving, run.range, run.duration, isLost])
  return <div class={name} ref={bar} aria-hidden="true" />
}
