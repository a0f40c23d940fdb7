// The length of media whose container only guesses it (ADTS, AC-3, MP3 without a Xing header), or
// does not tell it: what a browser recorded (WebM), FLAC and Matroska that were written to a pipe.
import type { Frame } from '../../../clock/frame.js'
import type { Timers } from '../../../clock/timers.js'
import { askFfprobe } from './ffprobe.js'
import { framesOf, type MediaFacts } from './probe-file.js'

/** Adds up what a line for each packet tells. */
interface Count {
  line(line: string): void
  /** Of all packets; null: nothing was told. */
  readonly length: Frame | null
}

/**
 * Where the length was guessed or not told: that of all packets; none of them is decoded. Their
 * lines, a million for ten hours, are counted as they come: whoever is decoded for meanwhile, in
 * the same process, waits for none of it.
 */
export const withCountedLength = async (
  facts: MediaFacts, path: string, background: boolean, timers: Timers,
): Promise<MediaFacts> => {
  const isUnknown = facts.duration === 0 && (facts.audio !== null || facts.video !== null)
  if (!facts.isEstimate && !isUnknown) return facts
  const args = [
    '-select_streams', facts.audio === null ? 'V:0' : 'a:0', '-show_entries',
    isUnknown ? 'packet=pts,duration:stream=time_base:format=start_time'
      : 'packet=duration:stream=time_base', '-of', 'csv=p=0',
  ]
  const count: Count = isUnknown ? new LastMoment(facts.container === 'ogg') : new AddedUp()
  let rest = ''
  const answer = await askFfprobe(path, args, (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) count.line(line)
  }, background, timers)
  count.line(rest)
  const duration = answer.ok ? count.length : null
  return duration === null ? facts : { ...facts, duration, isEstimate: false }
}

/**
 * From a line for each packet, e.g. `11994,20`, one such as `1/1000` for their unit, and one such
 * as `3600.5` for where time begins in the file: how long after that the last packet ends.
 * Durations are rounded there (33 ms of a film of 30 pictures) and add up to less.
 */
class LastMoment implements Count {
  #start = 0
  #last = 0
  #end = 0
  #unit = 0
  #begin = 0

  /**
   * @param mayChain time that begins anew is that of a stream which follows, e.g. a radio's next
   * song.
   */
  constructor(private readonly mayChain: boolean) {}

  line(line: string): void {
    const [num, den] = (line.split(',')[0] ?? '').split('/').map(Number)
    const lasts = Number.parseInt(line.split(',')[1] ?? '', 10)
    if (num === undefined || Number.isNaN(num)) return
    if (den !== undefined) this.#unit = num / den
    else if (/^[\d.]+$/.test(line)) this.#begin = num
    else if (line !== '') {
      if (this.mayChain && num < this.#last) this.#start = this.#end
      // One that does not tell how long it is lasts as long as the one before it.
      const takes = lasts > 0 ? lasts : Math.max(0, num - this.#last)
      this.#end = Math.max(this.#end, this.#start + num + takes)
      this.#last = num
    }
  }

  get length(): Frame | null {
    return framesOf((this.#end * this.#unit - this.#begin) * 48_000)
  }
}

/** From a line for each packet, e.g. `368640`, and one such as `1/14112000` for their unit. */
class AddedUp implements Count {
  #ticks = 0
  #unit: number | null = null

  line(line: string): void {
    const [num = '', den] = line.split('/')
    if (den !== undefined) this.#unit = Number(num) / Number(den)
    else if (/^\d+/.test(num)) this.#ticks += Number.parseInt(num, 10)
  }

  get length(): Frame | null {
    return framesOf(this.#ticks * (this.#unit ?? 0) * 48_000)
  }
}
