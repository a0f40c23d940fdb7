// The decoded frames of one stream: pieces in rising order, read by frame, forgotten in front.
import { STEREO_FRAME_BYTES, type StereoBlock } from '../../engine/ports.js'

/** Consecutive frames; null stands for digital silence and takes no memory. */
export interface Piece {
  readonly at: number
  readonly count: number
  readonly sound: StereoBlock | null
  /** It is a head's, which other streams begin with too. */
  readonly isLent?: boolean
}

/** What its frames take; silence takes nothing. */
export const bytesOf = ({ sound, count }: Pick<Piece, 'sound' | 'count'>): number =>
  sound === null ? 0 : count * STEREO_FRAME_BYTES

export class MediaStore {
  /** In rising order without a gap; bounded by what its owner asks the decoder for. */
  readonly #pieces: Piece[] = []
  #from: number
  #until: number
  #bytes = 0

  constructor(from: number) {
    this.#from = from
    this.#until = from
  }

  /** Every frame in [from, until) can be read. */
  get from(): number {
    return this.#from
  }

  get until(): number {
    return this.#until
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Of these what was not lent. */
  get ownBytes(): number {
    const own = this.#pieces.filter(({ isLent }) => isLent !== true)
    return own.reduce((sum, piece) => sum + bytesOf(piece), 0)
  }

  get pieces(): readonly Piece[] {
    return this.#pieces
  }

  append(sound: StereoBlock | null, count: number, isLent = false): void {
    if (count <= 0) throw new RangeError('a piece holds at least one frame')
    this.#pieces.push({ at: this.#until, count, sound, isLent })
    this.#until += count
    this.#bytes += bytesOf({ sound, count })
  }

  /** Drops whole pieces that end at or before `at`; the bytes of those that were not lent. */
  forget(at: number): number {
    let gone = 0
    let own = 0
    for (const piece of this.#pieces) {
      if (piece.at + piece.count > at) break
      gone += 1
      this.#bytes -= bytesOf(piece)
      if (piece.isLent !== true) own += bytesOf(piece)
    }
    if (gone > 0) this.#pieces.splice(0, gone)
    this.#from = this.#pieces[0]?.at ?? this.#until
    return own
  }

  copy(at: number, into: StereoBlock, offset: number, count: number): void {
    if (at < this.#from || at + count > this.#until) {
      throw new RangeError(
        `frames ${String(at)}+${String(count)} are not in ` +
          `${String(this.#from)}..${String(this.#until)}`,
      )
    }
    let done = 0
    for (let i = this.#indexOf(at); done < count; i += 1) {
      const piece = this.#pieces[i]
      if (piece === undefined) throw new Error('pieces have a gap')
      const skip = at + done - piece.at
      const take = Math.min(piece.count - skip, count - done)
      copyPiece(piece.sound, skip, into, offset + done, take)
      done += take
    }
  }

  /** The piece that holds frame `at`: by halving, since a held stream is read anywhere. */
  #indexOf(at: number): number {
    let low = 0
    let high = this.#pieces.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#pieces[middle] as Piece).at <= at) low = middle
      else high = middle - 1
    }
    return low
  }
}

const copyPiece = (
  sound: StereoBlock | null,
  skip: number,
  into: StereoBlock,
  offset: number,
  count: number,
): void => {
  if (sound === null) {
    into.left.fill(0, offset, offset + count)
    into.right.fill(0, offset, offset + count)
    return
  }
  into.left.set(sound.left.subarray(skip, skip + count), offset)
  into.right.set(sound.right.subarray(skip, skip + count), offset)
}
