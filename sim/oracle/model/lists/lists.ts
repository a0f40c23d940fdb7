// The reference model of lists: who follows a run, and when; the engine's choice is checked.
import type { RunEvent } from '../../../world/engine-observer.js'
import { framesOf, placeOf, type ModelButton, type ModelRun, type Tried } from '../shapes.js'
import type { ModelState } from '../state.js'
import type { ModelStreams } from '../streams.js'
import { EarlyCrossfade } from './early-crossfade.js'
import { isDoubtful, isQuick, patienceOf, playable } from './list-files.js'
import { PlayOrder, type Search } from './play-order.js'

/** A run whose moment to hand over has come, and whose successor has not been born yet. */
interface Pending extends Search {
  tried: Tried
  /** Until then a successor must have been found; Infinity where a look never ends. */
  by: number
  /** What was tried is not known for sure, or the round has changed since. */
  vague: boolean
}

/** Time enough to look for a quick file and to open it. */
const LOOKED = framesOf(2_100)

export class ModelLists {
  readonly #order: PlayOrder
  readonly #early: EarlyCrossfade
  #pending: Pending[] = []
  /** Births and ends of late. */
  readonly #moves: { readonly list: number; readonly of: string; readonly at: number }[] = []

  constructor(private readonly state: ModelState, streams: ModelStreams) {
    this.#order = new PlayOrder(state)
    this.#early = new EarlyCrossfade(state, streams, this.#order)
  }

  /** Nobody is looked for. */
  get idle(): boolean {
    return this.#pending.length === 0
  }

  /** The run ended, and its list may go on. */
  onward(run: ModelRun, tried: Tried): void {
    const { now: since } = this.state
    const by = since + patienceOf(this.state, this.state.listOf(run.button))
    this.#pending.push({ from: run, list: run.button.list, tried, since, by, vague: false })
  }

  ended(run: ModelRun): void {
    this.#order.ended(run)
    this.moved(run)
  }

  /** A run began or ended: what its list prepared for others may be chosen anew. */
  moved(run: ModelRun): void {
    const at = this.state.now
    for (const one of this.state.live) {
      if (one.button.list === run.button.list && one.button.fadeOutAtEnd) one.newsHeard = true
    }
    this.#moves.push({ list: run.button.list, of: run.id, at })
    while (at - this.#moves[0]!.at >= LOOKED) this.#moves.shift()
    if (run.reason !== null) return
    // What was looked for may be playing now: another is looked for.
    const by = at + patienceOf(this.state, this.state.listOf(run.button))
    for (const one of this.#pending) {
      if (one.list === run.button.list) one.by = Math.max(one.by, by)
    }
  }

  dropOf(button: string, id: string | null): void {
    for (const one of this.#pending.filter(({ from }) =>
      from.button.id === button && (id ?? from.id) === from.id)) {
      this.state.judge.sometimes('a list button is stopped while its successor is looked for')
      this.#forget(one)
    }
  }

