// The early crossfade of a list with Mix on: how long it is, and when it must or may begin (3.3).
import { pathOf } from '../../../scenario/show.js'
import { loops } from '../runs/bounds.js'
import { framesOf, placeOf, type ModelButton, type ModelRun } from '../shapes.js'
import type { ModelState } from '../state.js'
import type { ModelStreams } from '../streams.js'
import { isDoubtful, playable } from './list-files.js'
import type { PlayOrder } from './play-order.js'

export class EarlyCrossfade {
  constructor(
    private readonly state: ModelState, private readonly streams: ModelStreams,
    private readonly order: PlayOrder,
  ) {}

  /**
   * The frame at which a run has to be looked at; Infinity where there is none. While more is left
   * than the longest overlap, who follows does not matter yet.
   */
  dueAt(run: ModelRun): number {
    const { now } = this.state
    const wish = this.#wish(run)
    if (wish === null || wish === 0) return Infinity
    const left = run.tail.end! - placeOf(run, now)
    if (left > wish) return now + left - wish
    const next = this.#surest(run)
    const most = next === null ? null : this.overlap(run, next)
    if (most === null || most.frames === 0) return Infinity
    return now + left - most.frames
  }

  /** Who must blend into the run at this very frame. */
  mustBlend(run: ModelRun): ModelButton | null {
    if (this.dueAt(run) !== this.state.now) return null
    const next = this.#surest(run)!
    return this.overlap(run, next)?.known === true ? next : null
  }

  /** Whether a crossfade is to come, or begins at this frame: no fade at End is heard before it. */
  isToCome(run: ModelRun): boolean {
    const { now, observer } = this.state
    const next = this.#surest(run)
    const frames = next === null ? 0 : this.overlap(run, next)?.frames ?? 0
    if (frames === 0) return false
    const begins = observer.births.some(({ event: { at, birth } }) =>
      at === now && birth?.follows === run.id)
    return begins || run.tail.end! - placeOf(run, now) > frames
  }

  /** The one item that can follow, where there is no doubt about it. */
  #surest(run: ModelRun): ModelButton | null {
    const list = this.state.listOf(run.button)
    if (list.mode !== 'sequence' || !list.mixOnTransition) return null
    if (list.buttons.some((button) => isDoubtful(this.state, button))) return null
    const search = { list: list.n, from: run, tried: new Map(), since: this.state.now }
    const next = this.order.eligible(search)[0]
    return next === undefined || next.id === run.button.id ? null : next
  }

  /** The longest that an overlap may be: the Crossfade, half of the outgoing range; or null. */
  #wish(run: ModelRun): number | null {
    const list = this.state.listOf(run.button)
    const { end } = run.tail
    if (end === null || run.seam !== null || run.state !== 'playing') return null
    if (!this.state.goesOn(run) || !list.mixOnTransition) return null
    if (run.handedTo !== null || !run.moving || playable(list).length < 2) return null
    if ((loops(run) && !run.decided) || this.state.now < run.riseEnd) return null
    return Math.min(framesOf(list.crossfadeMs), Math.floor((end - run.start) / 2))
  }

  /** The Crossfade, half of the outgoing range, half of the incoming one where it is known. */
  overlap(run: ModelRun, next: ModelButton) {
    const { state } = this
    const wish = this.#wish(run)
    if (wish === null) return null
    const crossfade = framesOf(state.listOf(run.button).crossfadeMs)
    const path = pathOf(next.file!)
    const file = state.media.fileAt(path)!
    const to = Math.min(next.endMs === null ? Infinity : framesOf(next.endMs), file.frames)
    const told = file.tellsEndEarly || this.streams.durations.get(path)?.frames === file.frames
    // Whether the length of the incoming range is known in time.
    const known = !file.endless && file.breaksAt === null && told &&
      !state.tampered.has(next.file!)
    const half = Math.floor(Math.max(0, to - framesOf(next.startMs)) / 2)
    return { frames: known ? Math.min(wish, half) : wish, crossfade, known }
  }
}
