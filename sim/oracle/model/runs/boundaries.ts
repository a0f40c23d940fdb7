// The reference model of a run's boundaries: what its place in the media asks for at a frame.
import type { EndReason } from '../../../../src/contract/vocabulary.js'
import type { RuleName } from '../../rules.js'
import { fadeTo } from './gain.js'
import { judgeAhead } from './opened-ahead.js'
import {
  fallFrom, isFilled, isSpent, LEAD, leftOf, limitOf, loops, mayLoop, overlapOf, refilled,
} from './bounds.js'
import type { ModelLights } from '../lights.js'
import type { ModelLists } from '../lists/lists.js'
import { landingOf, mixOf } from './fade-precedence.js'
import {
  framesOf, go, hasItsList, hold, isLive, placeOf, sounds, starvedOf, wholeMs, type ModelRun,
  type ModelStream,
} from '../shapes.js'
import type { ModelState } from '../state.js'
import type { ModelStreams } from '../streams.js'

const TURNS = 6
/** Nearer to one another wraps are not told. */
const WRAPS_APART = 4_800

/** What happens to a run at its boundary. */
interface BoundaryEnds {
  end(run: ModelRun, reason: EndReason, rule: RuleName, cause: 'media_end'): void
  fail(run: ModelRun): void
}

export class ModelBoundaries {
  #gaps = 0

  constructor(
    private readonly state: ModelState, private readonly streams: ModelStreams,
    private readonly lists: ModelLists, private readonly lights: ModelLights,
    private readonly runs: BoundaryEnds,
  ) {}

  /** The fade of a stopped loop is over where its last pass is. */
  land(run: ModelRun): void {
    const left = run.lands ? leftOf(run, this.state.now) : null
    if (left === null || this.state.now + left >= run.fade.begin + run.fade.frames) return
    this.state.judge.sometimes('a stop of a loop lands on its End')
    const begun = run.fade.begin === this.state.now
    run.fade = begun
      ? { ...run.fade, frames: left, rule: '3.4.7/fades' }
      : fadeTo(run.fade, 0, this.state.now, left, 'linear', '3.4.7/fades')
  }

  settle(run: ModelRun): void {
    run.settledAt = this.state.now
    run.newsHeard = false
    if (run.starving && sounds(run)) {
      if (this.state.now > run.starvedFrom) this.lights.hold(run.button.id)
      this.#refill(run)
    }
    for (let turn = 0; turn < TURNS && run.moving; turn += 1) {
      if (!this.#cross(run)) break
      if (!isLive(run)) return
    }
    if (!run.moving) return
    const place = placeOf(run, this.state.now)
    if (place >= limitOf(run)) {
      if (isSpent(run)) return this.runs.fail(run)
      this.state.judge.sometimes('a run starves inside a loop seam', run.seam !== null)
      return this.#starve(run)
    }
    if (run.state === 'playing') this.#approach(run, place)
    if (run.state === 'fading_out') this.land(run)
  }

  #refill(run: ModelRun): void {
    if (!refilled(run)) return
    this.state.judge.sometimes('a run starves and recovers')
    this.fed(run)
    go(run, this.state.now)
    this.lights.release(run.button.id)
  }

  /** It starves no more: what lasted a frame at least was heard as a gap. */
  fed(run: ModelRun): void {
    if (!run.starving) return
    if (this.state.now > run.starvedFrom) this.#gaps += 1
    run.starved = starvedOf(run, this.state.now)
    run.starving = false
    run.fedAt = this.state.now
  }

  /** How often something that sounded starved, for a frame at least. */
  get starvations(): number {
    const { live, now } = this.state
    const lasting = live.filter((run) => run.starving && now > run.starvedFrom)
    return this.#gaps + lasting.length
  }

  #cross(run: ModelRun): boolean {
    const { end } = run.tail
    if (end === null) return false
    if (end <= run.tail.from) {
      this.runs.fail(run)
      return false
    }
    const place = placeOf(run, this.state.now)
    if (run.seam !== null) {
      if (place < end) return false
      this.#wrap(run, run.seam.head, run.seam.frames)
      return true
    }
    if (mayLoop(run) && !run.decided && this.#decide(run, end, place)) return true
    if (place < end) return false
    this.#finish(run)
    return true
  }

