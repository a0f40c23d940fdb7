// Runs come to be and are listened to: what a start or a list makes, and the news of their media.
import { frame, type Frame } from '../../clock/frame.js'
import type { Agenda } from '../agenda.js'
import { endFrame, startFrame, type Button, type Catalogue } from '../catalogue.js'
import { NO_OPTIONS, type RunOptions } from '../commands/commands.js'
import type { Context } from '../context.js'
import type { DmxRuns } from '../dmx/dmx-runs.js'
import { startDmx } from '../dmx/dmx-start.js'
import { listGoesOn } from '../playlists/external-sequencing.js'
import type { PlaylistOrder } from '../playlists/playlist-order.js'
import { Sequencer, type SequencerHost } from '../playlists/sequencer.js'
import { tellBirth } from '../run-events.js'
import type { Pass } from '../sound/voice.js'
import { failRun } from './terminal-outcome.js'
import { loopsNow, wishedOverlap } from './loop.js'
import { NextBoundary } from './next-boundary.js'
import { aheadOf } from './opened-ahead.js'
import { awaitsSound, isLive, listOf, type Advance, type Run } from './run.js'
import type { Boundaries, RangeLimits, RunParts } from './run-parts.js'
import { becomeReady, beginToSound, createRun, type StartOrder } from './start.js'

export class RunLifecycle implements RunParts, SequencerHost {
  readonly sequencer: Sequencer
  readonly boundaries: Boundaries
  #serial = 0
  #order = 0

  constructor(
    readonly context: Context,
    readonly agenda: Agenda,
    private readonly playOrder: PlaylistOrder,
    readonly dmx: DmxRuns,
    readonly limits: RangeLimits,
  ) {
    this.sequencer = new Sequencer(this, playOrder)
    this.boundaries = new NextBoundary(this)
  }

  accepted(): number {
    this.#order += 1
    return this.#order
  }

  start(button: Button, options: RunOptions): Run {
    const order = this.accepted()
    const pass = this.open(button, () => undefined, options)
    return this.#admit({ button, options, pass, order, follows: null, tried: new Set() })
  }

  #admit(start: StartOrder): Run {
    const list = this.context.catalogue.playlist(start.button.playlistId)
    if (list !== null) this.playOrder.began(list, start.button.id, start.follows !== null)
    this.#serial += 1
    const run = createRun(start, this.#serial, this.context.ids.next(), list, this.context.now)
    start.pass.owner = (pass) => {
      this.#news(run, pass)
    }
    this.context.runs.add(run)
    startDmx(this, start.button, 'media')
    tellBirth(this.context, run, start.follows)
    this.sequencer.listMoved(run)
    return run
  }

  /** News of a run's stream: the first makes it sound, later ones may move its boundaries. */
  #news(run: Run, pass: Pass): void {
    // Its streams are closed with it; one that was forgotten must not end the evening.
    if (!isLive(run)) return
    run.sourceFrames = pass.source ?? run.sourceFrames
    if (pass === run.voice.tail && pass.empty) {
      failRun(this, run, whyEmpty(pass))
    } else if (awaitsSound(run)) {
      if (pass.ready) becomeReady(this, run)
    } else this.boundaries.settleSoon(run)
  }

  open(button: Button, owner: (pass: Pass) => void, options: RunOptions | null = null): Pass {
    if (button.media === null) throw new Error('bug: nothing to open')
    const list = this.context.catalogue.playlist(button.playlistId)
    const purpose = options === null ? 'next' : 'start'
    const settings = { button, options: options ?? NO_OPTIONS }
    const overlap = wishedOverlap(button, settings.options, list)
    const known = this.context.rangeLength(button, null) !== null
    const ahead = aheadOf(button, list, overlap, known)
    const [from, to, hold] = [startFrame(button), endFrame(button), loopsNow(settings)]
    return this.context.open(
      { buttonId: button.id, purpose, path: button.media, from, to, ahead, hold }, owner,
    )
  }

  openAgain(run: Run): Pass {
    const { path, start: from, to } = run
    const { id: buttonId } = run.button
    const ahead = this.#aheadOf(run)
    const asked = { buttonId, purpose: 'pass', path, from, to, ahead, hold: true } as const
    return this.context.open(asked, (pass) => {
      this.#news(run, pass)
    })
  }

  #aheadOf(run: Run): Frame {
    return aheadOf(run.button, listOf(run, this.context.catalogue), run.loopOverlap)
  }

  launch(advance: Advance, button: Button, pass: Pass): void {
    const { from } = advance
    const run = this.#admit({
      button, options: NO_OPTIONS, pass, order: from.order, follows: from.executionId,
      tried: advance.tried,
    })
    const early = advance.early && isLive(from)
    if (early) from.handedOver = run.executionId
    if (!pass.ready) return
    beginToSound(this, run, early ? frame(from.ramp.end - this.context.now) : null)
  }

  /** What was prepared is chosen anew, and the settings that are read when needed are the new. */
  #reread(run: Run, before: Catalogue): void {
    this.sequencer.drop(run)
    const button = this.context.catalogue.button(run.button.id)
    // Told at once: whoever has programs write the show hears of the silence before it comes.
    if (button === null && wasToBeFollowed(run, before)) {
      this.context.notice(run, 'its button left the show: nothing will follow it')
    }
    run.button = button ?? run.button
    run.voice.keepAhead(this.#aheadOf(run))
    this.boundaries.settle(run)
  }

  /** The show was replaced: whatever is read when it is needed may be otherwise. */
  replaceCatalogue(catalogue: Catalogue): void {
    const { catalogue: before, now, runs } = this.context
    this.context.catalogue = catalogue
    this.playOrder.replaced(catalogue)
    this.dmx.reread(now, (buttonId) => catalogue.button(buttonId)?.dmx ?? null)
    for (const run of [...runs.live()]) this.#reread(run, before)
    this.sequencer.reread()
  }
}

const wasToBeFollowed = (run: Run, before: Catalogue): boolean =>
  run.phase.state !== 'fading_out' && !loopsNow(run) && listGoesOn(run, before)

const whyEmpty = ({ broken, from }: Pass): string => {
  if (broken !== null) return broken
  return from > 0
    ? 'the configured Start lies at or past the end of the source'
    : 'nothing could be decoded: there is no sound in the file'
}
