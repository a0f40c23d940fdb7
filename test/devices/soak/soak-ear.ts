// Listens to the recording of a soak as it grows, and tells what no fault may do to it.
import { closeSync, openSync, readSync } from 'node:fs'
import { BED_FRAMES, placeOf, type Place } from './soak-show.js'

const HEADER_BYTES_MAX = 512
const FRAME_BYTES = 8
const PIECE_FRAMES = 65_536
/** What a server has that lives on while all else stands still: 120 ms, and what is on its way. */
const STOCK_FRAMES = 6_240
/** A device that is lost loses what lay in it. */
const LEAP_FRAMES = STOCK_FRAMES
/** Of a start that came late for the device the first moment is left out. */
const LATE_FRAMES = STOCK_FRAMES
/**
 * A pause that came late, or was lost with its process: what was heard beyond it comes again with
 * the resume.
 */
const REPEAT_FRAMES = STOCK_FRAMES

export class SoakEar {
  /** Frames of the recording so far, and those of them that sounded. */
  frames = 0
  sounded = 0
  /** Times that sound stopped within a bed; beds that began while another was not at its end. */
  gaps = 0
  cuts = 0
  /** Times that at most 130 ms of a bed were skipped, and that at most 130 ms came twice. */
  leaps = 0
  repeats = 0
  /** Each of those. */
  readonly slips: string[] = []
  /** Frames that were neither the next of their bed nor the first of one. */
  readonly breaks: string[] = []
  #file: number | null = null
  #at = 0
  /** The first frame of a recording may be any. */
  #isFirst = true
  #last: Place | null = null
  #isSilent = true
  readonly #bytes = Buffer.alloc(PIECE_FRAMES * FRAME_BYTES)

  /** Hears what is left of the recording before, and goes on with this one: a WAV, or frames. */
  open(path: string): void {
    this.listen()
    this.close()
    this.#file = openSync(path, 'r')
    const head = Buffer.alloc(HEADER_BYTES_MAX)
    readSync(this.#file, head, 0, HEADER_BYTES_MAX, 0)
    const isWav = head.toString('latin1', 0, 4) === 'RIFF'
    this.#at = isWav ? head.indexOf('data', 12, 'latin1') + 8 : 0
    this.#isFirst = true
    this.#isSilent = true
  }

  /** All that was recorded since. */
  listen(): void {
    while (this.#file !== null) {
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
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
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
    const isFirst = this.#isFirst
    this.#isFirst = false
    if (!isFirst) this.#follow(last, place)
  }

  #follow(last: Place | null, place: Place): void {
    const isSame = last?.bed === place.bed
    const on = isSame ? place.frame - last.frame : 0
    if (on === 1) return
    const text = `frame ${this.frames}: ${textOf(last)}, then ${textOf(place)}`
    if (isSame && on > 1 && on <= LEAP_FRAMES) this.leaps += 1
    else if (isSame && on <= 0 && on > -REPEAT_FRAMES) this.repeats += 1
    else if (place.frame >= LATE_FRAMES || BED_FRAMES[place.bed] === undefined) {
      this.breaks.push(text)
      return
    } else {
      if (last !== null && last.frame + 1 !== BED_FRAMES[last.bed]) this.cuts += 1
      if (place.frame === 0) return
      this.leaps += 1
    }
    this.slips.push(text)
  }

  /** The client starts the next bed when it has heard of the end of this one. */
  #isAtEnd(): boolean {
    return this.#last !== null && this.#last.frame + 1 === BED_FRAMES[this.#last.bed]
  }
}

const textOf = (place: Place | null): string =>
  place === null ? 'nothing' : `bed ${place.bed} at ${place.frame}`
