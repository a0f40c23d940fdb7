// The play order of lists: who may follow a run, and whether the engine's choice was right (3.3).
import { isDoubtful, playable } from './list-files.js'
import type { ModelButton, ModelList, ModelRun, Tried } from '../shapes.js'
import type { ModelState } from '../state.js'

/** A list that looks for who follows `from`, since a frame, after some were tried in vain. */
export interface Search {
  readonly from: ModelRun
  readonly list: number
  readonly tried: Tried
  readonly since: number
}

const NONE: Tried = new Map()

export class PlayOrder {
  readonly #rounds = new Map<number, Set<string>>()
  readonly #lastEnd = new Map<string, number>()

  constructor(private readonly state: ModelState) {}

  /** A list that becomes a shuffle begins its round with what plays then. */
  startedByHand(button: ModelButton): void {
    if (this.state.listOf(button).mode !== 'shuffle') return
    this.#rounds.set(button.list, new Set([button.id]))
  }

  ended(run: ModelRun): void {
    this.#lastEnd.set(run.button.id, run.endedAt)
  }

  chosen(n: number, id: string): ModelButton {
    const button = this.state.show.lists[n]!.buttons.find((one) => one.id === id)
    this.state.judge.hold('3.3/order', button !== undefined, () => `${id} is not of its list`)
    return button!
  }

  /** In order of preference; of a sequence the first must be taken, of a shuffle any. */
  eligible(search: Search): readonly ModelButton[] {
    const { list: n, from, tried } = search
    const list = this.state.show.lists[n]!
    const items = playable(list)
    const free = (button: ModelButton): boolean =>
      tried.get(button.id) !== true && this.state.ofButton(button.id) === null
    if (list.mode === 'manual') return []
    if (list.mode === 'sequence') {
      const at = items.findIndex((button) => button.id === from.button.id)
      const again = list.wrap ? items.slice(0, at + 1) : []
      return [...items.slice(at + 1), ...again].filter(free)
    }
    const played = this.#rounds.get(n) ?? new Set([from.button.id])
    const open = items.filter(free)
    const fresh = open.filter((button) => !played.has(button.id))
    const sure = (button: ModelButton): boolean => this.#isSure(button, search)
    if (!list.wrap || fresh.some(sure)) return fresh
    const others = open.filter((button) => button.id !== from.button.id)
    return others.some(sure) ? others : open
  }

  /** Who can surely follow, whatever was or may have been tried. */
  sure(search: Search): readonly ModelButton[] {
    return this.eligible(search).filter((button) =>
      !search.tried.has(button.id) && this.#isSure(button, search))
  }

  /** It can play, and had no run since its list began to look for it. */
  #isSure(button: ModelButton, search: Search): boolean {
    return this.#isFree(button, search) && !isDoubtful(this.state, button)
  }

  #isFree(button: ModelButton, { from, since }: Search): boolean {
    const last = this.#lastEnd.get(button.id)
    return last === undefined || last < since ||
      (last === since && button.id === from.button.id)
  }

  /** Judges who was chosen; answers those that were passed over. */
  judgeChoice(search: Search, chosen: ModelButton): Tried {
    const { judge, show } = this.state
    const { from } = search
    const list = show.lists[search.list]!
    if (list.mode === 'shuffle') return this.#judgeRound(list, search, chosen)
    const eligible = this.eligible(search)
    const place = eligible.findIndex((button) => button.id === chosen.id)
    judge.hold('3.3/order', place >= 0, () =>
      `b${chosen.n} follows ${from.name}; only ${eligible.map((b) => `b${b.n}`).join()} may`)
    const skipped = eligible.slice(0, place)
    // Whom a list follows may have left the show: what it looked for is its next item still.
    const gone = !show.buttons.has(from.button.id)
    const sure = gone ? [] : this.sure(search).filter((button) => skipped.includes(button))
    judge.hold('3.3/order', sure.length === 0, () =>
      `b${chosen.n} follows ${from.name}, though b${String(sure[0]?.n)} is next`)
    if (skipped.length > 0) judge.sometimes('a missing file is passed over')
    if (chosen.n <= from.button.n) judge.sometimes('a list wraps')
    return new Map(skipped.map((button) => [button.id, this.#isFree(button, search)]))
  }

  #judgeRound(list: ModelList, search: Search, chosen: ModelButton): Tried {
    const { judge } = this.state
    const { from, tried } = search
    const played = this.#rounds.get(list.n) ?? new Set([from.button.id])
    this.#rounds.set(list.n, played)
    if (!played.has(chosen.id)) {
      played.add(chosen.id)
      return NONE
    }
    const free = playable(list).filter((b) => b.id !== chosen.id && !tried.has(b.id) &&
      this.state.ofButton(b.id) === null && this.#isSure(b, search))
    const unplayed = free.filter((button) => !played.has(button.id))
    judge.hold('3.3/shuffle-round', unplayed.length === 0 && list.wrap, () =>
      `b${chosen.n} plays again; ${unplayed.map((b) => `b${b.n}`).join()} did not play yet`)
    judge.hold('3.3/shuffle-seam', chosen.id !== from.button.id || free.length === 0, () =>
      `b${chosen.n} ended and begins the next round`)
    judge.sometimes('a shuffle round ends and another begins')
    this.#rounds.set(list.n, new Set([chosen.id]))
    return NONE
  }
}
