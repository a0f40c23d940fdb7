// The length of sound whose container only guesses it (ADTS, AC-3, MP3 without a Xing header).
import { type Frame, frame } from '../../clock/frame.js'
import type { Timers } from '../../clock/timers.js'
import { askFfprobe } from './ffprobe.js'
import type { MediaFacts } from './probe-file.js'

/** Some ten hours of packets; a longer file keeps its estimate. */
const OUTPUT_BYTES = 12 * 1024 * 1024
const ARGS = [
  '-select_streams', 'a:0', '-show_entries', 'packet=duration:stream=time_base', '-of', 'csv=p=0',
] as const

/** Where the length was guessed: that of all packets together; none of them is decoded. */
export const withCountedLength = async (
  facts: MediaFacts, path: string, background: boolean, timers: Timers,
): Promise<MediaFacts> => {
  if (!facts.isEstimate) return facts
  const answer = await askFfprobe(path, ARGS, OUTPUT_BYTES, background, timers)
  const isAll = answer.ok && answer.output.length < OUTPUT_BYTES
  const duration = isAll ? countedLength(answer.output) : null
  return duration === null ? facts : { ...facts, duration, isEstimate: false }
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
  const frames = Math.round(ticks * (unit ?? 0) * 48_000)
  return Number.isSafeInteger(frames) && frames > 0 ? frame(frames) : null
}
