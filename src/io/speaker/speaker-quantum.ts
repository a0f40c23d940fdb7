// The quantum of a device: how much it reads in one go, which it does not always say, and which may
// change while it plays.
//
// PipeWire reads a quantum at a time. It grants a client the period that he asked for and reads
// 1024 frames at once all the same, in a virtual machine say, or where another program or the user
// set it so; of less than that it plays nothing. What the device has goes down by a quantum then,
// and not by as much as time went by.
import { FRAMES_PER_MS } from '../../clock/frame.js'

/** A quantum that somebody forced is no larger. */
const QUANTUM_FRAMES_MAX = 8_192
/** So many in a row say what it reads: one alone may be two, or the rest of a sound. */
const READS = 4
/** With less than this at once it reads steadily, as far as looks a millisecond apart can tell. */
const AT_ONCE_FRAMES = 144
/** One that reads faster than that share of time catches up, as PulseAudio does after a stall. */
const PACE = 1 / 2
/** Looks that are further apart than this may have missed a read. */
const APART_MS = 3
/** At another rate than ours it reads a frame more or less now and then. */
const SAME_FRAMES = 48
/**
 * One that has something and read nothing of it for so long waits for more: after it said that it
 * ran dry, or since its first frame, as nobody is told then. With more than a usual quantum it is
 * more likely held up, and a card may take a while to begin.
 */
const DRY_MS = 5
const USUAL_FRAMES_MAX = 2_048
const HELD_UP_MS = 400

export class QuantumWatch {
  private readonly reads = new Float64Array(READS)
  private readonly atOnce = new Float64Array(READS)
  private readonly apart = new Float64Array(READS)
  private count = 0
  private consumed = 0
  private lookedMs = 0
  private movedMs = 0
  private isDry = false
  private quantum = 0

  /** @param playsWholeQuanta it may, so that it plays nothing of less: a server alone does. */
  constructor(private readonly playsWholeQuanta: boolean) {}

  /** Frames in one go; 0: it is not known to read in quanta. */
  frames(): number {
    return this.quantum
  }

  /** It said that it ran dry, and had something left. */
  ranDry(): void {
    this.isDry = true
  }

  /**
   * @param consumed frames that it has read, all in all.
   * @param has frames that it still has.
   * @param isOver all of a sound is there: its last quantum may be short.
   * @returns whether the quantum is another one now.
   */
  observe(consumed: number, has: number, isOver: boolean, nowMs: number): boolean {
    const read = consumed - this.consumed
    const apartMs = nowMs - this.lookedMs
    this.consumed = consumed
    this.lookedMs = nowMs
    if (read > 0 || has === 0) {
      this.apart[this.count % READS] = nowMs - this.movedMs
      this.movedMs = nowMs
      this.isDry = false
    }
    const isSeen = apartMs <= APART_MS && (has > 0 || !isOver)
    if (read > 0) return isSeen && this.learn(read, read - apartMs * FRAMES_PER_MS)
    if (!this.playsWholeQuanta || (!this.isDry && this.count > 0)) return false
    const patienceMs = this.isDry && has < USUAL_FRAMES_MAX ? DRY_MS : HELD_UP_MS
    const stands = nowMs - this.movedMs > patienceMs
    // Whatever a quantum is, it is more than that.
    return stands && this.set(Math.max(this.quantum, 2 * has))
  }

  private learn(read: number, atOnce: number): boolean {
    this.reads[this.count % READS] = read
    this.atOnce[this.count % READS] = atOnce
    this.count += 1
    if (this.count < READS) return false
    if (sum(this.apart) * FRAMES_PER_MS < sum(this.reads) * PACE) return false
    return this.set(Math.min(...this.atOnce) < AT_ONCE_FRAMES ? 0 : Math.min(...this.reads))
  }

  private set(frames: number): boolean {
    const quantum = Math.min(QUANTUM_FRAMES_MAX, frames)
    const isOther = Math.abs(quantum - this.quantum) > SAME_FRAMES
    if (isOther) this.quantum = quantum
    return isOther
  }
}

const sum = (numbers: Float64Array): number => numbers.reduce((all, one) => all + one, 0)
