// The lights: what runs and how well it is in step, and every universe as a grid of its channels.
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { LiveTimeline } from '../../../../contract/live.js'
import type { UniverseLook } from '../../../../contract/live-frames.js'
import { FRAMES_PER_MS } from '../../../shared/clock.js'
import { NO_TIME, timeText } from '../../position.js'
import { WORDS } from '../../words.js'
import { Counting } from '../counting.js'
import { useWall } from '../model-context.js'

const COLUMNS = 32
const ROWS = 16

const SYNC_WORDS = {
  internal: 'by its own clock', chasing: 'follows an external clock',
  freewheel: 'external clock is silent',
} as const

export const LightsPanel = (): JSX.Element => {
  const model = useWall()
  const known = model.known.value
  const timelines = known?.timelines ?? []
  const universes = model.lights.value?.universes ?? []
  return (
    <>
      <p class={known?.lights.state === 'failing' ? 'fact is-bad' : 'fact'}>
        {outputWords(known?.lights.state ?? 'off', known?.lights.message ?? null)}
      </p>
      {timelines.length === 0 && universes.length === 0 && <p class="fact">{WORDS.noLights}</p>}
      {timelines.map((timeline) => <Timeline key={timeline.dmxExecutionId} timeline={timeline} />)}
      {universes.map((look) => <Universe key={look.universe} look={look} />)}
    </>
  )
}

const outputWords = (state: 'off' | 'ok' | 'failing', message: string | null): string => {
  if (state === 'off') return 'Nothing is sent: no output is configured.'
  if (state === 'ok') return 'Sending.'
  return message === null ? 'Sending fails.' : `Sending fails: ${message}`
}

const Timeline = ({ timeline }: { readonly timeline: LiveTimeline }): JSX.Element => {
  const model = useWall()
  const title = model.buttons.value.get(timeline.buttonId)?.title ?? timeline.title
  const { lastDriftMs: last, worstDriftMs: worst } = timeline
  return (
    <div class="timeline">
      <span class="timeline-title" dir="auto">{title}</span>
      <Counting name="timeline-time" hidden={false} onText={null}
        text={() => model.connection.value === 'lost' ? NO_TIME
          : timeText(positionOf(timeline, model.heardNow()) / FRAMES_PER_MS, false)} />
      <span class="timeline-words">
        {timeline.moving ? SYNC_WORDS[timeline.sync] : 'holds'}
        {last === null ? '' : `, drift ${last.toFixed(0)} ms`}
        {worst === null ? '' : `, worst ${worst.toFixed(0)} ms`}
      </span>
    </div>
  )
}

const positionOf = (timeline: LiveTimeline, heard: number): number => {
  const { at, position, moving, duration, loop } = timeline
  const gone = position + (moving ? Math.max(0, heard - at) : 0)
  return loop && duration > 0 ? gone % duration : Math.min(gone, duration)
}

/** 512 channels as 16 rows of 32, each as bright as its value. */
const Universe = ({ look }: { readonly look: UniverseLook }): JSX.Element => {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d') ?? null
    if (context === null) return
    const image = context.createImageData(COLUMNS, ROWS)
    for (const [n, value] of look.slots.entries()) {
      image.data.set([value, Math.round(value * 0.85), Math.round(value * 0.5), 255], n * 4)
    }
    context.putImageData(image, 0, 0)
  }, [look])
  const lit = look.slots.reduce((count, value) => count + (value > 0 ? 1 : 0), 0)
  const words = `Universe ${look.universe}: ${lit} of 512 channels are on`
  return (
    <figure class="universe">
      <canvas ref={canvas} width={COLUMNS} height={ROWS} role="img" aria-label={words} />
      <figcaption>{words}</figcaption>
    </figure>
  )
}
