// The reference model of runs: how each starts, fades, gives way and ends, without an agenda.
import type { EndReason, RunState } from '../../../src/contract/vocabulary.js'
import type { RuleName } from '../rules.js'
import { pathOf } from '../../scenario/show.js'
import { newRun, type Birth } from './birth.js'
import { ModelBoundaries } from './boundaries.js'
import { isReady, loops } from './bounds.js'
import { replaceOthers } from './replacing.js'
import { fadeOf } from './fade-precedence.js'
import { fadeTo, resting, type Fade } from './gain.js'
import { lengthMs, rangeMs, readLengthMs } from './lengths.js'
import { judgeOpened } from './opened.js'
import {
  framesOf, go, hold, isLive, unheard, type ModelButton, type ModelList, type ModelRun,
  type ModelStream,
} from './shapes.js'
import type { RunsHost } from './runs-host.js'
import { judgeTold } from './told.js'

/** 3.1, read once more: how a run ended decides its state. */
const ENDS: Readonly<Record<EndReason, RunState>> = {
  natural_end: 'completed', explicit_stop: 'stopped', replaced: 'stopped', playback_error: 'failed',
}

export class ModelRuns {
  now = 0
  /** In order of creation. */
  readonly live: ModelRun[] = []
  readonly known = new Map<string, ModelRun>()
  told = 0
  #order = 0
  readonly #boundaries: ModelBoundaries

  constructor(private readonly host: RunsHost) {
    this.#boundaries = new ModelBoundaries(this, host)
  }

  nextOrder(): number {
    this.#order += 1
    return this.#order
  }

  ofButton(id: string): ModelRun | null {
    return this.live.find((run) => run.button.id === id) ?? null
  }

  /** The owning list; a button that vanished keeps obeying the one it was in. */
  listOf(button: ModelButton): ModelList {
    return this.host.show().lists[button.list]!
  }

  // Starts

  born(birth: Birth): ModelRun {
    const { button, event, tail } = birth
    const list = this.host.show().lists[button.list]!
    const { judge } = this.host
    judge.hold('1/ids-are-new', !this.known.has(event.executionId), () => 'an id came twice')
    judge.hold('D3/one-live-run', this.ofButton(button.id) === null, () =>
      `b${button.n} has two live runs`)
    const start = framesOf(button.startMs)
    const to = button.endMs === null ? null : framesOf(button.endMs)
    const { request } = tail.seen
    const own = request.buttonId === button.id && request.path === pathOf(button.file!) &&
      this.live.every((run) => run.tail !== tail && run.seam?.head !== tail)
    judge.hold('D3/range', own && request.from === start && request.to === to, () =>
      `b${button.n} decodes ${request.path} from ${request.from} to ${String(request.to)}`)
    judgeOpened(this.host, birth, list, this.now)
    const run = newRun(birth, list, `b${button.n}#${this.known.size + 1}`, this.now)
    this.live.push(run)
    this.known.set(run.id, run)
    this.host.born(run)
    this.host.lights.start(this.now, button, 'media')
    this.#expect(run, '3.2/start')
    return run
  }

  /** News of the run's decoder: the first sound, an end that came nearer, a failure. */
  news(run: ModelRun, stream: ModelStream): void {
    if (!isLive(run)) return
    run.source = stream.source ?? run.source
    const ready = isReady(stream)
    const nothing = (stream.end !== null && stream.end <= stream.from) ||
      (stream.broken !== null && stream.supplied <= stream.from)
    if (stream === run.tail && nothing) {
      if (run.state === 'starting' && !run.auto) {
        this.host.judge.sometimes('an incoming run fails while starting and replaces nothing')
      }
      this.fail(run)
    } else if (!unheard(run)) run.newsHeard = true
    else if (ready) {
      if (run.rises !== null) this.#riseNow(run, run.rises.suppliedMs)
      else if (run.pauseWanted) {
        this.host.lights.sounds(this.now, run.button.id)
        this.rest(run, '3.2/pause-cut')
      } else this.sound(run, null)
    }
  }

  sound(run: ModelRun, early: number | null): void {
    const { now } = this
    const list = this.listOf(run.button)
    const replaced = run.auto ? 0 : replaceOthers(this, this.host, run, list)
    const frames = early ?? fadeOf(null, run.button.fadeInMs, replaced > 0 ? list : null)
    const curve = early === null && replaced > 0 ? list.crossfadeCurve : 'linear'
    run.fade = fadeTo(resting(0, now), 1, now, frames, curve, '4.1/fade-precedence')
    run.soundedAt = now
    run.calmSince = now
    go(run, this.now)
    this.host.lights.sounds(now, run.button.id)
    this.#turn(run, 'playing', '3.2/sounds')
    this.settle(run)
  }

  // Fades and what commands ask for

  pause(run: ModelRun, frames: number, curve: Fade['curve'], rule: RuleName): void {
    if (unheard(run) || frames === 0) {
      if (run.state === 'starting') this.host.lights.sounds(this.now, run.button.id)
      this.rest(run, rule)
      return
    }
    run.endFade = false
    run.fade = fadeTo(run.fade, 0, this.now, frames, curve, '4.1/fade-precedence')
    this.#turn(run, 'pausing', rule)
  }

