// Asks ffprobe about the pictures of a video: codec, size, rate, and how far keyframes are apart.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Timers } from '../../clock/timers.js'
import { INPUT_GUARD } from './decoder/decoder-args.js'
import type { PictureFacts } from './stage-format.js'

const TIMEOUT_MS = 20_000
const OUTPUT_BYTES = 4 * 1024 * 1024
/** Two minutes of packets say how a file was made. */
const LOOKED_AT = '%+120'

const STREAM = [
  'format=format_name', 'stream=codec_name,pix_fmt,width,height,avg_frame_rate',
].join(':')

/** Null where there are no moving pictures, or nothing can be found out. */
export const pictureFacts = async (
  path: string, timers: Timers,
): Promise<PictureFacts | null> => {
  const streams = await ask(path, timers, ['-show_entries', STREAM, '-of', 'json'])
  const facts = streams === null ? null : readPicture(streams)
  if (facts === null) return null
  const packets = await ask(path, timers, [
    '-read_intervals', LOOKED_AT, '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0',
  ])
  return { ...facts, keyframesMs: packets === null ? null : keyframesMs(packets) }
}

/** The output of one ffprobe over the first moving picture; null where it fails. */
const ask = (
  path: string, timers: Timers, args: readonly string[],
): Promise<string | null> =>
  new Promise((settle) => {
    const file = `file:${resolve(path)}`
    const child = spawn('ffprobe', [...INPUT_GUARD, '-select_streams', 'V:0', ...args, file], {
      stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true,
    })
    let output = ''
    const cancel = timers.after(TIMEOUT_MS, () => child.kill('SIGKILL'))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < OUTPUT_BYTES) output += text
    })
    child.on('error', () => {
      cancel()
      settle(null)
    })
    child.on('close', (code) => {
      cancel()
      settle(code === 0 ? output : null)
    })
  })

interface RawPicture {
  readonly format?: { readonly format_name?: string }
  readonly streams?: readonly {
    readonly codec_name?: string
    readonly pix_fmt?: string
    readonly width?: number
    readonly height?: number
    readonly avg_frame_rate?: string
  }[]
}

export const readPicture = (json: string): Omit<PictureFacts, 'keyframesMs'> | null => {
  let raw: RawPicture
  try {
    raw = JSON.parse(json) as RawPicture
  } catch {
    return null
  }
  const stream = raw.streams?.[0]
  if (stream === undefined) return null
  return {
    container: raw.format?.format_name ?? '',
    codec: stream.codec_name ?? 'an unknown codec',
    pixelFormat: stream.pix_fmt ?? null,
    width: stream.width ?? 0,
    height: stream.height ?? 0,
    framesPerSecond: rateOf(stream.avg_frame_rate ?? ''),
  }
}

const rateOf = (ratio: string): number | null => {
  const [num, den] = ratio.split('/').map(Number)
  if (!num || !den) return null
  const rate = num / den
  return Number.isFinite(rate) && rate > 0 && rate < 1_000 ? rate : null
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
