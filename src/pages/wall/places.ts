// Where the operator is: the open playlist, its page, and the place in it that has the focus.
import { computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { ShowButton, ShowPage, ShowPlaylist } from '../../contract/show-page.js'
import { clampPage, gridOf, moveFocus, pageOf, type FocusMove, type Grid } from './grid.js'
import { keysOfPage, placeOfKey } from './hotkeys.js'

/** A button of the page, as the grid shows it. */
export interface Cell {
  readonly button: ShowButton
  /** Its place on this page. */
  readonly place: number
  readonly key: string | null
}

/** The open playlist, and the first button of its page. */
export interface Place {
  readonly playlistId: string
  readonly first: number
}

/** What outlives the page. */
export interface KeptPlace {
  read(): Place | null
  write(place: Place): void
}

export class Places {
  /** The window's part that the grid has, in CSS pixels. */
  readonly box: Signal<{ readonly width: number; readonly height: number }>
  readonly playlist: ReadonlySignal<ShowPlaylist | null>
  readonly grid: ReadonlySignal<Grid>
  readonly page: ReadonlySignal<number>
  readonly cells: ReadonlySignal<readonly Cell[]>
  /** The place on the page that had the focus last. */
  readonly focus = signal(0)
  /** The one that Tab reaches: a page may have become shorter since. */
  readonly tabStop: ReadonlySignal<number>
  readonly #show: ReadonlySignal<ShowPage | null>
  readonly #playlistId: Signal<string | null>
  /**
   * By playlist the first place of the page that was left, so that coming back finds it. Where a
   * screen is turned, other pages have other places: the one with this place is shown then.
   */
  readonly #firsts: Signal<ReadonlyMap<string, number>>

  constructor(show: ReadonlySignal<ShowPage | null>, kept: KeptPlace) {
    this.#show = show
    const before = kept.read()
    this.#playlistId = signal(before?.playlistId ?? null)
    this.#firsts = signal(new Map(before === null ? [] : [[before.playlistId, before.first]]))
    this.box = signal({ width: 0, height: 0 })
    this.playlist = computed(() => {
      const playlists = show.value?.playlists ?? []
      return playlists.find(({ id }) => id === this.#playlistId.value) ?? playlists[0] ?? null
    })
    this.#keep(kept)
    this.grid = computed(() => {
      const playlist = this.playlist.value
      const count = playlist?.buttons.length ?? 0
      return gridOf({ ...this.box.value, count, columns: playlist?.columns ?? null })
    })
    this.page = computed(() => {
      const id = this.playlist.value?.id ?? ''
      const first = this.#firsts.value.get(id) ?? 0
      return clampPage(this.grid.value, pageOf(this.grid.value, first))
    })
    this.cells = computed(() => this.#cellsNow())
    this.tabStop = computed(() => Math.min(this.focus.value, this.cells.value.length - 1))
  }

  /** For the next loading; and what is open stays so where a save puts other lists before it. */
  #keep(kept: KeptPlace): void {
    let isBegun = false
    effect(() => {
      const [opening, ...others] = this.#show.value?.playlists ?? []
      if (opening !== undefined && !isBegun) {
        isBegun = true
        // What was kept may be of another show.
        const isThere = [opening, ...others].some(({ id }) => id === this.#playlistId.value)
        if (!isThere) this.#playlistId.value = opening.id
      }
      const playlistId = this.#playlistId.value
      const first = this.#firsts.value.get(playlistId ?? '') ?? 0
      if (playlistId !== null) kept.write({ playlistId, first })
    })
  }

  openPlaylist(id: string): void {
    const isOpen = id === this.playlist.value?.id
    this.#playlistId.value = id
    // One that is open stands as it is, with the button in it that has the focus.
    if (!isOpen) this.focus.value = 0
  }

  turnPlaylist(by: 1 | -1): void {
    const playlists = this.#show.value?.playlists ?? []
    const at = playlists.findIndex(({ id }) => id === this.playlist.value?.id)
    const next = playlists[(at + by + playlists.length) % playlists.length]
    if (next !== undefined) this.openPlaylist(next.id)
  }

  turnPage(by: 1 | -1): void {
    this.openPage(this.page.value + by)
  }

  openPage(page: number): void {
    const id = this.playlist.value?.id
    if (id === undefined) return
    const to = clampPage(this.grid.value, page)
    if (to === this.page.value) return
    this.#firsts.value = new Map(this.#firsts.value).set(id, to * this.grid.value.perPage)
    this.focus.value = 0
  }

  /** Opens the page that a button stands on and lets it have the focus. */
  find(buttonId: string): void {
    const playlists = this.#show.value?.playlists ?? []
    for (const playlist of playlists) {
      const place = playlist.buttons.findIndex(({ id }) => id === buttonId)
      if (place < 0) continue
      this.openPlaylist(playlist.id)
      this.openPage(pageOf(this.grid.value, place))
      this.focus.value = place % this.grid.value.perPage
      return
    }
  }

  move(move: FocusMove): void {
    const shown = this.cells.value.length
    this.focus.value = moveFocus(this.grid.value, shown, this.focus.value, move)
  }

  /** The button that a key presses; one of another page, by its hotkey, too. */
  buttonOfKey(code: string): ShowButton | null {
    const buttons = this.playlist.value?.buttons ?? []
    const { first, count } = this.#range()
    const place = placeOfKey(code, buttons.map(({ hotkey }) => hotkey), first, count)
    return place === null ? null : (buttons[place] ?? null)
  }

  #range(): { first: number; count: number } {
    const { perPage } = this.grid.value
    return { first: this.page.value * perPage, count: perPage }
  }

  #cellsNow(): readonly Cell[] {
    const buttons = this.playlist.value?.buttons ?? []
    if (this.box.value.width === 0) return []
    const { first, count } = this.#range()
    const keys = keysOfPage(buttons.map(({ hotkey }) => hotkey), first, count)
    return buttons
      .slice(first, first + count)
      .map((button, place) => ({ button, place, key: keys[place] ?? null }))
  }
}
