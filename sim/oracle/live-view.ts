// What a page on /live draws (6.1), by the model alone: who is there, and where each heads for.
import type { LiveRun } from '../../src/contract/live.js'
import type { PlayerUnderTest } from '../world/player-under-test.js'
import { difference, differenceText } from './difference.js'
import type { Model } from './model/model.js'
import { loops, overlapOf } from './model/runs/bounds.js'
import { placeOf, type ModelRun } from './model/shapes.js'

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

/** As it is told, but for all that the model knows of it. */
const runOf = (run: ModelRun, now: number, headBytes: number, told: Partial<LiveRun>): object => {
  const { begin, frames, from, to } = run.fade
  const { moving, start } = run
  const course = (moving ? courseOf(run, now, headBytes) : null) ?? NOWHERE
  return {
    ...told, executionId: run.id, buttonId: run.button.id, title: `b${run.button.n}`,
    kind: run.kind, state: run.state, endReason: null, order: run.order,
    starving: run.starving, range: { ...told.range, start },
    anchor: { ...told.anchor, moving, ...course }, loops: moving ? comesRound(run) : told.loops,
    fade: fadeOf({ begin, end: begin + frames, from, to }, now),
  }
}

/** Where what is drawn differs from what the model would draw; null where it does not. */
export const liveDifference = (
  { state, lights }: Model, player: PlayerUnderTest,
): string | null => {
  const { runs, image, timelines } = player.parts()
  const { now } = state
  const told = {
    runs: runs.map((run) => ({ ...run, fade: fadeOf(run.fade, now) })),
    image: image?.buttonId ?? null,
    timelines: timelines.map(({ dmxExecutionId, moving, loop, duration }) =>
      ({ dmxExecutionId, moving, loop, duration })),
  }
  const meant = {
    runs: state.live.map((run, n) =>
      runOf(run, now, state.scenario.loopHeadBytes, runs[n] ?? {})),
    image: state.image?.id ?? null,
    timelines: [...lights.live.values()].map(({ id, state: is, loop, frames }) =>
      ({ dmxExecutionId: id, moving: is === 'running', loop, duration: frames })),
  }
  const apart = difference(told, meant, '')
  return apart === null ? null : `at frame ${now} ${differenceText(apart)}`
}
