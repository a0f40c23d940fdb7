// How loud something is: two lanes that each frame of levels moves, and nothing is drawn anew.
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { LevelsFrame, Peaks } from '../../../contract/live-frames.js'
import { useWall } from './model-context.js'

export const Meter = (
  { name, words, peaksIn }: {
    readonly name: string
    /** For screen readers; null: it is nothing to them. */
    readonly words: string | null
    /** What it shows of a frame; undefined: silence. */
    readonly peaksIn: (frame: LevelsFrame) => Peaks | undefined
  },
): JSX.Element => {
  const model = useWall()
  const left = useRef<HTMLSpanElement>(null)
  const right = useRef<HTMLSpanElement>(null)
  const latest = useRef(peaksIn)
  latest.current = peaksIn
  useEffect(
    () =>
      model.levels.subscribe((frame) => {
        const peaks = frame === null ? undefined : latest.current(frame)
        setLane(left.current, peaks?.left ?? 0)
        setLane(right.current, peaks?.right ?? 0)
      }),
    [model],
  )
  const told = words === null ? { 'aria-hidden': true }
    : { role: 'img', 'aria-label': words } as const
  return (
    <span class={`meter ${name}`} {...told}>
      <span class="meter-lane"><span class="meter-bar" ref={left} /></span>
      <span class="meter-lane"><span class="meter-bar" ref={right} /></span>
    </span>
  )
}

/** -48 dB is nothing, full scale is all: even steps for the ear, not for the number. */
const shareOf = (peak: number): number =>
  peak <= 0 ? 0 : Math.max(0, Math.min(1, 1 + (20 * Math.log10(peak)) / 48))

const setLane = (element: HTMLElement | null, peak: number): void => {
  if (element !== null) element.style.clipPath = `inset(0 ${100 - 100 * shareOf(peak)}% 0 0)`
}
