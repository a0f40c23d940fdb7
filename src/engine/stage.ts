// Everything that happens to runs: they start, sound, pause, rise, fade, wrap, hand over and end.
import { add, earlier, frame, later, ZERO, type Frame } from '../clock/frame.js'
import { TERMINAL, type CrossfadeCurve, type EndReason } from '../contract/vocabulary.js'
import { LANE, type Agenda } from './agenda.js'
import {
  aheadOf, earlyOverlap, LEAD, listGoesOn, listOf, loopOverlap, loopsNow, mayLoop,
  atEndFrames, nextPosition, type RangeLimits,
} from './boundary.js'
import { mixFrames, type Button, type Catalogue } from './catalogue.js'
import type { RunOptions } from './commands.js'
import type { DmxDesk } from './dmx-desk.js'
import type { Cause } from './events.js'
import { fadeFrames } from './fades.js'
import type { Lists } from './lists.js'
import { createRun, type StartOrder } from './start.js'
import { rampTo, steady } from './ramp.js'
import { replaceOthers } from './replacement.js'
import { isSounding, type Run } from './run.js'
import { Sequencer, type Advance, type SequencerHost } from './sequencer.js'
import { REBUFFER, type Pass } from './voice.js'
import type { World } from './world.js'

/** A list that only ever fails must end; a run that sounded this long was worth its place. */
const FRUIT: Frame = frame(48_000)

export class Stage implements SequencerHost {
  readonly sequencer: Sequencer
  #serial = 0
  #order = 0

  constructor(
    readonly world: World,
    private readonly agenda: Agenda,
    readonly lists: Lists,
    readonly dmx: DmxDesk,
    private readonly limits: RangeLimits,
  ) {
    this.sequencer = new Sequencer(this, lists)
  }

  // What starts

  /** An accepted start: the run exists from here on, and sounds when its first audio is ready. */
  start(button: Button, options: RunOptions): Run {
    const list = this.world.catalogue.playlist(button.playlistId)
    if (list !== null) this.lists.began(list, button.id, false)
    this.#order += 1
    const pass = this.open(button, () => undefined, options)
    return this.#admit({ button, options, pass, order: this.#order, automatic: false, tried: new Set() })
  }

