// The reference model of runs: how each starts, fades, gives way and ends, without an agenda.
import type { EndReason, RunState } from '../../../../src/contract/vocabulary.js'
import type { RuleName } from '../../rules.js'
import { pathOf } from '../../../scenario/show.js'
import type { RunEvent } from '../../../world/engine-observer.js'
import { ModelBoundaries } from './boundaries.js'
import { isReady, loops } from './bounds.js'
import { fadeOf } from './fade-precedence.js'
import { fadeTo, resting, type Fade } from './gain.js'
import { rangeMs } from './lengths.js'
import { judgeOpened } from './opened-ahead.js'
import { judgeTold } from './told.js'
import type { ModelLights } from '../lights.js'
import type { ModelLists } from '../lists/lists.js'
import {
  go, hasItsList, hold, isLive, ModelRun, placeOf, starvedOf, unheard, wholeMs, type Birth,
  type ModelList, type ModelStream,
} from '../shapes.js'
import type { ModelState } from '../state.js'
import type { ModelStreams } from '../streams.js'

type Cause = RunEvent['cause']

/** 3.1, read once more: how a run ended decides its state. */
const ENDS: Readonly<Record<EndReason, RunState>> = {
  natural_end: 'completed', explicit_stop: 'stopped', replaced: 'stopped', playback_error: 'failed',
}

export class ModelRuns {
  #order = 0
  readonly boundaries: ModelBoundaries

  constructor(
    private readonly state: ModelState, private readonly streams: ModelStreams,
    private readonly lists: ModelLists, private readonly lights: ModelLights,
  ) {
    this.boundaries = new ModelBoundaries(state, streams, lists, lights, this)
  }

  // Starts

  born(birth: Birth): ModelRun {
    const { button, event, from } = birth
    const tail = this.streams.streamOf(event.birth!.stream)!
    // Who follows by itself was accepted with the one whose place it takes.
    const order = from?.order ?? (this.#order += 1)
    const { judge, known, live } = this.state
    const list = this.state.listOf(button)
    const name = `b${button.n}#${known.size + 1}`
    const run = new ModelRun(birth, list, tail, order, name, this.state.now)
    judge.hold('1/ids-are-new', !known.has(run.id), () => 'an id came twice')
    judge.hold('D3/one-live-run', this.state.ofButton(button.id) === null, () =>
      `b${button.n} has two live runs`)
    const { request } = tail.seen
    const own = request.buttonId === button.id && request.path === pathOf(button.file!)
    judge.hold('D3/range', own && request.from === run.start && request.to === run.to, () =>
      `b${button.n} decodes ${request.path} from ${request.from} to ${String(request.to)}`)
    judgeOpened(this.state, this.streams, run, list)
    live.push(run)
    known.set(run.id, run)
    this.lists.moved(run)
    this.lights.start(button, 'media')
    this.#expect(run, '3.2/start', from === null ? 'command' : 'sequence')
    return run
  }

  /** News of the run's decoder: the first sound, an end that came nearer, a failure. */
  news(run: ModelRun, stream: ModelStream): void {
    if (!isLive(run)) return
    run.source = stream.source ?? run.source
    const nothing = (stream.end !== null && stream.end <= stream.from) ||
      (stream.broken !== null && stream.supplied <= stream.from)
    if (stream === run.tail && nothing) {
      this.state.judge.sometimes('an incoming run fails while starting and replaces nothing',
        run.state === 'starting' && run.from === null)
      this.fail(run)
    } else if (!unheard(run)) run.newsHeard = true
    else if (isReady(stream)) {
      if (run.rises !== null) this.#riseNow(run, run.rises.suppliedMs)
      else if (run.pauseWanted) {
        this.lights.sounds(run.button.id)
        this.rest(run, '3.2/pause-cut', 'ready')
      } else this.sound(run, null)
    }
  }

  sound(run: ModelRun, early: number | null): void {
    const { now } = this.state
    const list = this.state.listOf(run.button)
    const replaced = run.from === null ? this.#replaceOthers(run, list) : 0
    const frames = early ?? fadeOf(null, run.button.fadeInMs, replaced > 0 ? list : null)
    const curve = early === null && replaced > 0 ? list.crossfadeCurve : 'linear'
    run.fade = fadeTo(resting(0, now), 1, now, frames, curve, '4.1/fade-precedence')
    run.soundedAt = now
    run.calmSince = now
    go(run, this.state.now)
    this.lights.sounds(run.button.id)
    this.#turn(run, 'playing', '3.2/sounds', 'ready')
    this.boundaries.settle(run)
  }

  /** How many gave way to it. */
  #replaceOthers(incoming: ModelRun, list: ModelList): number {
    if (incoming.options.allowOverlap ?? incoming.button.allowOverlap) return 0
    this.lists.dropOlder(incoming.order)
    const replaced = this.state.live.filter((run) => this.#givesWay(run, incoming))
    for (const run of replaced) {
      const frames = fadeOf(null, run.button.fadeOutMs, list)
      if (run.options.pauseWhenReplaced ?? run.button.pauseWhenReplaced) {
        this.state.judge.sometimes('a replaced run is kept paused')
        this.pause(run, frames, list.crossfadeCurve, '3.2/replaced-paused')
      } else this.stop(run, frames, 'replaced', list.crossfadeCurve, '3.2/replaced')
    }
    return replaced.length
  }

  #givesWay(run: ModelRun, incoming: ModelRun): boolean {
    if (run === incoming || (run.state !== 'starting' && run.state !== 'playing')) return false
    if (run.order > incoming.order) {
      this.state.judge.sometimes('a later start is not replaced by an earlier slower one')
      return false
    }
    this.state.judge.sometimes('a run that is starting is replaced', run.state === 'starting')
    this.state.judge.sometimes('a replacement while the incoming starves or waits',
      incoming.soundedAt === null && this.state.now - incoming.bornAt > 48)
    return true
  }

