// The reference model of lists: who may follow a run, who must, and when; the engine's choice is
// checked.
import type { Judge } from '../judge.js'
import { pathOf } from '../../scenario/show.js'
import type { RunEvent } from '../../world/engine-observer.js'
import { loops } from './bounds.js'
import { isDoubtful, isQuick, patienceOf, playable, type FilesHost } from './list-files.js'
import type { ModelRuns } from './runs.js'
import {
  framesOf, placeOf, type ModelButton, type ModelList, type ModelRun, type ModelShow, type Tried,
} from './shapes.js'

/** A run whose moment to hand over has come, and whose successor has not been born yet. */
interface Pending {
  readonly from: ModelRun
  readonly list: number
  tried: Tried
  readonly since: number
  /** Until then a successor must have been found; null where a look never ends. */
  by: number | null
  /** What was tried is not known for sure, or the round has changed since. */
  vague: boolean
}

/** How a run came to be by itself. */
export interface Succession {
  readonly from: ModelRun
  readonly tried: Tried
  /** Frames of the overlap; null where it takes the place of one that ended. */
  readonly early: number | null
  /** It had its chance to be ready at once. */
  readonly prepared: boolean
}

const NONE: Tried = new Map()
/** Time enough to look for a quick file and to open it. */
const LOOKED = framesOf(2_100)

interface Overlap {
  readonly frames: number
  /** Before the incoming range was looked at. */
  readonly wish: number
  readonly crossfade: number
  /** The length of the incoming range is known in time. */
  readonly known: boolean
}

export interface ListsHost extends FilesHost {
  readonly judge: Judge
  readonly runs: ModelRuns
  show(): ModelShow
  /** In frames, as far as it is known. */
  durationOf(path: string): number | null
}

export class ModelLists {
  readonly #pending: Pending[] = []
  readonly #rounds = new Map<number, Set<string>>()
  readonly #lastEnd = new Map<string, number>()
  /** Births and ends of late. */
  readonly #moves: { readonly list: number; readonly of: string; readonly at: number }[] = []

  /** Who surely follows a run, as of a version of everything that may change it. */
  readonly #surely = new WeakMap<ModelRun, { version: number; next: ModelButton | null }>()
  #version = 0

  constructor(private readonly host: ListsHost) {}

  /** Who is sure to follow may be another now. */
  changed(): void {
    this.#version += 1
  }

  /** Nobody is looked for. */
  get idle(): boolean {
    return this.#pending.length === 0
  }

  onward(run: ModelRun, tried: Tried): void {
    const { now } = this.host.runs
    const patience = patienceOf(this.host, this.host.runs.listOf(run.button))
    const by = patience === null ? null : now + patience
    this.#pending.push({ from: run, list: run.button.list, tried, since: now, by, vague: false })
  }

  ended(run: ModelRun): void {
    this.#lastEnd.set(run.button.id, run.endedAt)
    this.moved(run)
  }

