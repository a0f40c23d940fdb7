// Everything that happens to runs: they start, sound, pause, rise, fade, wrap, hand over and end.
import { add, earlier, frame, later, msToFrames, type Frame } from '../../clock/frame.js'
import { TERMINAL, type CrossfadeCurve, type EndReason } from '../../contract/vocabulary.js'
import { LANE, type Agenda } from '../agenda.js'
import {
  aheadOf, leftOfLoop, listGoesOn, listOf, loopsNow, type RangeLimits,
} from './boundary.js'
import { mixFrames, type Button, type Catalogue } from '../catalogue.js'
import type { RunOptions } from '../commands/commands.js'
import { NextBoundary, type NextBoundaryHost } from './next-boundary.js'
import type { DmxRuns } from '../dmx/dmx-runs.js'
import type { Cause } from '../events.js'
import { fadeFrames } from './fades.js'
import type { PlaylistOrder } from '../playlists/playlist-order.js'
import { createRun, endFrame, startFrame, type StartOrder } from './start.js'
import { rampTo, steady } from '../sound/ramp.js'
import { replaceOthers } from './replacement.js'
import type { Advance, Run } from './run.js'
import { Sequencer, type SequencerHost } from '../playlists/sequencer.js'
import type { Pass } from '../sound/voice.js'
import type { Context } from '../context.js'

/** A list that only ever fails must end; a run that sounded this long was worth its place. */
const WORTH_ITS_PLACE: Frame = frame(48_000)

export class RunLifecycle implements SequencerHost, NextBoundaryHost {
  readonly sequencer: Sequencer
  readonly #boundary: NextBoundary
  #serial = 0
  #order = 0

  constructor(
    readonly context: Context,
    private readonly agenda: Agenda,
    readonly playOrder: PlaylistOrder,
    readonly dmx: DmxRuns,
    limits: RangeLimits,
  ) {
    this.sequencer = new Sequencer(this, playOrder)
    this.#boundary = new NextBoundary(this, context, agenda, limits)
  }

  // What starts

  /** An accepted start: the run exists from here on, and sounds when its first audio is ready. */
  start(button: Button, options: RunOptions): Run {
    const list = this.context.catalogue.playlist(button.playlistId)
    if (list !== null) this.playOrder.began(list, button.id, false)
    this.#order += 1
    const pass = this.open(button, () => undefined, options)
    const order = this.#order
    return this.#admit({ button, options, pass, order, follows: null, tried: new Set() })
  }

  #admit(start: StartOrder): Run {
    const list = this.context.catalogue.playlist(start.button.playlistId)
    this.#serial += 1
    const run = createRun(start, this.#serial, this.context.ids.next(), list, this.context.now)
    start.pass.owner = (pass) => {
      this.#news(run, pass)
    }
    this.context.runs.add(run)
    this.startDmx(start.button, 'media')
    this.context.born(run, start.follows)
    this.#listMoved(run)
    return run
  }