  /** True where the pass comes round; its next one is opened before it is known whether it does. */
  #decide(run: ModelRun, end: number, place: number): boolean {
    const decision = end - overlapOf(run, end, this.state.scenario.loopHeadBytes)
    const stopped = run.state === 'fading_out' && run.why === 'explicit_stop'
    const opens = loops(run) && !stopped && run.handedTo === null
    if (opens && place >= decision - LEAD) this.#openNext(run)
    if (place < decision) return false
    run.decided = true
    if (opens) this.#repeat(run, end, place)
    const { request } = run.tail.seen
    this.state.judge.sometimes('a padlock opens in time and the pass ends naturally', !opens &&
      run.options.loop === null && run.button.fadeInMs === 0 && (run.next !== null || request.hold))
    return opens
  }

  #openNext(run: ModelRun): void {
    if (run.next !== null || run.tail.held) return
    run.next = this.streams.claimPass(run.button.id)
    const { now } = this.state
    this.state.judge.hold('D3/opened-ahead', run.next?.seen.openedAt === now, () =>
      `the next pass of ${run.name} should be opened now; ` +
      (run.next === null ? 'it is not' : `it was at ${run.next.seen.openedAt}`))
    // Its padlock may be opened in that pass, which then ends as any other.
    const blend = mixOf(this.state.listOf(run.button))
    const need = Math.max(run.wish, landingOf(run.button), blend)
    judgeAhead(this.state.judge, run.next!.seen.request, need, true)
  }

  #repeat(run: ModelRun, end: number, place: number): void {
    const { judge } = this.state
    // The next pass was opened by now, which was judged.
    const head = run.tail.held ? run.tail : run.next!
    judge.sometimes('a loop that fades because it was replaced comes round',
      run.state === 'fading_out')
    const [last, next] = [run.tail.seen.request, head.seen.request]
    const same = next.from === run.start && next.to === run.to && next.path === last.path
    judge.hold('D3/range', same, () =>
      `${run.name} goes on with ${next.path} from ${next.from} to ${String(next.to)}`)
    const frames = Math.max(0, end - place)
    if (run.endFade) {
      run.endFade = false
      run.fade = fadeTo(run.fade, 1, this.state.now, frames, 'linear', 'D3/ramp')
    }
    const overlap = overlapOf(run, end, this.state.scenario.loopHeadBytes)
    const isHalf = overlap === Math.floor((end - run.start) / 2)
    judge.sometimes(isHalf ? 'an overlap limited by half the range'
      : 'an overlap limited by the head', overlap < run.wish)
    if (frames > 0) run.seam = { begin: place, frames, head }
    else this.#wrap(run, head, 0)
    if (isFilled(head)) return
    judge.sometimes('the next pass of a loop waits for its cushion')
    this.#starve(run)
  }

  #starve(run: ModelRun): void {
    hold(run, this.state.now)
    run.starving = true
    run.starvedFrom = this.state.now
    run.calmSince = this.state.now
  }

  #wrap(run: ModelRun, head: ModelStream, consumed: number): void {
    if (run.state === 'pausing') this.state.judge.sometimes('a loop wraps while it is pausing')
    if (run.state === 'fading_out') this.state.judge.sometimes('a loop wraps while it fades out')
    run.tail = head
    run.seam = null
    run.next = null
    run.decided = false
    run.passes += 1
    run.position = run.start + consumed
    run.since = this.state.now
    this.#expectWrap(run)
  }

  #expectWrap(run: ModelRun): void {
    const { judge, now, observer } = this.state
    const told = observer.runs.next(run.id)
    judge.hold('3.4.1/repeats', told?.state !== 'completed' || told.at > now, () =>
      `${run.name} loops, and completes`)
    if (now - run.wrapToldAt < WRAPS_APART) return judge.sometimes('a pass too short to be told')
    run.wrapToldAt = now
    this.state.expectTold('3.4.5/told', observer.wraps.take(run.id), {
      kind: 'wrap', executionId: run.id, buttonId: run.button.id,
      positionMs: wholeMs(run.position), passes: run.passes,
    })
  }

  #finish(run: ModelRun): void {
    const { judge } = this.state
    if (run.state === 'fading_out') {
      judge.sometimes('an end inside a fade out')
      return this.runs.end(run, run.why, '3.2/stop-fade', 'media_end')
    }
    judge.sometimes('an end inside a pausing fade', run.state === 'pausing')
    judge.sometimes('external sequencing keeps a list from going on',
      run.options.externalSequencing && run.state === 'playing' &&
      this.state.listOf(run.button).mode === 'sequence')
    const onward = run.state === 'playing' && hasItsList(run) && this.state.goesOn(run)
    this.runs.end(run, 'natural_end', '3.2/natural-end', 'media_end')
    if (onward) this.lists.onward(run, new Map(run.takenBack))
  }

  #approach(run: ModelRun, place: number): void {
    const { end } = run.tail
    if (end === null || run.seam !== null || (loops(run) && !run.decided)) return
    if (this.state.now < run.riseEnd || !run.button.fadeOutAtEnd || run.endFade) return
    if (run.fade.to === 0 || this.state.now < fallFrom(run, this.state.now)) return
    const left = end - place
    if (left <= 0 || left > framesOf(run.button.fadeOutMs)) return
    if (this.lists.blendIsToCome(run)) {
      return this.state.judge.sometimes('a crossfade takes the place of a fade at End')
    }
    this.state.judge.sometimes('a fade at End')
    run.endFade = true
    run.fade = fadeTo(run.fade, 0, this.state.now, left, 'linear', 'D3/ramp')
  }
}
