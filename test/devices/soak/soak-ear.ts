// Listens to the recording of a soak as it grows, and tells what no fault may do to it.
import { closeSync, openSync, readSync } from 'node:fs'
import { BED_FRAMES, placeOf, type Place } from './soak-show.js'

const HEADER_BYTES_MAX = 512
const FRAME_BYTES = 8
const PIECE_FRAMES = 65_536

export class SoakEar {
  /** Frames of the recording so far, and those of them that sounded. */
  frames = 0
  sounded = 0
  /** Times that sound stopped within a bed; beds that began while another was not at its end. */
  gaps = 0
  cuts = 0
  /** Frames that were not the next of their bed, nor the first of one. */
  readonly breaks: string[] = []
  readonly #file: number
  #at = 0
  #last: Place | null = null
  #isSilent = true
  readonly #bytes = Buffer.alloc(PIECE_FRAMES * FRAME_BYTES)

  constructor(path: string) {
    this.#file = openSync(path, 'r')
    const head = Buffer.alloc(HEADER_BYTES_MAX)
    readSync(this.#file, head, 0, HEADER_BYTES_MAX, 0)
    this.#at = head.indexOf('data', 12, 'latin1') + 8
  }

  /** All that was recorded since. */
  listen(): void {
    for (;;) {
      const read = readSync(this.#file, this.#bytes, 0, this.#bytes.length, this.#at)
      const whole = Math.floor(read / FRAME_BYTES)
      if (whole === 0) return
      this.#at += whole * FRAME_BYTES
      for (let n = 0; n < whole; n += 1) {
        this.#hear(this.#bytes.readFloatLE(n * 8), this.#bytes.readFloatLE(n * 8 + 4))
      }
    }
  }

  close(): void {
    closeSync(this.#file)
  }

  #hear(left: number, right: number): void {
    this.frames += 1
    if (left === 0) {
      if (!this.#isSilent && !this.#isAtEnd()) this.gaps += 1
      this.#isSilent = true
      return
    }
    this.#isSilent = false
    this.sounded += 1
    const place = placeOf(left, right)
    const last = this.#last
    this.#last = place
    const isNext = last !== null && last.bed === place.bed && place.frame === last.frame + 1
    if (isNext) return
    if (place.frame !== 0 || BED_FRAMES[place.bed] === undefined) {
      this.breaks.push(`frame ${this.frames}: ${textOf(last)}, then ${textOf(place)}`)
    } else if (last !== null && last.frame + 1 !== BED_FRAMES[last.bed]) this.cuts += 1
  }

  /** The client starts the next bed when it has heard of the end of this one. */
  #isAtEnd(): boolean {
    return this.#last !== null && this.#last.frame + 1 === BED_FRAMES[this.#last.bed]
  }
}

const textOf = (place: Place | null): string =>
  place === null ? 'nothing' : `bed ${place.bed} at ${place.frame}`