  /** A run began or ended: what its list prepared for others may be chosen anew. */
  moved(run: ModelRun): void {
    const at = this.host.runs.now
    this.changed()
    this.#moves.push({ list: run.button.list, of: run.id, at })
    while (at - this.#moves[0]!.at >= LOOKED) this.#moves.shift()
    if (run.reason !== null) return
    // What was looked for may be playing now: another is looked for.
    const patience = patienceOf(this.host, this.host.runs.listOf(run.button))
    for (const one of this.#pending) {
      if (one.list !== run.button.list || one.by === null || patience === null) continue
      one.by = Math.max(one.by, at + patience)
    }
  }

  dropOf(button: string): void {
    for (const one of this.#pending.filter(({ from }) => from.button.id === button)) {
      this.host.judge.sometimes('a list button is stopped while its successor is looked for')
      this.#forget(one)
    }
  }

  dropOlder(order: number): void {
    for (const one of this.#pending.filter(({ from }) => from.order < order)) this.#forget(one)
  }

  dropAll(): void {
    this.#pending.length = 0
  }

  startedByHand(button: ModelButton): void {
    this.#rounds.set(button.list, new Set([button.id]))
    if (this.host.show().lists[button.list]!.mode !== 'shuffle') return
    for (const one of this.#pending) if (one.list === button.list) one.vague = true
  }

  /** The run that ended and whose place a run that was born by itself takes. */
  succeed(event: RunEvent): Succession | null {
    const { now } = this.host.runs
    const found = this.#pending.find(({ from }) => from.id === event.birth?.follows)
    if (found === undefined) return null
    this.#forget(found)
    const { from, tried } = found
    const button = this.#chosen(found.list, event.buttonId)
    const skipped = this.#judgeChoice(found.list, from, tried, button, found.since)
    // With Mix on another one is prepared to blend in; it is the item itself only at its end.
    const itself = button.id === from.button.id
    const mix = this.host.show().lists[found.list]!.mixOnTransition
    const prepared = found.since === now && skipped.size === 0 && !(itself && mix) &&
      this.#calm(from, now) && from.reason === 'natural_end' && isQuick(this.host, button)
    if (prepared) this.host.judge.sometimes('a gapless change')
    return { from, tried: new Map([...tried, ...skipped]), early: null, prepared }
  }

  /** The live run whose end a run that was born by itself blends into. */
  blend(event: RunEvent): Succession | null {
    const { judge, runs } = this.host
    const from = runs.live.find((run) => run.id === event.birth?.follows)
    if (from === undefined) return null
    const button = this.#chosen(from.button.list, event.buttonId)
    const most = this.#overlap(from, button)
    const left = (from.tail.end ?? Infinity) - placeOf(from, runs.now)
    if (most === null || left <= 0 || left > most.frames) return null
    const { frames, crossfade } = most
    judge.sometimes('an early crossfade')
    if (frames < crossfade) judge.sometimes('an early crossfade shortened by half a range')
    const skipped = this.#judgeChoice(from.button.list, from, NONE, button, runs.now)
    return { from, tried: skipped, early: left, prepared: true }
  }

  #chosen(n: number, id: string): ModelButton {
    const button = this.host.show().lists[n]!.buttons.find((one) => one.id === id)
    this.host.judge.hold('3.3/order', button !== undefined, () => `${id} is not of its list`)
    return button!
  }

  /**
   * What could not be played in the old show may have been tried in vain, and where that is all
   * there was, the list may have ended.
   */
  showLeaves(): void {
    for (const one of this.#pending) {
      if (this.#sureAfter(one).length === 0) one.vague = true
      one.tried = this.#perhaps(one.list, one.tried)
    }
    for (const run of this.host.runs.live) run.tried = this.#perhaps(run.button.list, run.tried)
  }

  #perhaps(n: number, tried: Tried): Tried {
    const items = playable(this.host.show().lists[n]!)
    const doubtful = items.filter((one) => isDoubtful(this.host, one))
    return new Map([...doubtful.map(({ id }) => [id, false] as const), ...tried])
  }

  /** What was found by the old show may have to be looked for anew. */
  showChanged(): void {
    this.changed()
    for (const one of this.#pending) {
      const list = this.host.show().lists[one.list]
      const patience = list === undefined ? null : patienceOf(this.host, list)
      one.by = patience === null ? null : (one.by ?? this.host.runs.now) + patience
    }
  }

  /** When the next list must have found who follows. */
  nextPatience(): number | null {
    const ends = this.#pending.flatMap(({ by }) => (by === null ? [] : [by]))
    return ends.length === 0 ? null : Math.min(...ends)
  }

  /** Time is about to leave this frame: whatever had to start has started. */
  leave(now: number): void {
    const { judge } = this.host
    for (const one of [...this.#pending]) {
      const over = one.since === now && !one.vague &&
        this.#eligible(one.list, one.from, one.tried, now).length === 0
      if (!over && (one.by === null || one.by > now)) continue
      this.#forget(one)
      const gone = !this.host.show().buttons.has(one.from.button.id)
      const sure = one.vague || gone ? [] : this.#sureAfter(one)
      judge.hold('3.3/goes-on', sure.length === 0, () =>
        `after ${one.from.name} b${String(sure[0]?.n)} should have started`)
      judge.sometimes('a list ends')
    }
    for (const run of this.host.runs.live) this.#mustBlend(run, now)
  }

  #sureAfter({ list, from, tried, since }: Pending): readonly ModelButton[] {
    return this.#eligible(list, from, tried, since).filter((button) =>
      !tried.has(button.id) && this.#sure(button, from, since))
  }

  /** What blends in before its time. */
  judgeEarly({ birth, buttonId }: RunEvent): void {
    const { runs, judge } = this.host
    const from = runs.live.find((run) => run.id === birth?.follows)
    if (from === undefined) return
    const left = (from.tail.end ?? Infinity) - placeOf(from, runs.now)
    const most = this.#overlap(from, this.#chosen(from.button.list, buttonId))?.frames ?? 0
    judge.hold('3.3/early', left <= most, () =>
      `${from.name} is followed ${left} frames before its end; the overlap is ${most}`)
  }

  /** The frame at which a run has to be looked at for an early crossfade. */
  earlyAt(run: ModelRun): number | null {
    const next = this.#surest(run)
    const most = next === null ? null : this.#overlap(run, next)
    if (most === null || most.frames === 0) return null
    return this.host.runs.now + (run.tail.end! - most.frames - placeOf(run, this.host.runs.now))
  }

  #mustBlend(run: ModelRun, now: number): void {
    const next = this.#surest(run)
    if (next === null) return
    const most = this.#overlap(run, next)
    if (most === null || most.frames === 0 || !most.known) return
    if (run.tail.end! - placeOf(run, now) !== most.frames) return
    const due = this.#calm(run, now) && isQuick(this.host, next)
    this.host.judge.hold('3.3/early', !due, () =>
      `b${next.n} should blend into ${run.name} now, ${most.frames} frames before its end`)
  }

  /** The one item that can follow, where there is no doubt about it. */
  #surest(run: ModelRun): ModelButton | null {
    const known = this.#surely.get(run)
    if (known?.version === this.#version) return known.next
    const next = this.#findSurest(run)
    this.#surely.set(run, { version: this.#version, next })
    return next
  }

  #findSurest(run: ModelRun): ModelButton | null {
    const list = this.host.runs.listOf(run.button)
    if (list.mode !== 'sequence' || !list.mixOnTransition) return null
    if (list.buttons.some((button) => isDoubtful(this.host, button))) return null
    if (run.button.fadeOutAtEnd) return null
    const next = this.#eligible(list.n, run, NONE, this.host.runs.now)[0]
    return next === undefined || next.id === run.button.id ? null : next
  }