  rest(run: ModelRun, rule: RuleName): void {
    this.#boundaries.fed(run)
    hold(run, this.now)
    run.fade = resting(0, this.now)
    run.pauseWanted = false
    run.rises = null
    this.host.lights.hold(this.now, run.button.id)
    this.#turn(run, 'paused', rule)
  }

  rise(run: ModelRun, suppliedMs: number | null, rule: RuleName): void {
    const { now } = this
    const last = run.state === 'pausing' && run.fade.begin + run.fade.frames - now === 1
    if (last) this.host.judge.sometimes('a resume in the last frame of a pause')
    run.order = this.nextOrder()
    if (run.soundedAt === null && !isReady(run.tail)) {
      this.host.judge.sometimes('a resume waits for the first sound')
      run.rises = { suppliedMs }
      this.#turn(run, 'playing', rule)
    } else this.#riseNow(run, suppliedMs, rule)
  }

  /** A resume that waited was told before; any other is told once it has replaced the others. */
  #riseNow(run: ModelRun, suppliedMs: number | null, rule: RuleName | null = null): void {
    const { now } = this
    run.rises = null
    const list = this.listOf(run.button)
    const replaced = replaceOthers(this, this.host, run, list)
    const frames = fadeOf(suppliedMs, run.button.fadeInMs, list)
    const curve = replaced > 0 ? list.crossfadeCurve : 'linear'
    run.fade = fadeTo(run.fade, 1, now, frames, curve, '4.1/fade-precedence')
    run.riseEnd = now + frames
    run.endFade = false
    if (run.handedTo !== null && run.handedTo.state !== 'playing') run.handedTo = null
    run.soundedAt ??= now
    if (!run.starving) go(run, this.now)
    this.host.lights.release(now, run.button.id)
    run.calmSince = now
    if (rule !== null) this.#turn(run, 'playing', rule)
    this.settle(run)
  }

  stop(
    run: ModelRun, frames: number, why: ModelRun['why'], curve: Fade['curve'], rule: RuleName,
  ): void {
    if (unheard(run) || run.state === 'paused' || frames === 0) {
      this.end(run, why, rule)
      return
    }
    run.why = why
    run.endFade = false
    run.lands = why === 'explicit_stop' && (loops(run) || run.seam !== null)
    run.fade = fadeTo(run.fade, 0, this.now, frames, curve, '4.1/fade-precedence')
    this.#boundaries.land(run)
    this.host.lights.end(this.now, run.button.id)
    this.#turn(run, 'fading_out', rule)
  }

  end(run: ModelRun, reason: EndReason, rule: RuleName): void {
    this.#boundaries.fed(run)
    hold(run, this.now)
    run.reason = reason
    run.state = ENDS[reason]
    run.endedAt = this.now
    this.live.splice(this.live.indexOf(run), 1)
    this.host.ended(run)
    this.host.lights.end(this.now, run.button.id)
    this.#expect(run, rule)
    this.host.observer.runs.delete(run.id)
  }

  fail(run: ModelRun): void {
    const long = run.soundedAt !== null && this.now - run.soundedAt >= 48_000
    const onward = run.handedTo === null && this.goesOn(run) &&
      (unheard(run) ? run.auto && !run.pauseWanted : run.state === 'playing')
    this.end(run, 'playback_error', '3.2/failure')
    if (!onward) return
    this.host.judge.sometimes('a decoder failure moves the list on')
    this.host.onward(run, new Map([...(long ? [] : run.tried), [run.button.id, true]]))
  }

  goesOn(run: ModelRun): boolean {
    if (run.options.externalSequencing || run.options.loop === true) return false
    return this.host.show().buttons.has(run.button.id) && this.listOf(run.button).mode !== 'manual'
  }

  settle(run: ModelRun): void {
    this.#boundaries.settle(run)
  }

  /** How often something that sounded starved, for a frame at least. */
  get starvations(): number {
    return this.#boundaries.starvations
  }

  get wrapsTold(): number {
    return this.#boundaries.wrapsTold
  }

  fadeDone(run: ModelRun): void {
    if (run.state === 'pausing') this.rest(run, '3.2/pause-fade')
    else if (run.state === 'fading_out') {
      this.end(run, run.why, run.why === 'replaced' ? '3.2/replaced' : '3.2/stop-fade')
    }
  }

  #turn(run: ModelRun, state: RunState, rule: RuleName): void {
    run.state = state
    run.calmSince = this.now
    this.#expect(run, rule)
  }

  /** Whole ms of the source; what was told, where that may be right just as well. */
  durationMs(run: ModelRun, told: unknown): number {
    return readLengthMs(this.host, run, told)
  }

  rangeMs(run: ModelRun, durationMs: number): ReturnType<typeof rangeMs> {
    return rangeMs(this.host, run, durationMs)
  }

  #expect(run: ModelRun, rule: RuleName): void {
    const { judge, observer } = this.host
    const heard = observer.runs.get(run.id)?.[run.told]
    run.told += 1
    this.told += 1
    const durationMs = lengthMs(this.host, run, heard?.durationMs)
    judgeTold(judge, rule, run, { heard, now: this.now, durationMs })
    run.durationMs = heard!.durationMs
    run.endMs = heard!.endMs
  }
}
