// Counts a device's underruns, each once: by what it says, what is seen, what the clock tells.

/** A device that takes back puts a frame of silence where a sound was cut. */
const INSERTED_FRAMES = 8

/**
 * What is missing again within 10 ms of sound is the same hole: a server that stood still, and
 * reads in pieces of 1 to 3 ms, runs dry twice or three times until its stock has grown again, and
 * tells each, even one that it filled before it was heard.
 */
const SAME_HOLE_FRAMES = 480

export class UnderrunCount {
  private count = 0
  /** Some were seen as they were, since the clock last agreed that nothing is missing. */
  private isSeen = false
  /** The frame up to which nothing is missing, since a sound ended there, or that was counted. */
  private known = 0
  /** Where the hole that was counted last began. */
  private hole = -Infinity

  constructor(private readonly takesBack: boolean) {}

  get total(): number {
    return this.count
  }

  /** A sound ends at this frame: nothing is missing before the next begins. */
  endAt(frame: number): void {
    this.known = frame
  }

  /** This frame was missing when its moment came. */
  missAt(frame: number): void {
    // One that takes back tells it by itself, again, and at the end of a sound.
    if (frame <= this.known + (this.takesBack ? INSERTED_FRAMES : 0)) return
    this.known = frame
    this.isSeen = true
    if (frame < this.hole + SAME_HOLE_FRAMES) return
    this.hole = frame
    this.count += 1
  }

  /**
   * The clock tells whether sound is missing up to now.
   *
   * @returns whether that is one more.
   */
  judge(isMissing: boolean): boolean {
    const isNew = isMissing && !this.isSeen
    if (isNew) this.count += 1
    this.isSeen = false
    return isNew
  }
}
