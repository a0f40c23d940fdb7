// The reference model of lists: who may follow a run, who must, and when; the engine's choice is
// checked.
import type { Judge } from '../judge.js'
import type { SimMedia } from '../media.js'
import { pathOf } from '../show.js'
import type { RunEvent } from '../witness.js'
import { loops } from './bounds.js'
import type { ModelRuns } from './runs.js'
import {
  framesOf, placeOf, type ModelButton, type ModelList, type ModelRun,
} from './shapes.js'

/** A run whose moment to hand over has come, and whose successor has not been born yet. */
interface Pending {
  readonly from: ModelRun
  readonly list: number
  readonly tried: ReadonlySet<string>
  readonly since: number
  /** Until then a successor must have been found; null where a look never ends. */
  readonly by: number | null
  /** What was tried is not known for sure, or the round has changed since. */
  vague: boolean
}

/** How a run came to be by itself. */
export interface Succession {
  readonly from: ModelRun
  readonly tried: ReadonlySet<string>
  /** Frames of the overlap; null where it takes the place of one that ended. */
  readonly early: number | null
  /** It had its chance to be ready at once. */
  readonly prepared: boolean
}

const NONE: ReadonlySet<string> = new Set()
/** A successor is chosen at most this long before its moment. */
const CHOICE = framesOf(5_100)

interface Overlap {
  readonly frames: number
  /** By the incoming range as it is, whether or not it was known in time. */
  readonly likely: number
  /** Before the incoming range was looked at. */
  readonly wish: number
  readonly crossfade: number
  /** The length of the incoming range is known in time. */
  readonly known: boolean
}

interface Blend {
  readonly from: ModelRun
  readonly button: ModelButton
  readonly most: Overlap
  readonly left: number
  readonly doubt: number
}

export interface ListsHost {
  readonly judge: Judge
  readonly media: SimMedia
  readonly runs: ModelRuns
  show(): { readonly lists: readonly ModelList[] }
  /** The file was tampered with in this scenario. */
  tampered(file: number): boolean
}

export class ModelLists {
  readonly #pending: Pending[] = []
  readonly #rounds = new Map<number, Set<string>>()
  readonly #lastEnd = new Map<string, number>()
  readonly #vague = new Set<ModelRun>()

  constructor(private readonly host: ListsHost) {}

  /** Nobody is looked for. */
  get idle(): boolean {
    return this.#pending.length === 0
  }

  onward(run: ModelRun, tried: ReadonlySet<string>): void {
    const { now } = this.host.runs
    const vague = this.#vague.has(run)
    const patience = this.#patience(this.host.runs.listOf(run.button))
    const by = patience === null ? null : now + patience
    this.#pending.push({ from: run, list: run.button.list, tried, since: now, by, vague })
  }

