// The next boundary of a run: what its place in the media asks for now, in which order, and the
// frame on the agenda at which to look again.
import { add, earlier, frame, later, type Frame } from '../../clock/frame.js'
import { LANE, type Agenda, type Lane } from '../agenda.js'
import type { Context } from '../context.js'
import {
  blendWhenDue, earlyOverlap, meansToBlend,
} from '../playlists/early-crossfade.js'
import { listGoesOn } from '../playlists/external-sequencing.js'
import { endRun, failRun, reachEnd } from './terminal-outcome.js'
import { atEndFrames, fadeAtEndWhenDue, fallsAt } from './fade-at-end.js'
import { comeRoundWhenDue, leaveOverlap, loopPositions, loopsNow, roundFollows } from './loop.js'
import { headingOf } from './live-anchor.js'
import { LEAD } from './opened-ahead.js'
import { enterPaused } from './pause.js'
import { isLive, type Run } from './run.js'
import type { Boundaries, RunParts } from './run-parts.js'
import { feedStarving, starve } from './starvation.js'
import { landStop } from './stop.js'

/** Whether its look at this frame is still to come. */
const isDue = ({ mediaDue }: Run, at: Frame): boolean =>
  mediaDue !== null && mediaDue.place >= 0 && mediaDue.at === at

export class NextBoundary implements Boundaries {
  readonly #context: Context
  readonly #agenda: Agenda

  constructor(private readonly parts: RunParts) {
    this.#context = parts.context
    this.#agenda = parts.agenda
  }