  #admit(start: StartOrder): Run {
    const list = this.world.catalogue.playlist(start.button.playlistId)
    this.#serial += 1
    const run = createRun(start, this.#serial, this.world.ids.next(), list, this.world.now)
    start.pass.owner = (pass) => {
      this.#news(run, pass)
    }
    this.world.runs.add(run)
    this.startDmx(start.button, 'media')
    this.tell(run, start.automatic ? 'sequence' : 'command', null)
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
    } else this.settleRun(run)
  }

  #ready(run: Run): void {
    if (!run.pauseWhenReady) {
      this.#sound(run, null)
      return
    }
    this.dmx.mediaSounds(this.world.now, run.button.id)
    this.#rest(run, 'ready')
  }

  /** The run begins to sound, and what it replaces gives way only now (decisions 3). */
  #sound(run: Run, crossfade: Frame | null): void {
    const { now } = this.world
    const list = this.world.catalogue.playlist(run.button.playlistId)
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
    this.settleRun(run)
  }

  /** One DMX run for a start of a button with a timeline, where lights are allowed (decisions 5). */
  startDmx(button: Button, follows: 'media' | 'itself'): string | null {
    const { dmx } = button
    if (!this.world.dmxAllowed || dmx === null) return null
    if (dmx.durationFrames === null) {
      this.world.notice(null, `${button.title}: no lights: ${dmx.error ?? 'timeline not loaded'}`)
      return null
    }
    const dmxExecutionId = this.world.ids.next()
    const { now } = this.world
    this.dmx.start(now, { dmxExecutionId, buttonId: button.id, timeline: dmx, follows })
    return dmxExecutionId
  }

  // What commands and replacement do

  /** To paused, by a fade of so many frames or at once. */
  pause(run: Run, frames: Frame, cause: Cause, curve: CrossfadeCurve): void {
    if (run.state === 'starting' || frames === 0) {
      if (run.state === 'starting') this.dmx.mediaSounds(this.world.now, run.button.id)
      this.#rest(run, cause)
      return
    }
    run.state = 'pausing'
    run.ramp = rampTo(run.ramp, 0, this.world.now, frames, curve)
    this.tell(run, cause, null)
    this.#plan(run)
  }

  #rest(run: Run, cause: Cause): void {
    const { now } = this.world
    run.voice.hold(now)
    run.state = 'paused'
    run.ramp = steady(0, now)
    run.starving = false
    run.pauseWhenReady = false
    this.dmx.hold(now, run.button.id)
    this.tell(run, cause, null)
    this.#plan(run)
  }

  /** From paused or pausing back to playing: accepted anew, so it replaces what came before. */
  rise(run: Run, fadeInMs: number | null): void {
    const { now } = this.world
    this.#order += 1
    run.order = this.#order
    const list = listOf(run, this.world.catalogue)
    const replaced = replaceOthers(this, run)
    const frames = fadeFrames(fadeInMs, run.button.fadeInMs, list)
    const curve = replaced > 0 ? (list?.crossfadeCurve ?? 'linear') : 'linear'
    run.ramp = rampTo(run.ramp, 1, now, frames, curve)
    run.riseEnd = add(now, frames)
    run.atEndFade = false
    this.#takeBack(run)
    run.state = 'playing'
    run.soundedAt ??= now
    if (!run.starving) run.voice.go(now)
    this.dmx.release(now, run.button.id)
    this.tell(run, 'command', null)
    this.settleRun(run)
  }

  /** A successor that this resume replaced may come again at the end. */
  #takeBack(run: Run): void {
    if (run.handedOver === null) return
    const successor = this.world.runs.run(run.handedOver)
    if (successor === null || successor.state !== 'playing') run.handedOver = null
  }

  /** To stopped, by a fade or at once; automatic advancement is suppressed (4.1 stop 5). */
  stop(run: Run, frames: Frame, reason: 'explicit_stop' | 'replaced', curve: CrossfadeCurve): void {
    const cause = reason === 'replaced' ? 'replaced' : 'command'
    this.#dropAdvance(run)
    if (run.state === 'starting' || run.state === 'paused' || frames === 0) {
      this.end(run, reason, cause, null)
      return
    }
    const { now } = this.world
    run.state = 'fading_out'
    run.fadeReason = reason
    run.ramp = rampTo(run.ramp, 0, now, frames, curve)
    this.dmx.end(now, run.button.id)
    this.tell(run, cause, null)
    this.#plan(run)
  }

  /** The one way in which a run ends. */
  end(run: Run, reason: EndReason, cause: Cause, message: string | null): void {
    const { now } = this.world
    if (run.endReason !== null) throw new Error('bug: a run ends once')
    run.voice.hold(now)
    run.state = TERMINAL[reason]
    run.endReason = reason
    this.agenda.cancel(run.mediaDue)
    this.agenda.cancel(run.rampDue)
    run.mediaDue = null
    run.rampDue = null
    run.voice.close()
    this.#dropAdvance(run)
    this.dmx.end(now, run.button.id)
    this.world.retire(run)
    this.tell(run, cause, message)
  }

  /** The decoder gave up: a list moves on, anything else just ends (decisions 3). */
  fail(run: Run, message: string): void {
    const { state, soundedAt } = run
    const fruitful = soundedAt !== null && this.world.now - soundedAt >= FRUIT
    const onward =
      (state === 'playing' || (state === 'starting' && run.automatic)) &&
      run.handedOver === null && listGoesOn(run, this.world.catalogue)
    const tried = new Set([...(fruitful ? [] : run.tried), run.button.id])
    const { advance } = run
    if (onward) run.advance = null
    this.end(run, 'playback_error', 'decoder', message)
    if (!onward) return
    run.advance = advance
    this.sequencer.handOver(run, tried)
  }

  // Boundaries of media

  /** Does whatever the run's place in its media asks for now, then plans the next boundary. */
  settleRun(run: Run): void {
    if (run.starving && isSounding(run)) this.#feedStarving(run)
    // Each turn wraps, begins a seam or leaves: two are enough for a seam that begins at a wrap.
    for (let turn = 0; turn < 4 && run.voice.moving; turn += 1) {
      if (!this.#crossEnd(run)) break
      if (run.endReason !== null) return
    }
    if (run.endReason !== null) return
    if (run.voice.moving && this.#runDry(run)) return
    if (run.voice.moving && run.state === 'playing') this.#approachEnd(run)
    if (run.endReason === null) this.#plan(run)
  }

  /** Loops and ends; true where it changed something and the look must be taken again. */
  #crossEnd(run: Run): boolean {
    const { voice } = run
    const { end } = voice.tail
    if (end === null) return false
    const position = voice.positionAt(this.world.now)
    if (voice.seam !== null) {
      if (position < end) return false
      voice.wrap(voice.seam.head, this.world.now)
      return true
    }
    if (mayLoop(run) && !voice.decided) {
      const decision = end - loopOverlap(run, end, this.limits)
      const opens = loopsNow(run) && run.state !== 'fading_out'
      if (opens && position >= decision - LEAD) this.#openNext(run)
      if (position >= decision) {
        voice.decided = true
        const head = voice.tail.held ? voice.tail : voice.next
        if (opens && head !== null) {
          if (position < end) voice.beginSeam(frame(end - position), head, this.world.now)
          else voice.wrap(head, this.world.now)
          return true
        }
      }
    }
    if (position < end) return false
    this.#finish(run)
    return true
  }

  #openNext(run: Run): void {
    const { voice } = run
    if (voice.next !== null || voice.tail.held) return
    voice.next = this.#openRange(run.button, run.path, run.start, run.to, run.loopOverlap, true, (p) => {
      this.#news(run, p)
    })
  }

  /** End reached; inside a fade nothing starts by itself (decisions 3). */
  #finish(run: Run): void {
    if (run.state === 'fading_out') {
      this.end(run, run.fadeReason, 'media_end', null)
      return
    }
    const onward =
      run.state === 'playing' && run.handedOver === null && listGoesOn(run, this.world.catalogue)
    const { advance } = run
    if (onward) run.advance = null
    this.end(run, 'natural_end', 'media_end', null)
    if (!onward) return
    run.advance = advance
    if (advance !== null) advance.early = false
    this.sequencer.handOver(run, new Set())
  }

  /** The supply ends here: for good, or until the decoder has caught up (position holds). */
  #runDry(run: Run): boolean {
    const { voice } = run
    const { now } = this.world
    if (voice.positionAt(now) < voice.limit()) return false
    if (voice.exhausted()) {
      this.fail(run, voice.seam?.head.broken ?? voice.tail.broken ?? 'the decoder stopped early')
      return true
    }
    voice.hold(now)
    run.starving = true
    this.world.notice(run, 'starved: the decoder is late')
    return false
  }

  #feedStarving(run: Run): void {
    const { voice } = run
    const supply = voice.limit() - voice.position
    const { end, broken } = voice.tail
    const whole = end !== null && voice.limit() >= end
    const headDone = voice.seam !== null && (voice.seam.head.end !== null || voice.seam.head.broken !== null)
    if (supply < REBUFFER && !whole && broken === null && !headDone) return
    if (supply <= 0 && !voice.exhausted()) return
    run.starving = false
    voice.go(this.world.now)
  }

  /** The successor is prepared and may blend in; a fade may have to land on End. */
  #approachEnd(run: Run): void {
    const { voice } = run
    const { now, catalogue } = this.world
    const { end } = voice.tail
    if (end === null || voice.seam !== null) return
    if (loopsNow(run) && !voice.decided) return
    const left = end - voice.positionAt(now)
    const goesOn = run.handedOver === null && listGoesOn(run, catalogue)
    const wish = goesOn ? earlyOverlap(run, end, catalogue, this.#incoming(run)) : ZERO
    if (goesOn && run.advance === null && left <= wish + LEAD) {
      this.sequencer.prepare(run, wish > 0)
    }
    const { advance } = run
    const early = goesOn && wish > 0 && (advance === null || (advance.early && !advance.over))
    if (now < run.riseEnd) return
    if (early) {
      if (left > wish || left <= 0 || advance?.pass?.ready !== true) return
      if (this.sequencer.fits(advance)) this.#blendOver(run, frame(left))
      else this.sequencer.renew(advance)
      return
    }
    if (!run.atEndFade && left <= atEndFrames(run) && left > 0) {
      run.atEndFade = true
      run.ramp = rampTo(run.ramp, 0, now, frame(left), 'linear')
    }
  }

  #incoming(run: Run): Frame | null {
    const { advance } = run
    if (advance?.candidate == null) return null
    return this.world.rangeLength(advance.candidate, advance.pass)
  }

  #blendOver(run: Run, frames: Frame): void {
    run.ramp = rampTo(run.ramp, 0, this.world.now, frames, 'linear')
    this.sequencer.handOver(run, new Set())
  }

  #plan(run: Run): void {
    const moving = run.voice.moving
    const position = run.voice.positionAt(this.world.now)
    const until = moving
      ? nextPosition(run, {
          now: this.world.now, catalogue: this.world.catalogue, limits: this.limits,
          incoming: this.#incoming(run),
        })
      : null
    const at = until === null ? null : add(this.world.now, Math.max(0, until - position))
    if (run.mediaDue?.at !== at || run.mediaDue.place < 0) {
      this.agenda.cancel(run.mediaDue)
      run.mediaDue = at === null ? null : this.agenda.add(at, LANE.media, () => {
        this.settleRun(run)
      })
    }
    const fades = run.state === 'pausing' || run.state === 'fading_out'
    const rampAt = fades ? run.ramp.end : null
    if (run.rampDue?.at !== rampAt || run.rampDue.place < 0) {
      this.agenda.cancel(run.rampDue)
      run.rampDue = rampAt === null ? null : this.agenda.add(rampAt, LANE.ramp, () => {
        this.#rampDone(run)
      })
    }
    const fadeUntil = rampAt === null ? null : add(position, Math.max(0, rampAt - this.world.now))
    run.until = until !== null && fadeUntil !== null ? earlier(until, fadeUntil) : until
    this.world.touch(run)
  }

  #rampDone(run: Run): void {
    if (run.state === 'pausing') this.#rest(run, 'fade_done')
    else if (run.state === 'fading_out') this.end(run, run.fadeReason, 'fade_done', null)
  }

  // What the sequencer asks for

  catalogue(): Catalogue {
    return this.world.catalogue
  }

  hasRun(buttonId: string): boolean {
    return this.world.runs.ofButton(buttonId) !== null
  }

  check(path: string, found: (found: boolean) => void): number {
    return this.world.check(path, found)
  }

  forget(ticket: number): void {
    this.world.forgetCheck(ticket)
  }

  open(button: Button, owner: (pass: Pass) => void, options: RunOptions | null = null): Pass {
    if (button.media === null) throw new Error('bug: nothing to open')
    const list = this.world.catalogue.playlist(button.playlistId)
    const overlap = Math.max(options?.loopCrossfadeMs ?? 0, button.fadeOutMs) * 48
    const loops = options?.loop ?? (options?.externalSequencing !== true && button.isLoopEnabled)
    const longest = later(frame(overlap), list === null ? ZERO : mixFrames(list))
    const to = button.endMs === null ? null : frame(button.endMs * 48)
    return this.#openRange(button, button.media, frame(button.startMs * 48), to, longest, loops, owner)
  }

  #openRange(
    button: Button, path: string, from: Frame, to: Frame | null, blend: Frame, hold: boolean,
    owner: (pass: Pass) => void,
  ): Pass {
    return this.world.open({ buttonId: button.id, path, from, to, ahead: aheadOf(blend), hold }, owner)
  }

  launch(advance: Advance, button: Button, pass: Pass): void {
    const { from } = advance
    const list = this.world.catalogue.playlist(button.playlistId)
    if (list !== null) this.lists.began(list, button.id, true)
    const run = this.#admit({
      button, options: null, pass, order: from.order, automatic: true, tried: advance.tried,
    })
    const early = advance.early && from.endReason === null
    if (early) from.handedOver = run.executionId
    if (pass.empty) this.fail(run, pass.broken ?? 'nothing could be decoded')
    else if (pass.ready) this.#sound(run, early ? frame(from.ramp.end - this.world.now) : null)
  }

  prepared(run: Run): void {
    if (run.endReason === null) this.settleRun(run)
  }

  listEnded(run: Run, tried: ReadonlySet<string>): void {
    const why = tried.size > 0 ? `${String(tried.size)} could not be played` : 'nothing follows'
    this.world.notice(run, `the list ends: ${why}`)
  }

  #dropAdvance(run: Run): void {
    this.sequencer.drop(run.advance)
    run.advance = null
  }

  /** A changed show: what was prepared is chosen anew, and settings that are read when needed moved. */
  reread(run: Run): void {
    this.#dropAdvance(run)
    run.button = this.world.catalogue.button(run.button.id) ?? run.button
    this.settleRun(run)
  }

  tell(run: Run, cause: Cause, message: string | null): void {
    this.world.tell(run, cause, message)
  }
}