  /** News of a run's stream: the first makes it sound, later ones may move its boundaries. */
  #news(run: Run, pass: Pass): void {
    const { voice } = run
    if (run.endReason !== null) return
    run.sourceFrames = pass.source ?? run.sourceFrames
    if (pass === voice.tail && pass.empty) {
      this.fail(run, pass.broken ?? 'the configured Start lies at or past the end of the source')
    } else if (run.state === 'starting') {
      if (pass.ready) this.#ready(run)
    } else this.#boundary.settleSoon(run)
  }

  #ready(run: Run): void {
    if (!run.pauseWhenReady) {
      this.#sound(run, null)
      return
    }
    this.dmx.mediaSounds(this.context.now, run.button.id)
    this.#rest(run, 'ready')
  }

  /** The run begins to sound, and what it replaces gives way only now (decisions 3). */
  #sound(run: Run, crossfade: Frame | null): void {
    const { now } = this.context
    const list = this.context.catalogue.playlist(run.button.playlistId)
    const replaced = run.automatic ? 0 : replaceOthers(this, run)
    const fadeIn = fadeFrames(null, run.button.fadeInMs, replaced > 0 ? list : null)
    const curve = replaced > 0 ? (list?.crossfadeCurve ?? 'linear') : 'linear'
    const silent = steady(0, now)
    run.ramp =
      crossfade === null
        ? rampTo(silent, 1, now, fadeIn, curve)
        : rampTo(silent, 1, now, crossfade, 'linear')
    run.state = 'playing'
    run.soundedAt = now
    run.voice.go(now)
    this.dmx.mediaSounds(now, run.button.id)
    this.tell(run, 'ready', null)
    this.#boundary.settle(run)
  }

  /**
   * One DMX run for a start of a button with a timeline, where lights are allowed (decisions 5).
   */
  startDmx(button: Button, follows: 'media' | 'itself'): string | null {
    const { dmx } = button
    // A show that was replaced may have given a lit button another kind: one timeline at most.
    this.dmx.end(this.context.now, button.id)
    if (!this.context.dmxAllowed || dmx === null) return null
    if (dmx.durationFrames === null) {
      this.context.notice(null, `${button.title}: no lights: ${dmx.error ?? 'timeline not loaded'}`)
      return null
    }
    const dmxExecutionId = this.context.ids.next()
    const { now } = this.context
    this.dmx.start(now, { dmxExecutionId, buttonId: button.id, timeline: dmx, follows })
    return dmxExecutionId
  }

  // What commands and replacement do

  /** To paused, by a fade of so many frames or at once. */
  pause(run: Run, frames: Frame, cause: Cause, curve: CrossfadeCurve): void {
    if (run.state === 'starting' || frames === 0) {
      if (run.state === 'starting') this.dmx.mediaSounds(this.context.now, run.button.id)
      this.#rest(run, cause)
      return
    }
    run.state = 'pausing'
    run.atEndFade = false
    run.ramp = rampTo(run.ramp, 0, this.context.now, frames, curve)
    this.tell(run, cause, null)
    this.#boundary.plan(run)
  }

  #rest(run: Run, cause: Cause): void {
    const { now } = this.context
    run.voice.hold(now)
    run.state = 'paused'
    run.ramp = steady(0, now)
    run.starving = false
    run.pauseWhenReady = false
    this.dmx.hold(now, run.button.id)
    this.tell(run, cause, null)
    this.#boundary.plan(run)
  }

  /** From paused or pausing back to playing: accepted anew, so it replaces what came before. */
  rise(run: Run, fadeInMs: number | null): void {
    const { now } = this.context
    this.#order += 1
    run.order = this.#order
    const list = listOf(run, this.context.catalogue)
    const replaced = replaceOthers(this, run)
    const frames = fadeFrames(fadeInMs, run.button.fadeInMs, list)
    const curve = replaced > 0 ? (list?.crossfadeCurve ?? 'linear') : 'linear'
    run.ramp = rampTo(run.ramp, 1, now, frames, curve)
    run.riseEnd = add(now, frames)
    run.atEndFade = false
    // Much may have been played since a successor was prepared: it is chosen anew, in time.
    this.sequencer.drop(run)
    this.#takeBack(run)
    run.state = 'playing'
    run.soundedAt ??= now
    if (!run.starving) run.voice.go(now)
    this.dmx.release(now, run.button.id)
    this.tell(run, 'command', null)
    this.#boundary.settle(run)
  }

  /** A successor that this resume replaced may come again at the end. */
  #takeBack(run: Run): void {
    if (run.handedOver === null) return
    const successor = this.context.runs.run(run.handedOver)
    if (successor === null || successor.state !== 'playing') run.handedOver = null
  }

  /** To stopped, by a fade or at once; automatic advancement is suppressed (4.1 stop 5). */
  stop(run: Run, frames: Frame, reason: 'explicit_stop' | 'replaced', curve: CrossfadeCurve): void {
    const cause = reason === 'replaced' ? 'replaced' : 'command'
    this.sequencer.drop(run)
    if (run.state === 'starting' || run.state === 'paused' || frames === 0) {
      this.end(run, reason, cause, null)
      return
    }
    const { now } = this.context
    run.stopLands = reason === 'explicit_stop' && (loopsNow(run) || run.voice.seam !== null)
    const left = run.stopLands ? leftOfLoop(run, now) : null
    run.state = 'fading_out'
    run.fadeReason = reason
    run.atEndFade = false
    run.ramp = rampTo(run.ramp, 0, now, left === null ? frames : earlier(frames, left), curve)
    this.dmx.end(now, run.button.id)
    this.tell(run, cause, null)
    this.#boundary.plan(run)
  }

  /** The one way in which a run ends. */
  end(run: Run, reason: EndReason, cause: Cause, message: string | null): void {
    const { now } = this.context
    if (run.endReason !== null) throw new Error('bug: a run ends once')
    run.voice.hold(now)
    run.state = TERMINAL[reason]
    run.endReason = reason
    this.#boundary.leave(run)
    run.voice.close()
    this.sequencer.drop(run)
    this.dmx.end(now, run.button.id)
    this.context.retire(run)
    this.tell(run, cause, message)
    this.#listMoved(run)
  }

  /** The decoder gave up: a list moves on, anything else just ends (decisions 3). */
  fail(run: Run, message: string): void {
    const { state, soundedAt } = run
    const fruitful = soundedAt !== null && this.context.now - soundedAt >= WORTH_ITS_PLACE
    const onward =
      (state === 'playing' || (state === 'starting' && run.automatic && !run.pauseWhenReady)) &&
      run.handedOver === null && listGoesOn(run, this.context.catalogue)
    const tried = new Set([...(fruitful ? [] : run.tried), run.button.id])
    const { advance } = run
    if (onward) run.advance = null
    this.end(run, 'playback_error', 'decoder', message)
    if (!onward) return
    run.advance = advance
    this.sequencer.handOver(run, tried)
  }

  /** A fade came to its last frame. */
  fadeDone(run: Run): void {
    if (run.state === 'pausing') this.#rest(run, 'fade_done')
    else if (run.state === 'fading_out') this.end(run, run.fadeReason, 'fade_done', null)
  }

  // What the sequencer asks for

  catalogue(): Catalogue {
    return this.context.catalogue
  }

  hasRun(buttonId: string): boolean {
    return this.context.runs.ofButton(buttonId) !== null
  }

  check(path: string, found: (found: boolean) => void): number {
    return this.context.check(path, 'list', found)
  }

  forget(ticket: number): void {
    this.context.forgetCheck(ticket)
  }

  open(button: Button, owner: (pass: Pass) => void, options: RunOptions | null = null): Pass {
    if (button.media === null) throw new Error('bug: nothing to open')
    const list = this.context.catalogue.playlist(button.playlistId)
    const purpose = options === null ? 'next' : 'start'
    const loops = options?.loop ?? (options?.externalSequencing !== true && button.isLoopEnabled)
    const own = msToFrames(Math.max(options?.loopCrossfadeMs ?? 0, button.fadeOutMs))
    // A crossfade takes at most half of the incoming range (decisions 3): where nobody knows how
    // long that is, its decoder has to look twice as far.
    const known = this.context.rangeLength(button, null) !== null
    const mix = frame(mixFrames(list) * (known ? 1 : 2))
    const [from, to, ahead] = [startFrame(button), endFrame(button), aheadOf(later(own, mix))]
    return this.context.open(
      { buttonId: button.id, purpose, path: button.media, from, to, ahead, hold: loops }, owner,
    )
  }

  /** The next pass of a loop over the range that was captured at the start. */
  openAgain(run: Run): Pass {
    const { path, start: from, to } = run
    const { id: buttonId } = run.button
    const ahead = aheadOf(run.loopOverlap)
    const asked = { buttonId, purpose: 'pass', path, from, to, ahead, hold: true } as const
    return this.context.open(asked, (pass) => {
      this.#news(run, pass)
    })
  }

  launch(advance: Advance, button: Button, pass: Pass): void {
    const { from } = advance
    const list = this.context.catalogue.playlist(button.playlistId)
    if (list !== null) this.playOrder.began(list, button.id, true)
    const run = this.#admit({
      button, options: null, pass, order: from.order, follows: from.executionId,
      tried: advance.tried,
    })
    const early = advance.early && from.endReason === null
    if (early) from.handedOver = run.executionId
    if (pass.empty) this.fail(run, pass.broken ?? 'nothing could be decoded')
    else if (pass.ready) this.#sound(run, early ? frame(from.ramp.end - this.context.now) : null)
  }

  prepared(run: Run): void {
    if (run.endReason === null) this.#boundary.settleSoon(run)
  }

  listEnded(run: Run, tried: ReadonlySet<string>): void {
    const why = tried.size > 0 ? `${String(tried.size)} could not be played` : 'nothing follows'
    this.context.notice(run, `the list ends: ${why}`)
  }

  /**
   * A run of a list began or ended: what others of it have prepared is chosen anew where something
   * else comes next now, while there is time to open it.
   */
  #listMoved(moved: Run): void {
    const { playlistId } = moved.button
    const others = (): Run[] => [...this.context.runs.live()].filter((run) =>
      run !== moved && run.button.playlistId === playlistId && run.advance !== null)
    if (others().length === 0) return
    this.agenda.add(this.context.now, LANE.media, () => {
      for (const run of others()) if (!this.sequencer.fits(run.advance)) this.reread(run)
    })
  }

  /**
   * What was prepared is chosen anew; after a changed show, settings read when needed moved.
   */
  reread(run: Run): void {
    this.sequencer.drop(run)
    run.button = this.context.catalogue.button(run.button.id) ?? run.button
    this.#boundary.settle(run)
  }

  tell(run: Run, cause: Cause, message: string | null): void {
    this.context.tell(run, cause, message)
  }
}
