// What a page on /live draws (6.1), by the model alone: who is there, and where each heads for.
import type { LiveRun } from '../../src/contract/live.js'
import type { Execution } from '../../src/contract/schemas.js'
import type { PlayerUnderTest } from '../world/player-under-test.js'
import { difference, differenceText } from './difference.js'
import type { Timeline } from './model/lights.js'
import type { Model } from './model/model.js'
import { loops, overlapOf } from './model/runs/bounds.js'
import { placeOf, wholeMs, type ModelRun } from './model/shapes.js'

/** A fade that is over has left its last gain, and nobody asks how it came there. */
const fadeOf = (
  { begin, end, from, to }: Record<'begin' | 'end' | 'from' | 'to', number>, now: number,
): object => end > now ? { begin, end, from, to } : { to }

type Course = { readonly until: number; readonly then: object }

const comesRound = (run: ModelRun): boolean =>
  loops(run) && run.handedTo === null && (!run.decided || run.seam !== null) &&
  (run.state !== 'fading_out' || run.why === 'replaced')

/** What its place in the media brings next; null while nobody knows where they end. */
const mediaCourse = (run: ModelRun, headBytes: number): Course | null => {
  const { tail: { end }, seam, start } = run
  if (end === null) return null
  if (seam !== null) return { until: end, then: { kind: 'wrap', to: start + seam.frames } }
  if (!comesRound(run)) return { until: end, then: { kind: 'end' } }
  const overlap = overlapOf(run, end, headBytes)
  return overlap > 0 ? { until: end - overlap, then: { kind: 'on' } }
    : { until: end, then: { kind: 'wrap', to: start } }
}

/** Where it heads for, while it moves: its media come before its fade. */
const courseOf = (run: ModelRun, now: number, headBytes: number): Course | null => {
  const media = mediaCourse(run, headBytes)
  if (run.state !== 'pausing' && run.state !== 'fading_out') return media
  const left = Math.max(0, run.fade.begin + run.fade.frames - now)
  const until = placeOf(run, now) + left
  if (media !== null && media.until <= until) return media
  return { until, then: { kind: run.state === 'pausing' ? 'on' : 'end' } }
}

const NOWHERE = { until: null, then: null }

/** A reader carries what moves on by itself. */
const carried = (
  { at, position, moving }: Record<'at' | 'position', number> & { readonly moving: boolean },
  now: number,
): number => moving ? position + (now - at) : position

/** What a page makes of what it is told of a run. */
const drawnOf = (run: LiveRun, now: number) => {
  const { anchor, fade, range } = run
  return {
    executionId: run.executionId, buttonId: run.buttonId, title: run.title, kind: run.kind,
    state: run.state, endReason: run.endReason, order: run.order, start: range.start,
    starving: run.starving, loops: run.loops, fade: fadeOf(fade, now),
    moving: anchor.moving, place: carried(anchor, now), until: anchor.until, then: anchor.then,
    durationMs: wholeMs(run.duration ?? 0), endMs: range.end === null ? null : wholeMs(range.end),
  }
}

type Drawn = ReturnType<typeof drawnOf>

/** As the model would draw it. What it lasts any reader is told. */
const meantOf = (
  run: ModelRun, { state: { now, scenario } }: Model, drawn: Drawn | undefined,
  read: Execution | null,
): { readonly [Key in keyof Drawn]: unknown } => {
  const { begin, frames, from, to } = run.fade
  const { moving, start } = run
  const course = (moving ? courseOf(run, now, scenario.loopHeadBytes) : null) ?? NOWHERE
  return {
    executionId: run.id, buttonId: run.button.id, title: `b${run.button.n}`, kind: run.kind,
    state: run.state, endReason: null, order: run.order, start,
    // Of one that stands still nobody is told whether it will come round.
    starving: run.starving, loops: moving ? comesRound(run) : drawn?.loops,
    fade: fadeOf({ begin, end: begin + frames, from, to }, now),
    moving, place: placeOf(run, now), until: course.until, then: course.then,
    durationMs: read?.durationMs, endMs: read?.endMs,
  }
}

const timelineOf = (line: Timeline, { lights }: Model): object => ({
  dmxExecutionId: line.id, buttonId: line.button, title: line.title, sync: line.sync,
  moving: line.state === 'running', place: lights.at(line), loop: line.loop,
  duration: line.frames, lastDriftMs: line.last, worstDriftMs: line.worst,
})

/** Where what is drawn differs from what the model would draw; null where it does not. */
export const liveDifference = (model: Model, player: PlayerUnderTest): string | null => {
  const { runs, image, timelines } = player.parts()
  const { state: { live, image: shown, now }, lights } = model
  const drawn = {
    runs: runs.map((run) => drawnOf(run, now)),
    image: image?.buttonId ?? null,
    timelines: timelines.map(({ at, position, ...line }) => {
      const place = carried({ at, position, moving: line.moving }, now)
      return { ...line, place: line.loop ? place % line.duration : place }
    }),
  }
  const meant = {
    runs: live.map((run, n) => meantOf(run, model, drawn.runs[n], player.execution(run.id))),
    image: shown?.id ?? null,
    timelines: [...lights.live.values()].map((line) => timelineOf(line, model)),
  }
  const apart = difference(drawn, meant, '')
  return apart === null ? null : `at frame ${now} ${differenceText(apart)}`
}