  // Fades and what commands ask for

  pause(run: ModelRun, frames: number, curve: Fade['curve'], rule: RuleName): void {
    const cause = rule === '3.2/replaced-paused' ? 'replaced' : 'command'
    if (unheard(run) || frames === 0) {
      if (run.state === 'starting') this.lights.sounds(run.button.id)
      return this.rest(run, rule, cause)
    }
    run.endFade = false
    run.fade = fadeTo(run.fade, 0, this.state.now, frames, curve, '4.1/fade-precedence')
    this.#turn(run, 'pausing', rule, cause)
  }

  rest(run: ModelRun, rule: RuleName, cause: Cause): void {
    this.boundaries.fed(run)
    hold(run, this.state.now)
    run.fade = resting(0, this.state.now)
    run.pauseWanted = false
    run.rises = null
    this.lights.hold(run.button.id)
    this.#turn(run, 'paused', rule, cause)
  }

  rise(run: ModelRun, suppliedMs: number | null, rule: RuleName): void {
    const { now } = this.state
    this.state.judge.sometimes('a resume in the last frame of a pause',
      run.state === 'pausing' && run.fade.begin + run.fade.frames - now === 1)
    run.order = this.#order += 1
    if (run.soundedAt === null && !isReady(run.tail)) {
      this.state.judge.sometimes('a resume waits for the first sound')
      run.rises = { suppliedMs }
      this.#turn(run, 'playing', rule, 'command')
    } else this.#riseNow(run, suppliedMs, rule)
  }

