// Asks ffprobe what a media file is: how long, with sound, with moving pictures.
import { resolve } from 'node:path'
import { type Frame, frame } from '../../../clock/frame.js'
import type { Timers } from '../../../clock/timers.js'
import type { AudioFacts, VideoFacts } from '../../../contract/show-page.js'
import { complaint } from '../decoder/decoder-args.js'
import { askFfprobe } from './ffprobe.js'
import { PICTURES_ALONE } from '../pictures-after-sound.js'
import { mp3Padding } from './mp3-padding.js'
import { opusPadding } from './opus-padding.js'
import { heardSamples, type Padding } from './padding.js'

export interface MediaFacts {
  /** The length of what will be heard or seen, as good as the container tells it; 0 unknown. */
  readonly duration: Frame
  /** The length is a guess, e.g. from the bit rate: the container does not tell it. */
  readonly isEstimate: boolean
  /** Where the sound ends by its container; null: that does not tell (Matroska, FLV). */
  readonly soundEnd: Frame | null
  /** Where the pictures end, if they go on after the sound, or may; null: they do not. */
  readonly picturesEnd: Frame | null
  /** Its frames are of two half pictures each, as those of a camcorder or a DVD. */
  readonly isInterlaced: boolean
  /** The container's names, by commas; empty where it has none. */
  readonly container: string
  /** Moving pictures; null: none, and a cover or a still image is none. */
  readonly video: VideoFacts | null
  /** Null: it has no sound. */
  readonly audio: AudioFacts | null
}

export type ProbeAnswer =
  | { readonly ok: true; readonly facts: MediaFacts }
  | { readonly ok: false; readonly message: string }

/** What ffprobe calls files of one still picture. */
const STILL = /(?:^|,)(?:image2|ico|\w+_pipe)(?:,|$)/
/** What ffprobe calls frames of two halves, by which is coded and which is shown first. */
const TWO_HALVES = /^(?:tt|bb|tb|bt)$/
/** What ffprobe says where the container does not tell a length, or an MP3 was cut off since. */
const GUESSED = /Estimating duration from bitrate|filesize and duration do not match/
/** Kinds whose length is their last moment where time does not begin with them. */
const TELLS_LAST_MOMENT = /^(?:ogg|matroska,webm)$/
/** More than a coder, or a container, puts in front. */
const LATE_SECONDS = 0.5
const OUTPUT_BYTES = 262_144
const ENTRIES = [
  'format=format_name,duration,start_time',
  'stream=codec_type,codec_name,channels,sample_rate,duration_ts,time_base,start_pts,start_time,'
    + 'duration,pix_fmt,width,height,avg_frame_rate,field_order',
  'stream_disposition=attached_pic',
  'stream_tags=alpha_mode',
  'format_tags=iTunSMPB',
].join(':')

/** Runs one ffprobe; never rejects. */
export const probeFile = async (
  path: string, background: boolean, timers: Timers,
): Promise<ProbeAnswer> => {
  const args = ['-v', 'warning', '-show_entries', ENTRIES, '-of', 'json']
  const answer = await askFfprobe(path, args, OUTPUT_BYTES, background, timers)
  if (!answer.ok) return answer
  const facts = readFacts(answer.output)
  if (facts === null) return { ok: false, message: complaint('', resolve(path)) }
  const isEstimate = GUESSED.test(answer.errors)
  const padding = isEstimate ? null : await paddingIn(path, facts).catch(() => null)
  const heard = padding === null ? facts : readFacts(answer.output, padding) ?? facts
  return { ok: true, facts: { ...heard, isEstimate: isEstimate || heard.isEstimate } }
}

const paddingIn = async (
  path: string, { container, audio }: MediaFacts,
): Promise<Padding | null> => {
  if (container === 'mp3') return mp3Padding(path)
  return container === 'ogg' && audio?.codec === 'opus' ? opusPadding(path) : null
}

interface RawStream {
  readonly codec_type?: string
  readonly codec_name?: string
  readonly sample_rate?: string
  readonly pix_fmt?: string
  readonly field_order?: string
  readonly width?: number
  readonly height?: number
  readonly avg_frame_rate?: string
  readonly channels?: number
  readonly duration_ts?: number
  readonly time_base?: string
  readonly start_pts?: number
  readonly start_time?: string
  readonly duration?: string
  readonly disposition?: { readonly attached_pic?: number }
  readonly tags?: { readonly alpha_mode?: string }
}

interface RawProbe {
  readonly streams?: readonly RawStream[]
  readonly format?: {
    readonly format_name?: string
    readonly duration?: string
    readonly start_time?: string
    readonly tags?: { readonly iTunSMPB?: string }
  }
}

/** No medium is longer than a month: a header that says so is damaged, its length unknown. */
const FRAMES_MAX = 31 * 24 * 3_600 * 48_000
const CHANNELS_MAX = 1_024

/** What a file says of itself is input like any other: a count of frames, or null. */
export const framesOf = (count: number): Frame | null => {
  const frames = Math.round(count)
  return frames > 0 && frames <= FRAMES_MAX ? frame(frames) : null
}

/**
 * Facts out of ffprobe's JSON; null where it is none or holds no stream. `padding`: what may count
 * in its length, and nobody will hear.
 */
