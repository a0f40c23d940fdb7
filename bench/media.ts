// The table of docs/media.md: what becomes of each format, from its file to the frames.
//
//   node --import tsx bench/media.ts [NAME...]      (it needs ffmpeg with its usual encoders)
//
// Each file is made of the same ten seconds. "Start": how far a decode that begins at 5.0002 s
// is from that frame of the whole decode. "Residual": the whole decode less the sound that went in,
// at the place where they fit best, which "lead" tells: coders without a header begin with more.
// "Seam": how a range that is opened anew differs from its first pass. "Length": what the probe
// tells less what is decoded.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { realTimers } from '../src/clock/real.js'
import { FfmpegMedia, MEDIA_DEFAULTS } from '../src/io/media/media-port.js'
import { Prober } from '../src/io/media/probe/prober.js'
import {
  convert, fullDecode, mediaFolder, type Sound, writeSweep, writeVideo,
} from '../test/devices/media-files.js'
import { firstDifference, MediaListener, part } from '../test/devices/media-listener.js'
import { table } from './report.js'

const SECONDS = 10
const FROM = 240_011
const LEAD_MOST = 3_000
const FIT_AT = 96_000
const FIT_FRAMES = 4_800

interface Format {
  readonly name: string
  readonly source: string
  readonly options: readonly string[]
  /** Made of two files, one after the other; of one encoded from here. */
  readonly then?: readonly [source: string, ...options: string[]]
}

const plain = (name: string, ...options: readonly string[]): Format =>
  ({ name, source: 's44.wav', options })
const at48 = (name: string, ...options: readonly string[]): Format =>
  ({ name, source: 's48.wav', options })

const FORMATS: readonly Format[] = [
  plain('pcm16.wav'), at48('pcm24.wav', '-c:a', 'pcm_s24le'), at48('f32.wav', '-c:a', 'pcm_f32le'),
  at48('r96.wav', '-ar', '96000'), plain('pcm.aiff'),
  plain('pcm.w64'), plain('pcm.caf'), plain('pcm.au'), plain('a.flac'), plain('a.tta'),
  plain('a.wv', '-c:a', 'wavpack'), plain('alac.m4a', '-c:a', 'alac'),
  at48('flac.mka', '-c:a', 'flac'), plain('cbr.mp3', '-b:a', '160k'), plain('vbr.mp3', '-q:a', '4'),
  plain('no-xing.mp3', '-q:a', '4', '-write_xing', '0'), plain('aac.m4a', '-c:a', 'aac'),
  plain('adts.aac', '-c:a', 'aac'), at48('a.opus', '-c:a', 'libopus'),
  plain('a.ogg', '-c:a', 'libvorbis'), at48('opus.webm', '-c:a', 'libopus'),
  at48('vorbis.webm', '-c:a', 'libvorbis'), at48('a.ac3'), at48('a.eac3'), at48('mp2.mp2'),
  plain('a.wma', '-c:a', 'wmav2'),
  { ...plain('film.mp4', '-c:v', 'copy', '-c:a', 'aac'), source: 'v' },
  { ...plain('film.avi', '-c:v', 'mpeg4', '-c:a', 'libmp3lame'), source: 'v' },
  { ...plain('film.mkv', '-c:v', 'copy', '-c:a', 'ac3'), source: 'v' },
  { ...plain('film.flv', '-c:v', 'flv1', '-c:a', 'aac'), source: 'v' },
  { ...at48('film.ts', '-c:v', 'mpeg2video', '-c:a', 'mp2'), source: 'v' },
  { ...plain('mono-later.mp3', '-b:a', '128k'), then: ['s44.wav', '-ac', '1', '-b:a', '64k'] },
  { ...plain('rate-later.mp3', '-b:a', '128k'), then: ['s48.wav', '-b:a', '128k'] },
  { ...at48('surround-later.ac3'), then: ['s48.wav', '-ac', '6'] },
  { ...at48('chain.opus', '-c:a', 'libopus'), then: ['s48.wav', '-c:a', 'libopus'] },
  { ...at48('chain.ogg', '-c:a', 'libvorbis'), then: ['s48.wav', '-c:a', 'libvorbis'] },
]

const folder = mediaFolder()
const path = (name: string): string => join(folder, name)
const listener = new MediaListener()
const timers = realTimers()

const sourceOf = (source: string): string => path(source === 'v' ? 'v.mp4' : source)

