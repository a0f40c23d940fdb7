// Which button of a list comes next: by order in a sequence, by seeded rounds in a shuffle.
import { makesRuns } from '../../contract/vocabulary.js'
import { playableButtons, type Button, type Catalogue, type Playlist } from '../catalogue.js'
import type { Prng } from '../prng.js'

interface Round {
  order: readonly string[]
  readonly played: Set<string>
  /** The list that `order` was last brought up to date with; a list is swapped, never changed. */
  of: Playlist
}

export class PlaylistOrder {
  readonly #rounds = new Map<string, Round>()
  /** Drawn when a round ran out, and begun only when its first item really starts. */
  readonly #coming = new Map<string, Round>()

  /** The items of the list that was asked about last, by id: a long list is searched many times. */
  #items: { readonly of: Playlist; readonly byId: ReadonlyMap<string, Button> } | null = null

  constructor(private readonly prng: Prng) {}

  /**
   * The item after `after`, or null where the list ends. `passOver` is asked about each candidate:
   * it may have a live run, or have been tried in vain.
   */
  pick(playlist: Playlist, after: string, passOver: (button: Button) => boolean): Button | null {
    if (playlist.mode === 'manual') return null
    if (playlist.mode === 'sequence') return pickInOrder(playlist, after, passOver)
    return this.#pickInRound(playlist, after, passOver)
  }

  /**
   * Whether an item that was picked some time ago may still follow: in a sequence it must be the
   * one that would be picked now, in a shuffle any other item of the same round is as good.
   */
  stillFollows(
    playlist: Playlist, after: string, item: Button, passOver: (button: Button) => boolean,
  ): boolean {
    const now = this.pick(playlist, after, passOver)
    if (now === null || now === item || playlist.mode !== 'shuffle') return now === item
    if (passOver(item) || item.id === after) return false
    const { played } = this.#round(playlist, after)
    const present = this.#itemsOf(playlist).get(item.id) === item
    return present && played.has(item.id) === played.has(now.id)
  }

  /**
   * The show was replaced. A round keeps its list, and so all of its buttons: a program that writes
   * the hours of a radio, each as a list of its own, would fill memory with those of the year.
   */
  replaced(catalogue: Catalogue): void {
    for (const rounds of [this.#rounds, this.#coming]) {
      for (const id of rounds.keys()) if (catalogue.playlist(id) === null) rounds.delete(id)
    }
  }

  /** A start by hand begins a round with that item; an automatic one goes on in its round. */
  began(playlist: Playlist, id: string, automatic: boolean): void {
    if (playlist.mode !== 'shuffle') return
    if (!automatic) {
      const others = this.#shuffled(playlist, id)
      this.#rounds.set(playlist.id, { order: [id, ...others], played: new Set([id]), of: playlist })
      this.#coming.delete(playlist.id)
      return
    }
    const round = this.#round(playlist, id)
    if (!round.played.has(id)) {
      round.played.add(id)
      return
    }
    const coming = this.#coming.get(playlist.id) ?? this.#draw(playlist, id)
    this.#coming.delete(playlist.id)
    coming.played.add(id)
    this.#rounds.set(playlist.id, coming)
  }

  #pickInRound(
    playlist: Playlist, after: string, passOver: (button: Button) => boolean,
  ): Button | null {
    const byId = this.#itemsOf(playlist)
    const fits = (id: string): Button | null => {
      const button = byId.get(id)
      return button !== undefined && !passOver(button) ? button : null
    }
    const round = this.#round(playlist, after)
    catchUp(round, playlist, byId)
    for (const id of round.order) {
      if (id === after) continue
      const button = round.played.has(id) ? null : fits(id)
      if (button !== null) return button
    }
    // Kept in pause from a round before it did not begin in this one: then it comes last.
    const last = fits(after)
    if (last !== null && !round.played.has(after)) return last
    if (!playlist.wrap) return null
    let coming = this.#coming.get(playlist.id)
    if (coming === undefined) {
      coming = this.#draw(playlist, after)
      this.#coming.set(playlist.id, coming)
    }
    catchUp(coming, playlist, byId)
    for (const id of coming.order) {
      const button = id === after ? null : fits(id)
      if (button !== null) return button
    }
    return fits(after)
  }

  #itemsOf(playlist: Playlist): ReadonlyMap<string, Button> {
    if (this.#items?.of !== playlist) {
      const byId = new Map(playableButtons(playlist).map((button) => [button.id, button]))
      this.#items = { of: playlist, byId }
    }
    return this.#items.byId
  }

  #round(playlist: Playlist, playing: string): Round {
    let round = this.#rounds.get(playlist.id)
    if (round === undefined) {
      const order = [playing, ...this.#shuffled(playlist, playing)]
      round = { order, played: new Set([playing]), of: playlist }
      this.#rounds.set(playlist.id, round)
    }
    return round
  }

  /** A round that does not begin with the item that just ended, where there are two or more. */
  #draw(playlist: Playlist, after: string): Round {
    const order = this.#shuffled(playlist, null)
    if (order.length > 1 && order[0] === after) {
      const other = 1 + Math.floor(this.prng.next() * (order.length - 1))
      order[0] = order[other] ?? after
      order[other] = after
    }
    return { order, played: new Set(), of: playlist }
  }

  /** Fisher and Yates. */
  #shuffled(playlist: Playlist, without: string | null): string[] {
    const ids = playableButtons(playlist).map((button) => button.id).filter((id) => id !== without)
    for (let i = ids.length - 1; i > 0; i -= 1) {
      const j = Math.floor(this.prng.next() * (i + 1))
      const [a, b] = [ids[i], ids[j]]
      if (a === undefined || b === undefined) throw new Error('bug: a draw outside the list')
      ids[i] = b
      ids[j] = a
    }
    return ids
  }
}

/**
 * Items that a changed show added come last in the rounds that were drawn before, and what left it
 * is not sought in them: where more is added than is played, e.g. each hour, a round never ends.
 */
const catchUp = (
  round: Round, playlist: Playlist, byId: ReadonlyMap<string, Button>,
): void => {
  if (round.of === playlist) return
  round.of = playlist
  const known = new Set(round.order)
  const added = [...byId.keys()].filter((id) => !known.has(id))
  round.order = [...round.order.filter((id) => byId.has(id)), ...added]
}

const pickInOrder = (
  playlist: Playlist, after: string, passOver: (button: Button) => boolean,
): Button | null => {
  // What plays keeps its place where an edit of the show made it a button of another kind.
  const items = playlist.buttons
  const index = items.findIndex((button) => button.id === after)
  const following = items.slice(index + 1)
  const again = playlist.wrap ? items.slice(0, index + 1) : []
  const fits = (button: Button): boolean => makesRuns(button.kind) && !passOver(button)
  return [...following, ...again].find(fits) ?? null
}
