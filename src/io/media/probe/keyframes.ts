// How far the keyframes of a video are apart: seeks and the seams of loops are as slow as that.
import type { Timers } from '../../../clock/timers.js'
import { withCountedLength } from './counted-length.js'
import { askFfprobe } from './ffprobe.js'
import { probeFile, type ProbeAnswer } from './probe-file.js'

const OUTPUT_BYTES = 1024 * 1024
/** Half a minute of packets says how a file was made. */
const ARGS = [
  '-select_streams', 'V:0', '-read_intervals', '%+30',
  '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0',
] as const

/** What a file is, how long, and of a video its keyframes: where no start waits for it. */
export const probeWhole = async (
  path: string, background: boolean, timers: Timers,
): Promise<ProbeAnswer> => {
  const answer = await probeFile(path, background, timers)
  if (!answer.ok) return answer
  const facts = await withCountedLength(answer.facts, path, background, timers)
  if (facts.video === null) return { ok: true, facts }
  const packets = await askFfprobe(path, ARGS, OUTPUT_BYTES, background, timers)
  if (!packets.ok) return { ok: true, facts }
  const video = { ...facts.video, keyframesMs: keyframesMs(packets.output) }
  return { ok: true, facts: { ...facts, video } }
}

/** From lines such as `2.000000,K__`: the longest way from a keyframe to the next, or the end. */
export const keyframesMs = (packets: string): number | null => {
  let last: number | null = null
  let end: number | null = null
  let longest = 0
  for (const line of packets.split('\n')) {
    const [time = '', flags = ''] = line.split(',')
    const at = Number(time)
    if (time === '' || !Number.isFinite(at)) continue
    end = Math.max(end ?? at, at)
    if (!flags.startsWith('K')) continue
    if (last !== null) longest = Math.max(longest, at - last)
    last = at
  }
  if (last === null || end === null) return null
  return Math.round(Math.max(longest, end - last) * 1000)
}