const write = ({ name, source, options, then }: Format): void => {
  convert(sourceOf(source), path(name), options)
  if (then === undefined) return
  const [next, ...others] = then
  convert(sourceOf(next), path(`later-${name}`), others)
  writeFileSync(path(name), Buffer.concat([path(name), path(`later-${name}`)].map((each) =>
    readFileSync(each))))
}

/** Where the source is in a decode, and how much is left of the difference, in dB of the source. */
const fit = (decoded: Sound, source: Sound): { readonly lead: number; readonly dB: number } => {
  let best = { lead: 0, error: Number.POSITIVE_INFINITY }
  const errorAt = (lead: number, frames: number): number => {
    let sum = 0
    for (let n = 0; n < frames; n += 1) {
      const off = (decoded.left[FIT_AT + lead + n] ?? 0) - (source.left[FIT_AT + n] ?? 0)
      sum += off * off
    }
    return sum
  }
  for (let lead = -LEAD_MOST; lead <= LEAD_MOST; lead += 1) {
    const error = errorAt(lead, FIT_FRAMES / 10)
    if (error < best.error) best = { lead, error }
  }
  const energy = source.left.subarray(FIT_AT, FIT_AT + FIT_FRAMES)
    .reduce((sum, sample) => sum + sample * sample, 0)
  return { lead: best.lead, dB: 10 * Math.log10(errorAt(best.lead, FIT_FRAMES) / energy) }
}

/** How far a decode from `from` is from the whole one; null where it is nowhere near. */
const startError = (later: Sound, whole: Sound, from: number): number | null => {
  for (let off = 0; off <= LEAD_MOST; off += 1) {
    for (const at of [off, -off]) {
      const place = part(whole, from + at, from + at + FIT_FRAMES)
      if (firstDifference(part(later, 0, FIT_FRAMES), place) === null) return at
      const like = fitsAt(later, whole, from + at)
      if (like) return at
    }
  }
  return null
}

/** AAC draws some noise anew after a seek: within -13 dB is the same sound, a frame off is not. */
const fitsAt = (later: Sound, whole: Sound, from: number): boolean => {
  let [error, energy] = [0, 0]
  for (let n = 2_400; n < 2_400 + FIT_FRAMES / 10; n += 1) {
    const [a, b] = [later.left[n] ?? 0, whole.left[from + n] ?? 0]
    error += (a - b) * (a - b)
    energy += b * b
  }
  return error < energy * 0.05
}

const main = async (): Promise<void> => {
  writeSweep(path('s44.wav'), 44_100, SECONDS)
  writeSweep(path('s48.wav'), 48_000, SECONDS)
  writeVideo(path('v.mp4'), SECONDS, path('s44.wav'))
  const media = new FfmpegMedia({
    ...MEDIA_DEFAULTS, timers, post: listener.post, env: process.env,
  })
  const prober = new Prober({ timers, files: media.files, cacheFile: null, concurrency: 1 })
  const play = async (name: string, from: number, to: number | null) => {
    const heard = await listener.play(media, listener.request(path(name), from, to), 480)
    heard.stream.close()
    return heard
  }
  const head = ['file', 'Start, frames off', 'lead', 'residual', 'seam', 'length, frames off', '']
  console.log(table(head, []).trimEnd())
  const only = process.argv.slice(2)
  for (const format of FORMATS) {
    if (only.length > 0 && !only.includes(format.name)) continue
    const { name } = format
    write(format)
    const whole = await play(name, 0, null)
    const later = await play(name, FROM, null)
    const again = await play(name, FROM, FROM + 96_000)
    const seam = firstDifference(again.sound, part(later.sound, 0, 96_000))
    const { lead, dB } = fit(whole.sound, fullDecode(sourceOf(format.source)))
    let told = 'none'
    await prober.probe([path(name)], new Set(), {
      looked: () => undefined,
      facts: (_, { duration, isEstimate }) => {
        const off = duration - whole.sound.left.length
        told = isEstimate ? `an estimate (${off})` : String(off)
      },
      fault: (_, message) => (told = message),
      progress: () => undefined,
    })
    const start = startError(later.sound, whole.sound, FROM)
    const row = [
      name, start === null ? 'elsewhere' : String(start), String(lead),
      dB === -Infinity ? 'none' : `${dB.toFixed(0)} dB`,
      seam === null ? 'the same' : `differs at ${seam}`, told, whole.broken ?? '',
    ]
    console.log(`| ${row.join(' | ')} |`)
  }
  await Promise.all([media.closeAll(), prober.close()])
}

// What decodes keeps no process from ending.
const hold = setInterval(() => undefined, 1_000)
try {
  await main()
} finally {
  clearInterval(hold)
  rmSync(folder, { recursive: true, force: true })
}