  settle(run: Run): void {
    feedStarving(this.parts, run)
    // Repeat: after a wrap the next overlap may begin at this same frame, e.g. a range of 40 ms
    // with an overlap of 20 ms.
    for (let turn = 0; turn < 4 && run.voice.moving; turn += 1) {
      if (!this.#crossEnd(run)) break
    }
    if (run.voice.moving) this.#runDry(run)
    if (run.phase.state === 'playing') this.#approachEnd(run)
    if (run.voice.moving) landStop(run, this.#context.now)
    if (isLive(run)) this.plan(run)
  }

  settleSoon(run: Run): void {
    this.#settleAt(run, this.#context.now, LANE.media)
  }

  /** What is due at this very frame stays due: a replacement comes before the ends of media. */
  #settleAt(run: Run, planned: Frame | null, lane: Lane): void {
    if (isDue(run, this.#context.now) || (planned !== null && isDue(run, planned))) return
    this.#agenda.cancel(run.mediaDue)
    run.mediaDue = planned === null ? null : this.#agenda.add(planned, lane, () => {
      this.settle(run)
    })
  }

  plan(run: Run): void {
    const { now } = this.#context
    const position = run.voice.positionAt(now)
    const until = run.voice.moving ? this.#nextPosition(run) : null
    // What comes within the frame itself was not late: starving is told one frame on.
    const late = run.starving?.told === false ? add(now, 1) : null
    const at = until === null ? late : add(now, Math.max(0, until - position))
    const { end } = run.voice.tail
    const falls = end !== null && until !== end && at === fallsAt(run, add(now, end - position))
    this.#settleAt(run, at, falls ? LANE.fadeAtEnd : LANE.media)
    const { state } = run.phase
    const fades = state === 'pausing' || state === 'fading_out'
    const fadeAt = fades ? run.ramp.end : null
    if (fadeAt === null || run.rampDue === null || run.rampDue.at !== fadeAt) {
      this.#agenda.cancel(run.rampDue)
      run.rampDue = fadeAt === null ? null : this.#agenda.add(fadeAt, LANE.ramp, () => {
        this.#fadeDone(run)
      })
    }
    const fadeUntil = fadeAt === null ? null : add(position, Math.max(0, fadeAt - now))
    run.until = until !== null && fadeUntil !== null ? earlier(until, fadeUntil) : until
    run.heading = headingOf(run, now, this.parts.limits)
    run.comesRound = roundFollows(run)
    this.#context.touched.add(run)
  }

  leave(run: Run): void {
    this.#agenda.cancel(run.mediaDue)
    this.#agenda.cancel(run.rampDue)
    run.mediaDue = null
    run.rampDue = null
  }

  /** A fade came to its last frame. */
  #fadeDone(run: Run): void {
    const { phase } = run
    if (phase.state === 'pausing') enterPaused(this.parts, run, 'fade_done')
    else if (phase.state === 'fading_out') {
      endRun(this.parts, run, phase.reason, 'fade_done', null)
    }
  }

  /** The first position past the playhead at which something may have to be decided. */
  #nextPosition(run: Run): Frame {
    const { voice } = run
    const { now } = this.#context
    const position = voice.positionAt(now)
    let next = voice.limit()
    const consider = (at: number): void => {
      if (at > position && at < next) next = frame(at)
    }
    const { end } = voice.tail
    if (end === null) return next
    consider(end)
    if (voice.seam !== null) return next
    for (const at of loopPositions(run, end, this.parts.limits)) consider(at)
    if (run.phase.state !== 'playing') return next
    if (run.riseEnd > now) consider(position + (run.riseEnd - now))
    const landing = atEndFrames(run)
    if (listGoesOn(run, this.#context.catalogue)) {
      const overlap = earlyOverlap(run, end, this.#context)
      consider(end - overlap)
      consider(end - later(overlap, landing) - LEAD)
    }
    const falls = fallsAt(run, add(now, end - position))
    if (falls !== null) consider(position + (falls - now))
    return next
  }

  /**
   * Loops and ends; true where the run wrapped or an overlap began, so it is looked at again.
   */
  #crossEnd(run: Run): boolean {
    const { voice } = run
    const { now } = this.#context
    const { end } = voice.tail
    if (end === null) return false
    if (end <= voice.tail.from) {
      // A loop's next pass found nothing: its file was cut short since the pass before.
      failRun(this.parts, run, 'the media became shorter than its Start')
      return false
    }
    if (voice.seam !== null) return leaveOverlap(this.#context, run, end)
    if (comeRoundWhenDue(this.parts, run, end)) return true
    if (voice.positionAt(now) >= end) reachEnd(this.parts, run)
    return false
  }

  /** The supply ends here: for good, or until the decoder has caught up (position holds). */
  #runDry(run: Run): void {
    const { voice } = run
    const { now } = this.#context
    if (voice.positionAt(now) < voice.limit()) return
    if (voice.complete()) {
      failRun(this.parts, run, voice.complaint() ?? 'the decoder stopped early')
      return
    }
    starve(run, now)
  }

  /** The successor is prepared and may blend in; a fade may have to land on End. */
  #approachEnd(run: Run): void {
    const { voice } = run
    const { now, catalogue } = this.#context
    const { sequencer } = this.parts
    const { end } = voice.tail
    if (end === null || voice.seam !== null) return
    if (loopsNow(run) && !voice.decided) return
    const left = end - voice.positionAt(now)
    const goesOn = listGoesOn(run, catalogue)
    const wish = earlyOverlap(run, end, this.#context)
    // Where a starved run has more time now, a crossfade fits that was not reckoned with.
    if (wish > 0 && run.advance?.blends === false) sequencer.drop(run)
    if (goesOn && run.advance === null && left <= later(wish, atEndFrames(run)) + LEAD) {
      sequencer.prepare(run, wish > 0)
    }
    // One that starves holds its place: a show that is saved meanwhile has it choose anew, no more.
    if (!voice.moving || now < run.riseEnd) return
    const early = meansToBlend(run, wish)
    if (early) blendWhenDue(this.parts, run, { left, wish })
    // Without a successor in time it falls as it was asked to; one that comes late joins its fall.
    const waits = run.mediaDue?.lane === LANE.fadeAtEnd && isDue(run, now)
    if (!waits && (!early || left <= wish)) fadeAtEndWhenDue(run, now, left)
  }
}