  /** A resume that waited was told before; any other is told once it has replaced the others. */
  #riseNow(run: ModelRun, suppliedMs: number | null, rule: RuleName | null = null): void {
    const { now } = this.state
    run.rises = null
    const list = this.state.listOf(run.button)
    const replaced = this.#replaceOthers(run, list)
    const frames = fadeOf(suppliedMs, run.button.fadeInMs, list)
    const curve = replaced > 0 ? list.crossfadeCurve : 'linear'
    run.fade = fadeTo(run.fade, 1, now, frames, curve, '4.1/fade-precedence')
    run.riseEnd = now + frames
    run.endFade = false
    run.takenBack = null
    if (run.handedTo !== null && run.handedTo.state !== 'playing') run.handedTo = null
    run.soundedAt ??= now
    if (!run.starving) {
      go(run, this.state.now)
      this.lights.release(run.button.id)
    }
    run.calmSince = now
    if (rule !== null) this.#turn(run, 'playing', rule, 'command')
    this.boundaries.settle(run)
  }

  stop(
    run: ModelRun, frames: number, why: ModelRun['why'], curve: Fade['curve'], rule: RuleName,
  ): void {
    const cause = why === 'replaced' ? 'replaced' : this.byHand
    const isStill = unheard(run) || run.state === 'paused'
    if (isStill || frames === 0) return this.end(run, why, rule, cause)
    run.why = why
    run.endFade = false
    run.lands = why === 'explicit_stop' && (loops(run) || run.seam !== null)
    run.fade = fadeTo(run.fade, 0, this.state.now, frames, curve, '4.1/fade-precedence')
    this.boundaries.land(run)
    this.lights.end(run.button.id)
    this.#turn(run, 'fading_out', rule, cause)
  }

  /** What ends runs by hand: a shutdown ends all there are, and nothing is stopped after it. */
  get byHand(): Cause {
    return this.state.shut ? 'shutdown' : 'command'
  }

  end(run: ModelRun, reason: EndReason, rule: RuleName, cause: Cause): void {
    this.boundaries.fed(run)
    hold(run, this.state.now)
    run.reason = reason
    run.state = ENDS[reason]
    run.endedAt = this.state.now
    this.state.live.splice(this.state.live.indexOf(run), 1)
    this.state.ended.push(run)
    this.lists.ended(run)
    this.lights.end(run.button.id)
    this.#expect(run, rule, cause)
  }

  fail(run: ModelRun): void {
    const long = run.soundedAt !== null && this.state.now - run.soundedAt >= 48_000
    const onward = hasItsList(run) && this.state.goesOn(run) &&
      (unheard(run) ? run.from !== null && !run.pauseWanted : run.state === 'playing')
    this.end(run, 'playback_error', '3.2/failure', 'decoder')
    if (!onward) return
    this.state.judge.sometimes('a decoder failure moves the list on')
    const before = [...(long ? [] : run.tried), ...run.takenBack ?? []]
    this.lists.onward(run, new Map([...before, [run.button.id, true]]))
  }

  fadeDone(run: ModelRun): void {
    if (run.state === 'pausing') this.rest(run, '3.2/pause-fade', 'fade_done')
    else if (run.state === 'fading_out') {
      const rule = run.why === 'replaced' ? '3.2/replaced' : '3.2/stop-fade'
      this.end(run, run.why, rule, 'fade_done')
    }
  }

  #turn(run: ModelRun, state: RunState, rule: RuleName, cause: Cause): void {
    run.state = state
    run.calmSince = this.state.now
    this.#expect(run, rule, cause)
  }

  #lengthMs(run: ModelRun, told: unknown): number {
    return this.streams.lengthMs(run.tail.seen.request.path, run.source, told)
  }

  /** As a reader is told it: what has ended learns nothing more. */
  durationMs(run: ModelRun, told: unknown): number {
    return isLive(run) ? this.#lengthMs(run, told) : run.durationMs
  }

  /** 2.2, as a reader is told it. */
  execution(run: ModelRun, told: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { now } = this.state
    const durationMs = this.durationMs(run, told['durationMs'])
    return {
      executionId: run.id, buttonId: run.button.id, state: run.state,
      positionMs: wholeMs(placeOf(run, now)), durationMs,
      ...rangeMs(this.streams, run, durationMs),
      endReason: run.reason, starvedMs: wholeMs(starvedOf(run, now)),
    }
  }

  #expect(run: ModelRun, rule: RuleName, cause: Cause): void {
    const heard = this.state.observer.runs.take(run.id)
    const durationMs = this.#lengthMs(run, heard?.durationMs)
    judgeTold(this.state, rule, run, heard, { cause, durationMs })
    run.durationMs = heard!.durationMs
    run.endMs = heard!.endMs
  }
}
