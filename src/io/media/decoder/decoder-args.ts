// How ffmpeg is told to decode a range to the frame, and how its complaints become one line.
import { basename } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { isOtherKind, KINDS_GUARD } from '../demuxers.js'
import type { Seeking } from '../look/seeking.js'

const RATE = 48_000

/** Never a protocol but a local file, never a list; ffmpeg says errors alone. */
export const INPUT_GUARD = ['-v', 'error', '-protocol_whitelist', 'file', ...KINDS_GUARD] as const

/**
 * Arguments that decode [from, to) as interleaved f32le stereo at 48 kHz, sample-exact; where it is
 * written to comes after them.
 *
 * The seek goes to a whole second at least one second early, so that the resampler keeps its phase
 * and the codec has warmed up; the cut is made by counting samples after resampling. `first_pts`
 * puts sound that begins later than its container at its place. The hard compensation that comes
 * with it is put out of reach: time stamps that jump must never cost samples. Mono goes to both
 * channels at its own level (`pan` ignores channels that are not there); surround is downmixed by
 * ffmpeg's usual matrix.
 */
export const decodeArgs = (range: Range, ffmpeg: number | null = null): string[] => [
  '-nostdin', ...ONE_FORMAT, ...inputArgs(range), ...picturesArgs(0, range, ffmpeg),
  ...outputArgs(0, range),
]

/** What is decoded of a file. */
export interface Range {
  readonly path: string
  readonly origin: number
  readonly from: number
  readonly to: number | null
  readonly seeking: Seeking
}

/** The same for several ranges at once, each of which is written to a pipe of its own. */
export const batchArgs = (
  ranges: readonly Range[], firstPipe: number, ffmpeg: number | null = null,
): string[] => [
  '-nostdin',
  ...ranges.flatMap((range) => [...ONE_FORMAT, ...inputArgs(range)]),
  ...ranges.flatMap((range, n) => picturesArgs(n, range, ffmpeg)),
  ...ranges.flatMap((range, n) => [...outputArgs(n, range), `pipe:${firstPipe + n}`]),
]

/**
 * ffmpeg ends where the format changes on the way (stereo to mono, another rate), and says so. Left
 * alone it would begin its filters anew there and count from nothing: ten seconds into a file that
 * is ten seconds of silence, written before anybody can be told.
 */
const ONE_FORMAT = ['-reinit_filter', '0'] as const

/**
 * The same where the sound changes its format on the way. The filters are begun anew at the change,
 * so nothing counts here, and whoever listens drops the frames from `firstFrame` to `from`.
 */
export const changingArgs = (range: Range, ffmpeg: number | null = null): string[] => [
  '-nostdin', ...inputArgs(range), ...picturesArgs(0, range, ffmpeg),
  '-map', '0:a:0', '-af', framesOfOurs('', range.seeking), '-f', 'f32le',
]

/** The frame with which ffmpeg begins, before anything is cut. */
export const firstFrame = (range: Pick<Range, 'origin' | 'seeking'>): number =>
  prerollOf(range) * RATE

/**
 * Of a file without a seek, in MPEG streams and OGG, ffmpeg begins with the sound where that is
 * later than the pictures, which after a seek it does not: a Start of 5 s was then elsewhere than
 * at 5 s of the whole. It does so only where nobody moves the input, so it is moved by less than
 * any sample.
 */
const FROM_THE_START = ['-itsoffset', '0.000001'] as const

/**
 * The same since version 7, also after a seek: there it begins with what is first of all that is
 * read. Pictures that nobody wants are read where they are not discarded.
 */
const WITH_PICTURES = ['-discard:v', 'none'] as const

/**
 * Version 6.1, that of Ubuntu 24.04, does so whatever the input is told: sound that begins a second
 * after its pictures was heard a second early, and a Start of 2 s was anywhere. It reads pictures
 * only for an output, so it is given one that writes nothing.
 */
const picturesArgs = (input: number, range: Range, ffmpeg: number | null): string[] => {
  if (range.seeking !== 'with-pictures' || ffmpeg !== 6) return []
  const seconds = range.to === null ? [] : ['-t', String((range.to - firstFrame(range)) / RATE)]
  const maps = ['-map', `${String(input)}:a:0`, '-map', `${String(input)}:v?`]
  return [...maps, '-c', 'copy', ...seconds, '-f', 'null', '-']
}

const inputArgs = (range: Range): string[] => {
  if (range.origin < 0) throw new RangeError('a source has no frames before its first')
  const preroll = prerollOf(range)
  const seek = preroll === 0 ? FROM_THE_START : ['-ss', String(preroll)]
  const untrimmed = range.seeking === 'counted' ? ['-flags2', '+skip_manual'] : []
  const pictures = range.seeking === 'with-pictures' ? WITH_PICTURES : []
  return [...INPUT_GUARD, ...seek, ...pictures, ...untrimmed, '-i', `file:${range.path}`]
}