  /** A list that looks for its next item was accepted earlier: what begins to sound replaces it. */
  dropOlder(order: number): void {
    for (const one of this.#pending.filter(({ from }) => from.order < order)) this.#forget(one)
  }

  dropAll(): void {
    this.#pending = []
  }

  startedByHand(button: ModelButton): void {
    this.#order.startedByHand(button)
    if (this.state.listOf(button).mode !== 'shuffle') return
    for (const one of this.#pending) if (one.list === button.list) one.vague = true
  }

  /** The run that ended and whose place a run that was born by itself takes. */
  succeed(event: RunEvent) {
    const { judge, now, live, show } = this.state
    const follows = event.birth?.follows
    for (const one of this.#pending) if (one.from.from?.id === follows) this.#takeBack(one)
    const found = this.#pending.find(({ from }) => from.id === follows)
    if (found === undefined) return null
    this.#forget(found)
    const { from, tried, list, since } = found
    const button = this.#order.chosen(list, event.buttonId)
    const skipped = this.#order.judgeChoice(found, button)
    // With Mix on another one is prepared to blend in, where one is free; else the item itself is.
    const { buttons, mixOnTransition } = show.lists[list]!
    const mayBlend = mixOnTransition && button.id === from.button.id && buttons.some(({ id }) =>
      id !== button.id && !live.some((run) => run.button.id === id))
    // Whether it had its chance to be ready at once.
    const prepared = since === now && skipped.size === 0 && !mayBlend && this.#calm(from) &&
      from.reason === 'natural_end' && isQuick(this.state, button)
    if (prepared) judge.sometimes('a gapless change')
    return { from, tried: new Map([...tried, ...skipped]), early: null, prepared }
  }

  /** The live run whose end a run that was born by itself blends into; `early`: by how much. */
  blend(event: RunEvent) {
    const found = this.#blending(event)
    if (found === null) return null
    const { from, button, left, most } = found
    if (most === null || left <= 0 || left > most.frames) return null
    this.state.judge.sometimes('an early crossfade')
    this.state.judge.sometimes('an early crossfade shortened by half a range',
      most.frames < most.crossfade)
    const search = { list: from.button.list, from, tried: new Map(), since: this.state.now }
    const skipped = this.#order.judgeChoice(search, button)
    return { from, tried: skipped, early: left, prepared: true }
  }

  /** What blends in before its time. */
  judgeEarly(event: RunEvent): void {
    const found = this.#blending(event)
    if (found === null) return
    const { from, left } = found
    const most = found.most?.frames ?? 0
    this.state.judge.hold('3.3/early', left <= most, () =>
      `${from.name} is followed ${left} frames before its end; the overlap is ${most}`)
  }

  /** The live run that is followed, by whom, how much is left of it, and the most there may be. */
  #blending({ birth, buttonId }: RunEvent) {
    const from = this.state.live.find((run) => run.id === birth?.follows)
    if (from === undefined) return null
    const button = this.#order.chosen(from.button.list, buttonId)
    const left = (from.tail.end ?? Infinity) - placeOf(from, this.state.now)
    return { from, button, left, most: this.#early.overlap(from, button) }
  }

  /**
   * What could not be played in the old show may have been tried in vain, and where that is all
   * there was, the list may have ended.
   */
  showLeaves(): void {
    for (const one of this.#pending) {
      if (this.#order.sure(one).length === 0) one.vague = true
      one.tried = this.#perhaps(one.list, one.tried)
    }
    for (const run of this.state.live) run.tried = this.#perhaps(run.button.list, run.tried)
  }

  #perhaps(n: number, tried: Tried): Tried {
    const items = playable(this.state.show.lists[n]!)
    const doubtful = items.filter((one) => isDoubtful(this.state, one))
    return new Map([...doubtful.map(({ id }) => [id, false] as const), ...tried])
  }

  /** What was found by the old show may have to be looked for anew. */
  showChanged(): void {
    for (const one of this.#pending) {
      const from = one.by < Infinity ? one.by : this.state.now
      one.by = from + patienceOf(this.state, this.state.show.lists[one.list]!)
    }
  }

  /** The frame at which a run falls to its End after all, if nothing blends into it. */
  fallDue(run: ModelRun): number {
    if (!run.button.fadeOutAtEnd) return Infinity
    const due = this.#early.dueAt(run)
    const { now } = this.state
    return due > now || (due === now && run.settledAt < now) ? due : Infinity
  }

  /** An early crossfade takes the place of the run's fade at End. */
  blendIsToCome(run: ModelRun): boolean {
    return this.#early.isToCome(run)
  }

  /** The next frame at which who follows must have been found, or must blend in; else Infinity. */
  nextDue(): number {
    const { live, now } = this.state
    let due = Infinity
    for (const { by } of this.#pending) if (by > now) due = Math.min(due, by)
    for (const run of live) {
      const at = this.#early.dueAt(run)
      if (at > now) due = Math.min(due, at)
    }
    return due
  }

  /** Time is about to leave this frame: whatever had to start has started. */
  leave(): void {
    const { judge, live, now, show } = this.state
    for (const one of this.#pending) {
      const over = one.since === now && !one.vague && this.#order.eligible(one).length === 0
      if (!over && one.by > now) continue
      this.#forget(one)
      const gone = !show.buttons.has(one.from.button.id)
      const sure = one.vague || gone ? [] : this.#order.sure(one)
      judge.hold('3.3/goes-on', sure.length === 0, () =>
        `after ${one.from.name} b${String(sure[0]?.n)} should have started`)
      judge.sometimes('a list ends')
      this.#takeBack(one)
    }
    for (const run of live) {
      const next = this.#early.mustBlend(run)
      if (next === null) continue
      judge.hold('3.3/early', !this.#calm(run) || !isQuick(this.state, next), () =>
        `b${next.n} should blend into ${run.name} now`)
    }
  }

  /** Nobody follows: what blends out still is followed anew, where nothing was done to it. */
  #takeBack(one: Pending): void {
    const { from: { from, button }, tried } = one
    if (from?.handedTo !== one.from || from.endedAt < one.since) return
    this.#forget(one)
    from.takenBack = new Map([...tried, [button.id, true]])
    if (from.reason === 'natural_end') this.onward(from, from.takenBack)
  }

  #forget(one: Pending): void {
    this.#pending = this.#pending.filter((other) => other !== one)
  }

  /** Nothing was done to the run, or in its list, for long enough before its moment. */
  #calm(run: ModelRun): boolean {
    const { now } = this.state
    if (now - Math.max(run.calmSince, run.tail.endKnownAt) < LOOKED) return false
    return !this.#moves.some(({ list, of, at }) =>
      list === run.button.list && of !== run.id && now - at < LOOKED)
  }
}