export const readFacts = (json: string, padding: Padding | null = null): MediaFacts | null => {
  let raw: RawProbe | null
  try {
    raw = JSON.parse(json) as RawProbe | null
  } catch {
    return null
  }
  const streams: readonly RawStream[] = Array.isArray(raw?.streams)
    ? (raw.streams as readonly (RawStream | null)[]).filter((each) => each !== null)
    : []
  const format = raw?.format ?? {}
  const container = secondsToFrames(format.duration)
  const sound = streams.find((stream) => stream.codec_type === 'audio')
  const picture = streams.find(
    (stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1,
  )
  if (sound === undefined && picture === undefined) return null
  const moving = STILL.test(format.format_name ?? '') ? undefined : picture
  const isLate = moving === undefined && tellsLastMoment(format, sound)
  const own = sound === undefined || isLate ? null
    : streamEnd(withoutPadding(sound, padding, format.tags?.iTunSMPB), format.start_time)
  const pictures = moving === undefined || sound === undefined ? null
    : streamEnd(moving, format.start_time) ?? container
  const goOn = pictures !== null && pictures > (own ?? 0) + PICTURES_ALONE
  return {
    duration: (goOn ? pictures : own) ?? container ?? frame(0),
    isEstimate: isLate,
    soundEnd: own,
    picturesEnd: goOn ? pictures : null,
    isInterlaced: TWO_HALVES.test(moving?.field_order ?? ''),
    container: format.format_name ?? '',
    video: moving === undefined ? null : videoFacts(moving, format.start_time),
    audio: sound === undefined ? null : audioFacts(sound),
  }
}

/**
 * A recording of a radio goes on from when that began, and is told as hours; so is MP4 that was put
 * together of later fragments. One that begins with a wait, by its edit list, tells two lengths.
 */
const tellsLastMoment = (
  { format_name: name = '', start_time: start, duration }: NonNullable<RawProbe['format']>,
  sound: RawStream | undefined,
): boolean =>
  Number(start) > LATE_SECONDS && (TELLS_LAST_MOMENT.test(name) ||
    (name.startsWith('mov,') && sound?.duration !== undefined && sound.duration === duration))

const videoFacts = (stream: RawStream, containerStart: string | undefined): VideoFacts => {
  const [num, den] = (stream.avg_frame_rate ?? '').split('/').map(Number)
  const rate = num && den ? Math.round((num / den) * 1000) / 1000 : null
  return {
    codec: stream.codec_name ?? 'unknown',
    pixelFormat: pixelFormatOf(stream),
    width: countOf(stream.width),
    height: countOf(stream.height),
    framesPerSecond: rate,
    beginsMs: countOf(Math.round(Number(containerStart) * 1000)),
    keyframesMs: null,
  }
}

/** The transparency of VP8 and VP9 is a stream beside the picture: a tag alone tells of it. */
const pixelFormatOf = ({ codec_name: codec, pix_fmt: format, tags }: RawStream): string | null => {
  const isSeeThrough = /^vp[89]$/.test(codec ?? '') && tags?.alpha_mode === '1'
  return isSeeThrough && format === 'yuv420p' ? 'yuva420p' : format ?? null
}

const audioFacts = (stream: RawStream): AudioFacts => ({
  codec: stream.codec_name ?? 'unknown',
  channels: channelsOf(stream.channels),
  sampleRate: countOf(Number(stream.sample_rate)),
})

const countOf = (count: number | undefined): number =>
  count !== undefined && Number.isSafeInteger(count) && count > 0 ? count : 0

/**
 * Of MP3 and Opus the padding is told. iTunes and its kin write no edit list, but a tag with what
 * their coder put before the sound, behind it, and how long it is: ` 00000000 00000840 000001CA
 * 000000000000AC44 ...`. ffmpeg passes over the first of these, and the stream's length counts the
 * padding behind the sound, up to 1023 samples.
 */
const withoutPadding = (
  stream: RawStream, padding: Padding | null, tag: string | undefined,
): RawStream => {
  const [num, den] = (stream.time_base ?? '').split('/').map(Number)
  if (padding !== null && num && den) {
    const rate = Number(stream.sample_rate)
    const ticks = den / (num * rate)
    const told = (stream.duration_ts ?? 0) / ticks
    return { ...stream, duration_ts: heardSamples(told, rate, padding) * ticks }
  }
  const [before, , samples] = (tag ?? '').trim().split(/\s+/).slice(1).map((x) => parseInt(x, 16))
  const isWhole = samples === undefined || !(samples > 0 && samples < (stream.duration_ts ?? 0))
  return isWhole || before !== stream.start_pts ? stream : { ...stream, duration_ts: samples }
}

/** Where a stream ends, counted from its container's start. */
const streamEnd = (stream: RawStream, containerStart: string | undefined): Frame | null => {
  const length = exactFrames(stream) ?? secondsToFrames(stream.duration)
  if (length === null) return null
  const lead = Number(stream.start_time) - Number(containerStart)
  // Leads under a millisecond are rounding; the decoder ignores them too.
  return Number.isFinite(lead) && lead > 0.001 ? framesOf(length + lead * 48_000) : length
}

const channelsOf = (count: number | undefined): number =>
  count !== undefined && Number.isInteger(count) && count > 0 && count <= CHANNELS_MAX ? count : 0

/** Samples of another rate become so many frames that the last one begun counts. */
const exactFrames = (stream: RawStream): Frame | null => {
  const [num, den] = (stream.time_base ?? '').split('/').map(Number)
  const ticks = stream.duration_ts
  if (!num || !den || ticks === undefined || !Number.isFinite(ticks) || ticks <= 0) return null
  return framesOf(Math.ceil((ticks * num * 48_000) / den - 1e-6))
}

const secondsToFrames = (seconds: string | undefined): Frame | null =>
  framesOf(Number(seconds) * 48_000)
