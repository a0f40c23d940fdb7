// The way of a run through its media: where it wraps, starves, blends over, lands or ends,
// planned on the agenda.
import { add, earlier, frame, framesToWholeMs, later, ZERO, type Frame } from '../../clock/frame.js'
import type { EndReason } from '../../contract/vocabulary.js'
import { LANE, type Agenda } from '../agenda.js'
import {
  atEndFrames, earlyOverlap, LEAD, leftOfLoop, listGoesOn, loopOverlap, loopsNow, mayLoop,
  nextPosition, wrapsOn, type RangeLimits,
} from './boundary.js'
import type { Cause } from '../events.js'
import { rampTo } from '../sound/ramp.js'
import { isSounding, type Run } from './run.js'
import type { Sequencer } from '../playlists/sequencer.js'
import type { Pass } from '../sound/voice.js'
import type { Context } from '../context.js'

/** What this asks of the lifecycle: the ends of runs, and the opening of a loop's next pass. */
export interface NextBoundaryHost {
  readonly sequencer: Sequencer
  end(run: Run, reason: EndReason, cause: Cause, message: string | null): void
  fail(run: Run, message: string): void
  /** A pause's or a stop's fade came to its last frame. */
  fadeDone(run: Run): void
  openAgain(run: Run): Pass
}

export class NextBoundary {
  constructor(
    private readonly host: NextBoundaryHost,
    private readonly context: Context,
    private readonly agenda: Agenda,
    private readonly limits: RangeLimits,
  ) {}

  /** Does whatever the run's place in its media asks for now, then plans the next boundary. */
  settle(run: Run): void {
    if (run.starving && !run.lateTold && this.context.now > run.voice.at) {
      run.lateTold = true
      this.context.notice(run, 'starved: the decoder is late')
    }
    if (run.starving && isSounding(run)) this.#feedStarving(run)
    // Each turn wraps, begins a seam or leaves: a wrap may meet the next seam at its very frame.
    for (let turn = 0; turn < 4 && run.voice.moving; turn += 1) {
      if (!this.#crossEnd(run)) break
    }
    if (run.voice.moving) this.#runDry(run)
    if (run.voice.moving && run.state === 'playing') this.#approachEnd(run)
    if (run.voice.moving && run.state === 'fading_out') this.#landStop(run)
    if (run.endReason === null) this.plan(run)
  }

  /** As `settle`, but when all that is told at this frame was heard. */
  settleSoon(run: Run): void {
    this.#settleAt(run, this.context.now)
  }

  /** What is due at this very frame stays due: a replacement comes before the ends of media. */
  #settleAt(run: Run, planned: Frame | null): void {
    const due = run.mediaDue !== null && run.mediaDue.place >= 0 ? run.mediaDue.at : null
    if (due !== null && (due === planned || due === this.context.now)) return
    this.agenda.cancel(run.mediaDue)
    run.mediaDue = planned === null ? null : this.agenda.add(planned, LANE.media, () => {
      this.settle(run)
    })
  }

  /**
   * Puts the run's next boundary and the end of its fade on the agenda, in place of those before.
   */
  plan(run: Run): void {
    const { now } = this.context
    const position = run.voice.positionAt(now)
    const until = run.voice.moving ? this.#nextPosition(run) : null
    // What comes within the frame itself was not late: starving is told one frame on.
    const late = run.starving && !run.lateTold ? add(now, 1) : null
    this.#settleAt(run, until === null ? late : add(now, Math.max(0, until - position)))
    const fades = run.state === 'pausing' || run.state === 'fading_out'
    const fadeAt = fades ? run.ramp.end : null
    if (fadeAt === null || run.rampDue === null || run.rampDue.at !== fadeAt) {
      this.agenda.cancel(run.rampDue)
      run.rampDue = fadeAt === null ? null : this.agenda.add(fadeAt, LANE.ramp, () => {
        this.host.fadeDone(run)
      })
    }
    const fadeUntil = fadeAt === null ? null : add(position, Math.max(0, fadeAt - now))
    run.until = until !== null && fadeUntil !== null ? earlier(until, fadeUntil) : until
    this.context.touch(run)
  }

  /** An ended run has nothing due. */
  leave(run: Run): void {
    this.agenda.cancel(run.mediaDue)
    this.agenda.cancel(run.rampDue)
    run.mediaDue = null
    run.rampDue = null
  }

