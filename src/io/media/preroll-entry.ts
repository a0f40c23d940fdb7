// One range that buttons begin with: its head, how long that is, where it stands among the others.
import { makesRuns } from '../../contract/vocabulary.js'
import { type Button, endFrame, startFrame } from '../../engine/catalogue.js'
import type { WatchedFile } from './look/file-watch.js'
import { type Link, linkOf } from './linked-list.js'
import { bytesOf, type Piece } from './media-store.js'

export interface ArmedButton {
  readonly buttonId: string
  readonly path: string
  readonly from: number
  readonly to: number | null
}

/** What a button would begin with; null: it sounds by none. */
export const armedRange = (button: Button): ArmedButton | null =>
  makesRuns(button.kind)
    ? {
        buttonId: button.id, path: button.media ?? '',
        from: startFrame(button), to: endFrame(button),
      }
    : null

/** The beginning of a range; it is shared by all streams that open it and never changes. */
export interface Head {
  readonly pieces: readonly Piece[]
  /** The first frame that it does not hold. */
  readonly until: number
  /** Set where the whole range is in the head, as the decoder told it. */
  readonly end: { readonly end: number; readonly source: number | null } | null
}

export class Entry {
  /** How many buttons begin with it, and how many do in the show that is being taken over. */
  buttons = 0
  counted = 0
  /** The show that last named it, and what comes after it there. */
  show = 0
  after: Entry | null = null
  head: Head | null = null
  /** What is left of a grown head where others need the room. */
  base: Head | null = null
  bytes = 0
  /** Of these what it grew by. */
  grownBytes = 0
  /** How often it grew. */
  steps = 0
  /** Decodes that ended with their process: the second is the last that is tried. */
  deaths = 0
  /** Decodes of this content that failed. */
  failures = 0
  /** The content that it was decoded from, or that was tried last; null: none yet. */
  stamp: string | null = null
  /** Counts up with each GO: the least recently used one goes first. */
  used = 0
  /** Its place among those that wait for a decode. */
  readonly waiting: Link<Entry> = linkOf<Entry>(this)
  /** Its place among those that hold memory. */
  readonly holding: Link<Entry> = linkOf<Entry>(this)
  /** Its place among those that hold more than they must. */
  readonly growing: Link<Entry> = linkOf<Entry>(this)

  constructor(
    readonly key: string,
    readonly file: WatchedFile,
    readonly from: number,
    readonly to: number | null,
  ) {}

  /** The first frame that a longer head would begin with. */
  get next(): number {
    return this.head?.until ?? this.from
  }
}

/** A decode of what it lacks. */
export interface Filling {
  readonly entry: Entry
  readonly until: number
  /** What it may come to hold. */
  readonly bytes: number
  job: number | null
}

export const keyOf = (path: string, from: number, to: number | null): string =>
  `${String(from)}:${to === null ? '' : String(to)}:${path}`

export const headBytes = ({ pieces }: Head): number =>
  pieces.reduce((sum, piece) => sum + bytesOf(piece), 0)

/** A head and what was decoded from its end on. */
export const joined = (head: Head, more: Head): Head =>
  ({ ...more, pieces: [...head.pieces, ...more.pieces] })