  ended(run: ModelRun): void {
    this.#lastEnd.set(run.button.id, run.endedAt)
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
    for (const one of this.#pending) if (one.list === button.list) one.vague = true
  }

  /** Whose place a run that was born by itself takes, where one has ended, or has just ended. */
  succeed(event: RunEvent, justNow: boolean): Succession | null {
    const { now } = this.host.runs
    const places = this.#pending.flatMap((one) => {
      if (justNow && one.since !== now) return []
      const place = this.#eligible(one.list, one.from, one.tried)
        .findIndex((button) => button.id === event.buttonId)
      return place < 0 ? [] : [{ one, place }]
    })
    // The likeliest explanation: the one whose very next item it is, the latest of those.
    const found = places.sort((a, b) => a.place - b.place || b.one.since - a.one.since)[0]?.one
    if (found === undefined) return null
    this.#forget(found)
    const button = this.#inList(found.list, event.buttonId)!
    const skipped = this.#judgeChoice(found.list, found.from, found.tried, button)
    const { from } = found
    const list = this.host.show().lists[found.list]!
    const mix = list.mixOnTransition ? list.crossfadeMs : 0
    const landing = from.button.fadeOutAtEnd ? from.button.fadeOutMs : 0
    const ahead = framesOf(Math.max(mix, landing))
    const prepared = found.since === now && skipped.size === 0 && this.#calm(from, now, ahead) &&
      from.reason === 'natural_end' && this.#quick(button) && this.#unchanged(button, now, ahead)
    if (prepared) this.host.judge.sometimes('a gapless change')
    return { from, tried: new Set([...found.tried, ...skipped]), early: null, prepared }
  }

  /** Whether there is a run whose end it could blend into. */
  mayBlend(event: RunEvent): boolean {
    return this.#likeliest(event) !== undefined
  }

  /** Whose end a run that was born by itself blends into. */
  blend(event: RunEvent): Succession | null {
    const { judge } = this.host
    const best = this.#likeliest(event)
    if (best === undefined) return null
    const { from, button, most, left } = best
    judge.hold('3.3/early', left <= most.frames, () =>
      `b${button.n} blends in ${left} frames before the end; the overlap is ${most.frames}`)
    judge.sometimes('an early crossfade')
    if (most.frames < most.crossfade) {
      judge.sometimes('an early crossfade shortened by half a range')
    }
    const skipped = this.#judgeChoice(from.button.list, from, NONE, button)
    return { from, tried: skipped, early: left, prepared: true }
  }

  #likeliest(event: RunEvent): Blend | undefined {
    const { runs } = this.host
    const found = runs.live.flatMap((from): Blend[] => {
      const button = this.#inList(from.button.list, event.buttonId)
      const most = button === null ? null : this.#overlap(from, button)
      if (button === null || most === null) return []
      const place = this.#eligible(button.list, from, NONE).indexOf(button)
      const left = from.tail.end! - placeOf(from, runs.now)
      if (place < 0 || left <= 0 || left > most.wish) return []
      // The likeliest explanation first: the very next item, at the very frame.
      const doubt = place + (left > most.frames ? 100 : left === most.likely ? 0 : 0.5)
      return [{ from, button, most, left, doubt }]
    })
    return found.sort((a, b) => a.doubt - b.doubt)[0]
  }

  note(run: ModelRun, vague: boolean): void {
    if (vague) this.#vague.add(run)
  }

  /** Time is about to leave this frame: whatever had to start has started. */
  leave(now: number): void {
    const { judge } = this.host
    for (const one of [...this.#pending]) {
      if (one.by === null || one.by > now) continue
      this.#forget(one)
      const gone = this.#inList(one.list, one.from.button.id) === null
      const sure = one.vague || gone ? [] : this.#eligible(one.list, one.from, one.tried).filter(
        (button) => !this.#doubtful(button) && this.#unchanged(button, one.since, 0),
      )
      judge.hold('3.3/goes-on', sure.length === 0, () =>
        `after ${one.from.name} b${String(sure[0]?.n)} should have started`)
      judge.sometimes('a list ends')
    }
    for (const run of this.host.runs.live) this.#mustBlend(run, now)
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
    const due = this.#calm(run, now, most.wish) && this.#quick(next) &&
      this.#unchanged(next, now, most.wish)
    this.host.judge.hold('3.3/early', !due, () =>
      `b${next.n} should blend into ${run.name} now, ${most.frames} frames before its end`)
  }

  /** The one item that can follow, where there is no doubt about it. */
  #surest(run: ModelRun): ModelButton | null {
    const list = this.host.runs.listOf(run.button)
    if (list.mode !== 'sequence') return null
    if (list.buttons.some((button) => this.#doubtful(button))) return null
    if (this.#vague.has(run) || run.button.fadeOutAtEnd) return null
    const next = this.#eligible(list.n, run, new Set())[0]
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
    const known = !file.endless && file.breaksAt === null && file.tellsEndEarly &&
      !this.host.tampered(next.file!)
    const half = Math.floor(Math.max(0, to - framesOf(next.startMs)) / 2)
    const likely = Math.min(wish, half)
    return { frames: known ? likely : wish, likely, wish, crossfade, known }
  }

  /** In order of preference; of a sequence the first must be taken, of a shuffle any. */
  #eligible(n: number, from: ModelRun, tried: ReadonlySet<string>): readonly ModelButton[] {
    const list = this.host.show().lists[n]!
    const items = playable(list)
    const { runs } = this.host
    const free = (button: ModelButton): boolean =>
      !tried.has(button.id) && runs.ofButton(button.id) === null
    if (list.mode === 'manual') return []
    if (list.mode === 'sequence') {
      const at = items.findIndex((button) => button.id === from.button.id)
      const again = list.wrap ? items.slice(0, at + 1) : []
      return [...items.slice(at + 1), ...again].filter(free)
    }
    const played = this.#rounds.get(n) ?? new Set([from.button.id])
    const open = items.filter(free)
    const fresh = open.filter((button) => !played.has(button.id))
    if (!list.wrap || fresh.some((button) => this.#sure(button))) return fresh
    const others = open.filter((button) => button.id !== from.button.id)
    return others.some((button) => this.#sure(button)) ? others : open
  }

  /** It can play, and could when the choice was made. */
  #sure(button: ModelButton): boolean {
    return !this.#doubtful(button) && this.#unchanged(button, this.host.runs.now, 2_880_000)
  }

  /** Judges who was chosen; answers those that were passed over. */
  #judgeChoice(
    n: number, from: ModelRun, tried: ReadonlySet<string>, chosen: ModelButton,
  ): ReadonlySet<string> {
    const { judge } = this.host
    const list = this.host.show().lists[n]!
    const eligible = this.#eligible(n, from, tried)
    if (list.mode === 'shuffle') return this.#judgeRound(list, from, tried, chosen)
    const place = eligible.findIndex((button) => button.id === chosen.id)
    judge.hold('3.3/order', place >= 0, () =>
      `b${chosen.n} follows ${from.name}; only ${eligible.map((b) => `b${b.n}`).join()} may`)
    const skipped = eligible.slice(0, place)
    const sure = skipped.filter((button) => this.#sure(button))
    judge.hold('3.3/order', sure.length === 0, () =>
      `b${chosen.n} follows ${from.name}, though b${String(sure[0]?.n)} is next`)
    if (skipped.length > 0) judge.sometimes('a missing file is passed over')
    if (chosen.n <= from.button.n) judge.sometimes('a list wraps')
    return new Set(skipped.map((button) => button.id))
  }

  #judgeRound(
    list: ModelList, from: ModelRun, tried: ReadonlySet<string>, chosen: ModelButton,
  ): ReadonlySet<string> {
    const { judge, runs } = this.host
    const played = this.#rounds.get(list.n) ?? new Set([from.button.id])
    this.#rounds.set(list.n, played)
    if (!played.has(chosen.id)) {
      played.add(chosen.id)
      return new Set()
    }
    const free = playable(list).filter((b) => b.id !== chosen.id && !tried.has(b.id) &&
      runs.ofButton(b.id) === null && this.#sure(b))
    const unplayed = free.filter((button) => !played.has(button.id))
    judge.hold('3.3/shuffle-round', unplayed.length === 0 && list.wrap, () =>
      `b${chosen.n} plays again; ${unplayed.map((b) => `b${b.n}`).join()} did not play yet`)
    judge.hold('3.3/shuffle-seam', chosen.id !== from.button.id || free.length === 0, () =>
      `b${chosen.n} ended and begins the next round`)
    judge.sometimes('a shuffle round ends and another begins')
    this.#rounds.set(list.n, new Set([chosen.id]))
    return new Set()
  }

  #inList(n: number, id: string): ModelButton | null {
    return this.host.show().lists[n]!.buttons.find((button) => button.id === id) ?? null
  }

  #forget(one: Pending): void {
    this.#pending.splice(this.#pending.indexOf(one), 1)
  }

  /** It may be passed over: its file was not what it seems, or may not be. */
  #doubtful(button: ModelButton): boolean {
    if (button.file === null) return false
    const file = this.host.media.files[button.file]!
    return this.host.tampered(button.file) || file.missing || file.breaksAt !== null ||
      file.readyAfter === null || file.checkedAfter === null ||
      framesOf(button.startMs) >= file.frames
  }

  #quick(button: ModelButton): boolean {
    const file = this.host.media.files[button.file!]!
    return !this.#doubtful(button) && file.readyAfter! + file.checkedAfter! <= 48_000 &&
      file.step === null && file.stall === null
  }

  /** Nothing was done to the run, or in its list, for long enough before its moment. */
  #calm(run: ModelRun, now: number, ahead: number): boolean {
    if (now - Math.max(run.calmSince, run.tail.endKnownAt) < 100_000) return false
    return !this.host.runs.live.some((other) => other !== run &&
      other.button.list === run.button.list && now - other.bornAt <= CHOICE + ahead)
  }

  /** No run of it ended lately: what it was when the choice was made it is now. */
  #unchanged(button: ModelButton, now: number, ahead: number): boolean {
    const last = this.#lastEnd.get(button.id)
    return last === undefined || now - last > CHOICE + ahead
  }

  /** How long a list may look for its next item: every file twice; null where a look never ends. */
  #patience(list: ModelList): number | null {
    let sum = 0
    for (const button of playable(list)) {
      const { checkedAfter } = this.host.media.files[button.file!]!
      if (checkedAfter === null) return null
      sum += 2 * checkedAfter
    }
    return sum
  }
}

const playable = (list: ModelList): readonly ModelButton[] =>
  list.buttons.filter(({ kind }) => kind === 'audio' || kind === 'video')