const TO_BOTH_SIDES =
  'aformat=sample_fmts=flt:channel_layouts=mono|stereo,pan=stereo|FL=FL+FC|FR=FR+FC'
/**
 * One channel that is called left, e.g. a voice that a program of Rust wrote, is mono all the same:
 * mixed to mono by ffmpeg it was 3 dB too quiet.
 */
const ONE_SIDE_TO_BOTH =
  'aformat=sample_fmts=flt:channel_layouts=FL|FR,pan=stereo|FL=FL+FR|FR=FL+FR'

/** @param count how the resampler is told to count, if it is. */
const framesOfOurs = (count: '' | ':first_pts=0', seeking: Seeking): string => {
  const sides = seeking === 'one-side' ? ONE_SIDE_TO_BOTH : TO_BOTH_SIDES
  return `aresample=${String(RATE)}${count}:min_hard_comp=1000000,${sides}`
}

/**
 * Frames by their number. What the first packet of Vorbis holds is no sound: up to version 5 ffmpeg
 * gives none of it, later ones do where nothing is trimmed, with the time stamp 0.
 */
const COUNTED_SOUND = "aselect='gt(pts,0)',asetpts=N/SR/TB,"

/** Of several sounds in a file the first: the one whose length the probe tells. */
const outputArgs = (input: number, range: Range): string[] => {
  const { origin, from, to } = range
  if (from < origin) throw new RangeError('a decode begins at or after its origin')
  const base = firstFrame(range)
  const end = to === null ? '' : `:end_sample=${String(to - base)}`
  const cut = `atrim=start_sample=${String(from - base)}${end}`
  const stamps = range.seeking === 'counted' ? COUNTED_SOUND : ''
  const filter = `${stamps}${framesOfOurs(':first_pts=0', range.seeking)},${cut}`
  return ['-map', `${input}:a:0`, '-af', filter, '-f', 'f32le']
}

/** So much is decoded from the file's beginning where a seek is not exact: a third of a second. */
const UNSOUGHT_SECONDS = 120

/** Whole seconds that are passed over. */
const prerollOf = ({ origin, seeking }: Pick<Range, 'origin' | 'seeking'>): number => {
  const isNear = origin < UNSOUGHT_SECONDS * RATE
  if (seeking === 'never' || seeking === 'counted' || (seeking === 'coarse' && isNear)) return 0
  return Math.max(0, Math.floor(origin / RATE) - 1)
}

/** What ffmpeg says where the format changed on the way, before it ends. */
export const FORMAT_CHANGED = /Changing audio frame properties on the fly is not supported/

/** What ffmpeg says where a file holds no sound; version 7 leaves the map out. */
export const HOLDS_NO_SOUND = /Stream map '[^']*' matches no streams/

/** How it names the input where the format changed, and, up to version 6 and since, no sound is. */
const NAMED_INPUT: readonly RegExp[] = [
  /_in_(\d+)[_:]\d+ @ [^\]]*\] Changing audio frame properties/g,
  /Stream map '(\d+):a:0' matches no streams/g,
  /Failed to set value '(\d+):a:0' for option 'map'/g,
]

/** Which of several inputs are to blame, where ffmpeg named them: by their place in the list. */
export const culprits = (stderr: string, paths: readonly string[]): ReadonlySet<number> => {
  const found = new Set<number>()
  for (const pattern of NAMED_INPUT) {
    for (const [, n] of stderr.matchAll(pattern)) found.add(Number(n))
  }
  paths.forEach((path, n) => {
    if (stderr.includes(`file:${path}: `)) found.add(n)
  })
  return found
}

/** The first thing ffmpeg complained of, without its addresses, its path and its colours. */
export const complaint = (stderr: string, path: string): string => {
  if (isOtherKind(stderr)) return `${basename(path)}: ${OTHER_KIND}`
  // The path goes first, whole: it may hold a line end, or what looks like a colour.
  const said = stripVTControlCharacters(stderr.replaceAll(`file:${path}: `, ''))
  const line =
    said
      .split('\n')
      .map((raw) => raw.replace(/\[[^\]]* @ 0x[0-9a-f]+\] ?/g, ''))
      .find((text) => text.trim() !== '' && !isGuess(text)) ?? 'the decoder gave no reason'
  return `${basename(path)}: ${line.trim().slice(0, 300)}`
}

/** What ffmpeg says of a file that it takes for an MP3 for want of anything better, or of any. */
const isGuess = (text: string): boolean =>
  /detected only with low score|Failed to read frame size|filesize and duration/.test(text)

const OTHER_KIND = 'it is of no kind that is played, e.g. a list of other files'

export const MISSING_FFMPEG =
  'ffmpeg was not found on the PATH; install it (Debian, Ubuntu: apt install ffmpeg)'