  #overlap(run: ModelRun, next: ModelButton): Overlap | null {
    const { runs } = this.host
    const list = runs.listOf(run.button)
    const { end } = run.tail
    if (end === null || run.seam !== null || run.state !== 'playing') return null
    if (!runs.goesOn(run) || !list.mixOnTransition) return null
    if (run.handedTo !== null || !run.moving) return null
    if ((loops(run) && !run.decided) || runs.now < run.riseEnd) return null
    if (playable(list).length < 2) return null
    const crossfade = framesOf(list.crossfadeMs)
    const wish = Math.min(crossfade, Math.floor((end - run.start) / 2))
    const file = this.host.media.fileAt(pathOf(next.file!))!
    const to = Math.min(next.endMs === null ? Infinity : framesOf(next.endMs), file.frames)
    const told = file.tellsEndEarly || this.host.durationOf(pathOf(next.file!)) === file.frames
    const known = !file.endless && file.breaksAt === null && told &&
      !this.host.tampered(next.file!)
    const half = Math.floor(Math.max(0, to - framesOf(next.startMs)) / 2)
    return { frames: known ? Math.min(wish, half) : wish, wish, crossfade, known }
  }

  /** In order of preference; of a sequence the first must be taken, of a shuffle any. */
  #eligible(
    n: number, from: ModelRun, tried: Tried, since: number,
  ): readonly ModelButton[] {
    const list = this.host.show().lists[n]!
    const items = playable(list)
    const { runs } = this.host
    const free = (button: ModelButton): boolean =>
      tried.get(button.id) !== true && runs.ofButton(button.id) === null
    if (list.mode === 'manual') return []
    if (list.mode === 'sequence') {
      const at = items.findIndex((button) => button.id === from.button.id)
      const again = list.wrap ? items.slice(0, at + 1) : []
      return [...items.slice(at + 1), ...again].filter(free)
    }
    const played = this.#rounds.get(n) ?? new Set([from.button.id])
    const open = items.filter(free)
    const fresh = open.filter((button) => !played.has(button.id))
    const sure = (button: ModelButton): boolean => this.#sure(button, from, since)
    if (!list.wrap || fresh.some(sure)) return fresh
    const others = open.filter((button) => button.id !== from.button.id)
    return others.some(sure) ? others : open
  }

  /** It can play, and had no run since its list began to look for it. */
  #sure(button: ModelButton, from: ModelRun, since: number): boolean {
    return this.#free(button, from, since) && !isDoubtful(this.host, button)
  }

  #free(button: ModelButton, from: ModelRun, since: number): boolean {
    const last = this.#lastEnd.get(button.id)
    return last === undefined || last < since ||
      (last === since && button.id === from.button.id)
  }

  /** Judges who was chosen; answers those that were passed over. */
  #judgeChoice(
    n: number, from: ModelRun, tried: Tried, chosen: ModelButton, since: number,
  ): Tried {
    const { judge } = this.host
    const list = this.host.show().lists[n]!
    const eligible = this.#eligible(n, from, tried, since)
    if (list.mode === 'shuffle') return this.#judgeRound(list, from, tried, chosen, since)
    const place = eligible.findIndex((button) => button.id === chosen.id)
    judge.hold('3.3/order', place >= 0, () =>
      `b${chosen.n} follows ${from.name}; only ${eligible.map((b) => `b${b.n}`).join()} may`)
    const skipped = eligible.slice(0, place)
    // Whom a list follows may have left the show: what it looked for is its next item still.
    const gone = !this.host.show().buttons.has(from.button.id)
    const sure = gone ? [] : skipped.filter((button) => this.#sure(button, from, since))
    judge.hold('3.3/order', sure.length === 0, () =>
      `b${chosen.n} follows ${from.name}, though b${String(sure[0]?.n)} is next`)
    if (skipped.length > 0) judge.sometimes('a missing file is passed over')
    if (chosen.n <= from.button.n) judge.sometimes('a list wraps')
    return new Map(skipped.map((button) => [button.id, this.#free(button, from, since)]))
  }

  #judgeRound(
    list: ModelList, from: ModelRun, tried: Tried, chosen: ModelButton,
    since: number,
  ): Tried {
    const { judge, runs } = this.host
    const played = this.#rounds.get(list.n) ?? new Set([from.button.id])
    this.#rounds.set(list.n, played)
    if (!played.has(chosen.id)) {
      played.add(chosen.id)
      return NONE
    }
    const free = playable(list).filter((b) => b.id !== chosen.id && !tried.has(b.id) &&
      runs.ofButton(b.id) === null && this.#sure(b, from, since))
    const unplayed = free.filter((button) => !played.has(button.id))
    judge.hold('3.3/shuffle-round', unplayed.length === 0 && list.wrap, () =>
      `b${chosen.n} plays again; ${unplayed.map((b) => `b${b.n}`).join()} did not play yet`)
    judge.hold('3.3/shuffle-seam', chosen.id !== from.button.id || free.length === 0, () =>
      `b${chosen.n} ended and begins the next round`)
    judge.sometimes('a shuffle round ends and another begins')
    this.#rounds.set(list.n, new Set([chosen.id]))
    return NONE
  }

  #forget(one: Pending): void {
    this.#pending.splice(this.#pending.indexOf(one), 1)
  }

  /** Nothing was done to the run, or in its list, for long enough before its moment. */
  #calm(run: ModelRun, now: number): boolean {
    if (now - Math.max(run.calmSince, run.tail.endKnownAt) < LOOKED) return false
    return !this.#moves.some(({ list, of, at }) =>
      list === run.button.list && of !== run.id && now - at < LOOKED)
  }
}
