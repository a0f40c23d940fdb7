// The length of media whose container only guesses it (ADTS, AC-3, MP3 without a Xing header), or
// does not tell it: what a browser recorded (WebM), FLAC and Matroska that were written to a pipe.
import type { Frame } from '../../../clock/frame.js'
import type { Timers } from '../../../clock/timers.js'
import { askFfprobe } from './ffprobe.js'
import { framesOf, type MediaFacts } from './probe-file.js'

/** Some ten hours of packets; a longer file keeps its estimate. */
const OUTPUT_BYTES = 12 * 1024 * 1024

/** Where the length was guessed or not told: that of all packets; none of them is decoded. */
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
  const answer = await askFfprobe(path, args, OUTPUT_BYTES, background, timers)
  if (!answer.ok || answer.output.length >= OUTPUT_BYTES) return facts
  const duration = isUnknown ? lastMoment(answer.output, facts.container === 'ogg')
    : countedLength(answer.output)
  return duration === null ? facts : { ...facts, duration, isEstimate: false }
}

/**
 * From a line for each packet, e.g. `11994,20`, one such as `1/1000` for their unit, and one such
 * as `3600.5` for where time begins in the file: how long after that the last packet ends.
 * Durations are rounded there (33 ms of a film of 30 pictures) and add up to less.
 * `mayChain`: time that begins anew is that of a stream which follows, e.g. a radio's next song.
 */
const lastMoment = (output: string, mayChain: boolean): Frame | null => {
  let [start, last, end] = [0, 0, 0]
  let [unit, begin] = [0, 0]
  for (const line of output.split('\n')) {
    const [num, den] = (line.split(',')[0] ?? '').split('/').map(Number)
    const lasts = Number.parseInt(line.split(',')[1] ?? '', 10)
    if (num === undefined || Number.isNaN(num)) continue
    if (den !== undefined) unit = num / den
    else if (/^[\d.]+$/.test(line)) begin = num
    else if (line !== '') {
      if (mayChain && num < last) start = end
      // One that does not tell how long it is lasts as long as the one before it.
      end = Math.max(end, start + num + (lasts > 0 ? lasts : Math.max(0, num - last)))
      last = num
    }
  }
  return framesOf((end * unit - begin) * 48_000)
}

/** From a line for each packet, e.g. `368640`, and one such as `1/14112000` for their unit. */
export const countedLength = (output: string): Frame | null => {
  let ticks = 0
  let unit: number | null = null
  for (const line of output.split('\n')) {
    const [num = '', den] = line.split('/')
    if (den !== undefined) unit = Number(num) / Number(den)
    else if (/^\d+/.test(num)) ticks += Number.parseInt(num, 10)
  }
  return framesOf(ticks * (unit ?? 0) * 48_000)
}
