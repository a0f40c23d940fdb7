// Counts the gaps in a recording of what a sound server played, as the count of underruns does.

/** Gaps with less sound than this between them are one: so is their count. */
const TOGETHER_FRAMES = 48 * 150
/** Of a server's gaps only the clock tells, and its word trembles by half a millisecond. */
const SURE_FRAMES = 48

export class HeardGaps {
  /** Those that must have been counted. */
  sure = 0
  all = 0
  #last = -Infinity

  /** So many frames of silence, none where there was no gap; `heard`: frames of sound by then. */
  note(silent: number, heard: number): void {
    if (silent === 0) return
    this.all += 1
    if (silent < SURE_FRAMES) return
    if (heard - this.#last > TOGETHER_FRAMES) this.sure += 1
    this.#last = heard
  }
}