  #nextPosition(run: Run): Frame {
    const { now, catalogue } = this.context
    const incoming = this.#incoming(run)
    return nextPosition(run, { now, catalogue, limits: this.limits, incoming })
  }

  /**
   * Loops and ends; true where the run wrapped or a seam began, so the look must be taken again.
   */
  #crossEnd(run: Run): boolean {
    const { voice } = run
    const { end } = voice.tail
    if (end === null) return false
    if (end <= voice.tail.from) {
      // A loop's next pass found nothing: its file was cut short since the pass before.
      this.host.fail(run, 'the media became shorter than its Start')
      return false
    }
    const position = voice.positionAt(this.context.now)
    if (voice.seam !== null) {
      if (position < end) return false
      voice.wrap(voice.seam.head, this.context.now)
      return true
    }
    if (mayLoop(run) && !voice.decided) {
      const decision = end - loopOverlap(run, end, this.limits)
      // Once a successor blends in, this pass is the last: a padlock locked since comes too late.
      const opens = wrapsOn(run)
      if (opens && position >= decision - LEAD) this.#openNext(run)
      if (position >= decision) {
        voice.decided = true
        const head = voice.tail.held ? voice.tail : voice.next
        if (opens && head !== null) {
          this.#comeRound(run, head, position, end)
          return true
        }
      }
    }
    if (position < end) return false
    this.#finish(run)
    return false
  }

  #openNext(run: Run): void {
    const { voice } = run
    if (voice.next === null && !voice.tail.held) voice.next = this.host.openAgain(run)
  }

  #comeRound(run: Run, head: Pass, position: Frame, end: Frame): void {
    const { now } = this.context
    const overlap = frame(Math.max(0, end - position))
    if (run.atEndFade) {
      // The padlock was locked while a fade was landing on End: the next pass is heard in full.
      run.atEndFade = false
      run.ramp = rampTo(run.ramp, 1, now, overlap, 'linear')
    }
    if (overlap > 0) run.voice.beginSeam(overlap, head, now)
    else run.voice.wrap(head, now)
    // The pass before was heard in full; the next one waits for its cushion, as a start does.
    if (!head.filled) this.#starve(run)
  }

  /** End reached; inside a fade nothing starts by itself (decisions 3). */
  #finish(run: Run): void {
    if (run.state === 'fading_out') {
      this.host.end(run, run.fadeReason, 'media_end', null)
      return
    }
    const onward =
      run.state === 'playing' && run.handedOver === null && listGoesOn(run, this.context.catalogue)
    const { advance } = run
    if (onward) run.advance = null
    this.host.end(run, 'natural_end', 'media_end', null)
    if (!onward) return
    run.advance = advance
    if (advance !== null) advance.early = false
    this.host.sequencer.handOver(run, new Set())
  }

  /** The supply ends here: for good, or until the decoder has caught up (position holds). */
  #runDry(run: Run): void {
    const { voice } = run
    const { now } = this.context
    if (voice.positionAt(now) < voice.limit()) return
    if (voice.complete()) {
      this.host.fail(run, voice.complaint() ?? 'the decoder stopped early')
      return
    }
    this.#starve(run)
  }

  #starve(run: Run): void {
    run.voice.hold(this.context.now)
    run.starving = true
    run.lateTold = false
  }

  /** A starved run goes on with as much in stock as a start needs. */
  #feedStarving(run: Run): void {
    const { voice } = run
    if (!voice.canGoOn()) return
    run.starving = false
    if (run.lateTold) {
      const gap = framesToWholeMs(frame(this.context.now - voice.at))
      this.context.notice(run, `goes on: its decoder was late by ${String(gap)} ms`)
    }
    voice.go(this.context.now)
  }

  /** The successor is prepared and may blend in; a fade may have to land on End. */
  #approachEnd(run: Run): void {
    const { voice } = run
    const { now, catalogue } = this.context
    const { end } = voice.tail
    if (end === null || voice.seam !== null) return
    if (loopsNow(run) && !voice.decided) return
    const left = end - voice.positionAt(now)
    const goesOn = run.handedOver === null && listGoesOn(run, catalogue)
    const view = { now, catalogue, incoming: this.#incoming(run) }
    const wish = goesOn ? earlyOverlap(run, end, view) : ZERO
    const landing = atEndFrames(run)
    // Where a starved run has more time now, a crossfade fits that was not reckoned with.
    if (wish > 0 && run.advance?.blends === false) this.host.sequencer.drop(run)
    if (goesOn && run.advance === null && left <= later(wish, landing) + LEAD) {
      this.host.sequencer.prepare(run, wish > 0)
    }
    const { advance } = run
    const early = wish > 0 && (advance === null || (advance.early && !advance.over))
    if (now < run.riseEnd) return
    if (early) {
      if (left > wish || left <= 0 || advance?.pass?.ready !== true) return
      if (this.host.sequencer.fits(advance)) this.#blendOver(run, frame(left))
      else this.host.sequencer.renew(advance)
      return
    }
    if (!run.atEndFade && run.ramp.to > 0 && left <= landing && left > 0) {
      run.atEndFade = true
      run.ramp = rampTo(run.ramp, 0, now, frame(left), 'linear')
    }
  }

  /** An End that is told while a stopped loop fades may lie before the end of its fade. */
  #landStop(run: Run): void {
    if (!run.stopLands) return
    const { now } = this.context
    const left = leftOfLoop(run, now)
    if (left === null || add(now, left) >= run.ramp.end) return
    run.ramp = rampTo(run.ramp, 0, now, left, 'linear')
  }

  #incoming(run: Run): Frame | null {
    const candidate = run.advance?.candidate ?? null
    if (candidate === null) return null
    return this.context.rangeLength(candidate, run.advance?.pass ?? null)
  }

  #blendOver(run: Run, frames: Frame): void {
    run.ramp = rampTo(run.ramp, 0, this.context.now, frames, 'linear')
    this.host.sequencer.handOver(run, new Set())
  }
}
