// A show's way to the sound thread: in parts, so that no turn of that thread grows with the show.
// Ten thousand buttons in one message kept it from rendering for 20 ms.
import {
  Catalogue, ShowIndex, type Button, type Playlist, type Show,
} from '../engine/catalogue.js'

/** Buttons in a part: taking them in is some 0.2 ms. */
const PART_BUTTONS = 100

export interface ShowPart {
  /** Of which show: they are numbered from 1 on, in the order in which they are handed over. */
  readonly show: number
  /** The list whose buttons these are; null: those of the list before go on. */
  readonly playlist: Omit<Playlist, 'buttons'> | null
  readonly buttons: readonly Button[]
  /** With the last part; null before. */
  readonly title: string | null
}

const partsOf = function* (
  show: number, { title, playlists }: Show,
): Generator<ShowPart> {
  for (const { buttons, ...playlist } of playlists) {
    for (let n = 0; n === 0 || n < buttons.length; n += PART_BUTTONS) {
      const part = buttons.slice(n, n + PART_BUTTONS)
      yield { show, playlist: n === 0 ? playlist : null, buttons: part, title: null }
    }
  }
  yield { show, playlist: null, buttons: [], title }
}

/** Sends a show, each part once the one before was taken. */
export class ShowSender {
  #parts: Generator<ShowPart> | null = null
  #show = 0

  constructor(private readonly send: (part: ShowPart) => void) {}

  get isSending(): boolean {
    return this.#parts !== null
  }

  /** The number of the show, whose first part goes at once. */
  begin(show: Show): number {
    this.#show += 1
    this.#parts = partsOf(this.#show, show)
    this.#next()
    return this.#show
  }

  /** The number of the show that was under way and is not any more; null: none was. */
  abandon(): number | null {
    if (this.#parts === null) return null
    this.#parts = null
    return this.#show
  }

  /** A part was taken in; of a show that is not sent any more that means nothing. */
  taken(show: number): void {
    if (show === this.#show) this.#next()
  }

  #next(): void {
    const next = this.#parts?.next()
    if (next?.done !== false) return
    if (next.value.title !== null) this.#parts = null
    this.send(next.value)
  }
}

interface Arriving {
  readonly show: number
  readonly index: ShowIndex
  readonly playlists: Playlist[]
  buttons: Button[]
}

/** Puts a show together again; of one that another took the place of nothing is kept. */
export class ShowReceiver {
  #arriving: Arriving | null = null

  /** The whole show, with its last part. */
  add({ show, playlist, buttons, title }: ShowPart): Catalogue | null {
    const arriving = this.#of(show)
    if (playlist !== null) {
      arriving.buttons = []
      const whole = { ...playlist, buttons: arriving.buttons }
      arriving.playlists.push(whole)
      arriving.index.addPlaylist(whole)
    }
    for (const button of buttons) {
      arriving.buttons.push(button)
      arriving.index.addButton(button)
    }
    if (title === null) return null
    this.#arriving = null
    return new Catalogue({ title, playlists: arriving.playlists }, arriving.index)
  }

  #of(show: number): Arriving {
    if (this.#arriving?.show !== show) {
      this.#arriving = { show, index: new ShowIndex(), playlists: [], buttons: [] }
    }
    return this.#arriving
  }
}
