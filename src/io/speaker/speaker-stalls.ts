// For how long the device stood still of late, or nobody looked at it: what an underrun comes from.

/** One is of late for so long, and until it is sure what is missing since. */
const KEPT_MS = 300

export class StallWatch {
  private longestMs = 0
  private stalledAt = 0
  /** When it was last sure what is missing; on a machine that trembles that takes a while. */
  private sureAt = 0
  private movedAt = 0
  private frames = 0

  constructor(private lookedAt: number) {}

  /** Of the longest of late, in ms. */
  get ms(): number {
    return this.longestMs
  }

  /** Frames that the device has read, all in all. */
  get consumed(): number {
    return this.frames
  }

  /**
   * @param written frames that it was given, all in all.
   * @param fill those of them that it still has.
   */
  observe(written: number, fill: number, now: number): void {
    this.note(now, Math.max(now - this.lookedAt, this.standstillMs(written, fill, now)))
    this.lookedAt = now
  }

  /** It is known what is missing up to the last look. */
  beSure(): void {
    this.sureAt = this.lookedAt
  }

  /** Sound ended: nothing is held up. */
  restart(): void {
    this.longestMs = 0
  }

  /** What one long stall leaves behind, e.g. two underruns in a row, is no other one's doing. */
  private note(now: number, ms: number): void {
    const isOpen = now - this.stalledAt < KEPT_MS || this.sureAt <= this.stalledAt
    if (ms < this.longestMs && isOpen) return
    this.longestMs = ms
    this.stalledAt = now
  }

  /** For how long the device consumed nothing of the sound that it had, up to this look at it. */
  private standstillMs(written: number, fill: number, now: number): number {
    const hadSound = written > this.frames
    const stillMs = hadSound ? now - Math.min(this.lookedAt, this.movedAt) : 0
    const consumed = written - fill
    if (!hadSound || consumed !== this.frames) this.movedAt = now
    this.frames = consumed
    return stillMs
  }
}
