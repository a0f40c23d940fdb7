// The reference model of runs: what each does at its own boundaries, worked out run by run without
// an agenda.
import { TERMINAL, type EndReason, type RunState } from '../../../src/contract/vocabulary.js'
import type { RuleName } from '../rules.js'
import { pathOf } from '../../scenario/show.js'
import { newRun, type Birth } from './birth.js'
import {
  isFilled, isReady, isSpent, leftOf, limitOf, loops, mayLoop, overlapOf, refilled,
} from './bounds.js'
import { replaceOthers } from './replacing.js'
import { fadeOf } from './fade-precedence.js'
import { fadeTo, resting, type Fade } from './gain.js'
import { lengthMs, readLengthMs } from './lengths.js'
import {
  framesOf, isLive, placeOf, sounds, starvedOf, unheard, type ModelButton, type ModelList,
  type ModelRun, type ModelStream,
} from './shapes.js'
import type { RunsHost } from './runs-host.js'
import { judgeTold } from './told.js'

const TURNS = 6

export class ModelRuns {
  now = 0
  /** In order of creation. */
  readonly live: ModelRun[] = []
  readonly known = new Map<string, ModelRun>()
  told = 0
  #gaps = 0
  #order = 0

  constructor(private readonly host: RunsHost) {}

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
      (stream.broken && stream.supplied <= stream.from)
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
    this.#go(run)
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
    this.#fed(run)
    this.#hold(run)
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
    if (!run.starving) this.#go(run)
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
    this.#land(run)
    this.host.lights.end(this.now, run.button.id)
    this.#turn(run, 'fading_out', rule)
  }

  /** The fade of a stopped loop is over where its last pass is. */
  #land(run: ModelRun): void {
    const left = run.lands ? leftOf(run, this.now) : null
    if (left === null || this.now + left >= run.fade.begin + run.fade.frames) return
    this.host.judge.sometimes('a stop of a loop lands on its End')
    const begun = run.fade.begin === this.now
    run.fade = begun
      ? { ...run.fade, frames: left, rule: '3.4.7/fades' }
      : fadeTo(run.fade, 0, this.now, left, 'linear', '3.4.7/fades')
  }

  end(run: ModelRun, reason: EndReason, rule: RuleName): void {
    this.#fed(run)
    this.#hold(run)
    run.reason = reason
    run.state = TERMINAL[reason]
    run.endedAt = this.now
    this.live.splice(this.live.indexOf(run), 1)
    this.host.ended(run)
    this.host.lights.end(this.now, run.button.id)
    this.#expect(run, rule)
    this.host.witness.runs.delete(run.id)
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
    run.settledAt = this.now
    run.newsHeard = false
    if (run.starving && sounds(run)) this.#refill(run)
    for (let turn = 0; turn < TURNS && run.moving; turn += 1) {
      if (!this.#cross(run)) break
      if (!isLive(run)) return
    }
    if (!run.moving) return
    const place = placeOf(run, this.now)
    if (place >= limitOf(run)) {
      if (isSpent(run)) {
        this.fail(run)
        return
      }
      if (run.seam !== null) this.host.judge.sometimes('a run starves inside a loop seam')
      this.#starve(run)
      return
    }
    if (run.state === 'playing') this.#approach(run, place)
    if (run.state === 'fading_out') this.#land(run)
  }

  #refill(run: ModelRun): void {
    if (!refilled(run)) return
    this.host.judge.sometimes('a run starves and recovers')
    this.#fed(run)
    this.#go(run)
  }

  /** It starves no more: what lasted a frame at least was heard as a gap. */
  #fed(run: ModelRun): void {
    if (!run.starving) return
    if (this.now > run.starvedFrom) this.#gaps += 1
    run.starved = starvedOf(run, this.now)
    run.starving = false
  }

  /** How often something that sounded starved, for a frame at least. */
  get starvations(): number {
    const lasting = this.live.filter((run) => run.starving && this.now > run.starvedFrom)
    return this.#gaps + lasting.length
  }

  #cross(run: ModelRun): boolean {
    const { end } = run.tail
    if (end === null) return false
    if (end <= run.tail.from) {
      this.fail(run)
      return false
    }
    const place = placeOf(run, this.now)
    if (run.seam !== null) {
      if (place < end) return false
      this.#wrap(run, run.seam.head, run.seam.frames)
      return true
    }
    if (mayLoop(run) && !run.decided && place >= end - overlapOf(run, end, this.host.headBytes)) {
      run.decided = true
      const stopped = run.state === 'fading_out' && run.why === 'explicit_stop'
      if (loops(run) && !stopped && run.handedTo === null) {
        this.#repeat(run, end, place)
        return true
      }
      if (run.options.loop === null && run.button.fadeInMs === 0) this.#padlockOpen(run)
    }
    if (place < end) return false
    this.#finish(run)
    return true
  }

  #padlockOpen(run: ModelRun): void {
    const { witness, judge } = this.host
    const heads = witness.media.unclaimed.get(run.button.id) ?? []
    if (heads.length > 0 || run.tail.seen.request.hold) {
      judge.sometimes('a padlock opens in time and the pass ends naturally')
    }
  }

  #repeat(run: ModelRun, end: number, place: number): void {
    const { judge } = this.host
    const head = run.tail.held ? run.tail : this.host.claimPass(run.button.id)
    const fades = run.state === 'fading_out'
    if (fades) judge.sometimes('a loop that fades because it was replaced comes round')
    judge.hold(fades ? '3.4.7/fades' : '3.4.1/repeats', head !== null, () =>
      `${run.name} loops, and no head was opened`)
    const [last, next] = [run.tail.seen.request, head!.seen.request]
    const same = next.from === run.start && next.to === run.to && next.path === last.path
    judge.hold('D3/range', same, () =>
      `${run.name} goes on with ${next.path} from ${next.from} to ${String(next.to)}`)
    const frames = Math.max(0, end - place)
    if (run.endFade) {
      run.endFade = false
      run.fade = fadeTo(run.fade, 1, this.now, frames, 'linear', 'D3/ramp')
    }
    const overlap = overlapOf(run, end, this.host.headBytes)
    if (overlap < run.wish) {
      judge.sometimes(overlap === Math.floor((end - run.start) / 2)
        ? 'an overlap limited by half the range'
        : 'an overlap limited by the head')
    }
    if (frames > 0) run.seam = { begin: place, frames, head: head! }
    else this.#wrap(run, head!, 0)
    if (isFilled(head!)) return
    judge.sometimes('the next pass of a loop waits for its cushion')
    this.#starve(run)
  }

  #starve(run: ModelRun): void {
    this.#hold(run)
    run.starving = true
    run.starvedFrom = this.now
    run.calmSince = this.now
  }

  #wrap(run: ModelRun, head: ModelStream, consumed: number): void {
    if (run.state === 'pausing') this.host.judge.sometimes('a loop wraps while it is pausing')
    if (run.state === 'fading_out') this.host.judge.sometimes('a loop wraps while it fades out')
    run.tail = head
    run.seam = null
    run.decided = false
    run.wrapped = true
    run.position = run.start + consumed
    run.since = this.now
  }

  #finish(run: ModelRun): void {
    const { judge } = this.host
    if (run.state === 'fading_out') {
      judge.sometimes('an end inside a fade out')
      this.end(run, run.why, '3.2/stop-fade')
      return
    }
    if (run.state === 'pausing') judge.sometimes('an end inside a pausing fade')
    if (run.options.externalSequencing && run.state === 'playing' &&
      this.listOf(run.button).mode === 'sequence') {
      judge.sometimes('external sequencing keeps a list from going on')
    }
    const onward = run.state === 'playing' && run.handedTo === null && this.goesOn(run)
    this.end(run, 'natural_end', '3.2/natural-end')
    if (onward) this.host.onward(run, new Map())
  }

  #approach(run: ModelRun, place: number): void {
    const { end } = run.tail
    if (end === null || run.seam !== null || (loops(run) && !run.decided)) return
    if (this.now < run.riseEnd || !run.button.fadeOutAtEnd || run.endFade) return
    if (run.fade.to === 0) return
    const left = end - place
    if (left <= 0 || left > framesOf(run.button.fadeOutMs)) return
    this.host.judge.sometimes('a fade at End')
    run.endFade = true
    run.fade = fadeTo(run.fade, 0, this.now, left, 'linear', 'D3/ramp')
  }

  fadeDone(run: ModelRun): void {
    if (run.state === 'pausing') this.rest(run, '3.2/pause-fade')
    else if (run.state === 'fading_out') {
      this.end(run, run.why, run.why === 'replaced' ? '3.2/replaced' : '3.2/stop-fade')
    }
  }

  #go(run: ModelRun): void {
    if (run.moving) return
    run.since = this.now
    run.moving = true
  }

  #hold(run: ModelRun): void {
    run.position = placeOf(run, this.now)
    run.since = this.now
    run.moving = false
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

  #expect(run: ModelRun, rule: RuleName): void {
    const { judge, witness } = this.host
    const heard = witness.runs.get(run.id)?.[run.told]
    run.told += 1
    this.told += 1
    const durationMs = lengthMs(this.host, run, heard?.durationMs)
    judgeTold(judge, rule, run, { heard, now: this.now, durationMs })
    run.durationMs = heard!.durationMs
  }
}
